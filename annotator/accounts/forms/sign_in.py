"""Signing in, and passwords."""

from __future__ import annotations

from typing import Any

from allauth.account.fields import SetPasswordField
from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordForm, ResetPasswordKeyForm
from django.forms import Form
from django.utils.translation import gettext as _


def named(form: Form, labels: dict[str, str]) -> None:
    """Give fields of django-allauth this site's labels, and no text inside of them that goes when one writes."""
    for name, label in labels.items():
        field = form.fields[name]
        field.label = label
        field.widget.attrs.pop("placeholder", None)
        if not isinstance(field, SetPasswordField):
            # A second link to the page for forgotten passwords.
            field.help_text = ""


class SignInForm(LoginForm):
    """By username or email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named(self, {"login": _("Username or email"), "password": _("Password")})
        self.fields["login"].widget.attrs.update(autocomplete="username", autocapitalize="none", autofocus=True)

    def add_prefix(self, field_name: str) -> str:
        # As browsers have stored it for this page.
        return super().add_prefix("username" if field_name == "login" else field_name)


class PasswordForm(ChangePasswordForm):
    """One's own password, by a person who knows it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named(
            self,
            {
                "oldpassword": _("Old password"),
                "password1": _("New password"),
                "password2": _("Confirm new password"),
            },
        )


class ForgottenForm(ResetPasswordForm):
    """Where the link to a new password is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named(self, {"email": _("Email")})


class NewPasswordForm(ResetPasswordKeyForm):
    """By anyone with such a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named(self, {"password1": _("New password"), "password2": _("Confirm new password")})
