from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.accounts.queries import account_named
from annotator.core.errors import ActionError
from annotator.models import Project, Role, User
from annotator.projects.actions.invitations import MAX_VALIDITY
from annotator.templatetags.words import language


class AddMemberForm(forms.Form):
    """Somebody who has an account, by username."""

    username = forms.CharField(label=_("Username"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)

    def clean_username(self) -> User:
        try:
            return account_named(self.cleaned_data["username"])
        except ActionError as error:
            raise ValidationError(str(error)) from error


class MapPersonForm(forms.Form):
    """Which account somebody in the project's backup is."""

    account = forms.CharField(label=_("Username"), max_length=150)

    def clean_account(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["account"].strip(), is_active=True).first()
        if user is None:
            raise ValidationError(_("No active account has this username. Check the spelling."))
        return user


class NewAccountForm(forms.Form):
    """An account for somebody who has none."""

    username = forms.CharField(
        label=_("Username"), max_length=150, help_text=_("Used to sign in: letters, digits, . _ - @")
    )
    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class AdjudicateOwnForm(forms.Form):
    allowed = forms.BooleanField(
        label=_("Adjudicators can decide on items that they labelled, but not on those labelled blind"), required=False
    )


class LanguagesForm(forms.Form):
    """In which of the project's languages somebody is given work; none: in all."""

    languages = forms.MultipleChoiceField(label=_("Languages"), required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["languages"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101  # for the type checker
        field.choices = [(code, language(code)) for code in project.languages]
        field.help_text = _("None selected: all of the project's languages.")


class InvitationForm(LanguagesForm):
    """Whom a link brings into the project, and until when."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANNOTATOR)
    email = forms.EmailField(label=_("Email (optional)"), required=False)
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=MAX_VALIDITY.days)

    field_order = ("role", "languages", "email", "days")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"].initial = settings.INVITATION_DAYS
        self.fields["email"].help_text = (
            _("The link will be sent to this address.")
            if settings.SENDS_MAIL
            else _("Only a note for you: the site has no mail server, so share the link yourself.")
        )
