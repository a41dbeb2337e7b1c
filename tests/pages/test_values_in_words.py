"""What two people said is shown in the words of their kind of work, in the language of the page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from annotator.core.kind import value_title
from annotator.core.starts import STARTS
from annotator.domain.labels.shipped_schemes import HOW_TRANSLATED
from annotator.models import Annotation, Role
from annotator.projects.actions.projects import create_project
from annotator.reports.queries.core_tables import translations
from annotator.work.answering import translation_words
from tests.factories import make_member, make_segment

pytestmark = pytest.mark.django_db

VERDICT: dict[str, object] = {"reason": "", "texts": [], "second": None}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["Accept", "Reject", "Suggest a correction"]), ("es", ["Aceptar", "Rechazar", "Proponer una corrección"])],
)
def test_verdicts_of_two_people(client: Client, language: str, words: list[str]) -> None:
    project = create_project(slug="pairs", preset=STARTS["mabl"].preset(["es"]), by=None)
    layer = project.layers.get(slug="validity")
    people = [make_member(project, username=name) for name in ("ana", "ben")]
    for said in ("accept", "reject"):
        unit = project.units.create(
            segment=make_segment(project), kind=layer.unit_kind, language="es", tokens=["a"], token_count=1
        )
        for person in people:
            Annotation.objects.create(
                project=project, unit=unit, layer=layer, user=person, state="done", mode="blind",
                content={**VERDICT, "verdict": said},
            )  # fmt: skip
    client.force_login(make_member(project, Role.ADJUDICATOR))
    client.post(reverse("set_language"), {"language": language})
    asked = {"a": "ana", "b": "ben", "layer": "validity", "language": "es"}
    page = client.get(reverse("agreement", args=["pairs"]), asked).text
    table = page.partition('<table class="data confusion">')[2]
    columns = re.findall(r'<th scope="col" class="n">([^<]*)</th>', table.partition("</thead>")[0])
    assert columns[:-1] == re.findall(r'<th scope="row">([^<]*)</th>', table.partition("</table>")[0]) == words


@pytest.mark.parametrize(
    ("content_type", "dimension", "value", "words"),
    [
        ("verdict", "second", "yes", "Yes"),
        ("verdict", "second", "accept", "accept"),  # a project's own answer
        ("choice", "units", "no_metaphor", "No metaphor"),
        ("choice", "units", "good", "good"),
        ("categories", "sets", "social+visual", "Social + Visual"),
        ("categories", "sets", "none", "None of these"),
        ("best", "units", "(none)", "None of them is good"),
        ("best", "units", "none", "none"),  # a word
        ("best", "units", "flood = rush", "flood = rush"),
        ("inapt", "found", "inapt", "An inapt word"),
        ("inapt", "found", "none", "There is no inapt word here"),
        ("inapt", "words", "(none)", "There is no inapt word here"),
        ("inapt", "words", "coming + ripple", "coming + ripple"),
        ("substitute", "words", "(fixed)", "It is part of a fixed expression"),
        ("substitute", "words", "rush", "rush"),
        ("substitute", "found", "word", "A word"),
        ("substitute", "found", "none", "No word fits"),
        ("spans", "tokens", "relevant", "relevant"),  # a label of tokens is what the scheme calls it
    ],
)
def test_words_of_values(content_type: str, dimension: str, value: str, words: str) -> None:
    assert value_title(content_type, dimension, value) == words


def test_what_a_word_cannot_say_is_in_the_language_of_the_page() -> None:
    with override("es"):
        assert value_title("best", "units", "(none)") == "Ninguna es buena"
        assert value_title("substitute", "found", "none") == "No encaja ninguna palabra"


def test_how_spans_were_translated_is_asked_in_the_language_of_the_page() -> None:
    [shipped] = HOW_TRANSLATED.values()
    assert translation_words.ANSWERS.keys() == set(shipped.values)
    assert translation_words.QUESTIONS.keys() == {shipped.name}
    row = {"language": "en", "source_language": "es", "in_target": 1, "lost": 0, "source_spans": 1}
    asked = [
        {**row, "question": shipped.name, "answer": "same image"},
        {**row, "question": shipped.name, "answer": ""},
        # A project's own.
        {**row, "question": "How?", "answer": "alike"},
    ]
    with override("es"):
        report = translations.show({"rows": asked})
    assert [row["answer"] for row in report.rows] == ["same image", "sin respuesta", "alike"]
    assert [(one[2], one[3]) for one in report.cells] == [
        ("¿Cómo se tradujo?", "misma imagen"), ("¿Cómo se tradujo?", "sin respuesta"), ("How?", "alike"),
    ]  # fmt: skip
