"""Making an account, and what people change of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.core.access import projects_for
from annotator.models import Project, Scope, User


class NewAccountForm(forms.Form):
    """An account by the person who will have it."""

    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        help_text=_("You sign in with it. Letters, digits, . _ - @"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("Email (optional)"),
        required=False,
        help_text=_("You can also sign in with it. If the site sends email, it lets you replace a forgotten password."),
    )
    password1 = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=password_validators_help_text_html,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password2 = forms.CharField(
        label=_("Confirm password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, second = data.get("password1"), data.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The two passwords do not match."))
        elif first:
            about = {name: data.get(name, "") for name in ("username", "email")}
            try:
                validate_password(first, User(**about, first_name=data.get("name", "")))
            except ValidationError as error:
                self.add_error("password1", error)
        return data

    @property
    def account(self) -> dict[str, Any]:
        """What the account is made of, once the form is valid."""
        data = self.cleaned_data
        return {**{name: data[name] for name in ("username", "name", "email")}, "password": data["password1"]}


class PasswordAskedForm(forms.Form):
    """A form of a person who knows the password of the account."""

    password = forms.CharField(
        label=_("Current password"),
        strip=False,
        help_text=_("Required, so that nobody can change this on a device you left unlocked."),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise ValidationError(_("This password is not correct."))
        return password


class OwnAccountForm(PasswordAskedForm):
    """One's own name and email address."""

    field_order = ["name", "email", "password"]
    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("Email"),
        required=False,
        help_text=_("You sign in with it, and get a link there if you forget your password."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.initial = {"name": user.get_full_name(), "email": user.email}


class TokenForm(PasswordAskedForm):
    """A new API token."""

    name = forms.CharField(label=_("Name"), max_length=100, help_text=_("What you use it for."))
    scope = forms.ChoiceField(label=_("Scope"), choices=Scope.choices, initial=Scope.READ)
    project = forms.ModelChoiceField(
        label=_("Project"), queryset=Project.objects.none(), required=False, empty_label=_("All my projects")
    )
    days = forms.TypedChoiceField(
        label=_("Expires"),
        choices=[(30, _("in 30 days")), (90, _("in 90 days")), (365, _("in a year")), ("", _("Never"))],
        initial=90,
        coerce=int,
        empty_value=None,
        required=False,
    )
    field_order = ["name", "scope", "project", "days", "password"]

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        field = self.fields["project"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # for the type checker
        field.queryset = projects_for(user)
