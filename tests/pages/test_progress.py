"""The page of progress: what each person has done, how long it took, and what remains at that pace."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Annotation, Project, Role, User
from annotator.work.queue.queries.progress_table import DAYS, progress_table
from tests.factories import make_assignment, make_member, make_sentence, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_what_remains_is_told_at_the_pace_so_far(
    project: Project, ana: User, django_assert_max_num_queries: Any
) -> None:
    ben = make_member(project, username="ben")
    stage = stage_of(project, "correct")
    rows = [make_assignment(make_sentence(project), user, stage) for user in (ana, ana, ana, ben, ben)]
    make_sentence(project)
    for row, seconds in zip(rows[:4], (10, 30, 0, 40), strict=True):
        save(row, spans(), seconds=seconds, doubt=seconds == 30)
    now = timezone.now()
    old = Annotation.objects.get(unit=rows[0].unit)
    Annotation.objects.filter(pk=old.pk).update(done_at=now - timedelta(days=DAYS + 5))

    with django_assert_max_num_queries(8):
        table = progress_table(project, now=now)

    [line] = table.stages
    whole = line.numbers
    # 80 seconds on three items with a time; two of six are left.
    assert (whole.done, whole.open, whole.doubtful, whole.left) == (4, 1, 1, 2)
    assert whole.per_item == pytest.approx(80 / 3)
    assert whole.remaining == pytest.approx(2 * 80 / 3)
    assert [(str(user), row.done, row.open, row.per_item, row.remaining) for user, row in line.people] == [
        ("ben", 1, 1, 40, 40),
        (str(ana), 3, 0, 20, None),
    ]
    assert table.people[ana].seconds == 40
    assert table.languages["es"].done == 4
    assert [number for _day, number in table.days] == [1] * (DAYS - 1) + [4]


def test_the_page_shows_it(client: Client, project: Project, ana: User, mara: User) -> None:
    client.force_login(mara)
    address = reverse("progress", args=[project.slug])
    assert "Nobody has started anything yet." in words(client.get(address))
    first = make_assignment(make_sentence(project), ana, stage_of(project, "correct"))
    make_assignment(make_sentence(project), ana, stage_of(project, "correct"))
    save(first, spans(), seconds=90)
    text = words(client.get(address))
    assert text.count('<td class="n">1 min 30 s</td>') > 3
    assert "Answers done in the project, by day" in text


def test_annotators_do_not_see_it(client: Client, project: Project, ana: User) -> None:
    client.force_login(ana)
    assert client.get(reverse("progress", args=[project.slug])).status_code == 403
