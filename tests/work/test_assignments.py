"""Claiming, handing out and giving back: who gets what, and who never does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.domain.verbs import Verb
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Event,
    Import,
    Item,
    Layer,
    Mode,
    Project,
    Segment,
    Stage,
    Unit,
    User,
)
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.queue.actions.assignments import LEASE, assign_review, claim, narrowed_to
from annotator.work.queue.actions.giving_back import free_open, give_back, return_expired
from annotator.work.queue.queries.free import HiddenCounts, hidden_counts
from tests.conftest import on_servers
from tests.factories import (
    filled_stage,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_segment,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.site import Site

pytestmark = pytest.mark.django_db

NOW = timezone.now()
LATER = NOW + LEASE + timedelta(seconds=1)


@pytest.fixture
def correct(project: Project) -> Stage:
    return stage_of(project, "correct")


def take(stage: Stage, user: User, count: int = 1, **more: Any) -> list[Assignment]:
    return claim(stage=stage, user=user, count=count, **{"now": NOW, **more})


def units(rows: Sequence[Assignment]) -> list[int]:
    return [row.unit_id for row in rows]


def save(row: Assignment, *, done: bool = True, version: int = 0, now: datetime = NOW, **more: Any) -> Annotation:
    return save_annotation(
        project=row.project,
        assignment=row.pk,
        version=version,
        content=more.pop("content", spans()),
        done=done,
        by=row.user,
        now=now,
        **more,
    )


class TestClaiming:
    def test_hands_out_in_reading_order_and_logs_it(self, project: Project, correct: Stage, ana: User) -> None:
        first, second = make_sentence(project), make_sentence(project)
        make_sentence(project, "Time flies", language="en")

        (claimed,) = take(correct, ana)
        assert (claimed.unit_id, claimed.user, claimed.mode, claimed.state) == (first.pk, ana, "review", "open")
        assert claimed.expires_at == NOW + LEASE
        event = Event.objects.get()
        assert (event.verb, event.subject_id, event.actor) == ("assignment.claimed", claimed.pk, ana)
        assert event.after == {"stage": correct.pk, "unit": first.pk, "user": ana.pk, "mode": "review"}
        item = Item.objects.get(unit=first)
        assert (item.state, item.answers_open) == ("taken", 1)

        # Own open work comes again until it is done, or held.
        assert take(correct, ana) == [claimed]
        (following,) = take(correct, ana, held=[claimed.pk])
        assert following.unit_id == second.pk
        assert take(correct, ana, held=[claimed.pk, following.pk]) == []
        assert Assignment.objects.count() == 2
        assert not Annotation.objects.exists()

    def test_goes_on_after_done(self, project: Project, correct: Stage, ana: User) -> None:
        make_sentence(project)
        second = make_sentence(project)
        (row,) = take(correct, ana)
        save(row)
        row.refresh_from_db()
        assert row.state == "done"
        assert units(take(correct, ana)) == [second.pk]

    def test_blind_work_comes_before_reviews_that_stand_earlier(self, project: Project, correct: Stage) -> None:
        early, late = make_sentence(project), make_sentence(project)
        ana = make_member(project)
        make_assignment(early, ana, correct)
        blind = make_assignment(late, ana, correct, mode=Mode.BLIND)
        assert take(correct, ana) == [blind]

    def test_two_people_never_share_an_item(self, project: Project, correct: Stage) -> None:
        for _ in range(4):
            make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        for_ana, for_ben = take(correct, ana, 3), take(correct, ben, 3)
        assert (len(for_ana), len(for_ben)) == (3, 1)
        assert not set(units(for_ana)) & set(units(for_ben))

    @pytest.mark.parametrize("count", [0, 21])
    def test_refuses_odd_counts(self, project: Project, correct: Stage, count: int) -> None:
        make_sentence(project)
        with pytest.raises(ActionError, match="between 1 and 20"):
            take(correct, make_member(project), count)
        assert not Assignment.objects.exists()

    def test_adjudication_is_not_claimed(self, project: Project) -> None:
        for layer in ("labels", "interpretation"):
            stage = stage_of(project, "adjudicate", layer=layer)
            with pytest.raises(ActionError, match="adjudication queue"):
                take(stage, make_member(project))
            with pytest.raises(ActionError, match="adjudication queue"):
                assign_review(stage=stage, units=[], user=make_member(project), by=None)

    def test_leaves_out_what_is_decided_replaced_or_not_published(self, project: Project, correct: Stage) -> None:
        make_gold(make_sentence(project))
        replaced = make_sentence(project)
        Item.objects.filter(unit=replaced).update(state="void")
        hidden = Import.objects.create(project=project, dataset="set", labels="none")
        Item.objects.filter(unit=make_sentence(project)).update(imported=hidden)
        ana = make_member(project)
        assert take(correct, ana) == []
        hidden.published_at = NOW
        hidden.save()
        assert len(take(correct, ana)) == 1

    def test_own_work_on_decided_or_replaced_sentences_is_not_handed_out_again(
        self, project: Project, correct: Stage, ana: User
    ) -> None:
        decided, replaced, void = (make_sentence(project) for _ in range(3))
        for unit in (decided, replaced, void):
            make_assignment(unit, ana, correct)
        make_gold(decided)
        Unit.objects.filter(pk=replaced.pk).update(is_current=False)
        Item.objects.filter(unit=void).update(state="void")
        assert take(correct, ana) == []

    def test_pairs_are_claimed_too(self, project: Project) -> None:
        pair = make_pair(project)
        (claimed,) = take(stage_of(project, "pair-tag"), make_member(project))
        assert claimed.unit == unit_of(pair)

    def test_the_number_of_statements_is_the_same_for_one_and_for_twenty(
        self, project: Project, correct: Stage, django_assert_max_num_queries: Any, django_assert_num_queries: Any
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        for _ in range(30):
            make_sentence(project)
        for user in (ana, ben):
            save(take(correct, user)[0])
        # PostgreSQL locks by a statement of its own.
        with django_assert_max_num_queries(13) as for_one:
            take(correct, ana)
        with django_assert_num_queries(len(for_one)):
            take(correct, ben, 20)


class TestOrders:
    @pytest.fixture
    def rows(self, project: Project) -> list[Unit]:
        rows: list[Unit] = [make_sentence(project) for _ in range(4)]
        make_prediction(rows[3], [span(2)], [0, 0, 0.9])
        keys = [(0.4, 1), (0.1, 1), (0.4, 0), (0.9, 0)]
        for unit, (uncertainty, unlabelled) in zip(rows, keys, strict=True):
            Item.objects.filter(unit=unit).update(uncertainty=uncertainty, unlabelled=unlabelled)
        return rows

    @pytest.mark.parametrize(
        ("order", "places"), [("reading", [0, 1, 2, 3]), ("uncertain", [1, 0, 2, 3]), ("labelled", [2, 3, 0, 1])]
    )
    def test_each_order_is_one_key(
        self, project: Project, correct: Stage, rows: list[Unit], order: str, places: list[int], ana: User
    ) -> None:
        correct.order = order
        correct.save()
        assert units(take(correct, ana, 4)) == [rows[place].pk for place in places]

    @pytest.mark.parametrize(
        ("only", "places"), [("doubtful", [1]), ("commented", [2]), ("suggested", [3]), ("unsuggested", [0, 1, 2])]
    )
    def test_the_queue_is_narrowed(
        self, project: Project, correct: Stage, rows: list[Unit], only: str, places: list[int], ana: User
    ) -> None:
        Item.objects.filter(unit=rows[1]).update(doubtful=True)
        Item.objects.filter(unit=rows[2]).update(commented=True)
        found = take(correct, ana, 4, only=only)
        assert units(found) == [rows[place].pk for place in places]
        # Own open work is narrowed alike.
        assert units(take(correct, ana, 4, only=only)) == units(found)
        assert len(take(correct, ana, 4)) == 4

    def test_what_was_handed_back_with_a_doubt_is_found_among_the_doubtful(
        self, project: Project, correct: Stage, rows: list[Unit]
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        taken = take(correct, ana, 2)
        save(taken[1], done=False, doubt=True, comment="?")
        free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana)
        assert units(take(correct, ben, 4, only="doubtful")) == [rows[1].pk]

    def test_unknown_ways_to_narrow_are_refused_in_words(self, project: Project, correct: Stage) -> None:
        with pytest.raises(ActionError, match="doubtful, commented, suggested, unsuggested"):
            take(correct, make_member(project), only="easy")

    def test_blind_work_is_not_narrowed_by_what_others_said(
        self, project: Project, correct: Stage, rows: list[Unit], ana: User
    ) -> None:
        make_assignment(rows[0], ana, correct, mode=Mode.BLIND)
        Item.objects.filter(unit=rows[0]).update(doubtful=True)
        # Beside a review: what others doubted must not tell itself by what is handed out.
        assert units(take(correct, ana, 4, only="doubtful")) == []
        assert units(take(correct, ana, 1)) == [rows[0].pk]
        correct.mode = Mode.BLIND
        correct.save()
        assert narrowed_to(correct) == []
        with pytest.raises(ActionError, match="blind stage can't be filtered"):
            take(correct, ana, 4, only="doubtful")


class TestBlindness:
    def test_a_blind_person_gets_no_review_of_that_segment_in_any_language(
        self, project: Project, correct: Stage
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        blind = make_assignment(spanish, ben, correct, mode=Mode.BLIND)
        in_english = stage_of(project, "correct", "en")
        assert take(in_english, ben) == []
        assert assign_review(stage=in_english, units=[english.pk], user=ben, by=ana) == 0
        assert take(correct, ben) == [blind]
        assert units(take(in_english, ana)) == [english.pk]

    def test_what_is_kept_from_somebody_is_told_with_its_reason(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        for _ in range(2):
            segment = make_sentence(project).segment
            make_sentence(project, "Time flies", language="en", segment=segment)
        there = make_sentence(project)
        in_english = stage_of(project, "correct", "en")
        again = filled_stage(project=project, spec=StageSpec("correct", "es"), position=40)
        make_assignment(segment.units.get(language="es"), ben, correct, mode=Mode.BLIND)
        make_assignment(there, ben, correct)
        assert hidden_counts(in_english, ben) == HiddenCounts(blind=1)
        assert hidden_counts(again, ben) == HiddenCounts(elsewhere=2)
        assert hidden_counts(in_english, ana) == hidden_counts(again, ana) == HiddenCounts()

    def test_blind_work_done_leaves_the_review_to_somebody_else(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        make_assignment(make_sentence(project), ben, correct, mode=Mode.BLIND, done=True)
        assert take(correct, ben) == []
        assert len(take(correct, ana)) == 1

    def test_pairs_are_hidden_by_either_side(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        pair = make_pair(project)
        make_assignment(pair.hypothesis.units.get(kind="sentence"), ben, correct, mode=Mode.BLIND)
        stage = stage_of(project, "pair-tag")
        assert take(stage, ben) == []
        assert units(take(stage, ana)) == [unit_of(pair).pk]

    def test_many_hidden_ones_do_not_hide_what_comes_after_them(self, project: Project, correct: Stage) -> None:
        ben = make_member(project)
        in_english = stage_of(project, "correct", "en")
        for _ in range(9):
            spanish = make_sentence(project)
            make_sentence(project, "Time flies", language="en", segment=spanish.segment)
            make_assignment(spanish, ben, correct, mode=Mode.BLIND)
        last = make_sentence(project, "Time flies", language="en")
        assert units(take(in_english, ben, 2)) == [last.pk]

    def test_a_layer_that_shows_another_does_not_hide_its_work(self, project: Project, correct: Stage) -> None:
        ben = make_member(project)
        pair = make_pair(project)
        make_assignment(pair, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND)
        assert take(correct, ben) == []
        Layer.objects.filter(project=project, slug="interpretation").update(shows=["labels"])
        assert len(take(correct, ben)) == 1


class TestExpiry:
    def test_what_nobody_has_worked_on_goes_back_and_is_logged(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        (row,) = take(correct, ana)
        assert take(correct, ben, now=NOW + LEASE) == []
        assert units(take(correct, ben, now=LATER)) == [sentence.pk]
        row.refresh_from_db()
        assert (row.state, row.expires_at) == ("returned", None)
        event = Event.objects.get(verb="assignment.expired")
        assert (event.actor, event.subject_id) == (None, row.pk)
        assert event.before == {"stage": correct.pk, "unit": sentence.pk, "user": ana.pk, "mode": "review"}
        counter = Counter.objects.get(stage=correct, user=ana)
        assert (counter.own_open, counter.open) == (0, 0)

    def test_what_was_worked_on_stays(self, project: Project, correct: Stage) -> None:
        make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        (row,) = take(correct, ana)
        save(row, done=False)
        assert take(correct, ben, now=LATER) == []
        row.refresh_from_db()
        assert (row.state, row.expires_at) == ("open", None)

    def test_what_was_given_stays(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        assert assign_review(stage=correct, units=[sentence.pk], user=ana, by=ben) == 1
        assert take(correct, ben, now=LATER) == []

    def test_what_a_screen_holds_is_kept_for_it(self, project: Project, correct: Stage) -> None:
        first, second = make_sentence(project), make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        held, _ = take(correct, ana, 2)
        (other,) = take(correct, ana, held=[held.pk], now=LATER)
        assert other.unit_id == second.pk
        held.refresh_from_db()
        assert (held.unit_id, held.state, held.expires_at) == (first.pk, "open", LATER + LEASE)
        # Somebody else's list of ids keeps nothing.
        assert take(correct, ben, held=[held.pk], now=LATER) == []
        assert units(take(correct, ben, 2, held=[held.pk], now=LATER + LEASE + timedelta(hours=1))) == [
            first.pk,
            second.pk,
        ]

    def test_the_same_person_takes_it_up_again_in_the_same_assignment(self, project: Project, correct: Stage) -> None:
        make_sentence(project)
        ana = make_member(project)
        (row,) = take(correct, ana)
        assert return_expired(stage=correct, now=LATER) == 1
        assert return_expired(stage=correct, now=LATER) == 0
        (again,) = take(correct, ana, now=LATER)
        assert (again.pk, again.expires_at) == (row.pk, LATER + LEASE)
        again.refresh_from_db()
        assert again.state == "open"
        assert Counter.objects.get(stage=correct, user=ana).own_open == 1

    def test_a_save_in_between_keeps_it(self, project: Project, correct: Stage) -> None:
        make_sentence(project)
        (row,) = take(correct, make_member(project))
        save(row, done=False)
        # As if the list had been read before the save.
        assert give_back([row.pk], by=None, verb=Verb.ASSIGNMENT_EXPIRED, expired_at=LATER) == 0
        row.refresh_from_db()
        assert row.state == "open"


class TestFreeing:
    def test_a_freed_item_is_free_for_others_and_keeps_what_was_saved(self, project: Project, correct: Stage) -> None:
        sentence, finished = make_sentence(project), make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        make_assignment(finished, ana, correct, done=True)
        (item,) = take(correct, ana)
        save(item, done=False, doubt=True, comment="?")
        assert take(correct, ben) == []

        assert free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana) == 1

        event = Event.objects.get(verb="assignment.handed_back")
        assert (event.subject_id, event.actor, event.before["unit"]) == (item.pk, ana, sentence.pk)
        (taken,) = take(correct, ben)
        assert taken.unit_id == sentence.pk
        assert Assignment.objects.exclude(state="returned").get(user=ana).unit_id == finished.pk
        assert Annotation.objects.get(unit=sentence, user=ana).comment == "?"
        # Freed again, it comes back to the first person with what they had saved.
        assert free_open(stage=correct, user=ben, mode=Mode.REVIEW, by=ana) == 1
        assert Event.objects.filter(verb="assignment.freed").count() == 1
        (again,) = take(correct, ana)
        assert again.unit_id == sentence.pk
        assert Annotation.objects.get(unit=sentence, user=ana).doubt

    def test_only_open_items_of_that_person_stage_and_mode(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        first, second, third, fourth = (make_sentence(project) for _ in range(4))
        wanted = make_assignment(first, ana, correct)
        kept = [
            make_assignment(second, ana, correct),
            make_assignment(third, ana, correct, mode=Mode.BLIND),
            make_assignment(third, ben, correct),
            make_assignment(fourth, ana, correct, done=True),
        ]

        def free(*ids: int) -> int:
            return free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana, ids=ids)

        assert free(wanted.pk, *(row.pk for row in kept[1:])) == 1
        assert set(Assignment.objects.exclude(state="returned")) == set(kept)
        assert free(wanted.pk) == 0
        assert Event.objects.count() == 1

    def test_two_answers_to_one_item_are_both_taken_off_its_counts(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        rows = [make_assignment(sentence, make_member(project), correct, mode=Mode.BLIND) for _ in range(2)]
        rows.append(make_assignment(sentence, make_member(project), correct))
        assert give_back([row.pk for row in rows], by=None, verb=Verb.ASSIGNMENT_FREED) == 3
        item = Item.objects.get(unit=sentence)
        assert (item.state, item.answers_open, item.extra_open) == ("free", 0, 0)

    def test_the_last_open_answer_given_back_lets_the_others_be_decided(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        ana, ben, cid = (make_member(project) for _ in range(3))
        rows = [make_assignment(sentence, user, correct, mode=Mode.BLIND) for user in (ana, ben, cid)]
        save(rows[0], content=spans(span(0)))
        save(rows[1], content=spans(span(1)))
        waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE, state="free")
        assert not waiting.exists()
        free_open(stage=correct, user=cid, mode=Mode.BLIND, by=ana)
        assert waiting.get().unit_id == sentence.pk


class TestGiving:
    def test_gives_for_good_what_is_free_for_that_person(self, project: Project, correct: Stage) -> None:
        ana, ben, boss = make_member(project), make_member(project), make_member(project, "manager")
        free, taken, decided = (make_sentence(project) for _ in range(3))
        make_assignment(taken, ben, correct)
        make_gold(decided)
        elsewhere = make_sentence(make_project())
        wanted = [free.pk, taken.pk, decided.pk, elsewhere.pk, 999_999]
        assert assign_review(stage=correct, units=wanted, user=ana, by=boss) == 1
        row = Assignment.objects.get(user=ana)
        assert (row.unit_id, row.expires_at, row.mode) == (free.pk, None, "review")
        event = Event.objects.get(verb="assignment.given")
        assert (event.actor, event.after["user"]) == (boss, ana.pk)
        assert assign_review(stage=correct, units=wanted, user=ana, by=boss) == 0

    def test_is_for_members(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        with pytest.raises(ActionError, match="not a member"):
            assign_review(stage=correct, units=[sentence.pk], user=make_user(), by=None)
        assert not Assignment.objects.exists()

    def test_own_texts_are_never_handed_to_their_author(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        own, other = make_sentence(project), make_sentence(project)
        Unit.objects.filter(pk=own.pk).update(author=ana)
        assert assign_review(stage=correct, units=[own.pk], user=ana, by=ben) == 0
        assert units(take(correct, ana, 2)) == [other.pk]
        assert units(take(correct, ben, 2)) == [own.pk]


class TestSeveralStages:
    """Two stages of one layer hold the same unit: a person has one answer in a layer, so they get it in one of them."""

    @pytest.fixture
    def second(self, project: Project, correct: Stage) -> Stage:
        return Stage.objects.create(
            project=project, kind="correct", layer=correct.layer, language="es", position=99, title="Once more"
        )

    def test_what_a_person_has_in_one_stage_is_left_to_others_in_the_other(
        self, project: Project, correct: Stage, second: Stage
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        unit = make_sentence(project)
        (row,) = take(correct, ana)
        save(row)
        assert take(second, ana) == []
        assert assign_review(stage=second, units=[unit.pk], user=ana, by=None) == 0
        assert units(take(second, ben)) == [unit.pk]

    def test_handed_back_it_can_be_had_in_the_other_and_a_late_save_does_not_make_two(
        self, project: Project, correct: Stage, second: Stage, ana: User
    ) -> None:
        unit = make_sentence(project)
        (row,) = take(correct, ana)
        free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana)
        assert units(take(second, ana)) == [unit.pk]
        with pytest.raises(ActionError):
            save(row)
        assert Assignment.objects.filter(user=ana, state="open").get().stage == second

    def test_another_layer_is_another_answer(self, project: Project, correct: Stage, ana: User) -> None:
        layer = Layer.objects.create(
            project=project,
            slug="categories",
            content_type=Layer.SPANS,
            unit_kind=Segment.SENTENCE,
            scheme_data=correct.layer.scheme_data,
            position=9,
        )
        other = Stage.objects.create(project=project, kind="correct", layer=layer, language="es", position=99)
        unit = make_sentence(project)
        save(take(correct, ana)[0])
        (row,) = take(other, ana)
        assert row.unit_id == unit.pk
        assert save(row, content=spans(span(1))).version == 1
        assert Annotation.objects.filter(unit=unit, user=ana).count() == 2


class TestSeveralAnswers:
    @pytest.fixture
    def voting(self, project: Project, correct: Stage) -> Stage:
        correct.answers_wanted = 3
        correct.save()
        return correct

    def test_three_people_get_an_item_and_nobody_twice(self, project: Project, voting: Stage) -> None:
        first, second = make_sentence(project), make_sentence(project)
        people = [make_member(project) for _ in range(4)]
        for user in people[:3]:
            (row,) = take(voting, user)
            assert row.unit_id == first.pk
            save(row)
        item = Item.objects.get(unit=first)
        assert (item.state, item.answers_done) == ("done", 3)
        assert units(take(voting, people[3], 2)) == [second.pk]
        for user in people[:3]:
            found = take(voting, user)
            # Two answers are left on the second one.
            assert units(found) == ([] if user == people[2] else [second.pk])
        assert Item.objects.get(unit=second).state == "taken"

    def test_the_stage_is_done_when_all_answers_are(self, project: Project, voting: Stage) -> None:
        make_sentence(project)
        people = [make_member(project) for _ in range(3)]
        rows = [take(voting, user)[0] for user in people]

        def counted() -> tuple[int, int]:
            sums = [Counter.objects.filter(stage=voting).values_list(name, flat=True) for name in ("done", "open")]
            return sum(sums[0]), sum(sums[1])

        for row, expected in zip(rows, [(0, 1), (0, 1), (1, 0)], strict=True):
            save(row)
            assert counted() == expected

    def test_the_cursor_goes_on_and_comes_back_for_what_was_returned_behind_it(
        self, project: Project, voting: Stage, ana: User
    ) -> None:
        rows = [make_sentence(project) for _ in range(5)]
        save(take(voting, ana)[0])
        for row in take(voting, ana, 2):
            save(row)
        assert Counter.objects.get(stage=voting, user=ana).cursor == Item.objects.get(unit=rows[2]).reading
        (fourth,) = take(voting, ana)
        assert free_open(stage=voting, user=ana, mode=Mode.REVIEW, by=ana) == 1
        (again,) = take(voting, ana)
        assert again.pk == fourth.pk
        assert units(take(voting, ana, 5, held=[again.pk])) == [rows[4].pk]
        # An item behind the cursor that comes free later is not lost.
        early = make_sentence(project, segment=early_segment(project))
        assert units(take(voting, ana, 5, held=list(Assignment.objects.values_list("pk", flat=True)))) == [early.pk]

    def test_several_expire_together(self, project: Project, voting: Stage) -> None:
        sentence = make_sentence(project)
        for _ in range(3):
            take(voting, make_member(project))
        assert return_expired(stage=voting, now=LATER) == 3
        item = Item.objects.get(unit=sentence)
        assert (item.state, item.answers_open) == ("free", 0)
        assert Event.objects.filter(verb="assignment.expired").values("operation").distinct().count() == 1

    def test_adjudication_waits_for_all_answers(self, project: Project, voting: Stage) -> None:
        sentence = make_sentence(project)
        people = [make_member(project) for _ in range(3)]
        waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE, state="free")
        for at, user in enumerate(people):
            (row,) = take(voting, user)
            save(row, content=spans(span(at)), doubt=True)
            assert waiting.exists() == (at == 2)
        assert waiting.get().unit_id == sentence.pk


def early_segment(project: Project) -> Segment:
    segment = make_segment(project)
    Segment.objects.filter(pk=segment.pk).update(position=0)
    segment.refresh_from_db()
    return segment


class TestBlindStages:
    @pytest.fixture
    def blind(self, project: Project, correct: Stage) -> Stage:
        correct.mode, correct.answers_wanted = Mode.BLIND, 2
        correct.save()
        return correct

    def test_a_claim_shows_nothing_and_marks_its_segments(self, project: Project, blind: Stage, ana: User) -> None:
        sentence = make_sentence(project)
        make_prediction(sentence, [span(2)], [0, 0, 0.9])
        (row,) = take(blind, ana)
        assert (row.mode, row.shown) == ("blind", [])
        mark = BlindMark.objects.get()
        assert (mark.assignment, mark.user, mark.segment_id, mark.live) == (row, ana, sentence.segment_id, True)
        item = Item.objects.get(unit=sentence)
        assert (item.answers_open, item.extra_open) == (1, 0)
        assert Counter.objects.get(stage=blind, user=ana).blind_open == 1
        saved = save(row)
        assert (saved.mode, saved.suggestion) == ("blind", None)
        assert Counter.objects.get(stage=blind, user=ana).blind_done == 1

    def test_expiry_and_handing_back_take_the_marks_away_and_a_late_save_brings_them_back(
        self, project: Project, blind: Stage, ana: User
    ) -> None:
        make_sentence(project)
        (row,) = take(blind, ana)
        assert return_expired(stage=blind, now=LATER) == 1
        assert not BlindMark.objects.exists()
        save(row, now=LATER)
        assert BlindMark.objects.get().live
        other = make_sentence(project)
        (row,) = take(blind, ana)
        assert row.unit_id == other.pk
        free_open(stage=blind, user=ana, mode=Mode.BLIND, by=ana)
        assert not BlindMark.objects.filter(assignment=row).exists()

    def test_people_who_are_blind_elsewhere_on_the_segment_may_answer(self, project: Project, blind: Stage) -> None:
        ana = make_member(project)
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        row = make_assignment(english, ana, stage_of(project, "correct", "en"), mode=Mode.BLIND)
        mark_blind([row], stage_of(project, "correct", "en"))
        assert units(take(blind, ana)) == [spanish.pk]


CROWD = """
import json, threading
from django.db import connection
from django.utils import timezone
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.free import free_items
from annotator.core.counters import recounted
from annotator.models import *
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import *
project = make_project()
people = [make_member(project) for _ in range(6)]
stage = stage_of(project, "correct")
Stage.objects.filter(pk=stage.pk).update(answers_wanted=WANTED)
stage.refresh_from_db()
for _ in range(60 // WANTED):
    make_sentence(project)
start, faults = threading.Barrier(len(people)), []

def work(user):
    held = []
    start.wait()
    try:
        # What others look at for a moment is passed over, so that nobody waits: a claim may come back empty.
        while free_items(stage, user).exists():
            held += [row.pk for row in claim(stage=stage, user=user, held=held, count=2, now=timezone.now())]
    except Exception as error:
        faults.append(repr(error))
    finally:
        connection.close()

threads = [threading.Thread(target=work, args=(user,)) for user in people]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
rows = Assignment.objects.all()
print(json.dumps({
    "faults": faults, "assignments": rows.count(), "given": rows.values("unit", "user").distinct().count(),
    "units": rows.values("unit").distinct().count(), "people": rows.values("user").distinct().count(),
    "events": Event.objects.filter(verb="assignment.claimed").count(),
    "taken": Item.objects.filter(stage=stage, state="taken", answers_open=WANTED).count(),
    "counted": recounted(stage), "counters": stage_progress(stage).to_json(),
}))
"""


@pytest.mark.parametrize("wanted", [1, 3])
def test_six_people_asking_at_the_same_moment_share_no_more_than_is_wanted(any_site: Site, wanted: int) -> None:
    found = any_site.python(CROWD.replace("WANTED", str(wanted)))
    assert found["faults"] == []
    assert (found["assignments"], found["given"], found["events"]) == (60, 60, 60)
    assert found["units"] == found["taken"] == 60 // wanted
    assert found["people"] > 1
    assert found["counters"] == {**found["counted"], "mine": 0, "blind": 0}


LET_GO = """
import json, threading
from django.db import connection, transaction
from django.utils import timezone
from annotator.models import *
from annotator.work.queue.actions import assignments
from tests.factories import *
project = make_project()
ana = make_member(project)
stage = stage_of(project, "correct")
Stage.objects.filter(pk=stage.pk).update(answers_wanted=3)
stage.refresh_from_db()
sentences = [make_sentence(project).pk for _ in range(9)]
locked, let_go, gone = threading.Event(), threading.Event(), threading.Event()

def look():
    with transaction.atomic():
        list(Item.objects.filter(stage=stage, unit__in=sentences[:8]).select_for_update())
        locked.set()
        let_go.wait(30)
    connection.close()
    gone.set()

threading.Thread(target=look).start()
assert locked.wait(30)
hidden_units = assignments.hidden_units

def after_letting_go(*given):
    let_go.set()
    assert gone.wait(30)
    return hidden_units(*given)

assignments.hidden_units = after_letting_go
rows = assignments.claim(stage=stage, user=ana, count=3, now=timezone.now())
print(json.dumps([sentences.index(row.unit_id) for row in rows]))
"""


@on_servers
def test_items_that_others_let_go_during_a_claim_are_claimed_once(any_site: Site) -> None:
    assert any_site.python(LET_GO) == [8, 0, 1]


def test_what_others_are_given_waits_no_more_for_adjudication(project: Project, correct: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    sentence = make_sentence(project)
    blind = [make_assignment(sentence, user, correct, mode=Mode.BLIND) for user in (ana, ben)]
    save(blind[0], content=spans(span(0)))
    save(blind[1], content=spans(span(1)))
    waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE, state="free")
    assert waiting.count() == 1
    (row,) = take(correct, make_member(project))
    assert row.unit_id == sentence.pk
    assert not waiting.exists()
    free_open(stage=correct, user=row.user, mode=Mode.REVIEW, by=row.user)
    assert waiting.count() == 1


def test_an_annotation_without_an_assignment_does_not_keep_its_item(project: Project, correct: Stage) -> None:
    ana = make_member(project)
    sentence = make_sentence(project)
    make_annotation(sentence, ana, state="open")
    assert units(take(correct, ana)) == [sentence.pk]
