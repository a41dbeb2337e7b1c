"""Numbers on Spanish pages have a decimal comma, in the tables of every kind and in agreement."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Gold, GoldSource, Mode, Project, Role
from annotator.projects.actions.projects import create_project
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)
from tests.kinds.impli import work as impli
from tests.kinds.munch import ONE, START, Munch
from tests.kinds.rating import test_round as rating
from tests.protocols.mabl import work as mabl

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

# A number with a decimal point; neither "4.0.1" nor an uid.
POINT = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
COMMA = re.compile(r"(?<![\w,])\d+,\d+(?![\w,])")


class Text(HTMLParser):
    """What of a page is read."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.message: list[str] = []
        self._silent = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.message.append(data.strip())


def reference() -> Project:
    project = make_project("letters")
    ana, ben = make_member(project), make_member(project)
    for number in range(3):
        sentence = make_sentence(project)
        for person in (ana, ben):
            make_assignment(sentence, person, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
            make_annotation(sentence, person, [span(number if person == ana else 1)], mode=Mode.BLIND)
        make_gold(sentence, [span(number)])
    pair = make_pair(project)
    for person, tag in ((ana, "relevant"), (ben, "no_metaphor")):
        make_tag(pair, tag, user=person)
    layer = project.tag_layer
    assert layer is not None
    Gold.objects.create(
        project=project, unit=unit_of(pair), layer=layer, content={"value": "relevant"}, source=GoldSource.IMPORTED
    )
    return project


def figurative_pairs() -> Project:
    scene = mabl.Mabl()
    ana, ben, cai, _dan = scene.people
    for content in (mabl.BLANKET, mabl.OFFICE):
        scene.written(ana, content)
    for person in (ben, cai):
        scene.judged(person, verdict="accept")
        scene.judged(person, verdict="reject", reason="incoherent")
        for item in scene.claim(person, scene.categories):
            scene.save(person, item, {"answers": [["object"], ["visual"] if person == ben else []]})
    unit = scene.categories.items.get().unit
    decide_gold(unit=unit.pk, layer=scene.categories.layer, content={"answers": [["object"], []]}, by=None)
    return scene.project


def inference_pairs() -> Project:
    scene = impli.Impli()
    ana, ben, cai, dan = scene.people
    scene.marked(ana)
    scene.bring("expressions")
    scene.defined(ben)
    scene.bring("pairs")
    for person, verdict in ((cai, impli.YES), (dan, impli.NO)):
        for item in scene.claim(person, "validate", 20):
            scene.save(person, item, verdict)
    return scene.project


def words_for_a_metaphor() -> Project:
    scene = Munch(5)
    load(scene.project, {"for_generation.csv": ONE})
    scene.write("surge", "rush", "surge", "flood", "tide")
    return scene.project


def ratings() -> Project:
    scene = rating.Scene("rating")
    for number, person in enumerate(scene.people):
        for at, item in enumerate(scene.claim(person, 3)):
            assert scene.save(person, item, {"value": 1 + (at + number) % 5}).status_code == 200
    return scene.project


def best_worst() -> Project:
    scene = rating.Scene("best-worst")
    for person in scene.people[:2]:
        for item in scene.claim(person, 20):
            assert scene.save(person, item, rating.best_and_worst(item)).status_code == 200
    return scene.project


def in_spanish(client: Client, project: Project, name: str, *args: str) -> tuple[str, list[str]]:
    """A page of a project, and what it says."""
    client.force_login(make_member(project, Role.MANAGER))
    client.post(reverse("set_language"), {"language": "es"})
    page = client.get(reverse(name, args=[project.slug, *args]))
    assert page.headers["Content-Language"] == "es"
    return page.text, Text(page.text).message


def check_counters(client: Client, project: Project) -> None:
    """Pages write decimals with a comma, and files with a point."""
    first, _said = in_spanish(client, project, "reports")
    kinds = re.findall(r'class="tab" href="[^"]*/reports/([^"/]+)/"', first)
    pages = {kind: in_spanish(client, project, "report", kind) for kind in kinds}
    shown = [text for _page, said in pages.values() for text in said]
    assert any(COMMA.search(text) for text in shown), "there is a number to look at"
    _page, agreement = in_spanish(client, project, "agreement")
    assert [text for text in (*shown, *agreement) if POINT.search(text)] == []
    for kind, (page, _said) in pages.items():
        files = re.findall(r'href="([^"]+\.(?:json|csv|tex))"', page)
        assert len(files) == 3, kind
        numbers = csv.reader(client.get(next(file for file in files if file.endswith("csv"))).text.splitlines())
        assert not any(COMMA.search(cell) for row in numbers for cell in row)


@pytest.mark.parametrize("make", [reference, inference_pairs, words_for_a_metaphor, ratings, best_worst])
def test_pages_write_decimals_with_a_comma_and_files_with_a_point(make: Callable[[], Project], client: Client) -> None:
    check_counters(client, make())


@pytest.fixture(scope="class")
def figures(kept_rows_of_class: None) -> Project:
    return figurative_pairs()


class TestFigurativePairs:
    def test_pages_write_decimals_with_a_comma_and_files_with_a_point(self, figures: Project, client: Client) -> None:
        check_counters(client, figures)

    def test_categories_are_called_in_spanish(self, figures: Project, client: Client) -> None:
        _page, said = in_spanish(client, figures, "report", "categories")
        assert "Objeto" in said
        assert "object" not in said


def test_totals_are_called_in_spanish(client: Client) -> None:
    words = create_project(slug="genres", preset=START.preset(["en"]), by=None)
    another = '0,8,"The train <b>crept</b> in.",0.1,a-2,NEWS,\r\n'
    load(words, {"for_generation.csv": ONE + another})
    _page, said = in_spanish(client, words, "report", "samples")
    assert "Todo" in said
    assert "all" not in said
