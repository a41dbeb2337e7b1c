"""Labelled expressions are compared by fours: from labels to scores, and what becomes of tuples when labels change."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.core.kind import empty_reason
from annotator.core.presets import StageSpec
from annotator.core.unit_kinds import unit_texts
from annotator.dashboard.queries.next_step import Step, next_step
from annotator.domain.agreement.best_worst import UNIT_KIND as OF_SENTENCES
from annotator.kinds.rating.expressions import TUPLE_KIND
from annotator.models import Annotation, Event, Item, Role, Stage, Unit, User
from annotator.projects.actions.stages import add_stages
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.report_lists import listed_reports
from annotator.reports.queries.tables import FURTHER
from annotator.revisions.revisions import revise_text
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.queue.queries.progress import project_progress, stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.factories import make_assignment, make_member, make_sentence, make_user, span, spans
from tests.kinds.rating.scene import CLIMB, MOVED_IN, TEXT, Scene

pytestmark = pytest.mark.django_db

# The words of all expressions, those that have most first.
WORDS = ["moved in", "climb", "frayed", "swallowed", "wandered"]
FURTHER_TEXTS = {
    "Her patience frayed .": span(2),
    "He swallowed his pride .": span(1),
    "My mind wandered home .": span(2),
}


def label(scene: Scene, texts: Mapping[str, dict[str, Any]]) -> None:
    """Label further sentences, by the one who labels."""
    sentences = {make_sentence(scene.project, text, language="en").pk: given for text, given in texts.items()}
    for item in scene.claim(scene.labeller, scene.correct):
        if item["unit"]["id"] in sentences:
            assert scene.save(scene.labeller, item, spans(sentences[item["unit"]["id"]])).status_code == 200


def tuples() -> list[Unit]:
    return list(Unit.objects.filter(kind=TUPLE_KIND, is_current=True).select_related("segment").order_by("segment"))


def words_of(item: dict[str, Any]) -> list[str]:
    return [part["expression"] for part in item["parts"]]


def compare(scene: Scene, user: User) -> None:
    """Answer all tuples: for this one, what stands earlier in WORDS has more."""
    for item in scene.claim(user):
        order = sorted(range(4), key=lambda number: WORDS.index(words_of(item)[number]))
        assert scene.save(user, item, {"best": order[0], "worst": order[-1]}).status_code == 200


def having(word: str) -> set[int]:
    """The places of the tuples that have this expression."""
    rows = Unit.objects.filter(kind=TUPLE_KIND, is_current=True).prefetch_related("parents__segment")
    where = {"moved in": ":5-6", "climb": ":1"}[word]
    return {
        row.segment.position
        for row in rows.select_related("segment")
        if any(one.text == TEXT and one.segment.uid.endswith(where) for one in row.parents.all())
    }


@pytest.fixture(scope="class")
def labelled(kept_rows_of_class: None) -> Scene:
    """Five expressions in four sentences; no tuple has been asked for."""
    scene = Scene("best-worst-marked", "best-worst-marked")
    scene.label(CLIMB, MOVED_IN)
    label(scene, FURTHER_TEXTS)
    return scene


class TestFromLabels:
    @pytest.fixture
    def scene(self, labelled: Scene) -> Scene:
        return copy.deepcopy(labelled)

    def test_tuples_have_four_expressions_each_marked_in_its_sentence(self, scene: Scene) -> None:
        ana, ben, _cai = scene.people
        assert tuples() == []
        step = next_step(project_for(ana, "scaled"), project_progress(scene.project, ana), {})
        assert (step.step, step.count, step.stage) == (Step.START, 10, scene.rate)
        assert empty_reason(scene.rate) == "", "they are made for whoever asks"
        found = scene.claim(ana)
        assert len(found) == len(tuples()) == 5, "of five things, five different tuples"
        for item in found:
            lines = Unit.objects.get(pk=item["unit"]["id"]).text.split("\n")
            assert lines == [" ".join(part["tokens"]) for part in item["parts"]]
            assert len(set(words_of(item))) == 4
            for part in item["parts"]:
                marked = [part["tokens"][token] for token in part["marked"]]
                assert " ".join(marked) == part["expression"]
            assert item["annotation"]["content"] == {"best": None, "worst": None}
        assert len(scene.claim(ben)) == 5, "each answers the same ones"
        scene.marked()

    def test_expressions_that_come_later_get_tuples_with_others(self, scene: Scene) -> None:
        ana, *_ = scene.people
        scene.claim(ana)
        label(scene, {"Doubt slept .": span(1)})
        new = [one for one in scene.claim(ana) if "slept" in words_of(one)]
        assert len(new) == 1
        assert len(tuples()) == 6

    def test_a_further_scale_has_the_same_tuples_and_answers_of_its_own(self, scene: Scene) -> None:
        compare(scene, scene.people[0])
        client = Client()
        client.force_login(scene.manager)
        page = client.get(reverse("settings-stages", args=["scaled"])).content.decode()
        assert "Compare marked expressions, made from: Correct labels" in page
        sent = {"what": "best-worst-marked<correct", "language": "en", "mode": "blind", "answers_wanted": "1"}
        add = reverse("settings-stage-add", args=["scaled"])
        assert client.post(add, {**sent, "scale": "novelty"}).status_code == 302
        second = scene.project.stages.get(layer__slug="novelty")
        assert (second.layer.unit_kind, second.layer.content_type) == (TUPLE_KIND, "best-worst")
        assert (stage_progress(second).total, stage_progress(second).done) == (5, 0)
        first, scene.rate = scene.rate, second
        compare(scene, scene.people[0])
        assert len(tuples()) == 5
        rows = FURTHER["expression-best-worst"].compute(scene.project).rows
        assert [(row["name"], row["answers"]) for row in rows] == [("expression-best-worst", 5), ("novelty", 5)]
        label(scene, {"Doubt slept .": span(1)})
        scene.claim(scene.people[1])
        assert stage_progress(first).total == stage_progress(second).total == 6, "new ones are there on both"

    def test_what_is_rated_and_what_is_compared_are_the_same_expressions(self, scene: Scene) -> None:
        scene.claim(scene.people[0])
        specs = [StageSpec("rate-marked", "en", made_from="correct"), StageSpec("best-worst", "en")]
        add_stages(project=scene.project, specs=specs, by=None)
        rate, sentences = (scene.project.stages.get(kind=spec.kind) for spec in specs)
        assert stage_progress(rate).total == Unit.objects.filter(kind="marked-expression").count() == 5
        scene.claim(scene.people[1], sentences)
        of_sentences = Unit.objects.filter(kind=OF_SENTENCES)
        assert stage_progress(sentences).total == of_sentences.count() > 0
        assert stage_progress(scene.rate).total == 5, "tuples of sentences are not among them"

    def test_lists_name_a_tuple_with_its_marks(self, scene: Scene, django_assert_num_queries: Any) -> None:
        item, *_ = scene.claim(scene.people[0])
        rows = tuples()
        with django_assert_num_queries(1):
            named = unit_texts(rows)
        texts = named[item["unit"]["id"]].split(" / ")
        assert all(f"[{words}]" in text for words, text in zip(words_of(item), texts, strict=True))

    def test_whoever_labels_a_sentence_blind_is_not_given_tuples_that_show_its_labels(self, scene: Scene) -> None:
        Stage.objects.filter(pk=scene.correct.pk).update(mode="blind", answers_wanted=2)
        Item.objects.filter(stage=scene.correct).update(answers_wanted=2, state="free")
        ana, ben, _cai = scene.people
        assert scene.claim(ana, scene.correct)
        assert scene.claim(ana) == []
        assert len(scene.claim(ben)) == 5

    def test_comparing_blind_keeps_nobody_from_rating(self, scene: Scene) -> None:
        before = list(scene.project.stages.values_list("pk", flat=True))
        further = [StageSpec("rate-marked", "en", made_from="correct"), StageSpec("rate", "en")]
        add_stages(project=scene.project, specs=further, by=None)
        marked, whole = scene.project.stages.exclude(pk__in=before).exclude(kind=Stage.ADJUDICATE).order_by("position")
        assert {scene.rate.mode, marked.mode, whole.mode} == {"blind", "review"}
        ana, ben, _cai = scene.people
        assert len(scene.claim(ana)) == 5
        assert len(scene.claim(ana, whole)) == 5
        # Marked words do tell of labels.
        mark_blind([make_assignment(scene.sentence, ben, scene.correct, mode="blind")], scene.correct)
        answer = scene.send(ben, f"stages/{marked.pk}/claim/", {"count": 20}).json()
        words = {item["expression"] for item in answer["items"]}
        assert (words, answer["own_left"], answer["blind_left"]) == (set(WORDS[2:]), False, 2)
        assert {item["expression"] for item in scene.claim(ana, marked)} == set(WORDS[:2])

    def test_comparing_sentences_blind_keeps_nobody_from_labelling_them(self, scene: Scene) -> None:
        add_stages(project=scene.project, specs=[StageSpec("best-worst", "en", mode="blind")], by=None)
        new = {make_sentence(scene.project, f"It snows {number} .", language="en").pk for number in range(2)}
        ana, *_ = scene.people
        assert scene.claim(ana, scene.project.stages.get(kind="best-worst"))
        assert new <= {item["unit"]["id"] for item in scene.claim(ana, scene.correct)}

    def test_whoever_is_not_in_the_project_finds_nothing(self, scene: Scene) -> None:
        outsider = make_user()
        assert scene.send(outsider, f"stages/{scene.rate.pk}/claim/", {"count": 1}).status_code == 404
        item, *_ = scene.claim(scene.people[0])
        for person in (outsider, scene.people[1]):
            assert scene.save(person, item, {"best": 0, "worst": 1}).status_code == 404
        assert not Annotation.objects.filter(layer=scene.rate.layer, state="done").exists()


def test_fewer_than_four_expressions_are_too_few() -> None:
    scene = Scene("best-worst-marked", "best-worst-marked")
    client = Client()
    client.force_login(scene.people[0])
    address = reverse("work", args=["scaled", scene.rate.pk])
    assert "Label words first" in client.get(address).content.decode()
    scene.label(CLIMB, MOVED_IN)
    assert "at least four marked expressions, but there are 2." in client.get(address).content.decode()
    assert scene.claim(scene.people[0]) == []
    label(scene, dict(list(FURTHER_TEXTS.items())[:2]))
    (item,) = scene.claim(scene.people[0])
    assert sorted(words_of(item)) == sorted(WORDS[:4])


@pytest.fixture(scope="class")
def compared(labelled: Scene, kept_rows_of_class: None) -> Scene:
    """Two people have compared all five tuples, alike."""
    scene = copy.deepcopy(labelled)
    for person in scene.people[:2]:
        compare(scene, person)
    return scene


class TestCompared:
    @pytest.fixture
    def scene(self, compared: Scene) -> Scene:
        return copy.deepcopy(compared)

    def test_scores_are_reported_and_released_for_each_expression(self, scene: Scene) -> None:
        (row,) = FURTHER["expression-best-worst"].compute(scene.project).rows
        assert (row["expressions"], row["tuples"], row["answers"]) == (5, 5, 10)
        assert (row["pearson"], row["corrected_spearman"]) == ("1.00", "1.00")
        ana, ben, _cai = scene.people
        found = agreement(scene.project, a=ana, b=ben, layer="expression-best-worst", dimension="best")
        assert (found.overall.kappa.n, found.overall.kappa.observed) == (5, 1)
        there = {one.kind for one in listed_reports(scene.project) if one.there}
        assert "expression-best-worst" in there
        assert "best-worst" not in there, "no sentence is compared"
        released = release_files(scene.project, partial=True)
        lines = [line.split("\t") for line in released.files["expression-best-worst/en.tsv"].decode().splitlines()]
        assert lines[0] == ["id", "tokens", "words", "score", "best", "worst", "seen", "text"]
        uid = scene.sentence.segment.uid
        assert lines[1:3] == [
            # Each is in four of the five tuples, and "climb" is best where "moved in" is not.
            [uid, "1", "climb", "0.250", "2", "0", "8", TEXT],
            [uid, "5 6", "moved in", "1.000", "8", "0", "8", TEXT],
        ]
        assert [line[2] for line in lines[3:]] == ["frayed", "swallowed", "wandered"]
        assert "scores by best–worst scaling" in released.files["README.md"].decode()

    def test_disagreements_are_adjudicated_with_the_words_marked(self, scene: Scene) -> None:
        cai = scene.people[2]
        for item in scene.claim(cai):
            assert scene.save(cai, item, {"best": 3, "worst": 2}).status_code == 200
        add_stages(project=scene.project, specs=[StageSpec("adjudicate", "en", layer="expression-best-worst")], by=None)
        judge = scene.project.stages.get(kind="adjudicate", layer__slug="expression-best-worst")
        answer = client_of(scene.manager).get(f"/api/v1/projects/scaled/stages/{judge.pk}/adjudicate/").json()
        assert answer["items"]
        assert all(len(one["answers"]) == 3 and len(one["parts"]) == 4 for one in answer["items"])

    def test_tuples_go_with_a_label_and_come_back_with_it_and_all_answers(self, scene: Scene) -> None:
        with_climb = having("climb")
        assert len(with_climb) == 4
        scene.label(MOVED_IN)
        assert [one.segment.position for one in tuples()] == [
            position for position in range(1, 6) if position not in with_climb
        ]
        scene.marked()
        (row,) = FURTHER["expression-best-worst"].compute(scene.project).rows
        assert (row["expressions"], row["tuples"], row["answers"]) == (4, 1, 2)
        assert [words_of(one) for one in scene.claim(scene.people[2])] != []
        scene.label(CLIMB, MOVED_IN)
        assert len(tuples()) == 5
        scene.marked()
        (row,) = FURTHER["expression-best-worst"].compute(scene.project).rows
        assert (row["expressions"], row["tuples"], row["answers"]) == (5, 5, 10)

    def test_a_tuple_stays_away_until_all_of_its_expressions_are_there(self, scene: Scene) -> None:
        scene.label()
        assert tuples() == []
        scene.label(MOVED_IN)
        assert len(tuples()) == 1
        scene.label(MOVED_IN, CLIMB)
        assert len(tuples()) == 5

    def test_what_is_left_in_no_tuple_gets_new_ones(self, scene: Scene) -> None:
        scene.label()
        assert scene.claim(scene.people[2]) == [], "three are too few"
        label(scene, {"Doubt slept .": span(1), "Hope woke .": span(1)})
        new = scene.claim(scene.people[2])
        assert len(new) == 5, "of five, as at the beginning"
        assert {words for one in new for words in words_of(one)} == {"frayed", "slept", "swallowed", "wandered", "woke"}

    def test_while_labels_are_changed_what_was_compared_stays(self, scene: Scene) -> None:
        scene.label(MOVED_IN, done=False)
        assert len(tuples()) == 5
        scene.label(MOVED_IN)
        assert len(tuples()) == 1

    def test_what_is_decided_stays(self, scene: Scene) -> None:
        decided = next(one for one in tuples() if one.segment.position in having("climb") & having("moved in"))
        gold = {"best": 0, "worst": 3}
        decide_gold(unit=decided.pk, layer=scene.rate.layer, content=gold, by=scene.manager)
        scene.label()
        assert decided in tuples()
        assert "Prices [climb] , and doubt moved in ." in scene.marked()


class TestFixedText:
    @pytest.fixture
    def scene(self, compared: Scene) -> Scene:
        return copy.deepcopy(compared)

    def _fix(self, scene: Scene, text: str) -> None:
        unit = Unit.objects.get(kind="sentence", segment=scene.sentence.segment, is_current=True)
        revise_text(project=scene.project, unit=unit.pk, text=text, by=None, anybodys=True)

    @pytest.mark.parametrize("text", [f"Today {TEXT}", "Prices climb , and sudden doubt moved in ."])
    def test_tuples_are_compared_again_with_the_words_where_they_stand_now(self, scene: Scene, text: str) -> None:
        before = tuples()
        self._fix(scene, text)
        now = tuples()
        assert [one.segment_id for one in now] == [one.segment_id for one in before]
        for one in now:
            parts = {part.segment_id: part for part in one.parents.all()}
            assert one.text.split("\n") == [parts[segment].text for segment in one.touches[1:5]]
            assert all(part.is_current for part in parts.values())
        scene.marked()
        assert not FURTHER["expression-best-worst"].compute(scene.project).rows, "all of them are looked at again"
        compare(scene, scene.people[0])
        lines = release_files(scene.project, partial=True).files["expression-best-worst/en.tsv"].decode().splitlines()
        assert [line.split("\t")[2] for line in lines[1:3]] == ["climb", "moved in"]
        assert {line.split("\t")[-1] for line in lines[1:3]} == {text}

    def test_a_space_may_move_the_words_where_the_line_reads_the_same(self, scene: Scene) -> None:
        self._fix(scene, f"Today\u00a0{TEXT}")
        self._fix(scene, f"Today {TEXT}")
        for one in tuples():
            assert {part.segment_id for part in one.parents.all()} == set(one.touches[1:5])
        compare(scene, scene.people[0])
        (row,) = FURTHER["expression-best-worst"].compute(scene.project).rows
        assert (row["expressions"], row["answers"]) == (5, 5)

    def test_a_tuple_is_closed_where_one_of_its_words_is_another(self, scene: Scene) -> None:
        with_it = having("moved in")
        self._fix(scene, TEXT.replace("moved", "settled"))
        assert len(tuples()) == 5 - len(with_it) == 1
        closed = Event.objects.filter(verb="unit.closed")
        assert {event.after["reason"] for event in closed} == {"marked expression changed"}
        assert closed.count() == 1 + len(with_it)
        scene.marked()
        assert Annotation.objects.filter(unit__kind=TUPLE_KIND, state="done").count() >= 10, "it stays on record"


def test_an_annotator_sees_no_scores(client: Client) -> None:
    scene = Scene("best-worst-marked", "best-worst-marked")
    client.force_login(scene.people[0])
    address = reverse("report-json", args=["scaled", "expression-best-worst"])
    assert client.get(address).status_code == 403
    client.force_login(make_member(scene.project, Role.ADJUDICATOR))
    assert client.get(address).status_code == 200
