"""What django-allauth asks the site for: words, addresses, limits."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.accounts.mail import send
from annotator.models import User

logger = logging.getLogger(__name__)

_NO_MATCH = _(
    "The name and password do not match. Check capital letters, choose a new password by "
    "email, or ask the person who created your account."
)
# What is told after something was done; what else django-allauth would say, people see.
MESSAGES = {"account/messages/password_changed.txt": _("Your password has been changed.")}


class AccountAdapter(DefaultAccountAdapter):
    """How often things may be tried is `ACCOUNT_RATE_LIMITS`; this says by what tries are counted."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _NO_MATCH,
        "email_password_mismatch": _NO_MATCH,
        "too_many_login_attempts": _("Too many failed attempts. Wait a quarter of an hour and try again."),
        "enter_current_password": _("This password is not correct."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By name and address: else anybody could lock anybody out.
        name = str(credentials.get("email") or credentials.get("username") or "")
        return f"{name.casefold()}\n{client_address(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            logger.warning("Sign-in of %r refused: too many failures", credentials.get("username"))
            raise

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        if message_template in MESSAGES:
            messages.add_message(request, level, MESSAGES[message_template])

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Raises ActionError when the mail server does not take it."""
        lines = [
            gettext("Someone, probably you, asked for a new password for your account at %(site)s.")
            % {"site": self.request.get_host()},
            "",
            gettext("Your username: %(name)s") % {"name": user.username},
            "",
            gettext("Choose the new password here. The link works once and expires after a day:"),
            context["password_reset_url"],
            "",
            gettext("If it wasn't you, ignore this email. Your password will stay the same."),
        ]
        send(subject=gettext("Your new password for Translatio"), text="\n".join(lines), to=email)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return resolve_url(settings.LOGIN_REDIRECT_URL)


def client_address(request: HttpRequest | None) -> str:
    """Where the request comes from. Behind a proxy that is what the proxy appended; what stands before it, anybody
    can write."""
    if request is None:
        return ""
    if settings.HTTPS and (forwarded := request.headers.get("X-Forwarded-For")):
        return forwarded.rsplit(",", maxsplit=1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
