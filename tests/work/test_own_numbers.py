"""What a person's own numbers count: answers to what is in the stage, and decisions on what stands."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.core.counters import recount, recounted_people
from annotator.core.presets import StageSpec
from annotator.dashboard.queries.people import stage_numbers
from annotator.models import Counter, Gold, Mode, Project, Role, Stage, Unit, User
from annotator.projects.actions.stages import add_stages
from annotator.projects.queries.members import member_rows
from annotator.work.derivation.actions.withdrawing import restore, withdraw
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import LEASE, claim
from annotator.work.queue.actions.giving_back import free_open, return_expired
from annotator.work.queue.queries.progress import held_ahead, project_progress, stage_progress
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    spans,
    stage_of,
)
from tests.kinds.test_finished_again import ACCEPT, REJECT, pairs, saved, undone
from tests.mapped import with_people
from tests.protocols.mabl.work import OFFICE, Mabl
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db


def numbers(stage: Stage, user: User) -> tuple[int, int, int]:
    """As the workspace says them: done, in all, by the person."""
    found = stage_progress(stage, user)
    assert dict(project_progress(stage.project, user))[stage] == found
    return found.done, found.total, found.mine


def own(stage: Stage, user: User) -> dict[str, int]:
    names = ("own_open", "own_done", "blind_open", "blind_done")
    return {name: number for name, number in stage.counters.values(*names).get(user=user).items() if number}


class TestATextThatWasRewritten:
    @pytest.fixture
    def scene(self) -> Mabl:
        scene = Mabl()
        scene.validate.answers_wanted = 1
        scene.validate.save()
        return scene

    def test_what_somebody_did_on_it_is_not_among_what_is_done(self, scene: Mabl) -> None:
        """Whoever validates it again has done one, not two of one."""
        ana, ben, *_ = scene.people
        item = scene.written(ana)
        scene.judged(ben, **ACCEPT)
        # Gold of one verdict does not keep its writer from another text.
        saved(scene, ana, item, OFFICE)
        assert numbers(scene.validate, ben) == (0, 1, 0)
        scene.judged(ben, **ACCEPT)
        assert numbers(scene.validate, ben) == (1, 1, 1)
        check(scene.project)

        undone(scene, ana, item)

        assert numbers(scene.validate, ben) == (1, 1, 1), "the first text has its verdict again"
        check(scene.project)

    def test_pages_on_people_say_the_same(self, scene: Mabl) -> None:
        ana, ben, *_ = scene.people
        item = scene.written(ana)
        scene.judged(ben, **ACCEPT)
        saved(scene, ana, item, OFFICE)
        done = {row.membership.user: [number for _stage, number in row.done] for row in member_rows(scene.project)}
        assert (done[ben], done[ana]) == ([], [1])
        assert stage_numbers(scene.project, ben) == []

    def test_a_decision_on_it_is_none_on_the_next_one(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        scene.validate.answers_wanted = 2
        scene.validate.save()
        adela = make_member(scene.project, Role.ADJUDICATOR)
        judge = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
        item = scene.written(ana)
        scene.judged(ben, **ACCEPT)
        scene.judged(cai, **REJECT)
        decide_gold(unit=pairs()[0].pk, layer=scene.validate.layer, content=ACCEPT, by=adela)
        assert numbers(judge, adela) == (1, 1, 1)

        saved(scene, ana, item, OFFICE)

        assert numbers(judge, adela) == (0, 1, 0), "the new text is to be decided on"
        check(scene.project)
        undone(scene, ana, item)
        assert numbers(judge, adela) == (1, 1, 1)
        check(scene.project)


class TestOnWhatLeftItsStage:
    @pytest.fixture
    def project(self) -> Project:
        return make_project()

    def left(self, project: Project, user: User) -> tuple[Stage, Unit]:
        """Somebody claimed a sentence, which was then withdrawn."""
        stage, unit = stage_of(project, "correct"), make_sentence(project)
        assert len(claim(stage=stage, user=user, now=timezone.now())) == 1
        withdraw([unit], None)
        return stage, unit

    def test_nothing_is_open(self, project: Project) -> None:
        ana = make_member(project)
        stage, _unit = self.left(project, ana)
        assert own(stage, ana) == {}
        assert held_ahead([stage])[stage.pk].people == {}
        assert stage_numbers(project, ana) == []

    @pytest.mark.parametrize("expired", [True, False])
    def test_giving_it_back_counts_nothing_more(self, project: Project, expired: bool) -> None:
        ana = make_member(project)
        stage, unit = self.left(project, ana)
        if expired:
            assert return_expired(stage=stage, now=timezone.now() + LEASE + timedelta(seconds=1)) == 1
        else:
            assert free_open(stage=stage, user=ana, mode=Mode.REVIEW, by=ana) == 1
        assert own(stage, ana) == {}
        check(project)
        restore([unit], None)
        assert own(stage, ana) == {}
        check(project)

    def test_it_counts_again_where_it_comes_back(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage, unit = self.left(project, ana)
        restore([unit], ben)
        assert own(stage, ana) == {"own_open": 1}
        assert stage_progress(stage).open == 1
        check(project)

    def test_gold_that_is_reopened_there_was_not_counted(self, project: Project) -> None:
        ana = make_member(project, Role.ADJUDICATOR)
        unit = make_sentence(project)
        layer, judge = project.label_layer, stage_of(project, "adjudicate")
        decide_gold(unit=unit.pk, layer=layer, content=spans(), by=ana)
        withdraw([unit], None)
        assert numbers(judge, ana) == (0, 0, 0)
        reopen_gold(project=project, unit=unit.pk, layer=layer, version=1, by=ana)
        assert numbers(judge, ana) == (0, 0, 0)
        restore([unit], None)
        assert numbers(judge, ana) == (0, 1, 0)
        check(project)

    def test_what_was_replaced_just_before_is_not_accepted(self, project: Project) -> None:
        ana, unit = make_member(project), make_sentence(project)
        make_assignment(unit, ana, stage_of(project, "correct"), done=True)
        make_annotation(unit, ana)
        looks = []

        def somebody_is_faster(execute: Any, sql: str, *rest: Any) -> Any:
            if 'FROM "annotator_item"' in sql and not looks:
                # As another connection could, between the look for what agrees and the lock.
                looks.append(sql)
                withdraw([unit], None)
            return execute(sql, *rest)

        with connection.execute_wrapper(somebody_is_faster):
            accept_agreed(project=project, layer=project.label_layer, language="es", by=ana, without_overlap=True)
        assert looks
        assert not Gold.objects.exists()
        check(project)

    def test_many_cost_as_many_statements_as_few(self, project: Project) -> None:
        stage = stage_of(project, "correct")
        people = [make_member(project) for _ in range(2)]

        def statements(number: int) -> tuple[int, int]:
            units = [make_sentence(project) for _ in range(number)]
            for at, unit in enumerate(units):
                make_assignment(unit, people[at % 2], stage)
            with CaptureQueriesContext(
                connection,
            ) as gone:
                withdraw(units, None)
            items = stage.items.filter(unit__in=units)
            assert set(items.values_list("state", flat=True)) == {"void"}
            with CaptureQueriesContext(connection) as back:
                restore(units, None)
            return len(gone), len(back)

        few = statements(2)
        assert statements(40) == few
        check(project)


def test_decisions_are_their_deciders_in_a_stage_that_is_added_later(project: Project) -> None:
    ana = make_member(project, Role.ADJUDICATOR)
    layer = project.label_layer
    stage_of(project, "adjudicate", layer=layer.slug).delete()
    unit, replaced = make_sentence(project), make_sentence(project)
    for one in (unit, replaced):
        decide_gold(unit=one.pk, layer=layer, content=spans(), by=ana)
    withdraw([replaced], None)
    add_stages(project=project, specs=[StageSpec("adjudicate", "es", layer=layer.slug)], by=None)
    judge = stage_of(project, "adjudicate", layer=layer.slug)
    assert numbers(judge, ana) == (1, 1, 1)
    check(project)


class TestCountersOfEarlierVersions:
    """They have what people did on texts that were replaced."""

    @pytest.fixture
    def project(self) -> Project:
        project = make_project()
        ana = make_member(project, username="ana")
        correct, judge = stage_of(project, "correct"), stage_of(project, "adjudicate")
        units = [make_sentence(project) for _ in range(3)]
        for unit in units:
            make_assignment(unit, ana, correct, done=True)
        for unit in units[1:]:
            make_gold(unit)
        Gold.objects.update(decided_by=ana)
        recount(project)
        withdraw([units[2]], None)
        Counter.objects.filter(stage=correct, user=ana).update(own_done=F("own_done") + 1)
        Counter.objects.filter(stage=judge, user=ana).update(own_done=F("own_done") + 1, done=F("done") + 1)
        return project

    def right(self, project: Project) -> None:
        ana = User.objects.get(username="ana")
        for kind, number in (("correct", 2), ("adjudicate", 1)):
            stage = stage_of(project, kind)
            assert (own(stage, ana), recounted_people(stage)) == ({"own_done": number}, {ana.pk: {"own_done": number}})
        assert stage_progress(stage_of(project, "adjudicate")).done == 1

    @pytest.mark.django_db(transaction=True)
    def test_a_restored_archive_has_them_right(self, project: Project) -> None:
        file = io.BytesIO()
        write_archive(project=project, file=file)
        self.right(with_people(restore_archive(file=file, slug="again", by=None)))
