"""What is asked of those who judge: a question for each answer, and no reason that is about what is not shown."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.kind import kind_of
from annotator.core.starts import STARTS
from annotator.models import Counter, Role
from annotator.projects.actions.projects import create_project
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def _page(start: str) -> Any:
    project = create_project(slug=start, preset=STARTS[start].preset(["en"]), by=None)
    stage = project.stages.select_related("project", "layer").get(kind="validate")
    return kind_of(stage).workspace.page(stage)


def _offered(page: Any) -> list[str]:
    return [reason["value"] for reason in page["rejections"] if reason["offered"]]


def test_a_wrong_meaning_is_a_reason_where_meanings_are_shown() -> None:
    page = _page("mabl")
    assert _offered(page) == ["incoherent", "offensive", "format", "label", "unknown", "other"]
    words = {reason["value"]: (reason["label"], reason["definition"]) for reason in page["rejections"]}
    assert words["label"] == ("Wrong meaning", "A meaning given here is wrong.")


def test_where_a_second_question_says_whether_the_label_is_right_it_is_none() -> None:
    page = _page("impli")
    assert _offered(page) == ["incoherent", "offensive", "format", "unknown", "other"]
    # Verdicts that were given for it keep their words.
    assert "label" in [reason["value"] for reason in page["rejections"]]


def test_each_answer_has_its_question() -> None:
    pairs, inference = _page("mabl")["messages"], _page("impli")["messages"]
    assert (pairs["verdict_question"], pairs["accept_text"]) == ("Your verdict", "It is right as it stands.")
    assert inference["verdict_question"] == "Is the second sentence well-formed?"
    assert inference["accept_text"] == "It is well-formed as it stands."
    assert inference["second_question"] == "Does the second sentence follow from the first one?"


@pytest.mark.parametrize(("start", "second"), [("mabl", False), ("impli", True)])
def test_agreement_offers_what_there_is_to_compare(client: Client, start: str, second: bool) -> None:
    project = create_project(slug=start, preset=STARTS[start].preset(["en"]), by=None)
    client.force_login(make_member(project, Role.MANAGER))
    url = reverse("agreement", args=[start])
    validate = project.stages.get(kind="validate")
    people = [make_member(project) for _ in range(2)]
    Counter.objects.bulk_create(Counter(project=project, stage=validate, user=one, own_done=1) for one in people)
    shown = client.get(url).text
    assert '<option value="validity"' in shown
    assert "Pair tags" not in shown
    assert ('<option value="second"' in shown) is second
