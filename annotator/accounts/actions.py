"""Accounts: made by managers, by invitation, or by anyone where the site is open; and what people change."""

from __future__ import annotations

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotator.accounts.queries import has_email
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_one_line
from annotator.domain.verbs import Verb
from annotator.models import Project, User


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


def check_email(email: str, but: User | None = None) -> None:
    """Raise ActionError when somebody, apart from `but`, has the email address: one signs in by it."""
    if has_email(email, but):
        raise ActionError(_("An account with this email address already exists."))


def _taken(username: str) -> str:
    return _("The account “%(user)s” already exists. Add that person by username, or choose another name.") % {
        "user": username
    }
