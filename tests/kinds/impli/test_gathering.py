"""What is made of marked sentences, whoever marked them: people here, or files, as gold or as somebody's answers."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.core.starts import plain
from annotator.imports.undo.undo_import import undo_import
from annotator.models import Annotation, Assignment, Gold, Import, Item, Project, Role, Segment, Stage, Unit, User
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.revisions.revisions import revise_text
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_member, span, spans, stage_of
from tests.kinds.impli.work import FIGURATIVE, LITERAL, Impli, bio

pytestmark = pytest.mark.django_db


FILES: dict[str, str | bytes] = {
    "marked.tsv": bio(FIGURATIVE, "FIGURATIVE", 4, 7) + bio(LITERAL, "LITERAL", 3, 6) + bio("It rained all day .")
}


def empty_project(slug: str = "gathering") -> Project:
    """With labels alone: no stage that is made from them."""
    project = create_project(slug=slug, preset=plain(["en"], ["FIGURATIVE", "LITERAL"]), by=None)
    make_member(project, Role.MANAGER, username=f"m-{slug}")
    return project


def made(project: Project, kind: str) -> list[str]:
    units = project.units.filter(kind=kind, is_current=True, items__isnull=False).order_by("pk")
    return [unit.text for unit in units]


def counted(project: Project) -> None:
    for stage in project.stages.exclude(kind=Stage.ADJUDICATE):
        numbers, shown = recounted(stage), stage_progress(stage)
        assert (shown.total, shown.done, shown.open) == (numbers["total"], numbers["done"], numbers["open"]), stage


@pytest.fixture(scope="class", params=["stages-first", "labels-first"])
def order(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="class", params=["gold", "person"])
def labelled(order: str, request: pytest.FixtureRequest, kept_rows_of_class: None) -> Iterator[Project]:
    """Labels came in with a file, before the stages or after them; made once for both tests."""
    with transaction.atomic():
        project = empty_project()
        asked = {"labels_as": request.param, "dataset": "set"}
        if request.param == "person":
            asked["labels_name"] = make_member(project, username="ana").username
        specs = [StageSpec("rewrite", "en", made_from="correct"), StageSpec("define", "en")]
        if order == "stages-first":
            add_stages(project=project, specs=specs, by=None)
        load(project, FILES, **asked)
        if order == "labels-first":
            add_stages(project=project, specs=specs, by=None)
        yield project
        transaction.set_rollback(True)


class TestLabelsOfFiles:
    @pytest.fixture
    def project(self, labelled: Project, uploads: Path) -> Project:
        return copy.deepcopy(labelled)

    def test_marked_sentences_of_files_can_be_rewritten_and_their_expressions_defined(self, project: Project) -> None:
        assert made(project, "focus") == [FIGURATIVE]
        assert made(project, "expression") == ["hold the baby"]
        expression = Unit.objects.get(kind="expression")
        assert {unit.text for unit in expression.parents.all()} == {FIGURATIVE, LITERAL}
        counted(project)

    def test_a_second_file_with_the_same_adds_nothing(self, project: Project) -> None:
        before = Unit.objects.count(), Item.objects.count()
        load(project, FILES, labels_as="gold", dataset="set")
        assert (Unit.objects.count(), Item.objects.count()) == before
        counted(project)


def test_labels_of_a_later_file_on_sentences_that_are_there(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    scene = Impli()
    load(scene.project, FILES, labels_as="none", dataset="set")
    assert made(scene.project, "focus") == []
    load(scene.project, FILES, labels_as="gold", dataset="set")
    assert made(scene.project, "focus") == [FIGURATIVE]
    assert made(scene.project, "expression") == ["hold the baby"]
    counted(scene.project)


@pytest.fixture(scope="class")
def begun(kept_rows_of_class: None) -> Impli:
    return Impli()


class TestGoldHere:
    @pytest.fixture
    def scene(self, begun: Impli) -> Impli:
        return copy.deepcopy(begun)

    def _decide(self, scene: Impli, *given: dict[str, Any]) -> Gold:
        unit = Unit.objects.get(tokens=FIGURATIVE.split(), kind="sentence")
        before = Gold.all_rows.filter(unit=unit).first()
        version = before.version if before and not before.reopened else 0
        layer = scene.project.label_layer
        return decide_gold(unit=unit.pk, layer=layer, version=version, content=spans(*given), by=scene.manager)

    def test_what_an_adjudicator_marks_is_made_and_what_they_take_away_goes(self, scene: Impli) -> None:
        self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        assert made(scene.project, "focus") == [FIGURATIVE]
        self._decide(scene)
        assert made(scene.project, "focus") == []
        assert made(scene.project, "expression") == []
        assert not Unit.parents.through.objects.filter(from_unit__kind="expression").exists()
        gold = self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        assert made(scene.project, "focus") == [FIGURATIVE]
        assert made(scene.project, "expression") == ["hold the baby"]
        reopen_gold(project=scene.project, unit=gold.unit_id, layer=gold.layer, version=gold.version, by=scene.manager)
        assert made(scene.project, "focus") == []
        counted(scene.project)

    def test_an_expression_that_nobody_marks_any_more_leaves_with_its_definitions_and_comes_back(
        self, scene: Impli
    ) -> None:
        ana, ben, *_ = scene.people
        stage = scene.stage("define")
        scene.marked(ana)
        scene.defined(ben)
        scene.bring("pairs")
        answers = {row.unit.text: row for row in Annotation.objects.filter(layer=scene.project.label_layer)}

        def mend(text: str, *labelled: dict[str, Any]) -> None:
            row = Annotation.objects.get(pk=answers[text].pk)
            assignment = Assignment.objects.get(unit=row.unit, user=ana)
            body = {"version": row.version, "content": spans(*labelled), "done": True}
            scene.call(ana, "post", f"assignments/{assignment.pk}/save/", body)

        mend(FIGURATIVE, span(3, label="FIGURATIVE"))
        assert "hold the baby" in made(scene.project, "expression"), "the other sentence marks it"
        mend(LITERAL)
        assert made(scene.project, "expression") == ["left"]
        assert made(scene.project, "inference-pair") == []
        assert Annotation.objects.filter(layer=stage.layer, state="done").count() == 1, "it stays on record"
        counted(scene.project)

        mend(LITERAL, span(3, 4, 5, label="LITERAL"))
        assert sorted(made(scene.project, "expression")) == ["hold the baby", "left"]
        assert (stage_progress(stage).total, stage_progress(stage).done) == (2, 1)
        assert scene.bring("pairs")["made"] == 1
        counted(scene.project)

    def test_an_expression_goes_where_its_sentence_reads_otherwise(self, scene: Impli) -> None:
        self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        unit = Unit.objects.get(tokens=FIGURATIVE.split(), kind="sentence")
        fixed = FIGURATIVE.replace("baby", "door")
        revise_text(project=scene.project, unit=unit.pk, text=fixed, by=scene.manager, anybodys=True)
        revised = Unit.objects.get(kind="sentence", tokens=fixed.split(), is_current=True)
        layer = scene.project.label_layer
        decide_gold(unit=revised.pk, layer=layer, content=spans(), by=scene.manager)
        assert made(scene.project, "expression") == []

    def test_a_sentence_that_an_adjudicator_finds_literal_is_no_longer_rewritten(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        scene.marked(ana)
        assert made(scene.project, "focus") == [FIGURATIVE]
        self._decide(scene, span(4, 5, 6, label="LITERAL"))
        assert made(scene.project, "focus") == []
        assert scene.claim(ben, "rewrite") == []
        counted(scene.project)
        gold = self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        assert made(scene.project, "focus") == [FIGURATIVE]
        reopen_gold(project=scene.project, unit=gold.unit_id, layer=gold.layer, version=gold.version, by=scene.manager)
        assert made(scene.project, "focus") == [FIGURATIVE], "her answer says so"
        counted(scene.project)

    def test_what_somebody_is_rewriting_stays_whatever_an_adjudicator_finds(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        scene.marked(ana)
        scene.claim(ben, "rewrite")
        self._decide(scene, span(4, 5, 6, label="LITERAL"))
        assert made(scene.project, "focus") == [FIGURATIVE]

    def test_what_somebody_has_begun_stays(self, scene: Impli) -> None:
        self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        scene.claim(scene.people[0], "rewrite")
        self._decide(scene)
        assert made(scene.project, "focus") == [FIGURATIVE]

    def test_an_answer_does_not_make_it_twice(self, scene: Impli) -> None:
        scene.marked(scene.people[0])
        self._decide(scene, span(4, 5, 6, label="FIGURATIVE"))
        assert made(scene.project, "focus") == [FIGURATIVE]


class TestExamples:
    def test_a_few_sentences_of_an_expression_are_shown_and_the_others_counted(self) -> None:
        project = empty_project("examples")
        texts = [f"{number} of us were left holding the baby ." for number in range(7)]
        add_stages(project=project, specs=[StageSpec("define", "en")], by=None)
        load(project, {"many.tsv": "".join(bio(one, "FIGURATIVE", 5, 8) for one in texts)}, labels_as="gold")
        item = _claimed(project, make_member(project), "define")
        assert (item["examples"], item["more"]) == (texts[:5], 2)

    def test_a_sentence_on_which_one_is_blind_is_none_of_them(self) -> None:
        scene = Impli()
        scene.marked(scene.people[0])
        blind = scene.people[1]
        assign_blind(project=scene.project, users=[blind], language="en", pairs=1, seed=1, by=None)
        hidden = Item.objects.get(stage=scene.stage("correct"), assignments__user=blind).unit.text
        (item,) = scene.claim(blind, "define")
        assert (len(item["examples"]), item["more"]) == (1, 0)
        assert hidden not in item["examples"]


@pytest.fixture(scope="class")
def loaded(kept_rows_of_class: None) -> Project:
    """Labels came in as gold, and what is made of them can be rewritten and defined."""
    project = empty_project("back")
    specs = [StageSpec("rewrite", "en", made_from="correct"), StageSpec("define", "en")]
    add_stages(project=project, specs=specs, by=None)
    load(project, FILES, labels_as="gold", dataset="set")
    return project


class TestTakenBack:
    @pytest.fixture
    def project(self, loaded: Project, uploads: Path) -> Project:
        return copy.deepcopy(loaded)

    @pytest.fixture
    def imported(self, project: Project) -> Import:
        return project.imports.get()

    def test_what_was_made_of_it_goes_with_an_import(self, project: Project, imported: Import) -> None:
        undo_import(imported=imported, by=None)
        assert not Unit.objects.exists()
        assert not Segment.objects.exists()
        counted(project)

    def test_an_expression_that_others_mark_stays(self, project: Project, imported: Import) -> None:
        other = "They left you holding the baby ."
        load(project, {"other.tsv": bio(other, "FIGURATIVE", 3, 6)}, labels_as="gold", dataset="other")
        undo_import(imported=imported, by=None)
        assert made(project, "focus") == [other]
        assert made(project, "expression") == ["hold the baby"]
        counted(project)

    def test_it_stays_once_somebody_has_begun_to_rewrite(self, project: Project, imported: Import) -> None:
        _claimed(project, make_member(project, Role.ANNOTATOR), "rewrite", keep=True)
        with pytest.raises(ActionError, match="has worked on"):
            undo_import(imported=imported, by=None)
        assert made(project, "focus") == [FIGURATIVE]


@pytest.fixture(scope="class")
def marked(begun: Impli, kept_rows_of_class: None) -> Impli:
    scene = copy.deepcopy(begun)
    scene.marked(scene.people[0])
    return scene


class TestDictionaryLater:
    FILE: dict[str, str | bytes] = {"words.tsv": "expression\tdefinition\nhold the baby\tto be responsible\n"}

    @pytest.fixture
    def scene(self, marked: Impli, uploads: Path) -> Impli:
        return copy.deepcopy(marked)

    def test_the_imported_expression_takes_the_place_of_the_made_one(self, scene: Impli) -> None:
        load(scene.project, self.FILE, dataset="words", labels_as="model", labels_name="dictionary")
        (item,) = scene.claim(scene.people[1], "define", 5)
        assert len(item["examples"]) == 2
        assert made(scene.project, "expression") == ["hold the baby"]
        counted(scene.project)

    def test_of_two_rows_for_one_expression_the_first_has_its_sentences(self, scene: Impli) -> None:
        rows = "expression\tdefinition\nhold the baby\tto be responsible\nHold the Baby\tto nurse\n"
        load(scene.project, {"words.tsv": rows}, dataset="words", labels_as="model", labels_name="dictionary")
        items = scene.claim(scene.people[1], "define", 5)
        found = {" ".join(item["unit"]["tokens"]): len(item["examples"]) for item in items}
        assert found == {"hold the baby": 2, "Hold the Baby": 0}

    def test_not_where_somebody_has_defined_it(self, scene: Impli) -> None:
        scene.defined(scene.people[1])
        load(scene.project, self.FILE, dataset="words", labels_as="model", labels_name="dictionary")
        assert Unit.objects.filter(kind="expression", is_current=True).count() == 2
        counted(scene.project)


def _claimed(project: Project, user: User, kind: str, *, keep: bool = False) -> dict[str, Any]:
    stage = stage_of(project, kind, "en")
    path = f"/api/v1/projects/{project.slug}/"
    (item,) = client_of(user).post(f"{path}stages/{stage.pk}/claim/", {"count": 1}).json()["items"]
    if keep:
        body = {
            "version": 0,
            "content": {"paraphrase": "We had to do it all.", "changed": "", "opposite": ""},
            "done": False,
        }
        assert client_of(user).post(f"{path}assignments/{item['id']}/save/", body).status_code == 200
    found: dict[str, Any] = item
    return found
