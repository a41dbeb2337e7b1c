"""The page about a person: what it shows, to whom, and what it does not show."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.access import Access
from annotator.dashboard.queries.people import PER_PAGE, Activity, deeds, remarked, remarks
from annotator.models import Annotation, Membership, Project, Role, Unit, User
from annotator.projects.actions.projects import remove_member
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.queue.actions.assignments import claim
from tests.api.test_cost import scans
from tests.factories import make_member, make_pair, make_project, make_sentence, make_user, span, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def manager(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mia")


def work(project: Project, user: User, *, doubt: bool = False, comment: str = "", seconds: float = 0) -> Annotation:
    """The person claims the next sentence and answers it."""
    stage = stage_of(project, "correct")
    [row] = claim(stage=stage, user=user, now=timezone.now())
    return save(row, spans(span(1)), doubt=doubt, comment=comment, seconds=seconds)


def page_of(client: Client, viewer: User, person: User, **query: object) -> str:
    client.force_login(viewer)
    return client.get(reverse("person", args=["letters", person.pk]), query).text


def test_a_manager_sees_what_somebody_did_with_doubts_and_comments(
    client: Client, project: Project, ana: User, manager: User
) -> None:
    for text in ("El tiempo vuela", "Llueve a mares", "La casa duerme"):
        make_sentence(project, text)
    work(project, ana, seconds=75)
    doubtful = work(project, ana, doubt=True)
    remarked = work(project, ana, comment="¿«duerme»?")

    page = page_of(client, manager, ana)

    said = page.partition('id="remarks"')[2].partition('id="deeds"')[0]
    assert "El tiempo vuela" not in said
    for row, text in ((doubtful, "Llueve a mares"), (remarked, "¿«duerme»?")):
        assert text in said
        assert reverse("person-answer", args=["letters", ana.pk, row.pk]) in said
    recent = page.partition('id="deeds"')[2]
    assert re.findall(r"El tiempo vuela|Llueve a mares|La casa duerme", recent) == [
        "La casa duerme",
        "Llueve a mares",
        "El tiempo vuela",
    ]
    assert "active time 1 min 15 s" in recent
    assert re.search(r'\(es\)\s*</th>\s*<td class="n"><a [^>]+>3</a></td>\s*<td class="n">0</td>', page)
    answer = client.get(reverse("person-answer", args=["letters", ana.pk, remarked.pk])).text
    assert "¿«duerme»?" in answer
    assert "(METAPHOR)" in answer
    assert "saved an annotation" in answer
    # Somebody else's answer is not theirs to open.
    assert "?item=" not in answer


def test_people_see_their_own_page_and_nobody_elses(client: Client, project: Project, ana: User, manager: User) -> None:
    make_sentence(project)
    row = work(project, ana, comment="mine")
    own, others = (reverse("person", args=["letters", who.pk]) for who in (ana, manager))
    client.force_login(ana)

    assert "mine" in client.get(own).text
    assert "?item=" in client.get(reverse("person-answer", args=["letters", ana.pk, row.pk])).text
    assert client.get(others).status_code == 403
    members = client.get(reverse("members", args=["letters"])).text
    assert own in members
    assert others not in members
    client.force_login(make_user())
    assert client.get(own).status_code == 404
    client.force_login(manager)
    assert client.get(reverse("person", args=["letters", make_user().pk])).status_code == 404
    assert own in client.get(reverse("members", args=["letters"])).text
    assert own in client.get(reverse("project", args=["letters"])).text


def test_whoever_left_is_still_found(client: Client, project: Project, ana: User, manager: User) -> None:
    make_sentence(project)
    work(project, ana, comment="mine")
    remove_member(membership=Membership.objects.get(user=ana), by=manager)

    page = page_of(client, manager, ana)

    assert "No longer a member" in page
    assert "mine" in page


def test_nobody_sees_what_they_are_blind_on(client: Client, project: Project, ana: User, manager: User) -> None:
    make_sentence(project, "El tiempo vuela")
    row = work(project, ana, comment="a secret", doubt=True)
    assign_blind(project=project, language="es", users=[manager], pairs=1, seed=0, by=None)

    page = page_of(client, manager, ana)
    answer = client.get(reverse("person-answer", args=["letters", ana.pk, row.pk]))

    assert "a secret" not in page
    assert "Doubt<" not in page
    assert "El tiempo vuela" not in page
    access = Access(user=manager, project=project, role=Role.MANAGER)
    [deed] = deeds(access, ana).rows
    assert isinstance(deed, Activity)
    assert (deed.text, deed.annotation, deed.hidden) == ("", None, True)
    assert "1 is hidden here" in page
    assert "Hidden: you work blind" in page
    assert reverse("person-answer", args=["letters", ana.pk, row.pk]) not in page
    assert answer.status_code == 403
    assert "a secret" not in answer.text
    # Their own work is no secret to the person.
    assert "a secret" in page_of(client, ana, ana)


def test_lists_go_back_page_by_page_and_reach_no_table_as_a_whole(project: Project, ana: User, manager: User) -> None:
    for number in range(PER_PAGE + 3):
        make_sentence(project, f"Oración {number}")
    for number in range(PER_PAGE + 3):
        work(project, ana, comment=str(number))
    access = Access(user=manager, project=project, role=Role.MANAGER)

    with CaptureQueriesContext(connection) as captured:
        recent, remarked = deeds(access, ana), remarks(access, ana)

    assert scans([query["sql"] for query in captured]) == []
    for page, ask in ((recent, deeds), (remarked, remarks)):
        assert (len(page.rows), page.before is not None) == (PER_PAGE, True)
        rest = ask(access, ana, page.before)
        assert (len(rest.rows), rest.before) == (3, None)
    assert Unit.objects.count() == PER_PAGE + 3


def test_the_index_of_remarks_is_used(project: Project, ana: User) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # A small table is read as a whole whatever there is; this asks whether it must be.
            cursor.execute("SET LOCAL enable_seqscan = off")

    assert "annotation_remarked" in remarked(project, ana).order_by("-pk")[:PER_PAGE].explain()


@pytest.mark.django_db
def test_a_pair_whose_texts_are_not_current_any_more_is_listed(client: Client) -> None:
    project = make_project("letters")
    ana, boss = make_member(project), make_member(project, Role.MANAGER)
    pair = make_pair(project)
    (row,) = claim(stage=stage_of(project, "pair-tag"), user=ana, now=timezone.now())
    save(row, {"value": "relevant"})
    Unit.objects.filter(project=project).update(is_current=False)
    client.force_login(boss)

    answer = client.get(reverse("person", args=["letters", ana.pk]))

    assert answer.status_code == 200
    assert pair.segment.uid in answer.text
