"""Sentences that are like one: which, in which order, for whom, and at what cost."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Import, Mode, Project, Sentence, Unit, User
from annotator.search.queries.similar import SHOWN, similar
from annotator.work.lexicon.actions.lemmas import index_places
from tests.api.test_cost import scans
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_project,
    make_segment,
    make_sentence,
    make_user,
    span,
    stage_of,
)
from tests.pages.test_cost import fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("letters")


def found(project: Project, *units: Unit) -> list[str]:
    return [one.unit.text for one in similar(project, units, make_user())]


def of(client: Client, user: User, sentence: Sentence) -> str:
    client.force_login(user)
    return client.get(reverse("sentence", args=["letters", sentence.segment_id])).content.decode()


class TestWhich:
    def test_those_that_share_rare_words_come_first(self, project: Project) -> None:
        sentence = make_sentence(project, "El camión paga el peaje .")
        make_sentence(project, "Ana lee .")
        make_sentence(project, "Ben paga la cena .")
        make_sentence(project, "Eva paga el agua .")
        make_sentence(project, "Suben los peajes .")

        rows = similar(project, [sentence], make_user())
        assert [one.unit.text for one in rows] == ["Suben los peajes .", "Ben paga la cena .", "Eva paga el agua ."]
        assert [list(one.shared) for one in rows] == [["peaje"], ["paga"], ["paga"]]

    def test_what_is_alike_in_two_languages_is_more_alike(self, project: Project) -> None:
        own, both, one = (make_segment(project) for _ in range(3))
        es = make_sentence(project, "El peaje sube .", segment=own)
        en = make_sentence(project, "The toll rises .", language="en", segment=own)
        make_sentence(project, "Un peaje caro .", segment=one)
        make_sentence(project, "A dear duty .", language="en", segment=one)
        make_sentence(project, "Otro peaje barato .", segment=both)
        make_sentence(project, "Another toll , toll rises .", language="en", segment=both)

        rows = similar(project, [es, en], make_user())
        assert [row.unit.segment_id for row in rows] == [both.pk, one.pk]
        # The text in the language in which it is most alike.
        assert [row.unit.language for row in rows] == ["en", "es"]

    def test_not_itself_nor_what_was_replaced_is_hidden_or_belongs_to_others(self, project: Project) -> None:
        sentence = make_sentence(project, "El peaje sube .")
        replaced = make_sentence(project, "Otro peaje .")
        Unit.objects.filter(pk=replaced.pk).update(is_current=False)
        hidden = make_sentence(project, "Un peaje nuevo .")
        Unit.objects.filter(pk=hidden.pk).update(imported=Import.objects.create(project=project, dataset="set"))
        made = make_sentence(project, "Mi peaje .")
        Unit.objects.filter(pk=made.pk).update(kind="definition")
        make_sentence(project, "Le péage : peaje .", language="en")
        make_sentence(make_project("other"), "El peaje sube .")

        assert found(project, sentence) == []

    def test_nothing_without_content_words(self, project: Project) -> None:
        assert found(project, make_sentence(project, "¿ Y ella ?")) == []
        assert found(project) == []

    def test_as_many_as_are_shown(self, project: Project) -> None:
        sentence = make_sentence(project, "El peaje sube .")
        for _ in range(SHOWN + 2):
            make_sentence(project, "Un peaje .")
        assert len(found(project, sentence)) == SHOWN


class TestPage:
    def test_they_are_linked_with_what_they_have_in_common(self, client: Client, project: Project) -> None:
        sentence, other = make_sentence(project, "El peaje sube ."), make_sentence(project, "Odian los peajes .")
        text = of(client, make_member(project), sentence)
        assert "Odian los peajes ." in text
        assert reverse("sentence", args=["letters", other.segment_id]) in text

    def test_where_there_is_none_it_says_so(self, client: Client, project: Project) -> None:
        text = of(client, make_member(project), make_sentence(project, "El peaje sube ."))
        assert "No other sentence shares a content word with it." in text

    def test_nothing_that_anybody_answered(self, client: Client, project: Project) -> None:
        sentence, other = make_sentence(project, "El peaje sube ."), make_sentence(project, "Odian los peajes .")
        ana, ben = make_member(project), make_member(project)
        for unit in (sentence, other):
            make_assignment(unit, ben, stage_of(project, "correct"), mode=Mode.BLIND)
        before = similar(project, [sentence], ben)
        make_annotation(other, ana, [span(2)], comment="a remark of mine")

        assert similar(project, [sentence], ben) == before
        text = of(client, ben, sentence)
        assert "Odian los peajes ." in text
        for hidden in ("METAPHOR", "a remark of mine"):
            assert hidden not in text


class TestCost:
    def test_nothing_is_gone_through_however_frequent_a_word_is(self, project: Project) -> None:
        first = make_sentence(project, "El tiempo vuela .")
        rows = fill(project, 400)
        for row in rows:
            row.lemmas, row.content_words = ["el", "tiempo", "volar"], [False, True, True]
        Unit.objects.bulk_update(rows, ["lemmas", "content_words"])
        index_places(rows)

        reader = make_member(project)
        with CaptureQueriesContext(connection) as asked:
            assert len(similar(project, [first], reader)) == SHOWN
        assert len(asked) == 4
        assert scans([query["sql"] for query in asked]) == []
