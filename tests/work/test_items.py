"""Units entering and leaving stages."""

from __future__ import annotations

import pytest

from annotator.core.counters import recounted
from annotator.domain.states import ITEM_STATES, ItemState
from annotator.models import Annotation, BlindMark, Counter, Item, Mode, Project, Stage, Suggestion, Unit, User
from annotator.work.answering.actions.annotations import ReassignedError
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.actions.items import change_item, enter_stages, reassign_unstarted, retire
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_projection,
    make_sentence,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.saving import NOW, save

pytestmark = pytest.mark.django_db


def stages_of(unit: Unit) -> list[tuple[str, str]]:
    """The stages in which the unit is to be answered."""
    rows = Item.objects.filter(unit=unit, answers_wanted__gt=0).exclude(stage__kind=Stage.ADJUDICATE)
    return sorted(rows.values_list("stage__kind", "stage__language"))


def counted(project: Project) -> None:
    for stage in project.stages.exclude(kind=Stage.ADJUDICATE):
        assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}


def drop(projection: Suggestion) -> None:
    projection.is_current = False
    projection.save()
    reassign_unstarted(projection.project, [projection.unit_id], language=projection.unit.language)


class TestEntering:
    def test_every_sentence_is_in_exactly_one_stage_of_its_language(self, project: Project) -> None:
        spanish = make_sentence(project)
        reached = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        missed = make_sentence(project, "Nobody looks", language="en")
        make_projection(spanish, reached, [], [span(2)])  # a label that was lost is worth reviewing too
        assert stages_of(spanish) == [("correct", "es")]
        assert stages_of(reached) == [("project-review", "en")]
        assert stages_of(missed) == [("correct", "en")]
        counted(project)

    def test_pairs_and_sentences_go_where_they_are_worked_on(self, project: Project) -> None:
        pair = make_pair(project)
        assert stages_of(unit_of(pair)) == [("pair-tag", "es")]
        assert stages_of(pair.premise.units.get()) == [("correct", "es")]

    def test_an_item_stands_where_its_text_does_and_wants_what_the_stage_wants(self, project: Project) -> None:
        stage = stage_of(project, "correct")
        stage.answers_wanted = 3
        stage.save()
        unit = make_sentence(project)
        item = Item.objects.get(unit=unit)
        assert (item.reading, item.answers_wanted, item.state) == (unit.segment.position, 3, "free")

    def test_what_has_gold_enters_decided(self, project: Project) -> None:
        unit = make_sentence(project)
        Item.objects.filter(unit=unit).delete()
        Counter.objects.all().delete()
        make_gold(unit)
        enter_stages(project, [unit])
        assert Item.objects.get(unit=unit).state == "decided"
        counted(project)


class TestRegrouping:
    @pytest.fixture
    def english(self, project: Project) -> Unit:
        return make_sentence(project, "Time flies", language="en", segment=make_sentence(project).segment)

    def project_on(self, english: Unit) -> Suggestion:
        return make_projection(english.segment.units.get(language="es"), english, [span(1)], [span(2)])

    def test_goes_there_and_back(self, project: Project, english: Unit) -> None:
        projection = self.project_on(english)
        assert stages_of(english) == [("project-review", "en")]
        counted(project)
        drop(projection)
        assert stages_of(english) == [("correct", "en")]
        counted(project)
        reassign_unstarted(project, [english.pk], language="en")
        assert stages_of(english) == [("correct", "en")]
        counted(project)

    @pytest.mark.parametrize("done", [False, True])
    def test_begun_work_is_not_pulled_away(self, project: Project, english: Unit, done: bool, ana: User) -> None:
        make_assignment(english, ana, stage_of(project, "correct", "en"), done=done)
        before = list(Item.objects.values())
        self.project_on(english)
        assert list(Item.objects.values()) == before
        counted(project)

    def test_decided_work_stays_where_it_is(self, project: Project, english: Unit) -> None:
        make_gold(english)
        self.project_on(english)
        assert stages_of(english) == [("correct", "en")]
        counted(project)

    def test_the_source_language_and_replaced_texts_stay(self, project: Project) -> None:
        spanish = make_sentence(project)
        old = make_sentence(project, "Time flies", language="en")
        Unit.objects.filter(pk=old.pk).update(is_current=False)
        before = list(Item.objects.values())
        reassign_unstarted(project, [spanish.pk], language="es")
        reassign_unstarted(project, [old.pk], language="en")
        assert list(Item.objects.values()) == before

    def test_blind_answers_stay_and_the_review_moves(self, project: Project, english: Unit) -> None:
        correct = stage_of(project, "correct", "en")
        make_assignment(english, make_member(project), correct, mode=Mode.BLIND, done=True)
        projection = self.project_on(english)
        assert stages_of(english) == [("project-review", "en")]
        kept = Item.objects.get(stage=correct, unit=english)
        assert (kept.answers_wanted, kept.state, kept.extra_done) == (0, "done", 1)
        counted(project)
        drop(projection)
        assert stages_of(english) == [("correct", "en")]
        kept.refresh_from_db()
        assert (kept.answers_wanted, kept.state, kept.extra_done) == (1, "free", 1)
        counted(project)

    def test_a_late_save_of_what_was_given_back_before_is_kept_on_record(
        self, project: Project, english: Unit, ana: User
    ) -> None:
        correct = stage_of(project, "correct", "en")
        (row,) = claim(stage=correct, user=ana, now=NOW)
        free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana)
        self.project_on(english)
        assert stages_of(english) == [("project-review", "en")]
        with pytest.raises(ReassignedError):
            save(row, spans(span(0)))
        kept = Annotation.objects.get(unit=english, user=ana)
        assert (kept.content, kept.state) == (spans(span(0)), "open")
        counted(project)


def test_an_item_goes_no_way_that_the_table_does_not_have(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sentence(project)
    item = Item.objects.get()
    monkeypatch.setitem(ITEM_STATES, ItemState.FREE, frozenset())
    with pytest.raises(ValueError, match="free cannot become taken"):
        change_item(item, user=None, answers_open=1)
    assert Item.objects.get().state == "free"


class TestLeaving:
    def test_the_items_of_a_replaced_text_count_no_more_and_blind_work_on_it_is_over(
        self, project: Project, ana: User, ben: User
    ) -> None:
        stage = stage_of(project, "correct")
        old, other = make_sentence(project), make_sentence(project)
        make_assignment(old, ana, stage, done=True)
        for unit in (old, other):
            make_assignment(unit, ben, stage, mode=Mode.BLIND)
        retire(Item.objects.filter(unit=old), user=None)
        retire(Item.objects.filter(unit=old), user=None)
        assert Item.objects.get(unit=old).state == "void"
        assert stage_progress(stage).to_json() == {"done": 0, "open": 0, "total": 1, "mine": 0, "blind": 0}
        assert [mark.segment_id for mark in BlindMark.objects.filter(live=True)] == [other.segment_id]
        counted(project)

    def test_a_void_item_stays_void_whatever_becomes_of_its_answers(self, project: Project) -> None:
        stage = stage_of(project, "correct")
        unit = make_sentence(project)
        row = make_assignment(unit, make_member(project), stage)
        retire(Item.objects.filter(unit=unit), user=None)
        item = Item.objects.get(unit=unit)
        change_item(item, user=row.user, answers_open=-1, own={"own_open": -1})
        item.refresh_from_db()
        assert (item.state, item.answers_open) == ("void", 0)
        counted(project)


def test_what_is_decided_stays_so_when_an_answer_is_given_back(project: Project, ana: User) -> None:
    stage = stage_of(project, "correct")
    unit = make_sentence(project)
    make_assignment(unit, ana, stage)
    make_gold(unit)
    free_open(stage=stage, user=ana, mode=Mode.REVIEW, by=ana)
    item = Item.objects.get(unit=unit, stage=stage)
    assert (item.state, item.answers_open) == ("decided", 0)
    counted(project)


def test_what_waits_for_adjudication_is_no_work_of_a_stage(project: Project) -> None:
    unit = make_sentence(project)
    make_annotation(unit, make_member(project), doubt=True)
    assert Item.objects.filter(unit=unit).count() == 2
    assert stages_of(unit) == [("correct", "es")]
