"""Reads about accounts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.prepared import Prepared
from annotator.domain.verbs import Verb
from annotator.models import ApiToken, Event, User


def made_by_manager(user: User) -> bool:
    """Somebody else made the account, and so knows its first password."""
    return Event.objects.filter(verb=Verb.USER_CREATE, subject_type="user", subject_id=user.pk).exists()


def own_keys(user: User) -> dict[str, Any]:
    """The keys that a person changed, by command, and whether keys of one sign act."""
    return {"changed": {}, "singles": True, **user.own_keys}


_USER: Prepared[User] = Prepared(lambda pk: User.objects.filter(pk=pk), pk=int)


_TOKEN: Prepared[ApiToken] = Prepared(
    lambda secret_hash: ApiToken.objects.select_related("user", "project").filter(secret_hash=secret_hash),
    secret_hash=str,
)


def token_by(secret: str) -> ApiToken | None:
    """The API token with this secret, with its user and project."""
    return _TOKEN.first(secret_hash=ApiToken.hashed(secret))


def tokens_of(user: User, now: datetime) -> list[tuple[ApiToken, bool]]:
    """A person's API tokens, newest first, and whether each has expired."""
    return [(token, token.is_expired(now)) for token in user.api_tokens.select_related("project")]


def has_email(email: str, but: User | None = None) -> bool:
    """Whether somebody has an email address, apart from `but`."""
    rows = User.objects.filter(email=email.lower())
    return (rows if but is None else rows.exclude(pk=but.pk)).exists()


class AccountBackend(AuthenticationBackend):
    """Username or email, and password; every call asks it whose session this is, so that is asked fast."""

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        # Beside "Ana" there may be an "ana", made before names were compared without capitals.
        exact = User.objects.filter(username=username).first()
        found = (
            self._check_password(exact, password) if exact else super()._authenticate_by_username(username, password)
        )
        return found if isinstance(found, User) else None

    def get_user(self, user_id: Any) -> User | None:
        found = _USER.first(pk=int(user_id))
        return found if found is not None and self.user_can_authenticate(found) else None


def account_named(username: str) -> User:
    """The active account with this username, in whatever case. Raises ActionError."""
    name = username.strip()
    user = User.objects.filter(username__iexact=name, is_active=True).order_by("pk").first()
    if user is None:
        raise ActionError(
            _("No account has the username “%(name)s”. Check the spelling, or create an account for the person.")
            % {"name": name}
        )
    return user
