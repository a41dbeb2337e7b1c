from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotator.models import Invitation, InvitationState
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def made(**more: Any) -> Invitation:
    given = {"secret_hash": Invitation.hashed("secret"), "expires_at": NOW, **more}
    return Invitation.objects.create(project=make_project(), **given)


def test_an_invitation_is_open_until_its_time_is_over() -> None:
    row = made()

    assert row.state(NOW - timedelta(seconds=1)) == InvitationState.OPEN
    assert row.state(NOW) == InvitationState.EXPIRED


def test_what_became_of_it_outlasts_its_time() -> None:
    assert made(accepted_by=make_user(), accepted_at=NOW).state(NOW) == InvitationState.ACCEPTED
    Invitation.objects.all().delete()
    assert made(revoked_at=NOW).state(NOW) == InvitationState.REVOKED


@pytest.mark.parametrize(
    "wrong",
    [{"role": "king"}, {"accepted_at": NOW}, {"by": True}, {"by": True, "accepted_at": NOW, "revoked_at": NOW}],
)
def test_the_database_takes_no_state_between_two(wrong: dict[str, Any]) -> None:
    if wrong.pop("by", False):
        wrong = {**wrong, "accepted_by": make_user()}

    with pytest.raises(IntegrityError), transaction.atomic():
        made(**wrong)


def test_two_links_never_have_one_secret() -> None:
    made()

    with pytest.raises(IntegrityError), transaction.atomic():
        made()
