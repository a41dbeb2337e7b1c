"""Accounts."""

from __future__ import annotations

import pytest

from annotator.models import ApiToken
from tests.factories import make_token, make_user

pytestmark = pytest.mark.django_db


def test_a_new_password_takes_ones_api_token_back_and_nobody_elses() -> None:
    ana, ben = make_user(), make_user()
    kept, _secret = make_token(ben)
    make_token(ana)

    ana.set_password("another horse battery")
    ana.save()

    assert list(ApiToken.objects.all()) == [kept]


def test_another_name_leaves_the_token_alone() -> None:
    ana = make_user()
    token, _secret = make_token(ana)

    ana.first_name = "Ana"
    ana.save()

    assert ApiToken.objects.get() == token


def test_a_person_is_shown_by_their_full_name_or_their_user_name() -> None:
    ana = make_user("ana")
    assert str(ana) == "ana"

    ana.first_name, ana.last_name = "Ana", "Ruiz"

    assert str(ana) == "Ana Ruiz"
