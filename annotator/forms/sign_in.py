"""Signing in, with a limit on guessing."""

from __future__ import annotations

import hashlib
import logging
import time
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LIMIT = 5
WINDOW_SECONDS = 15 * 60

logger = logging.getLogger(__name__)


class SignInForm(AuthenticationForm):
    """After LIMIT failures in the window, a user name cannot be tried again from the same address for a while."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.error_messages["invalid_login"] = _(
            "User name and password do not match. Check capital letters; if you forgot the password, "
            "ask the person who made your account."
        )

    def clean(self) -> dict[str, Any]:
        username, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not username or not password:
            return super().clean()
        key = self._key(username)
        failures = [at for at in cache.get(key, []) if at > time.time() - WINDOW_SECONDS]
        if len(failures) >= LIMIT:
            minutes = int((failures[0] + WINDOW_SECONDS - time.time()) // 60) + 1
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
        try:
            cleaned = super().clean()
        except ValidationError:
            cache.set(key, [*failures, time.time()], WINDOW_SECONDS)
            raise
        cache.delete(key)
        return cleaned

    def _key(self, username: str) -> str:
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        return "sign-in:" + hashlib.sha256(f"{username.casefold()}\n{address}".encode()).hexdigest()
