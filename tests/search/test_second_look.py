"""A second look at pairs with a tag: what becomes of answers and gold, that nothing is lost, and its undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotator.core.access import Access, project_for
from annotator.core.counters import recounted
from annotator.core.errors import ActionError, NotYoursError
from annotator.domain.states import AssignmentState, ItemState
from annotator.integrity.answers import check_saves, check_undo
from annotator.models import Annotation, Assignment, Gold, Item, Pair, Project, Role, Stage, User
from annotator.search.actions.second_look import give_again, undo_give_again
from annotator.search.queries.pairs import ANSWERS, GOLD, Tagged, last_act, second_look, tagged
from annotator.work.answering.actions.annotations import undo_annotation
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import choice, make_assignment, make_member, make_pair, make_project, make_tag, stage_of, unit_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "pair-tag")


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture(autouse=True)
def consistent(project: Project, stage: Stage) -> Any:
    """The counters are what the items say, and each answer is what the log says."""
    yield
    progress = stage_progress(stage)
    assert {"done": progress.done, "open": progress.open, "total": progress.total} == recounted(stage)
    assert [*check_saves(), *check_undo()] == []


def entry(user: User, project: Project) -> Access:
    return project_for(user, project.slug)


def answered(pair: Pair, user: User, tag: str) -> Assignment:
    stage = stage_of(pair.project, "pair-tag")
    row = make_assignment(pair, user, stage)
    save(row, choice(tag))
    return row


def give(by: User, stage: Stage, user: User, whose: str = "", tag: str = "non_relevant") -> Any:
    asked = Tagged(stage, tag, whose)
    return give_again(access=entry(by, stage.project), asked=asked, user=user, now=timezone.now())


def undo(by: User, project: Project, operation: Any) -> tuple[int, int]:
    return undo_give_again(access=entry(by, project), operation=operation, now=timezone.now())


def state() -> list[Any]:
    """What was answered and decided, and what is to do."""
    return [
        list(Annotation.objects.order_by("pk").values_list("unit", "user", "content", "state", "comment")),
        list(Gold.all_rows.order_by("pk").values_list("unit", "content", "reopened", "decided_by", "source")),
        list(
            Item.objects.order_by("pk").values_list("unit", "state", "answers_wanted", "answers_open", "answers_done")
        ),
        list(
            Assignment.objects.exclude(state=AssignmentState.RETURNED)
            .order_by("pk")
            .values_list("unit", "user", "state")
        ),
    ]


class TestWhich:
    def test_by_gold_or_answers_in_reading_order(self, project: Project, stage: Stage, ana: User, mara: User) -> None:
        by_gold, by_ana, other, english = (make_pair(project) for _ in range(4))
        make_tag(by_gold, "non_relevant")
        answered(by_ana, ana, "non_relevant")
        answered(other, ana, "relevant")
        make_assignment(english, ana, stage)
        access = entry(mara, project)
        units = [unit_of(pair).pk for pair in (by_gold, by_ana)]
        assert tagged(access, Tagged(stage, "non_relevant")) == units
        assert tagged(access, Tagged(stage, "non_relevant", GOLD)) == units[:1]
        assert tagged(access, Tagged(stage, "non_relevant", ANSWERS)) == units[1:]
        assert tagged(access, Tagged(stage, "discarded")) == []

    def test_nothing_is_told_to_who_works_blind(self, project: Project, stage: Stage, ana: User, mara: User) -> None:
        answered(make_pair(project), ana, "non_relevant")
        make_assignment(make_pair(project), mara, stage, mode="blind")
        assert tagged(entry(mara, project), Tagged(stage, "non_relevant")) == []


class TestGiving:
    def test_own_answers_are_opened_again_with_their_tag(
        self, project: Project, stage: Stage, ana: User, mara: User
    ) -> None:
        row = answered(make_pair(project), ana, "non_relevant")
        before = state()
        give(mara, stage, ana)
        answer = Annotation.objects.get()
        assert (answer.content, answer.state, answer.version) == (choice("non_relevant"), "open", 2)
        assert [one.pk for one in claim(stage=stage, user=ana, now=timezone.now())] == [row.pk]
        # The person's own undo is a way back, too.
        undo_annotation(project=project, assignment=row.pk, version=2, by=ana, now=timezone.now())
        assert state() == before

    def test_beside_answers_of_others_one_more_is_wanted(
        self, project: Project, stage: Stage, ana: User, ben: User, mara: User
    ) -> None:
        answered(make_pair(project), ana, "non_relevant")
        give(mara, stage, ben)
        given = Assignment.objects.get(user=ben)
        assert (given.state, Item.objects.get(stage=stage).answers_wanted) == ("open", 2)
        assert Annotation.objects.get(user=ana).state == "done"
        save(given, choice("relevant"))
        waiting = Item.objects.get(stage__kind=Stage.ADJUDICATE, state=ItemState.FREE)
        assert waiting.unit_id == given.unit_id

    def test_gold_is_reopened_and_stands_again_after_the_undo(
        self, project: Project, stage: Stage, ana: User, mara: User
    ) -> None:
        pair = make_pair(project)
        make_tag(pair, "non_relevant")
        before = state()
        operation = give(mara, stage, ana)
        assert (Gold.objects.count(), Assignment.objects.get().state) == (0, "open")
        assert undo(mara, project, operation) == (1, 0)
        assert state() == before
        assert Gold.objects.get().content == choice("non_relevant")

    def test_what_somebody_is_at_work_on_is_left_alone(
        self, project: Project, stage: Stage, ana: User, ben: User, mara: User
    ) -> None:
        pair = make_pair(project)
        answered(pair, ana, "non_relevant")
        make_assignment(pair, ben, stage, mode="blind")
        look = second_look(stage, tagged(entry(mara, project), Tagged(stage, "non_relevant")), ana)
        assert (look.units, look.at_work, look.hidden, look.more) == ([], 1, 0, 0)
        before = state()
        with pytest.raises(ActionError, match="no pairs"):
            give(mara, stage, ana)
        assert state() == before


class TestUndo:
    def test_everything_is_as_it_was(self, project: Project, stage: Stage, ana: User, ben: User, mara: User) -> None:
        answered(make_pair(project), ana, "non_relevant")
        answered(make_pair(project), ben, "non_relevant")
        both = make_pair(project)
        answered(both, ana, "non_relevant")
        make_tag(both, "non_relevant")
        answered(make_pair(project), ana, "relevant")
        before = state()
        operation = give(mara, stage, ana)
        act = last_act(entry(mara, project))
        assert act is not None
        assert (act.pairs, act.gold, act.refused) == (3, 1, 0)
        assert undo(mara, project, operation) == (3, 0)
        assert state() == before
        assert last_act(entry(mara, project)) is None
        with pytest.raises(ActionError, match="already"):
            undo(mara, project, operation)
        # Given to oneself, too, nothing stays free for others.
        assert undo(mara, project, give(mara, stage, mara)) == (3, 0)
        assert state() == before

    def test_what_was_worked_on_since_stays(
        self, project: Project, stage: Stage, ana: User, ben: User, mara: User
    ) -> None:
        kept, back = (answered(make_pair(project), ben, "non_relevant") for _ in range(2))
        operation = give(mara, stage, ana)
        save(Assignment.objects.get(user=ana, unit=kept.unit_id), choice("relevant"))
        assert undo(mara, project, operation) == (1, 1)
        states = dict(Assignment.objects.filter(user=ana).values_list("unit", "state"))
        assert states == {kept.unit_id: "done", back.unit_id: "returned"}


class TestWho:
    def test_managers_alone_to_people_of_the_stage(self, project: Project, stage: Stage, ana: User, mara: User) -> None:
        answered(make_pair(project), ana, "non_relevant")
        before = state()
        with pytest.raises(PermissionDenied):
            give(ana, stage, ana)
        with pytest.raises(ActionError, match="can't work in this stage"):
            give(mara, stage, make_member(make_project("other")))
        operation = give(mara, stage, ana)
        with pytest.raises(NotYoursError):
            undo(make_member(project, Role.MANAGER), project, operation)
        undo(mara, project, operation)
        assert state() == before
