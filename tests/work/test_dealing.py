"""Many items of a stage given to people at once, undone, and moved: what is told before is what happens."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotator.core.counters import recounted, recounted_people
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.domain.dealing.deal import Amount, Order, Turns
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Event,
    Gold,
    Item,
    Layer,
    Mode,
    Project,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.work.queue.actions.dealing import deal_items, move_unstarted, undo_dealing
from annotator.work.queue.queries.dealing import Preview, Wanted, dealt, preview, unstarted_by_person
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import (
    filled_stage,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_segment,
    make_sentence,
    make_user,
    spans,
    stage_of,
    unit_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def correct(project: Project) -> Stage:
    return stage_of(project, "correct")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project, username="ben")


@pytest.fixture
def boss(project: Project) -> User:
    return make_member(project, "manager", username="boss")


@pytest.fixture
def sentences(project: Project) -> list[Unit]:
    return [make_sentence(project) for _ in range(10)]


def wanted(*users: User, blind: bool = False, strata: tuple[str, ...] = (), **order: Any) -> Wanted:
    return Wanted(users, Order(**order), strata, blind)


def deal(stage: Stage, asked: Wanted, by: User) -> tuple[uuid.UUID, dict[int, int]]:
    key = uuid.uuid4()
    return key, deal_items(stage=stage, wanted=asked, by=by, operation=key)


def units_of(user: User) -> list[int]:
    return list(
        Assignment.objects.filter(user=user, state="open").order_by("reading").values_list("unit_id", flat=True)
    )


def numbers(found: Preview) -> dict[str, int]:
    return {str(part.user): part.items for part in found.people}


def check_counters(stage: Stage) -> None:
    shown, right = stage_progress(stage), recounted(stage)
    assert (shown.total, shown.done, shown.open) == (right["total"], right["done"], right["open"])
    people = recounted_people(stage)
    for row in stage.counters.filter(user__isnull=False):
        own = people.get(row.user_id or 0, {})
        names = ("own_open", "own_done", "blind_open", "blind_done")
        assert [getattr(row, name) for name in names] == [own.get(name, 0) for name in names]


class TestDealing:
    def test_what_is_told_before_is_what_happens(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        asked = wanted(ana, ben, amount=Amount.NUMBER, number=7)
        told = preview(correct, asked)
        assert (told.total, told.given, told.shared, numbers(told)) == (10, 7, 0, {"ana": 4, "ben": 3})
        assert not Assignment.objects.exists()

        key, given = deal(correct, asked, boss)

        assert given == {ana.pk: 4, ben.pk: 3}
        assert units_of(ana) == [sentences[place].pk for place in (0, 2, 4, 6)]
        assert units_of(ben) == [sentences[place].pk for place in (1, 3, 5)]
        assert {row.expires_at for row in Assignment.objects.all()} == {None}
        event = Event.objects.get(verb="assignment.dealt")
        assert (event.actor, event.operation, event.after["items"]) == (boss, key, 7)
        assert Event.objects.filter(operation=key, verb="assignment.given").count() == 7
        found = dealt(correct, key)
        assert found is not None
        assert (found.people, found.unstarted, found.undone) == ([(ana, 4), (ben, 3)], 7, False)
        check_counters(correct)

    def test_the_same_assignment_is_not_made_twice(
        self, correct: Stage, sentences: list[Unit], ana: User, boss: User
    ) -> None:
        asked = wanted(ana, amount=Amount.NUMBER, number=3)
        key, _given = deal(correct, asked, boss)
        assert deal_items(stage=correct, wanted=asked, by=boss, operation=key) == {ana.pk: 0}
        assert len(units_of(ana)) == 3

    def test_shared_items_go_to_several_and_the_rest_to_one(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        asked = wanted(ana, ben, shared_amount=Amount.SHARE, shared=20, seed=3)
        told = preview(correct, asked)
        assert (told.given, told.shared) == (10, 2)

        deal(correct, asked, boss)

        shared = set(units_of(ana)) & set(units_of(ben))
        assert shared == set(told.plan.shared)
        assert set(units_of(ana)) | set(units_of(ben)) == {unit.pk for unit in sentences}
        assert Assignment.objects.count() == 12
        for item in Item.objects.filter(stage=correct):
            assert (item.state, item.answers_wanted) == ("taken", 2 if item.unit_id in shared else 1)
        check_counters(correct)

    def test_a_sample_is_seeded_and_has_its_share_of_each_role(
        self, project: Project, correct: Stage, ana: User, boss: User
    ) -> None:
        for place in range(20):
            segment = make_segment(project, role="hypothesis" if place % 4 else "premise")
            make_sentence(project, segment=segment)
        asked = wanted(ana, amount=Amount.NUMBER, number=8, seed=5, strata=("role",))
        deal(correct, asked, boss)
        roles = list(Unit.objects.filter(pk__in=units_of(ana)).values_list("segment__role", flat=True))
        assert (roles.count("hypothesis"), roles.count("premise")) == (6, 2)

    def test_as_many_of_each_inference_label(self, project: Project, ana: User, boss: User) -> None:
        for label, number in (("entailment", 5), ("neutral", 3), ("contradiction", 1)):
            for _time in range(number):
                make_pair(project, inference=label)
        tags = stage_of(project, "pair-tag")
        asked = wanted(ana, amount=Amount.EACH, number=2, seed=1, strata=("class",))
        assert preview(tags, asked).missing == 1
        deal(tags, asked, boss)
        drawn = Unit.objects.filter(pk__in=units_of(ana)).values_list("segment__pair__inference", flat=True)
        assert sorted(drawn) == ["contradiction", "entailment", "entailment", "neutral", "neutral"]

    def test_as_many_of_each_suggested_label(self, project: Project, correct: Stage, ana: User, boss: User) -> None:
        for label, number in (("metaphor", 4), ("", 3)):
            for _time in range(number):
                found = [{"label": label, "tokens": [0]}] if label else []
                make_prediction(make_sentence(project), found, [])
        asked = wanted(ana, amount=Amount.EACH, number=2, seed=1, strata=("labels",))
        assert preview(correct, asked).given == 4
        deal(correct, asked, boss)
        drawn = Suggestion.objects.filter(unit__in=units_of(ana)).values_list("content", flat=True)
        assert sorted(len(content["spans"]) for content in drawn) == [0, 0, 1, 1]

    def test_as_many_of_each_gold_label_of_another_layer(self, project: Project, ana: User, boss: User) -> None:
        tags = stage_of(project, "pair-tag")
        verdicts = Layer.objects.create(
            project=project, slug="other", content_type="choice", unit_kind="pair", position=9, scheme_data={}
        )
        pairs = [unit_of(make_pair(project)) for _time in range(5)]
        for pair, value in zip(pairs, ("yes", "yes", "yes", "no", "no"), strict=True):
            make_gold(pair, content={"value": value}, layer=verdicts)
        asked = wanted(ana, amount=Amount.EACH, number=2, seed=1, strata=("labels",))
        assert preview(tags, asked).given == 4
        deal(tags, asked, boss)
        golds = Gold.objects.filter(unit__in=units_of(ana)).values_list("content__value", flat=True)
        assert sorted(golds) == ["no", "no", "yes", "yes"]

    def test_by_load_whoever_has_less_gets_more(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        for unit in sentences[:4]:
            make_assignment(unit, ana, correct)
        told = preview(correct, wanted(ana, ben, turns=Turns.BY_LOAD))
        assert [(str(part.user), part.load, part.items, part.left.theirs) for part in told.people] == [
            ("ana", 4, 1, 4),
            ("ben", 0, 5, 0),
        ]
        assert (told.busy, told.given) == (4, 6)

    def test_whoever_saw_suggestions_gets_it_not_blind(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        for unit in sentences[:3]:
            make_annotation(unit, ana)
        make_gold(sentences[9])
        asked = wanted(ana, ben, blind=True, shared_amount=Amount.NUMBER, shared=6)
        told = preview(correct, asked)
        assert [(part.items, part.shared, part.left.seen + part.left.theirs) for part in told.people] == [
            (6, 6, 3),
            (9, 6, 0),
        ]
        assert told.busy == 1

        deal(correct, asked, boss)

        assert {row.mode for row in Assignment.objects.filter(state="open")} == {Mode.BLIND}
        assert not set(units_of(ana)) & {unit.pk for unit in sentences[:3]}
        assert BlindMark.objects.filter(user=ana, live=True).count() == 6
        check_counters(correct)

    def test_in_a_blind_stage_what_somebody_has_seen_is_left_out(self, project: Project, ana: User, boss: User) -> None:
        blind = filled_stage(project=project, spec=StageSpec("correct", "es", mode="blind"), position=9)
        seen, unseen = make_sentence(project), make_sentence(project)
        make_assignment(seen, ana, stage_of(project, "correct"))
        told = preview(blind, wanted(ana))
        assert (told.given, told.nobody) == (1, 1)
        deal(blind, wanted(ana), boss)
        row = Assignment.objects.get(stage=blind)
        assert (row.unit_id, row.mode) == (unseen.pk, Mode.BLIND)
        check_counters(blind)

    def test_refuses_strangers_and_more_sharers_than_people(
        self, correct: Stage, sentences: list[Unit], ana: User, boss: User
    ) -> None:
        with pytest.raises(ActionError, match="not a member"):
            deal(correct, wanted(ana, make_user()), boss)
        with pytest.raises(ActionError, match="more people than you chose"):
            deal(correct, wanted(ana, shared=1), boss)
        with pytest.raises(ActionError, match="at least one person"):
            deal(correct, wanted(), boss)
        assert not Assignment.objects.exists()
        assert not Event.objects.exists()

    def test_refuses_where_nothing_is_left(self, correct: Stage, ana: User, boss: User) -> None:
        with pytest.raises(ActionError, match="nothing to assign"):
            deal(correct, wanted(ana), boss)
        assert not Event.objects.exists()


class TestUndoing:
    def test_takes_back_what_nobody_started_and_keeps_the_rest(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        other = make_assignment(make_sentence(correct.project), ben, correct)
        key, _given = deal(correct, wanted(ana, ben, shared=4, seed=1), boss)
        begun, finished = units_of(ana)[:2]
        save(Assignment.objects.get(unit=begun, user=ana), spans(), done=False)
        save(Assignment.objects.get(unit=finished, user=ana), spans())
        answers = list(Annotation.objects.order_by("pk").values())

        assert undo_dealing(stage=correct, operation=key, by=boss) == (12, 2)

        assert units_of(ana) == [begun]
        assert Assignment.objects.get(unit=finished, user=ana).state == "done"
        assert units_of(ben) == [other.unit_id]
        assert list(Annotation.objects.order_by("pk").values()) == answers
        # Nothing more is wanted than before, except of what is shared and begun.
        free = Item.objects.filter(stage=correct, state="free")
        assert set(free.values_list("answers_wanted", flat=True)) == {1}
        found = dealt(correct, key)
        assert found is not None
        assert (found.unstarted, found.undone) == (0, True)
        check_counters(correct)

    def test_takes_blind_marks_with_it(self, correct: Stage, sentences: list[Unit], ana: User, boss: User) -> None:
        key, _given = deal(correct, wanted(ana, blind=True), boss)
        undo_dealing(stage=correct, operation=key, by=boss)
        assert not BlindMark.objects.exists()
        check_counters(correct)

    def test_refuses_what_was_no_assignment(self, correct: Stage, boss: User) -> None:
        with pytest.raises(ActionError, match="nothing to undo"):
            undo_dealing(stage=correct, operation=uuid.uuid4(), by=boss)


class TestMoving:
    def test_moves_the_last_ones_that_were_not_started(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        deal(correct, wanted(ana, amount=Amount.NUMBER, number=6), boss)
        make_annotation(sentences[5], ana, state="open")
        [row] = unstarted_by_person(correct)
        assert (row.user, row.mode, row.items) == (ana, "review", 5)

        moved = move_unstarted(stage=correct, user=ana, mode="review", to=ben, count=2, by=boss)

        assert moved == (2, 0)
        assert units_of(ben) == [sentences[3].pk, sentences[4].pk]
        assert units_of(ana) == [sentences[place].pk for place in (0, 1, 2, 5)]
        assert Event.objects.get(verb="assignment.moved").after["moved"] == 2
        check_counters(correct)

    def test_moves_back_to_the_queue(self, correct: Stage, sentences: list[Unit], ana: User, boss: User) -> None:
        deal(correct, wanted(ana), boss)
        make_annotation(sentences[0], ana, state="open")
        assert move_unstarted(stage=correct, user=ana, mode="review", to=None, count=None, by=boss) == (9, 0)
        assert units_of(ana) == [sentences[0].pk]
        assert Item.objects.filter(stage=correct, state="free").count() == 9
        check_counters(correct)

    def test_leaves_what_the_other_cannot_have(
        self, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        make_annotation(sentences[0], ben)
        deal(correct, wanted(ana, blind=True, amount=Amount.NUMBER, number=3), boss)
        assert move_unstarted(stage=correct, user=ana, mode="blind", to=ben, count=None, by=boss) == (2, 1)
        assert units_of(ana) == [sentences[0].pk]
        assert {row.mode for row in Assignment.objects.filter(user=ben, state="open")} == {Mode.BLIND}
        check_counters(correct)

    def test_moves_shared_items_to_a_third(
        self, project: Project, correct: Stage, sentences: list[Unit], ana: User, ben: User, boss: User
    ) -> None:
        cleo = make_member(project, username="cleo")
        deal(correct, wanted(ana, ben, shared=10), boss)
        assert move_unstarted(stage=correct, user=ben, mode="review", to=cleo, count=None, by=boss) == (10, 0)
        assert units_of(ana) == units_of(cleo) == [unit.pk for unit in sentences]
        assert units_of(ben) == []
        assert move_unstarted(stage=correct, user=ana, mode="review", to=cleo, count=None, by=boss) == (0, 10)
        check_counters(correct)

    def test_refuses_the_same_person(self, correct: Stage, sentences: list[Unit], ana: User, boss: User) -> None:
        with pytest.raises(ActionError, match="already has these items"):
            move_unstarted(stage=correct, user=ana, mode="review", to=ana, count=None, by=boss)
