from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from annotator.core.errors import ActionError, ArchivedError
from annotator.models import (
    Assignment,
    AssignmentState,
    Event,
    Invitation,
    InvitationState,
    Membership,
    Project,
    Role,
    User,
)
from annotator.projects.actions.invitations import accept, accept_as_new, invite, mark_sent, renew, revoke
from annotator.projects.actions.project_settings import archive_project
from annotator.projects.actions.projects import change_languages
from annotator.projects.queries.invitations import invitation_by, listed
from tests.factories import make_assignment, make_member, make_project, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


@pytest.fixture
def manager(project: Project) -> User:
    return make_member(project, Role.MANAGER)


def invited(project: Project, manager: User, role: str = Role.ADJUDICATOR) -> tuple[Invitation, str]:
    return invite(project=project, role=role, languages=["es"], email="", valid=WEEK, by=manager, now=NOW)


def test_whoever_accepts_is_a_member_as_the_invitation_says(project: Project, manager: User) -> None:
    invitation, _secret = invited(project, manager)
    cam = make_user("cam")

    membership = accept(invitation=invitation, user=cam, now=NOW + WEEK / 2)

    assert (membership.user, membership.role, membership.languages) == (cam, Role.ADJUDICATOR, ["es"])
    invitation.refresh_from_db()
    assert (invitation.accepted_by, invitation.accepted_at) == (cam, NOW + WEEK / 2)
    events = Event.objects.filter(project=project, verb__startswith="invitation").order_by("pk")
    assert [(event.verb, event.actor) for event in events] == [
        ("invitation.create", manager),
        ("invitation.accept", cam),
    ]


def test_the_secret_is_kept_nowhere(project: Project, manager: User) -> None:
    invitation, secret = invited(project, manager)

    assert len(secret) >= 43
    assert secret not in str(Invitation.objects.values()) + str(Event.objects.values())
    assert invitation_by(secret) == invitation
    assert invitation_by(invitation.secret_hash) is None
    assert invitation_by("") is None


def test_a_link_works_once(project: Project, manager: User) -> None:
    invitation, _secret = invited(project, manager)
    accept(invitation=invitation, user=make_user(), now=NOW)
    second = make_user()

    with pytest.raises(ActionError, match="was already used"):
        accept(invitation=invitation, user=second, now=NOW)

    assert not Membership.objects.filter(user=second).exists()


def test_what_is_over_or_revoked_is_refused_and_nothing_is_made(project: Project, manager: User) -> None:
    old, _secret = invited(project, manager)
    revoked, _secret = invited(project, manager)
    revoke(invitation=revoked, by=manager, now=NOW)
    users = User.objects.count()

    for invitation, said in ((old, "has expired"), (revoked, "was revoked")):
        with pytest.raises(ActionError, match=said):
            accept(invitation=invitation, user=manager, now=NOW + WEEK)
        with pytest.raises(ActionError, match=said):
            accept_as_new(invitation=invitation, username="cam", password="correct horse", now=NOW + WEEK)

    assert User.objects.count() == users
    assert project.memberships.count() == 1


def test_a_member_does_not_use_it_up(project: Project, manager: User) -> None:
    invitation, _secret = invited(project, manager)

    with pytest.raises(ActionError, match="already a member of this project"):
        accept(invitation=invitation, user=manager, now=NOW)

    assert project.memberships.get().role == Role.MANAGER
    assert Invitation.objects.get().state(NOW) == InvitationState.OPEN


def test_account_and_membership_come_together_or_not_at_all(project: Project, manager: User) -> None:
    invitation, _secret = invited(project, manager)
    taken = make_user("cam")

    with pytest.raises(ActionError, match="already exists"):
        accept_as_new(invitation=invitation, username="Cam", password="correct horse", now=NOW)
    made = accept_as_new(
        invitation=invitation, username="camila", password="correct horse", name="Camila", email="C@x.org", now=NOW
    )

    assert made.user != taken
    assert (made.user.first_name, made.user.email) == ("Camila", "c@x.org")
    assert made.user.check_password("correct horse")
    registered = Event.objects.get(verb="user.register")
    assert (registered.actor, registered.subject_id) == (made.user, made.user.pk)


def test_a_new_link_replaces_the_old_one(project: Project, manager: User) -> None:
    invitation, old = invited(project, manager)
    mark_sent(invitation=invitation, by=manager, now=NOW)

    renewed, new = renew(invitation=invitation, valid=WEEK, by=manager, now=NOW + 2 * WEEK)

    assert invitation_by(old) is None
    assert invitation_by(new) == renewed
    assert (renewed.state(NOW + 2 * WEEK), renewed.sent_at) == (InvitationState.OPEN, None)
    accept(invitation=renewed, user=make_user(), now=NOW + 2 * WEEK)
    with pytest.raises(ActionError, match="was already used"):
        renew(invitation=renewed, valid=WEEK, by=manager, now=NOW)
    with pytest.raises(ActionError, match="was already used"):
        revoke(invitation=renewed, by=manager, now=NOW)


def test_what_cannot_be_offered_is_said(project: Project, manager: User) -> None:
    for wrong, said in (
        ({"role": "king"}, "Unknown role"),
        ({"languages": ["eu"]}, "not have the language “eu”"),
        ({"valid": timedelta()}, "valid for 1 to"),
        ({"valid": timedelta(days=91)}, "valid for 1 to"),
    ):
        given = {"role": Role.ANNOTATOR, "languages": [], "valid": WEEK, **wrong}
        with pytest.raises(ActionError, match=said):
            invite(project=project, by=manager, now=NOW, **given)
    assert not Invitation.objects.exists()


def test_nobody_is_invited_to_or_joins_an_archived_project(project: Project, manager: User) -> None:
    invitation, _secret = invited(project, manager)
    archive_project(project=project, by=manager)
    project.refresh_from_db()

    with pytest.raises(ArchivedError):
        invited(project, manager)
    with pytest.raises(ArchivedError):
        accept(invitation=invitation, user=make_user(), now=NOW)
    assert project.memberships.count() == 1


def test_the_list_has_what_is_open_and_the_newest_of_the_rest(project: Project, manager: User) -> None:
    open_, _secret = invited(project, manager)
    for _number in range(25):
        revoke(invitation=invited(project, manager)[0], by=manager, now=NOW)
    invited(make_project(), manager)

    rows = listed(project, NOW)

    assert len(rows) == 21
    assert rows[-1] == (open_, InvitationState.OPEN)


def test_languages_say_what_a_member_is_given(project: Project, manager: User, ana: User) -> None:
    spanish, english = stage_of(project, "correct"), stage_of(project, "correct", "en")
    kept = make_assignment(make_sentence(project, language="es"), ana, spanish)
    freed = make_assignment(make_sentence(project, language="en"), ana, english)
    membership = Membership.objects.get(user=ana)

    change_languages(membership=membership, languages=["es"], by=manager)

    assert Membership.objects.get(user=ana).languages == ["es"]
    states = dict(Assignment.objects.values_list("pk", "state"))
    assert states == {kept.pk: AssignmentState.OPEN, freed.pk: AssignmentState.RETURNED}
    event = Event.objects.get(verb="member.languages")
    assert (event.actor, event.before, event.after) == (
        manager,
        {"user": ana.pk, "languages": []},
        {"user": ana.pk, "languages": ["es"]},
    )
    with pytest.raises(ActionError, match="not have the language “eu”"):
        change_languages(membership=membership, languages=["eu"], by=manager)
