"""Signing in, with a limit on guessing."""

from __future__ import annotations

import hashlib
import logging
import time
from typing import Any

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LIMIT = 5
# Of whatever names: guessing one password for many people is guessing too. A whole class may share an address.
ADDRESS_LIMIT = 60
WINDOW_SECONDS = 15 * 60

logger = logging.getLogger(__name__)


class LimitedTries(AuthenticationForm):
    """After LIMIT failures in the window, a user name cannot be tried again from the same address for a while;
    after ADDRESS_LIMIT, no name can."""

    def clean(self) -> dict[str, Any]:
        username, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not username or not password:
            return super().clean()
        address = client_address(self.request)
        by_name, by_address = _key(username.casefold(), address), _key(address)
        failures = _recent(by_name)
        _refuse(username, failures, LIMIT)
        _refuse(username, _recent(by_address), ADDRESS_LIMIT)
        # Counted before the password is looked at, which takes a while: tries at the same moment count as well.
        cache.set(by_name, [*failures, time.time()], WINDOW_SECONDS)
        try:
            cleaned = super().clean()
        except ValidationError:
            cache.set(by_address, [*_recent(by_address), time.time()], WINDOW_SECONDS)
            raise
        cache.delete(by_name)
        return cleaned


class SignInForm(LimitedTries):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.error_messages["invalid_login"] = _(
            "User name and password do not match. Check capital letters; if you forgot the password, "
            "ask the person who made your account."
        )


class AdminSignInForm(LimitedTries, AdminAuthenticationForm):
    """The site administration has a page of its own for signing in, and the same limit there."""


def client_address(request: HttpRequest | None) -> str:
    """Where the request comes from. Behind a proxy that is what the proxy appended; what stands before it, anybody
    can write."""
    if request is None:
        return ""
    if settings.HTTPS and (forwarded := request.headers.get("X-Forwarded-For")):
        return forwarded.rsplit(",", maxsplit=1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def _recent(key: str) -> list[float]:
    return [at for at in cache.get(key, []) if at > time.time() - WINDOW_SECONDS]


def _refuse(username: str, failures: list[float], limit: int) -> None:
    if len(failures) < limit:
        return
    minutes = int((failures[-limit] + WINDOW_SECONDS - time.time()) // 60) + 1
    logger.warning("Sign-in of %r refused: %d failures in a row", username, len(failures))
    raise ValidationError(
        ngettext(
            "Too many failed attempts. Wait %(minutes)d minute and try again.",
            "Too many failed attempts. Wait %(minutes)d minutes and try again.",
            minutes,
        )
        % {"minutes": minutes},
        code="throttled",
    )


def _key(*parts: str) -> str:
    return "sign-in:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()
