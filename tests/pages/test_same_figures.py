"""One project at work, all its main pages: a number that leads to sentences leads to as many, and wherever two pages
lead to the same sentences, they show the same number."""

from __future__ import annotations

import re
from collections import defaultdict
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Mode, Project, Role, User
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_segment,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db
SLUG = "letters"
FIND = reverse("find", args=[SLUG])
_LINK = re.compile(r'<a [^>]*?href="([^"]+)"[^>]*>\s*([\d,]+)\s*</a>')
Filters = tuple[tuple[str, str], ...]


@pytest.fixture
def owner(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mara")


@pytest.fixture
def people(project: Project) -> list[User]:
    """Two people at work: answers done, open, blind, given back to nobody, doubtful; gold with and without labels."""
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    stage, english = stage_of(project, "correct"), stage_of(project, "correct", "en")
    for number in range(3):
        sentence = make_sentence(project, "El tiempo vuela")
        make_assignment(sentence, ana, stage, done=True)
        make_annotation(sentence, ana, [span(2)], doubt=number == 0)
    for number in range(4):
        both = make_sentence(project, "Cae la noche", segment=make_segment(project, role="hyp"))
        for person, mode in ((ana, Mode.REVIEW), (ben, Mode.BLIND)):
            make_assignment(both, person, stage, mode=mode, done=True)
            make_annotation(both, person, [span(0)] if number or person == ana else [], mode=mode)
    decided = make_sentence(project, "Llueve a mares")
    make_assignment(decided, ben, stage, done=True)
    make_annotation(decided, ben, [span(0)])
    make_gold(decided, [span(0)])
    make_gold(make_sentence(project, "Es tarde"))
    make_gold(make_sentence(project, "Time flies", language="en"), [span(1)])
    make_assignment(make_sentence(project), ana, stage)
    make_assignment(make_sentence(project), ana, stage, ahead=True)
    make_assignment(make_sentence(project), ben, stage, mode=Mode.BLIND)
    make_assignment(make_sentence(project, "It rains", language="en"), ben, english)
    make_tag(make_pair(project), "relevant", user=ana)
    return [ana, ben]


def main_pages(people: list[User]) -> list[str]:
    return [
        reverse("project", args=[SLUG]),
        reverse("members", args=[SLUG]),
        reverse("reports", args=[SLUG]),
        reverse("report", args=[SLUG, "detection"]),
        reverse("agreement", args=[SLUG]),
        FIND,
        *(reverse("person", args=[SLUG, person.pk]) for person in people),
    ]


def numbers_that_lead_to_sentences(client: Client, pages: list[str]) -> dict[Filters, dict[str, int]]:
    """By what the list of sentences is filtered by, the number that each page shows for it."""
    found: dict[Filters, dict[str, int]] = defaultdict(dict)
    for page in pages:
        response = client.get(page)
        assert response.status_code == 200, page
        for address, text in _LINK.findall(response.text):
            path, query = urlsplit(unescape(address))[2:4]
            if path == FIND:
                shown = int(text.replace(",", ""))
                key = tuple(sorted(parse_qsl(query)))
                assert found[key].setdefault(page, shown) == shown, f"{page}: two numbers lead to {query}"
    return found


def listed(client: Client, query: dict[str, str]) -> int:
    """How many sentences the list has, on all of its pages."""
    count = 0
    while True:
        page = client.get(FIND, query)
        count += len(page.context["rows"])
        if not page.context["onwards"]:
            return count
        query = dict(parse_qsl(page.context["onwards"]))


def test_a_number_leads_to_as_many_sentences_and_is_the_same_on_every_page(
    client: Client, project: Project, owner: User, people: list[User]
) -> None:
    ana, ben = people
    stage = stage_of(project, "correct")
    client.force_login(owner)

    found = numbers_that_lead_to_sentences(client, main_pages(people))

    assert {key: set(shown.values()) for key, shown in found.items() if len(set(shown.values())) > 1} == {}
    shown = {key: next(iter(numbers.values())) for key, numbers in found.items()}
    assert {key: listed(client, dict(key)) for key in shown} == shown
    # What every kind of number was there for.
    queries = {frozenset(key) for key in shown}
    common = ("stage", str(stage.pk))
    for query in (
        {common, ("person", f"{ana.pk}:review"), ("state", "done")},
        {common, ("person", f"{ana.pk}:review"), ("state", "taken")},
        {common, ("person", f"{ben.pk}:blind"), ("state", "taken")},
        {common, ("person", str(ben.pk)), ("state", "done")},
        {common, ("person", f"{ben.pk}:blind")},
        {("language", "es"), ("dataset", "set"), ("gold", "yes")},
        {("language", "es"), ("dataset", "set"), ("gold", "yes"), ("marked", "labelled")},
        {("language", "en"), ("gold", "yes")},
    ):
        assert frozenset(query) in queries, (query, sorted(map(sorted, queries)))


def test_what_a_person_has_done_is_the_same_on_the_overview_among_members_and_on_their_page(
    client: Client, project: Project, owner: User, people: list[User]
) -> None:
    client.force_login(owner)
    members = client.get(reverse("members", args=[SLUG])).context["members"]
    among_members = {row.membership.user_id: sum(number for _stage, number in row.done) for row, *_rest in members}
    overview = client.get(reverse("project", args=[SLUG])).context["stages"]
    for person in people:
        own = client.get(reverse("person", args=[SLUG, person.pk])).context["stages"]
        on_overview = [one for row in overview for one in row["people"] if one.user == person]
        assert sum(row.done for row in own) == sum(one.done for one in on_overview) == among_members[person.pk] > 0
        assert sum(row.open for row in own) == sum(one.open for one in on_overview) > 0


def test_two_people_have_as_much_in_common_in_the_matrix_as_in_their_comparison(
    client: Client, project: Project, owner: User, people: list[User]
) -> None:
    client.force_login(owner)
    page = client.get(reverse("agreement", args=[SLUG]), {"a": "ana", "b": "ben", "layer": "tokens", "language": "es"})
    assert re.findall(r'class="small">(\d+) items', page.text) == ["4"]
    assert "over 4 sentences in common" in page.text


def test_numbers_lead_nowhere_for_whoever_cannot_filter_by_them(
    client: Client, project: Project, owner: User, people: list[User]
) -> None:
    """Annotators filter by nobody's work, and whoever answers blind by nothing that others did."""
    ana, _ben = people
    client.force_login(ana)
    found = numbers_that_lead_to_sentences(
        client,
        [reverse("project", args=[SLUG]), reverse("reports", args=[SLUG]), reverse("person", args=[SLUG, ana.pk])],
    )
    assert found
    assert {name for key in found for name, _value in key} <= {"language", "dataset", "role", "gold", "marked"}
    assert {key: listed(client, dict(key)) for key in found} == {key: max(n.values()) for key, n in found.items()}

    make_assignment(make_sentence(project), owner, stage_of(project, "correct"), mode=Mode.BLIND)
    client.force_login(owner)
    agreement = reverse("agreement", args=[SLUG])
    assert client.get(agreement).status_code == 403
    readable = [page for page in main_pages(people) if page != agreement]
    assert numbers_that_lead_to_sentences(client, readable) == {}
