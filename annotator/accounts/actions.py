"""Accounts: made by managers, by invitation, or by anyone where the site is open; and what people change."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotator.accounts.queries import has_email
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_one_line
from annotator.domain.verbs import Verb
from annotator.models import ApiToken, Project, Scope, User

# Tokens of one person that have not expired.
MAX_TOKENS = 100
MAX_TOKEN_DAYS = 3650
_USED_TO = timedelta(hours=1)


@transaction.atomic
def create_account(
    *, username: str, password: str, name: str = "", email: str = "", project: Project | None, by: User | None = None
) -> User:
    """Create a user: for a new member of `project`, by a manager; without a project, by the person.

    Whether the password is a good one is asked before, by forms. Raises ActionError when the username is taken or
    cannot be one, or when somebody has the email address.
    """
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError as error:
        raise ActionError(" ".join(error.messages)) from None
    if User.objects.filter(username__iexact=username).exists():
        raise ActionError(_taken(username))
    check_one_line(name)
    if email:
        check_email(email)
    try:
        with transaction.atomic():
            user = User.objects.create_user(username=username, email=email, password=password, first_name=name[:150])
    except IntegrityError:
        # Somebody took the name between the look and the write.
        raise ActionError(_taken(username)) from None
    if project is None:
        log(project=None, actor=user, verb=Verb.USER_REGISTER, subject=user)
    else:
        log(project=project, actor=by, verb=Verb.USER_CREATE, subject=user)
    return user


@transaction.atomic
def change_account(*, user: User, name: str, email: str) -> User:
    """Change a person's own name and email address. Raises ActionError when somebody else has the address."""
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    check_one_line(name)
    if email:
        check_email(email, but=row)
    wanted = {"first_name": name[:150], "last_name": "", "email": email.lower()}
    if (row.get_full_name(), row.email) == (name[:150].strip(), wanted["email"]):
        return row
    changed = ["name"] if row.get_full_name() != wanted["first_name"] else []
    changed += ["email"] if row.email != wanted["email"] else []
    for field, value in wanted.items():
        setattr(row, field, value)
    row.save(update_fields=list(wanted))
    # The log names people by id; what their name or address was is nobody's business.
    log(project=None, actor=row, verb=Verb.USER_CHANGE, subject=row, after={"changed": changed})
    return row


@transaction.atomic
def change_keys(*, user: User, changed: dict[str, str], singles: bool) -> User:
    """Set a person's own keys of the workspaces: the key of each command ("": none).

    Raises ActionError where two commands have the same key, since a key has one meaning.
    """
    taken: dict[str, str] = {}
    for command, key in changed.items():
        if key and key in taken:
            raise ActionError(_("The key “%(key)s” is used twice. Give it one meaning.") % {"key": key})
        taken[key] = command
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    wanted = {"changed": changed, "singles": singles}
    if row.own_keys == wanted:
        return row
    row.own_keys = wanted
    row.save(update_fields=["own_keys"])
    log(project=None, actor=row, verb=Verb.USER_CHANGE, subject=row, after={"changed": ["keys"]})
    return row


@transaction.atomic
def create_token(
    *, user: User, name: str, scope: str, project: Project | None = None, days: int | None = None, now: datetime
) -> tuple[ApiToken, str]:
    """Create an API token. Returns it and its secret, which is not stored. Expired ones of the person are deleted.

    `days`: after which it expires; None: never. Raises ActionError for an unknown scope, a name that is no line, and
    where the person has too many.
    """
    if scope not in Scope.values:
        raise ActionError(
            _("Unknown scope “%(scope)s”. Available: %(known)s") % {"scope": scope, "known": ", ".join(Scope.values)}
        )
    check_one_line(name)
    # So that two at once do not both see room.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    own = ApiToken.objects.filter(user=user)
    own.filter(expires_at__lte=now).delete()
    if own.count() >= MAX_TOKENS:
        raise ActionError(
            _("You can have at most %(most)d API tokens. Revoke one on your account page first.") % {"most": MAX_TOKENS}
        )
    secret = secrets.token_urlsafe(32)
    expires_at = now + timedelta(days=days) if days is not None else None
    token = ApiToken.objects.create(
        user=user,
        name=name[:100],
        secret_hash=ApiToken.hashed(secret),
        scope=scope,
        project=project,
        expires_at=expires_at,
    )
    after = {
        "scope": scope,
        "project": project.pk if project else None,
        "expires_at": expires_at.isoformat() if expires_at else None,
    }
    log(project=None, actor=user, verb=Verb.API_TOKEN_CREATE, subject=token, after=after)
    return token, secret


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User) -> None:
    """Delete an API token. Calls with it are refused from now on."""
    log(project=None, actor=by, verb=Verb.API_TOKEN_REVOKE, subject=token)
    token.delete()


def mark_used(*, token: ApiToken, now: datetime) -> None:
    """Note when a token was last used, once an hour. A call does not fail because this cannot be written."""
    if token.used_at is not None and now - token.used_at < _USED_TO:
        return
    stale = Q(used_at=None) | Q(used_at__lte=now - _USED_TO)
    with suppress(DatabaseError), transaction.atomic():
        ApiToken.objects.filter(stale, pk=token.pk).update(used_at=now)


def check_email(email: str, but: User | None = None) -> None:
    """Raise ActionError when somebody, apart from `but`, has the email address: one signs in by it."""
    if has_email(email, but):
        raise ActionError(_("An account with this email address already exists."))


def _taken(username: str) -> str:
    return _("The account “%(user)s” already exists. Add that person by username, or choose another name.") % {
        "user": username
    }
