from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.models import Role, User


class AddMemberForm(forms.Form):
    """Somebody who has an account, by user name."""

    username = forms.CharField(label=_("User name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)

    def clean_username(self) -> User:
        name = self.cleaned_data["username"].strip()
        user = User.objects.filter(username__iexact=name, is_active=True).order_by("pk").first()
        if user is None:
            raise ValidationError(
                _('Nobody has the user name "%(name)s". Check the spelling, or make an account for the person.'),
                params={"name": name},
            )
        return user


class NewAccountForm(forms.Form):
    """An account for somebody who has none."""

    username = forms.CharField(
        label=_("User name"), max_length=150, help_text=_("What the person signs in with: letters, digits, . _ - @")
    )
    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class AdjudicateOwnForm(forms.Form):
    allowed = forms.BooleanField(label=_("Adjudicators may decide on items that they annotated"), required=False)
