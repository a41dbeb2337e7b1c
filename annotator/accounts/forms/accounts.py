"""Making an account, and what people change of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.models import User


class NewAccountForm(forms.Form):
    """An account by the person who will have it."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        help_text=_("What you sign in with: letters, digits, . _ - @"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("E-mail (optional)"),
        required=False,
        help_text=_(
            "You can sign in with it, too. Where the site sends e-mail, a forgotten password is replaced by it."
        ),
    )
    password1 = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=password_validators_help_text_html,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password2 = forms.CharField(
        label=_("Password, once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, second = data.get("password1"), data.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The two passwords are not the same."))
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


class OwnAccountForm(forms.Form):
    """One's own name and email address, changed by a person who knows the password."""

    name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("To sign in with, and for a link when you forget the password."),
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        help_text=_("So that nobody changes this at a screen that you left open."),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {"name": user.get_full_name(), "email": user.email}
        self._user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise ValidationError(_("This is not your password."))
        return password
