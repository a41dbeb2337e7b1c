"""The page of a sentence: its readings and history, who may see them, and at which cost."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.access import project_for
from annotator.models import Alignment, Annotation, Assignment, Mode, Pair, Project, Role, Sentence, Suggestion, User
from annotator.revisions.revisions import revise_text
from annotator.revisions.set_aside import set_aside
from annotator.search.actions.many import Row, label_many
from annotator.search.actions.undo_many import undo_many
from annotator.search.queries.history import MAX_SHOWN, Happening
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import assign_review, claim
from annotator.work.queue.actions.giving_back import free_open
from tests.api.test_cost import scans
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_projection,
    make_segment,
    make_sentence,
    make_tag,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.pages.test_cost import fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project, username="ben")


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, username="judge")


def page(client: Client, user: User, sentence: Sentence) -> str:
    client.force_login(user)
    response = client.get(reverse("sentence", args=["letters", sentence.segment_id]))
    assert response.status_code == 200
    return response.content.decode()


def main(client: Client, user: User, sentence: Sentence) -> str:
    """The page without rail, header and markup, its words joined by single spaces."""
    body = page(client, user, sentence).partition('<div class="detail">')[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


class TestWhatIsSaid:
    def test_equal_answers_are_one_row_with_gold_and_suggestions(
        self, client: Client, project: Project, ana: User, ben: User, judge: User
    ) -> None:
        sentence = make_sentence(project, "El tiempo vuela")
        make_annotation(sentence, ana, [span(2)], comment="No wings <b>here</b>.", doubt=True)
        make_annotation(sentence, ben, [span(2)])
        make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])
        make_gold(sentence, [span(2)])

        shown = page(client, judge, sentence)

        assert shown.count('class="said-row"') == 2
        said, suggested = shown.split('class="said-row"')[1:]
        for what in ("vuela", "METAPHOR", "Gold", "ana", "ben", "Doubt", "No wings &lt;b&gt;here&lt;/b&gt;."):
            assert what in said
        assert "Suggested by crf" in suggested
        assert "<mark>tiempo" in suggested

    def test_a_span_with_a_gap_is_told_in_parts(self, client: Client, project: Project, ana: User) -> None:
        sentence = make_sentence(project, "Da por fin el paso")
        make_annotation(sentence, ana, [span(0, 3, 4)])

        assert "Da METAPHOR 1/2 por fin el paso METAPHOR 2/2" in main(client, ana, sentence)

    def test_links_and_what_came_over_them(self, client: Client, project: Project, judge: User) -> None:
        segment = make_segment(project)
        spanish = make_sentence(project, "El tiempo vuela", segment=segment)
        english = make_sentence(project, "Time flies", language="en", segment=segment)
        made = make_projection(spanish, english, [span(1)], [span(2)])
        Alignment.objects.filter(suggestions=made).update(links=[[2, 1, 0.875]])

        shown = main(client, judge, english)

        assert "vuela → flies 0.88" in shown
        assert "Projected from gold: Spanish (es)" in shown

    def test_pairs_have_their_tags(self, client: Client, project: Project, ana: User, judge: User) -> None:
        pair = make_pair(project)
        make_tag(pair, "relevant", user=ana)
        sentence = Sentence.objects.get(segment=pair.premise)

        assert "Spanish (es) Relevant ana Done" in main(client, judge, sentence)
        assert "Relevant" not in main(client, make_member(project), sentence)


class TestBeforeWhom:
    def test_annotators_see_their_own_answer_and_gold_and_not_those_of_others(
        self, client: Client, project: Project, ana: User, ben: User, judge: User
    ) -> None:
        sentence = make_sentence(project)
        make_annotation(sentence, ana, [span(2)], comment="a remark of mine")
        make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])

        assert "a remark of mine" in main(client, ana, sentence)
        # They may be given it next, blind.
        for hidden in ("METAPHOR", "a remark of mine", "crf", "ana"):
            assert hidden not in main(client, ben, sentence)
        for decider in (judge, make_member(project, Role.MANAGER)):
            assert "a remark of mine" in main(client, decider, sentence)
            assert "Suggested by crf" in main(client, decider, sentence)

        make_gold(sentence, [span(1)])
        after = main(client, ben, sentence)
        assert "METAPHOR" in after
        assert "Gold" in after
        assert "a remark of mine" not in after

    @pytest.mark.parametrize("role", list(Role))
    def test_whoever_is_blind_sees_only_their_own_answer_in_all_languages(
        self, client: Client, project: Project, ana: User, role: str
    ) -> None:
        segment, cai = make_segment(project), make_member(project, role, username="cai")
        spanish = make_sentence(project, segment=segment)
        english = make_sentence(project, "Time flies", language="en", segment=segment)
        make_annotation(spanish, ana, [span(2)], comment="a remark of mine")
        make_prediction(spanish, [span(1)], [0.1, 0.9, 0.1])
        make_gold(english, [span(1)])
        make_assignment(spanish, cai, stage_of(project, "correct"), mode=Mode.BLIND)

        assert "METAPHOR" not in main(client, cai, spanish)
        make_annotation(spanish, cai, [span(0)], mode=Mode.BLIND, comment="my own words")
        shown = main(client, cai, spanish)

        assert "El METAPHOR tiempo vuela" in shown
        assert "my own words" in shown
        for hidden in ("a remark of mine", "Gold", "crf", "ana", "flies METAPHOR"):
            assert hidden not in shown

    def test_it_does_not_exist_for_others(self, client: Client, project: Project) -> None:
        sentence = make_sentence(project)
        client.force_login(make_user())
        assert client.get(reverse("sentence", args=["letters", sentence.segment_id])).status_code == 404


class TestReturnedItems:
    def test_nothing_is_left_of_an_act_that_was_undone(
        self, client: Client, project: Project, ana: User, judge: User
    ) -> None:
        sentence, suggested = make_sentence(project), make_sentence(project)
        make_prediction(suggested, [span(1)], [0.1, 0.9, 0.1])
        access = project_for(ana, "letters")
        rows = [Row(one.pk, frozenset({2}), "free") for one in (sentence, suggested)]
        operation = label_many(access=access, rows=rows, label="METAPHOR", now=timezone.now())
        for user in (ana, judge):
            assert "ana Open" in main(client, user, sentence).partition("History")[0]
        undo_many(access=access, operation=operation, now=timezone.now())

        # It stays on record for her, and does not count as an answer until then.
        assert Annotation.objects.filter(user=ana).count() == 2
        for user in (ana, judge):
            for one in (sentence, suggested):
                said = main(client, user, one).partition("History")[0]
                assert "ana Open" not in said
                assert "No labels" not in said
        assert "Suggested by crf" in main(client, judge, suggested)
        claim(stage=stage_of(project, "correct"), user=ana, count=2, now=timezone.now())
        assert "ana Open" in main(client, judge, sentence)

    def test_what_somebody_said_stays(self, client: Client, project: Project, ana: User, judge: User) -> None:
        stage = stage_of(project, "correct")
        for content, comment in ((spans(span(1)), ""), (spans(), "a remark")):
            sentence = make_sentence(project)
            row = make_assignment(sentence, ana, stage)
            save_annotation(
                project=project, assignment=row.pk, version=0, content=content, comment=comment, done=False, by=ana,
                now=timezone.now(),
            )  # fmt: skip
            free_open(stage=stage, user=ana, mode=Mode.REVIEW, by=ana)
            assert "ana Open" in main(client, judge, sentence)
        # Held and empty: it is started. Returned and empty: it is not.
        sentence = make_sentence(project)
        row = make_assignment(sentence, ana, stage)
        save_annotation(
            project=project, assignment=row.pk, version=0, content=spans(), done=False, by=ana, now=timezone.now()
        )
        assert "ana Open" in main(client, judge, sentence)
        free_open(stage=stage, user=ana, mode=Mode.REVIEW, by=ana)
        assert "ana Open" not in main(client, judge, sentence)
        # A finished answer without labels says that there are none.
        other = make_sentence(project)
        make_annotation(other, ana, [])
        assert "No labels ana Done" in main(client, judge, other)


class TestWhatHappened:
    def test_who_did_what(self, client: Client, project: Project, ana: User, ben: User, judge: User) -> None:
        sentence, stage = make_sentence(project), stage_of(project, "correct")
        assign_review(stage=stage, units=[sentence.pk], user=ana, by=judge)
        row = Assignment.objects.get(unit=sentence)
        for version, token in enumerate((1, 2)):
            save_annotation(
                project=project,
                assignment=row.pk,
                content=spans(span(token)),
                version=version,
                by=ana,
                done=True,
                now=timezone.now(),
            )
        decide_gold(unit=sentence.pk, layer=project.label_layer, content=spans(), reason="No.", by=judge)
        set_aside(project=project, unit=sentence.pk, reason="Garbled", by=judge, anybodys=True)

        history = main(client, judge, sentence).partition("History")[2]

        told = ("Set a sentence aside", "Decided gold", "Saved an annotation (Done) × 2", "Assigned an item")
        places = [history.index(what) for what in told]
        assert places == sorted(places)
        assert "→ ana Correct labels (es) judge" in history
        of_ana, of_ben = (main(client, one, sentence).partition("History")[2] for one in (ana, ben))
        assert "Saved an annotation" in of_ana
        assert "Decided gold" in of_ben
        assert "Saved an annotation" not in of_ben
        assert "Assigned an item" not in of_ben

    def test_nothing_of_what_others_do_before_whoever_is_blind(
        self, client: Client, project: Project, ana: User, judge: User
    ) -> None:
        sentence, stage = make_sentence(project), stage_of(project, "correct")
        assign_review(stage=stage, units=[sentence.pk], user=ana, by=judge)
        make_assignment(sentence, judge, stage, mode=Mode.BLIND)

        assert "ana" not in main(client, judge, sentence)

    def test_earlier_texts_and_who_edited_them(self, client: Client, project: Project, judge: User) -> None:
        sentence = make_sentence(project, "El tiempo buela")
        revise_text(project=project, unit=sentence.pk, text="El tiempo vuela", by=judge, anybodys=True)

        shown = main(client, judge, sentence)

        assert "El tiempo vuela es 2 current judge" in shown
        assert "El tiempo buela es 1" in shown
        assert "Edited a text" in shown

    def test_two_that_read_alike_are_one(self) -> None:
        one = Happening(timezone.now(), "gold.decided", "ana")
        assert one.same == Happening(timezone.now(), "gold.decided", "ana").same
        assert one.same != Happening(timezone.now(), "gold.decided", "ben").same
        assert one.same != Happening(timezone.now(), "gold.decided", "ana", restored=True).same


class TestNeighbours:
    def test_of_the_same_document(self, client: Client, project: Project, ana: User) -> None:
        first, other, second = (
            make_sentence(project, text, segment=make_segment(project, role="", group=group))
            for text, group in (("uno", "a"), ("dos", "b"), ("tres", "a"))
        )

        assert f'rel="next" href="{reverse("sentence", args=["letters", second.segment_id])}"' in page(
            client, ana, first
        )
        assert f'rel="prev" href="{reverse("sentence", args=["letters", first.segment_id])}"' in page(
            client, ana, second
        )
        assert 'rel="next"' not in page(client, ana, other)

    def test_not_before_whoever_must_not_know_them(self, client: Client, project: Project, ana: User) -> None:
        first, _second = (
            make_sentence(project, text, segment=make_segment(project, role="", group="a")) for text in ("uno", "dos")
        )
        stage = stage_of(project, "correct")
        project.stages.filter(pk=stage.pk).update(context="nothing")
        make_assignment(first, ana, stage, mode=Mode.BLIND)

        assert 'rel="next"' not in page(client, ana, first)


class TestCost:
    def test_the_same_however_large_the_project(self, client: Client, project: Project, judge: User) -> None:
        sentence = fill(project, 1)[0]
        people = [make_member(project) for _one in range(2)]
        for member in people:
            make_annotation(sentence, member, [span(1)])
        counted = []
        for more in (0, 60):
            fill(project, more)
            for member in [make_member(project) for _one in range(more // 20)]:
                make_annotation(sentence, member, [span(2)])
            page(client, judge, sentence)
            with CaptureQueriesContext(connection) as asked:
                page(client, judge, sentence)
            counted.append(len(asked))
            assert scans([query["sql"] for query in asked]) == []
        assert counted[0] == counted[1] <= 48

    def test_a_long_history_is_cut(self, client: Client, project: Project, ana: User, judge: User) -> None:
        sentence = make_sentence(project)
        for number in range(MAX_SHOWN + 1):
            made = make_prediction(sentence, [], [0.1, 0.1, 0.1])
            Suggestion.objects.filter(pk=made.pk).update(is_current=False, name=f"crf-{number}")

        assert "Only the latest entries are listed." in main(client, judge, sentence)


class TestInferenceLabels:
    """A manager gives a pair one that came without, changes it, and removes it; what came with files stays."""

    def send(self, client: Client, pair: Pair, inference: str, seen: str) -> str:
        address = reverse("label-pair", args=[pair.project.slug, pair.premise_id, pair.pk])
        return client.post(address, {"inference": inference, "seen": seen}, follow=True).content.decode()

    def test_given_changed_and_removed_on_the_page(self, client: Client, project: Project) -> None:
        pair = make_pair(project, inference="")
        manager = make_member(project, Role.MANAGER, username="mara")
        client.force_login(manager)
        address = reverse("sentence", args=[project.slug, pair.premise_id])
        shown = client.get(address).content.decode()
        assert shown.count("No inference label") == 2
        assert f"Inference label of pair {pair.pair_id}" in shown
        shown = self.send(client, pair, "neutral", "")
        assert "Inference label saved." in shown
        assert '<span class="badge">Neutral</span>' in shown
        assert re.search(r"Changed the inference label of a pair.*?mara", shown, re.DOTALL)
        assert "Someone else has given this pair an inference label" in self.send(client, pair, "contradiction", "")
        assert "Inference label removed." in self.send(client, pair, "", "neutral")
        pair.refresh_from_db()
        assert pair.inference == ""

    def test_not_over_a_label_of_files_nor_by_others(self, client: Client, project: Project, ana: User) -> None:
        pair, bare = make_pair(project), make_pair(project, inference="")
        client.force_login(make_member(project, Role.MANAGER))
        shown = client.get(reverse("sentence", args=[project.slug, pair.premise_id])).content.decode()
        assert "Save inference label" not in shown
        assert "came with its file" in self.send(client, pair, "entailment", "neutral")
        client.force_login(ana)
        shown = client.get(reverse("sentence", args=[project.slug, bare.premise_id])).content.decode()
        assert "No inference label" in shown
        assert "Save inference label" not in shown
        address = reverse("label-pair", args=[project.slug, bare.premise_id, bare.pk])
        assert client.post(address, {"inference": "neutral", "seen": ""}).status_code == 403
        assert set(Pair.objects.values_list("inference", flat=True)) == {"neutral", ""}

    def test_of_another_sentence_it_is_not_there(self, client: Client, project: Project) -> None:
        pair, other = make_pair(project, inference=""), make_pair(project)
        client.force_login(make_member(project, Role.MANAGER))
        address = reverse("label-pair", args=[project.slug, other.premise_id, pair.pk])
        assert client.post(address, {"inference": "neutral", "seen": ""}).status_code == 404
