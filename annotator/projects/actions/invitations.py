"""Invitations: a link by which one person joins a project, once."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.accounts.actions import create_account
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Invitation, InvitationState, Membership, Project, User
from annotator.projects.actions.projects import add_member, check_languages, check_role

MAX_VALIDITY = timedelta(days=90)


@transaction.atomic
def invite(
    *,
    project: Project,
    role: str,
    languages: Sequence[str] = (),
    email: str = "",
    valid: timedelta,
    by: User | None,
    now: datetime,
) -> tuple[Invitation, str]:
    """Make an invitation. Returns it and the secret of its link, which is kept nowhere.

    `languages`: in which the person is to work; none: in all. Raises ActionError for a role or a language that the
    project does not have, and for a time that is over at once or too long.
    """
    check_role(role)
    check_languages(project, languages)
    if not timedelta() < valid <= MAX_VALIDITY:
        raise ActionError(_("An invitation can be valid for 1 to %(most)d days.") % {"most": MAX_VALIDITY.days})
    secret = _new_secret()
    invitation = Invitation.objects.create(
        project=project,
        secret_hash=Invitation.hashed(secret),
        role=role,
        languages=list(languages),
        email=email,
        invited_by=by,
        expires_at=now + valid,
    )
    log(
        project=project,
        actor=by,
        verb=Verb.INVITATION_CREATE,
        subject=invitation,
        after={"role": role, "languages": list(languages), "expires_at": invitation.expires_at.isoformat()},
    )
    return invitation, secret


@transaction.atomic
def renew(*, invitation: Invitation, valid: timedelta, by: User | None, now: datetime) -> tuple[Invitation, str]:
    """Give an invitation that nobody has accepted a new link; the old one does not work any more.

    Raises ActionError when it was accepted or revoked.
    """
    row = _locked(invitation)
    if row.state(now) not in (InvitationState.OPEN, InvitationState.EXPIRED):
        raise ActionError(refusal(row, now))
    secret = _new_secret()
    before = row.expires_at
    row.secret_hash, row.expires_at, row.sent_at = Invitation.hashed(secret), now + valid, None
    row.save(update_fields=["secret_hash", "expires_at", "sent_at"])
    log(
        project=row.project,
        actor=by,
        verb=Verb.INVITATION_RENEW,
        subject=row,
        before={"expires_at": before.isoformat()},
        after={"expires_at": row.expires_at.isoformat()},
    )
    return row, secret


@transaction.atomic
def mark_sent(*, invitation: Invitation, by: User | None, now: datetime) -> Invitation:
    """Record that the link went out by email."""
    row = _locked(invitation)
    row.sent_at = now
    row.save(update_fields=["sent_at"])
    log(project=row.project, actor=by, verb=Verb.INVITATION_SENT, subject=row)
    return row


@transaction.atomic
def revoke(*, invitation: Invitation, by: User | None, now: datetime) -> Invitation:
    """Make the link of an invitation useless. Raises ActionError when somebody has accepted it."""
    row = _locked(invitation)
    state = row.state(now)
    if state == InvitationState.ACCEPTED:
        raise ActionError(refusal(row, now))
    if state != InvitationState.REVOKED:
        row.revoked_at = now
        row.save(update_fields=["revoked_at"])
        log(project=row.project, actor=by, verb=Verb.INVITATION_REVOKE, subject=row)
    return row


@transaction.atomic
def accept(*, invitation: Invitation, user: User, now: datetime) -> Membership:
    """Make `user` a member as the invitation says, and use it up.

    Raises ActionError when it was used, revoked or is over, and, leaving it open, when the person is a member already.
    """
    row = _locked(invitation)
    if row.state(now) != InvitationState.OPEN:
        raise ActionError(refusal(row, now))
    # What the project lost since then is not asked for.
    languages = [language for language in row.languages if language in row.project.languages]
    membership = add_member(project=row.project, user=user, role=row.role, languages=languages, by=user)
    row.accepted_by, row.accepted_at = user, now
    row.save(update_fields=["accepted_by", "accepted_at"])
    log(
        project=row.project,
        actor=user,
        verb=Verb.INVITATION_ACCEPT,
        subject=row,
        after={"user": user.pk, "role": row.role},
    )
    return membership


@transaction.atomic
def accept_as_new(
    *, invitation: Invitation, username: str, password: str, name: str = "", email: str = "", now: datetime
) -> Membership:
    """Create an account and join with it: both or nothing. Raises ActionError as `create_account` and `accept` do."""
    user = create_account(username=username, password=password, name=name, email=email, project=None)
    return accept(invitation=invitation, user=user, now=now)


def refusal(invitation: Invitation, now: datetime) -> str:
    """Why an invitation that is not open cannot be used, and what to do next."""
    match invitation.state(now):
        case InvitationState.ACCEPTED:
            return _("This invitation was already used. Sign in if you used it, or ask for another one.")
        case InvitationState.REVOKED:
            return _("This invitation was revoked. Ask the person who sent it for another one.")
        case _:
            return _("This invitation has expired. Ask the person who sent it for a new link.")


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _locked(invitation: Invitation) -> Invitation:
    rows = Invitation.objects.select_related("project", "invited_by").select_for_update(no_key=True, of=("self",))
    return rows.get(pk=invitation.pk)
