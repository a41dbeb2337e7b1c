"""Labelled expressions are rated one by one: from labels to a release, and what becomes of them when labels change."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS, plain
from annotator.imports.undo.undo_import import undo_import
from annotator.kinds.rating.expressions import key_of, with_brackets
from annotator.models import Annotation, Event, Gold, Import, Item, Role, Stage, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.report_lists import listed_reports
from annotator.reports.queries.tables import FURTHER
from annotator.revisions.revisions import revise_text
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_gold, make_member, make_sentence, make_user, span, spans
from tests.kinds.rating.scene import CLIMB, KIND, MOVED_IN, TEXT, Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return Scene()


FIRST, SECOND = "Prices [climb] , and doubt moved in .", "Prices climb , and doubt [moved in] ."


@pytest.mark.parametrize(("tokens", "key"), [([3], "3"), ([4, 3], "3-4"), ([3, 4, 5, 9], "3-5.9"), ([1, 3], "1.3")])
def test_tokens_are_named_by_runs(tokens: list[int], key: str) -> None:
    assert key_of(tokens) == key


class TestFromLabels:
    def test_two_labels_are_two_items_with_their_words(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        assert scene.marked() == [FIRST, SECOND]
        found = scene.claim(scene.people[0])
        assert [(item["marked"], item["expression"]) for item in found] == [([1], "climb"), ([5, 6], "moved in")]
        assert {item["annotation"]["content"]["value"] for item in found} == {None}

    def test_two_labels_on_the_same_words_are_one_and_what_bears_no_word_is_none(self, scene: Scene) -> None:
        overlapping = {**scene.project.label_layer.scheme_data, "overlaps": True, "labels": ["METAPHOR", "IDIOM"]}
        scene.project.layers.filter(slug="labels").update(scheme_data=overlapping)
        scene.label(CLIMB, span(1, label="IDIOM"), span(0, 1), span(2))
        assert scene.marked() == ["[Prices climb] , and doubt moved in .", FIRST]

    def test_the_labels_of_several_blind_people_wait_until_they_are_decided(self, scene: Scene) -> None:
        Stage.objects.filter(pk=scene.correct.pk).update(mode="blind", answers_wanted=2)
        Item.objects.filter(stage=scene.correct).update(answers_wanted=2)
        one, two, *_ = scene.people
        for person, given in ((one, [CLIMB]), (two, [CLIMB, MOVED_IN])):
            item, *_others = scene.claim(person, scene.correct)
            assert scene.save(person, item, spans(*given)).status_code == 200
        assert scene.marked() == []
        decide_gold(unit=scene.sentence.pk, layer=scene.project.label_layer, content=spans(CLIMB), by=scene.manager)
        assert scene.marked() == [FIRST]

    def test_nobody_is_shown_labels_of_a_sentence_that_they_are_labelling_blind(self, scene: Scene) -> None:
        Stage.objects.filter(pk=scene.correct.pk).update(mode="blind", answers_wanted=2)
        Item.objects.filter(stage=scene.correct).update(answers_wanted=2)
        one, two, three = scene.people
        (first, *_), (second, *_) = scene.claim(one, scene.correct), scene.claim(two, scene.correct)
        assert scene.save(one, first, spans(CLIMB)).status_code == 200
        assert scene.marked() == [FIRST], "the only answer stands"
        assert scene.claim(two) == [], "it would tell what the other one chose"
        assert len(scene.claim(three)) == len(scene.claim(one)) == 1
        assert scene.save(two, second, spans(CLIMB)).status_code == 200
        assert scene.marked() == [FIRST], "nothing is decided, and somebody has begun to rate it"
        assert len(scene.claim(two)) == 1, "they have said what they see"

    @pytest.mark.parametrize("labels_first", [True, False])
    def test_gold_of_files_is_rated(self, labels_first: bool, uploads: None) -> None:
        project = create_project(slug="filed", preset=plain(["en"], ["METAPHOR"]), by=None)
        make_member(project, Role.MANAGER)
        files: dict[str, str | bytes] = {"a.tsv": "Prices\tO\nclimb\tB-METAPHOR\n.\tO\n\nIt\tO\nrains\tO\n\n"}
        spec = StageSpec("rate-marked", "en", made_from="correct")
        if not labels_first:
            add_stages(project=project, specs=[spec], by=None)
        load(project, files, labels_as="gold", dataset="set")
        if labels_first:
            add_stages(project=project, specs=[spec], by=None)
        stage = project.stages.get(kind="rate-marked")
        assert [with_brackets(item.unit) for item in Item.objects.filter(stage=stage)] == ["Prices [climb] ."]
        assert stage_progress(stage).total == 1
        undo_import(imported=Import.objects.get(), by=None)
        assert not Unit.objects.exists()
        assert stage_progress(stage).total == 0

    def test_a_second_scale_has_the_same_expressions_and_answers_of_its_own(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        client = Client()
        client.force_login(scene.manager)
        page = client.get(reverse("settings-stages", args=["scaled"])).content.decode()
        assert "Rate marked expressions, made from: Correct labels" in page
        sent = {"what": "rate-marked<correct", "language": "en", "mode": "blind", "answers_wanted": "1"}
        add = reverse("settings-stage-add", args=["scaled"])
        assert client.post(add, {**sent, "scale": "novelty"}).status_code == 302
        second = scene.project.stages.get(layer__slug="novelty")
        assert (second.kind, second.layer.unit_kind, second.layer.content_type) == ("rate-marked", KIND, "rating")
        assert Unit.objects.filter(kind=KIND).count() == 2
        scene.rated(scene.people[0], 1, 2)
        scene.rate = second
        scene.rated(scene.people[0], 5, 5)
        scene.label(MOVED_IN)
        assert scene.marked() == [SECOND]
        scene.label(MOVED_IN, CLIMB)
        assert scene.marked() == [FIRST, SECOND]
        assert stage_progress(second).done == 2, "with what was said of it on both scales"
        page = client.get(reverse("settings-stages", args=["scaled"])).content.decode()
        assert "Rate marked expressions: novelty, made from: Correct labels" in page
        rows = FURTHER["expression-ratings"].compute(scene.project).rows
        assert [(row["name"], row["expressions"], row["mean"]) for row in rows] == [
            ("expression-ratings", 2, "1.50"), ("novelty", 2, "5.00"),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("sent", "why"),
        [
            ({"kind": "rate-marked", "layer": "ratings", "made_from": "correct"}, "contains something else"),
            ({"kind": "rate", "layer": "expression-ratings"}, "contains something else"),
            ({"kind": "rate-marked"}, "Choose the stage"),
            ({"kind": "rate-marked", "made_from": "rate"}, "that stage does not exist, or none of its answers fit"),
            ({"kind": "rate", "made_from": "correct"}, "“Rate marked expressions” (rate-marked)"),
        ],
    )
    def test_a_stage_that_cannot_be_is_refused_in_words(self, scene: Scene, sent: dict[str, str], why: str) -> None:
        add_stages(project=scene.project, specs=[StageSpec("rate", "en")], by=None)
        before = scene.project.stages.count(), scene.project.layers.count()
        refused = scene.send(scene.manager, "stages/", {"language": "en", **sent})
        assert (refused.status_code, why in refused.json()["error"]["message"]) == (400, True)
        assert (scene.project.stages.count(), scene.project.layers.count()) == before

    def test_whoever_is_not_in_the_project_finds_nothing(self, scene: Scene) -> None:
        scene.label(CLIMB)
        outsider = make_user()
        assert scene.send(outsider, f"stages/{scene.rate.pk}/claim/", {"count": 1}).status_code == 404
        (item,) = scene.claim(scene.people[0])
        assert scene.save(outsider, item, {"value": 3}).status_code == 404
        assert scene.save(scene.people[1], item, {"value": 3}).status_code == 404
        scale = {"question": "", "high": "", "low": ""}
        assert scene.send(scene.people[0], f"stages/{scene.rate.pk}/scale/", scale).status_code == 403
        assert not Annotation.objects.filter(layer=scene.rate.layer, state="done").exists()


class TestLabelsChange:
    def test_what_is_labelled_otherwise_is_another_item(self, scene: Scene) -> None:
        scene.label(CLIMB)
        scene.label(span(0, 1), MOVED_IN)
        assert scene.marked() == ["[Prices climb] , and doubt moved in .", SECOND]

    def test_a_rating_goes_with_its_label_and_comes_back_with_it(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        ana, ben, _cai = scene.people
        scene.rated(ana, 2, 5)
        scene.label(MOVED_IN)
        assert scene.marked() == [SECOND]
        assert [item["marked"] for item in scene.claim(ben)] == [[5, 6]]
        (row,) = FURTHER["expression-ratings"].compute(scene.project).rows
        assert (row["expressions"], row["mean"]) == (1, "5.00")
        scene.label(CLIMB, MOVED_IN)
        assert scene.marked() == [FIRST, SECOND]
        (row,) = FURTHER["expression-ratings"].compute(scene.project).rows
        assert (row["expressions"], row["mean"]) == (2, "3.50")

    def test_while_labels_are_changed_what_somebody_rates_stays(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        ana, *_ = scene.people
        item, _other = scene.claim(ana)
        assert scene.save(ana, item, {"value": 4}).status_code == 200
        scene.label(CLIMB, MOVED_IN, done=False)
        assert scene.marked() == [FIRST, SECOND]
        scene.label(CLIMB, MOVED_IN)
        assert scene.marked() == [FIRST, SECOND]
        assert Unit.objects.filter(kind=KIND).count() == 2, "none is made twice"

    def test_what_is_decided_stays(self, scene: Scene) -> None:
        scene.label(CLIMB)
        unit = Unit.objects.get(kind=KIND)
        gold = {"project": scene.project, "unit": unit.pk, "layer": scene.rate.layer}
        decide_gold(**gold, version=0, content={"value": 3}, by=scene.manager)
        scene.label()
        assert scene.marked() == [FIRST]
        reopen_gold(**gold, version=1, by=scene.manager)
        assert Gold.objects.filter(layer=scene.rate.layer).count() == 0

    def test_gold_takes_the_place_of_an_answer(self, scene: Scene) -> None:
        scene.label(CLIMB)
        scene.rated(scene.people[0], 2)
        layer = scene.project.label_layer
        decided = {"project": scene.project, "unit": scene.sentence.pk, "layer": layer, "by": scene.manager}
        gold = decide_gold(**decided, version=0, content=spans(MOVED_IN))
        assert scene.marked() == [SECOND]
        reopen_gold(**decided, version=gold.version)
        assert scene.marked() == [FIRST]
        (row,) = FURTHER["expression-ratings"].compute(scene.project).rows
        assert (row["expressions"], row["mean"]) == (1, "2.00")


class TestFixedText:
    def _fix(self, scene: Scene, text: str) -> None:
        unit = Unit.objects.get(kind="sentence", segment=scene.sentence.segment, is_current=True)
        revise_text(project=scene.project, unit=unit.pk, text=text, by=None, anybodys=True)

    def test_it_is_asked_again_with_its_words_where_they_stand_now(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        ana, *_ = scene.people
        scene.rated(ana, 2, 5)
        self._fix(scene, "All " + TEXT)
        assert scene.marked() == [
            "All Prices [climb] , and doubt moved in .",
            "All Prices climb , and doubt [moved in] .",
        ]
        again = scene.claim(ana)
        assert [(item["marked"], item["annotation"]["content"]) for item in again] == [
            ([2], {"value": 2}), ([6, 7], {"value": 5}),
        ]  # fmt: skip
        # The labels are finished anew, and nothing is made twice.
        (item, *_others) = [one for one in scene.claim(scene.labeller, scene.correct) if one["unit"]["revision"] == 2]
        assert scene.save(scene.labeller, item, item["annotation"]["content"]).status_code == 200
        assert len(scene.marked()) == 2
        assert Unit.objects.filter(kind=KIND, is_current=True).values("segment").distinct().count() == 2

    def test_it_is_closed_where_one_of_its_words_is_another(self, scene: Scene) -> None:
        scene.label(CLIMB, MOVED_IN)
        scene.rated(scene.people[0], 2, 5)
        self._fix(scene, TEXT.replace("moved", "settled"))
        assert scene.marked() == ["Prices [climb] , and doubt settled in ."]
        assert Event.objects.get(verb="unit.closed").after == {"reason": "marked expression changed"}
        assert Annotation.objects.filter(unit__kind=KIND, state="done").count() >= 2, "what was said stays on record"


class TestFigures:
    @pytest.fixture
    def rated(self, scene: Scene) -> Scene:
        scene.label(CLIMB, MOVED_IN)
        for person, values in zip(scene.people, ([1, 5], [2, 5], [3, 5]), strict=True):
            scene.rated(person, *values)
        return scene

    def test_agreement_and_the_table_count_each_expression(self, rated: Scene) -> None:
        (row,) = FURTHER["expression-ratings"].compute(rated.project).rows
        # As for sentences: within 1, between all 190 / 30.
        assert (row["expressions"], row["ratings"], row["mean"], row["spread"]) == (2, 6, "3.50", "0.50")
        assert row["interval_alpha"] == f"{1 - 1 / (190 / 30):.2f}"
        ana, ben, _cai = rated.people
        found = agreement(rated.project, a=ana, b=ben, layer="expression-ratings")
        assert (found.overall.kappa.n, found.overall.kappa.observed) == (2, 0.5)
        assert "ratings" not in {one.kind for one in listed_reports(rated.project)}, "no sentence is rated"

    def test_a_release_says_which_words_were_rated(self, rated: Scene) -> None:
        released = release_files(rated.project, partial=True)
        lines = released.files["expression-ratings/en.tsv"].decode().splitlines()
        uid = rated.sentence.segment.uid
        assert [line.split("\t") for line in lines] == [
            ["id", "tokens", "words", "mean", "spread", "ratings", "values", "text"],
            [uid, "1", "climb", "2.000", "1.000", "3", "1 2 3", TEXT],
            [uid, "5 6", "moved in", "5.000", "0.000", "3", "5 5 5", TEXT],
        ]
        assert "ratings of each marked expression" in released.files["README.md"].decode()

    def test_a_text_that_may_not_be_published_stays_out(self, rated: Scene) -> None:
        hidden, shown = rated.project.units.filter(kind="sentence").order_by("pk")
        make_gold(shown)
        source = Import.objects.create(
            project=rated.project, dataset="d", publishable=False, published_at=hidden.created_at
        )
        Unit.objects.filter(pk=hidden.pk).update(imported=source)
        released = release_files(rated.project, partial=True)
        assert "expression-ratings/en.tsv" not in released.files
        left_out = [(one["kind"], one["id"]) for one in released.left_out if "expression" not in one["id"]]
        assert ("sentence", hidden.segment.uid) in left_out

    def test_disagreements_are_adjudicated_with_the_words_marked(self, rated: Scene) -> None:
        add_stages(project=rated.project, specs=[StageSpec("adjudicate", "en", layer="expression-ratings")], by=None)
        judge = rated.project.stages.get(kind="adjudicate", layer__slug="expression-ratings")
        answer = client_of(rated.manager).get(f"/api/v1/projects/scaled/stages/{judge.pk}/adjudicate/").json()
        (waiting,) = answer["items"]
        assert (waiting["marked"], [one["content"]["value"] for one in waiting["answers"]]) == ([1], [1, 2, 3])


def test_whole_sentences_are_rated_as_such_whatever_is_labelled_in_them() -> None:
    project = create_project(slug="scaled", preset=STARTS["rating"].preset(["en"]), by=None)
    sentence = make_sentence(project, TEXT, language="en")
    make_gold(sentence, [CLIMB])
    path = f"/api/v1/projects/scaled/stages/{project.stages.get().pk}/claim/"
    (item,) = client_of(make_member(project)).post(path, {"count": 20}).json()["items"]
    assert item["unit"]["id"] == sentence.pk
    assert "marked" not in item
