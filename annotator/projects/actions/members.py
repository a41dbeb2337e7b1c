"""Accounts that managers make for new members, and what members may do in a project beside their role."""

from __future__ import annotations

from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from annotator.accounts.actions import create_account
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Membership, Project, User
from annotator.projects.actions.projects import add_member
from annotator.projects.queries.members import resettable

# Without letters and digits that look alike: people read it out or copy it by hand.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def _new_password() -> str:
    return "-".join(get_random_string(4, _ALPHABET) for _group in range(4))


@transaction.atomic
def create_member_account(
    *, project: Project, username: str, name: str = "", role: str, by: User | None
) -> tuple[Membership, str]:
    """Create a user and make them a member. Returns the membership and the password, which is kept nowhere.

    Raises ActionError when the username is taken or cannot be one.
    """
    password = _new_password()
    user = create_account(username=username, password=password, name=name, by=by, project=project)
    return add_member(project=project, user=user, role=role, by=by), password


@transaction.atomic
def reset_password(*, membership: Membership, by: User | None) -> str:
    """Give a member a new password, which is kept nowhere; their sessions and API tokens end, and signing in asks for
    a password of their own.

    Raises ActionError for an account that does not belong to this project alone: with it one would enter others.
    """
    if membership.user_id not in resettable(membership.project, [membership.user_id]):
        raise ActionError(
            _("This account was not created in this project, or has access beyond it. Ask a site administrator.")
        )
    user = User.objects.select_for_update(no_key=True).get(pk=membership.user_id)
    password = _new_password()
    user.set_password(password)
    # Who signs in for the first time is asked to choose a password.
    user.last_login = None
    user.save(update_fields=["password", "last_login"])
    log(project=membership.project, actor=by, verb=Verb.USER_RESET, subject=user)
    return password


@transaction.atomic
def set_adjudicate_own(*, project: Project, allowed: bool, by: User | None) -> Project:
    """Set whether adjudicators may decide on what they annotated themselves (`work/answering/actions/policies.py`
    asks)."""
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = project.adjudicate_own
    if before != allowed:
        project.adjudicate_own = allowed
        project.save(update_fields=["adjudicate_own"])
        log(
            project=project,
            actor=by,
            verb=Verb.PROJECT_ADJUDICATE_OWN,
            subject=project,
            before={"allowed": before},
            after={"allowed": allowed},
        )
    return project
