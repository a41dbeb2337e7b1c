"""Finding a sentence, and its page: by id and by words, for whom, and what it does not show."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Import, Item, Mode, Project, Role, Sentence, User
from annotator.search.queries.listing import PER_PAGE
from tests.api.test_cost import scans
from tests.deciding import decide_gold
from tests.drafts import load, make_plain
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_pair,
    make_project,
    make_segment,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.found import find
from tests.pages.test_cost import fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


def uids(project: Project, query: str) -> list[tuple[str, str]]:
    return [(unit.segment.uid, unit.language) for unit in find(project, query, reader=make_user()).units]


def page(client: Client, user: User, query: str) -> str:
    client.force_login(user)
    return client.get(reverse("find", args=["letters"]), {"q": query}).content.decode()


def of(client: Client, user: User, sentence: Sentence) -> str:
    client.force_login(user)
    return client.get(reverse("sentence", args=["letters", sentence.segment_id])).content.decode()


def differing(project: Project, ana: User) -> Sentence:
    """A sentence on which two people disagree, so that it waits for a decision."""
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(1)])
    make_annotation(sentence, make_member(project), [span(2)])
    return sentence


class TestById:
    def test_whole_or_as_the_files_have_it(self, project: Project) -> None:
        Import.objects.create(project=project, dataset="set")
        segment = make_segment(project, uid="set:prem:1234")
        make_sentence(project, segment=segment)
        make_sentence(project, "Time flies", language="en", segment=segment)
        make_sentence(project, segment=make_segment(project, uid="set:prem:12345"))

        both = [("set:prem:1234", "es"), ("set:prem:1234", "en")]
        assert uids(project, "set:prem:1234") == uids(project, " prem:1234 ") == uids(project, "1234") == both
        assert uids(project, "123") == []

    def test_a_text_that_is_still_coming_in_is_not_found(self, project: Project) -> None:
        segment = make_segment(project, uid="letters:9")
        make_sentence(project, segment=segment)
        hidden = make_sentence(project, "Time flies", language="en", segment=segment)
        Sentence.objects.filter(pk=hidden.pk).update(imported=Import.objects.create(project=project, dataset="set"))

        assert uids(project, "letters:9") == [("letters:9", "es")]

    def test_of_a_pair_both_sides(self, project: Project) -> None:
        pair = make_pair(project)
        found = [uid for uid, _language in uids(project, pair.segment.uid)]
        assert found == [pair.premise.uid, pair.hypothesis.uid]


class TestByWords:
    def test_all_words_as_they_stand_or_as_lemmas(self, project: Project) -> None:
        first = make_sentence(project, "El tiempo “vuela”, dijo Ana .")
        second = make_sentence(project, "Ana vuela a Lima .")
        make_sentence(project, "Ana lee .")
        make_sentence(project, "Time flies", language="en")
        make_sentence(make_project("other"), "El tiempo vuela .")

        assert uids(project, "vuela") == [(first.segment.uid, "es"), (second.segment.uid, "es")]
        assert uids(project, "volar TIEMPO") == [(first.segment.uid, "es")]
        assert uids(project, "El tiempo vuela, dijo Ana.") == [(first.segment.uid, "es")]

    def test_words_that_are_nowhere_are_passed_over_and_said(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project, "El tiempo vuela .")

        assert find(project, "tiempo xilófono", reader=make_user()).unknown == ["xilófono"]
        text = page(client, ana, "tiempo xilófono")
        assert sentence.segment.uid in text
        assert "No sentence has this content word: xilófono." in text
        assert "It was ignored." in text
        alone = page(client, ana, "xilófono")
        assert "No sentence has this content word: xilófono." in alone
        assert "No sentences found." in alone
        assert "ignored" not in alone

    def test_function_words_are_not_said_to_be_nowhere(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project, "El tiempo estaba en 1990 .")

        for query in ("estaba", "está-"):
            found = find(project, query, reader=make_user())
            assert (found.units, found.unknown) == ([], [])
            text = page(client, ana, query)
            assert f"such as “{query.rstrip('-')}” are not indexed. Search for a content word or an ID." in text
            assert "No sentence has" not in text
        assert "not indexed" in page(client, ana, "1990")
        both = page(client, ana, "estaba xilófono")
        assert "such as “estaba” are not indexed" in both
        assert "No sentence has this content word: xilófono." in both
        # A pasted sentence is found without a notice about them.
        pasted = page(client, ana, "El tiempo estaba en 1990 .")
        assert sentence.segment.uid in pasted
        assert "not indexed" not in pasted
        assert "not indexed" in page(client, ana, "tiempo está-")

    def test_function_words_are_those_of_the_project(self, client: Client, project: Project, ana: User) -> None:
        Project.objects.filter(pk=project.pk).update(function_words={"es": ["Vuela"], "en": []}, languages=["es"])
        text = page(client, ana, "vue-")
        assert "such as “vue” are not indexed" in text
        assert "No sentence has this content word: estab." in page(client, ana, "estab-")

    def test_what_was_found_stands_with_its_translations(self, client: Client, project: Project, ana: User) -> None:
        segment = make_segment(project)
        spanish = make_sentence(project, "El tiempo vuela .", segment=segment)
        english = make_sentence(project, "Time flies", language="en", segment=segment)
        make_sentence(project, "Replaced", language="en", segment=make_segment(project))

        found = find(project, "vuela", reader=ana)
        assert found.rows == [(spanish, [english])]
        assert "Time flies" in page(client, ana, "vuela")
        # By its id both are found, each with the other.
        assert find(project, segment.uid, reader=ana).rows == [(spanish, [english]), (english, [spanish])]

    def test_what_was_replaced_or_is_still_coming_in_is_not_found(self, project: Project) -> None:
        old = make_sentence(project, "El tiempo vuela .")
        Sentence.objects.filter(pk=old.pk).update(is_current=False)
        hidden = make_sentence(project, "El tiempo corre .")
        Sentence.objects.filter(pk=hidden.pk).update(imported=Import.objects.create(project=project, dataset="set"))

        assert uids(project, "tiempo") == []

    def test_in_the_languages_of_a_corpus_that_came_in(self, uploads: object) -> None:
        corpus = make_plain()
        load(corpus, {"a.ca.txt": "L'Anna desa les cartes .\n", "a.es.txt": "Ana guarda sus cartas .\n"})

        assert uids(corpus, "cartes desa") == [("a:1", "ca")]
        assert uids(corpus, "1") == [("a:1", "ca"), ("a:1", "es")]

    def test_as_many_as_a_page_has(self, project: Project) -> None:
        for _ in range(PER_PAGE + 2):
            make_sentence(project, "El tiempo vuela .")

        found = find(project, "tiempo", reader=make_user())
        assert (len(found.units), found.more) == (PER_PAGE, True)

    def test_of_a_frequent_word_some_are_looked_through_and_that_is_said(
        self, client: Client, project: Project, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotator.search.queries.words.LOOKED_THROUGH", 3)
        for _ in range(5):
            make_sentence(project, "El tiempo vuela .")
        make_sentence(project, "Otro viaje")

        assert len(find(project, "tiempo vuela", reader=make_user()).units) >= 3
        assert find(project, "tiempo viaje", reader=make_user()).frequent == ""
        assert find(project, "viaje", reader=make_user()).frequent == ""
        assert "“tiempo” is in so many sentences" in page(client, ana, "tiempo")

    def test_nothing_is_gone_through(self, project: Project) -> None:
        fill(project, 200)
        make_sentence(project, "El tiempo vuela .")
        for query in ("tiempo vuela", "letters:7"):
            with CaptureQueriesContext(connection) as asked:
                find(project, query, reader=make_user())
            assert scans([query["sql"] for query in asked]) == []


class TestPage:
    def test_own_work_is_opened_from_it(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        row = make_assignment(sentence, ana, stage_of(project, "correct"))

        assert f"{reverse('work', args=['letters', row.stage_id])}?item={row.pk}" in of(client, ana, sentence)
        other = of(client, make_member(project), sentence)
        assert "?item=" not in other
        assert "In progress" in other

    def test_adjudicators_open_what_waits_and_what_is_decided(
        self, client: Client, project: Project, ana: User
    ) -> None:
        sentence, ben, judge = differing(project, ana), make_member(project), make_member(project, Role.ADJUDICATOR)
        item = Item.objects.get(stage=stage_of(project, "adjudicate"))
        address = f"{reverse('work', args=['letters', item.stage_id])}?item={item.pk}"

        assert "Waiting for a decision" in of(client, judge, sentence)
        # That two people differ is for nobody else: not for an annotator, nor for whoever is not in the project.
        for member in (ana, ben):
            assert address not in of(client, member, sentence)
            assert "Adjudicate" not in of(client, member, sentence)
        client.force_login(make_user())
        assert client.get(reverse("sentence", args=["letters", sentence.segment_id])).status_code == 404
        for owner in (judge, make_member(project, Role.MANAGER)):
            assert address in of(client, owner, sentence)

        decide_gold(unit=sentence.pk, layer=project.label_layer, content=spans(), reason="", by=judge)
        shown = of(client, judge, sentence)
        assert address in shown
        assert "Has gold" in shown

    def test_not_by_whoever_is_blind_on_it_answered_it_or_works_in_another_language(
        self, client: Client, project: Project, ana: User
    ) -> None:
        sentence, judge = differing(project, ana), make_member(project, Role.ADJUDICATOR)
        assert "Waiting for a decision" in of(client, judge, sentence)

        project.memberships.filter(user=judge).update(languages=["en"])
        assert "Waiting for a decision" not in of(client, judge, sentence)
        project.memberships.filter(user__in=[judge, ana]).update(languages=[], role=Role.ADJUDICATOR)

        Project.objects.update(adjudicate_own=False)
        assert "Waiting for a decision" not in of(client, ana, sentence)
        assert "Waiting for a decision" in of(client, judge, sentence)
        make_assignment(sentence, judge, stage_of(project, "correct"), mode=Mode.BLIND)
        assert "Waiting for a decision" not in of(client, judge, sentence)
