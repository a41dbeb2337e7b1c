"""One person's content on one unit: saved in versions, undone by events, never over somebody else's decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError, ConflictError, NotYoursError
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Event,
    Gold,
    Item,
    Layer,
    Mode,
    Project,
    Stage,
    Unit,
    User,
)
from annotator.work.answering.actions.annotations import ReassignedError, save_annotation, undo_annotation
from annotator.work.queue.actions.assignments import LEASE, claim
from annotator.work.queue.actions.giving_back import free_open
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.rows import Rows, rows_of
from tests.site import Site

pytestmark = pytest.mark.django_db

NOW = timezone.now()


class Desk:
    """One person with one unit, claimed; `contents` are three different contents that its layer allows."""

    unit: Unit
    stage: Stage
    begins_with: dict[str, Any]
    contents: tuple[dict[str, Any], ...]

    def __init__(self) -> None:
        self.project: Project = make_project()
        self.ana: User = make_member(self.project, username="ana")
        self.ben: User = make_member(self.project, username="ben")
        self.prepare()
        (self.assignment,) = claim(stage=self.stage, user=self.ana, now=NOW)

    def prepare(self) -> None:
        raise NotImplementedError

    def save(
        self,
        version: int,
        content: dict[str, Any],
        *,
        done: bool = True,
        doubt: bool = False,
        comment: str = "",
        now: datetime = NOW,
        by: User | None = None,
        assignment: int = 0,
    ) -> Annotation:
        return save_annotation(
            project=self.project,
            assignment=assignment or self.assignment.pk,
            version=version,
            content=content,
            doubt=doubt,
            comment=comment,
            done=done,
            seconds=2.5,
            by=by or self.ana,
            now=now,
        )

    def undo(self, version: int, by: User | None = None) -> Annotation:
        return undo_annotation(
            project=self.project, assignment=self.assignment.pk, version=version, by=by or self.ana, now=NOW
        )

    def kept(self) -> Annotation:
        return Annotation.objects.get(unit=self.unit, user=self.ana)

    def state(self) -> tuple[str, str]:
        return self.kept().state, Assignment.objects.get(pk=self.assignment.pk).state

    def everything(self) -> list[Rows]:
        return rows_of(Annotation, Assignment, Item, Counter, Event, Gold, BlindMark)


class LabelDesk(Desk):
    """A sentence whose third token a detector labelled."""

    begins_with = spans(span(2))
    contents = (spans(span(1)), spans(span(1), span(3)), spans())

    def prepare(self) -> None:
        self.unit = make_sentence(self.project, "El tiempo vuela hoy")
        self.prediction = make_prediction(self.unit, [{**span(2), "score": 0.9}], [0.1, 0.1, 0.9, 0.1])
        self.stage = stage_of(self.project, "correct")


class TagDesk(Desk):
    """A pair."""

    begins_with = choice(None)
    contents = (choice("relevant"), choice("discarded"), choice("no_metaphor"))

    def prepare(self) -> None:
        self.unit = unit_of(make_pair(self.project))
        self.stage = stage_of(self.project, "pair-tag")


@pytest.fixture(params=[LabelDesk, TagDesk])
def desk(request: pytest.FixtureRequest) -> Desk:
    made: Desk = request.param()
    return made


@pytest.fixture
def labels() -> LabelDesk:
    return LabelDesk()


class TestBeginning:
    def test_a_claim_writes_no_annotation_and_an_answer_begins_from_what_was_shown(self, labels: LabelDesk) -> None:
        assert not Annotation.objects.exists()
        assert labels.assignment.shown == [labels.prediction.pk]
        labels.save(0, spans())
        kept = labels.kept()
        assert (kept.suggestion, kept.shown) == (labels.prediction, [labels.prediction.pk])
        assert kept.suggested == spans({**span(2), "score": 0.9})

    def test_what_was_shown_counts_even_when_something_else_is_suggested_by_now(self, labels: LabelDesk) -> None:
        labels.prediction.is_current = False
        labels.prediction.save()
        make_prediction(labels.unit, [span(0)], [0.9, 0, 0, 0])
        labels.save(0, spans())
        assert labels.kept().suggestion == labels.prediction
        assert labels.undo(1).content == spans(span(2))

    def test_a_review_of_projections_begins_from_the_projection(self, labels: LabelDesk) -> None:
        english = make_sentence(labels.project, "Time flies", language="en", segment=labels.unit.segment)
        make_prediction(english, [span(0)], [0.9, 0.1])
        projection = make_projection(labels.unit, english, [span(1)], [span(2)])
        (row,) = claim(stage=stage_of(labels.project, "project-review", "en"), user=labels.ben, now=NOW)
        saved = labels.save(0, spans(span(1)), by=labels.ben, assignment=row.pk)
        assert (saved.unit, saved.suggestion, saved.shown) == (english, projection, [projection.pk])

    def test_blind_answers_begin_from_nothing_and_keep_no_suggestion(self, labels: LabelDesk) -> None:
        row = make_assignment(labels.unit, labels.ben, labels.stage, mode=Mode.BLIND)
        saved = labels.save(0, spans(span(1)), by=labels.ben, assignment=row.pk)
        assert (saved.mode, saved.suggested, saved.suggestion, saved.shown) == ("blind", None, None, [])
        undone = undo_annotation(project=labels.project, assignment=row.pk, version=1, by=labels.ben, now=NOW)
        assert undone.content == spans()

    def test_versions_of_scheme_and_guidelines_are_kept(self, desk: Desk) -> None:
        Layer.objects.filter(pk=desk.stage.layer_id).update(scheme_version=3)
        desk.project.guidelines_version = 4
        desk.project.save()
        desk.save(0, desk.contents[0])
        assert (desk.kept().scheme_version, desk.kept().guidelines_version) == (3, 4)


class TestSaving:
    def test_raises_the_version_sets_done_and_logs_both_sides(self, desk: Desk) -> None:
        first, second, _ = desk.contents
        saved = desk.save(0, first, done=False)
        assert (saved.version, saved.state, saved.content) == (1, "open", first)
        assert desk.state() == ("open", "open")
        saved = desk.save(1, second, comment="time as a bird", doubt=True)
        stored = desk.kept()
        assert (saved.version, saved.content, saved.state) == (stored.version, stored.content, stored.state)
        assert (stored.version, stored.content, stored.state) == (2, second, "done")
        assert (stored.doubt, stored.comment, stored.done_at, stored.seconds) == (True, "time as a bird", NOW, 5)
        assert desk.state() == ("done", "done")
        one, other = Event.objects.filter(verb="annotation.saved")
        assert (one.actor, one.before) == (desk.ana, None)
        assert (other.before["version"], other.before["state"], other.before["content"]) == (1, "open", first)
        assert (other.after["version"], other.after["state"], other.after["doubt"]) == (2, "done", True)
        # Events name people by id alone.
        assert "ana" not in str([one.before, one.after, other.before, other.after])

    def test_the_item_and_the_counter_follow(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], doubt=True, comment="?")
        item = Item.objects.get(stage=desk.stage, unit=desk.unit)
        assert (item.state, item.answers_open, item.answers_done) == ("done", 0, 1)
        assert (item.doubtful, item.commented) == (True, True)
        counter = Counter.objects.get(stage=desk.stage, user=desk.ana)
        assert (counter.done, counter.open, counter.own_done, counter.own_open) == (1, 0, 1, 0)
        desk.save(1, desk.contents[0])
        item.refresh_from_db()
        assert (item.doubtful, item.commented) == (False, False)

    def test_an_item_stays_doubtful_while_somebody_doubts(self, labels: LabelDesk) -> None:
        blind = make_assignment(labels.unit, labels.ben, labels.stage, mode=Mode.BLIND)
        labels.save(0, spans(), doubt=True, comment="metonymy?")
        labels.save(0, spans(), by=labels.ben, assignment=blind.pk)
        item = Item.objects.get(stage=labels.stage, unit=labels.unit)
        assert (item.doubtful, item.commented) == (True, True)

    def test_saving_open_reopens_what_was_done(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0])
        desk.save(1, desk.contents[0], done=False)
        assert desk.state() == ("open", "open")
        assert desk.kept().done_at is None
        assert Assignment.objects.get(pk=desk.assignment.pk).done_at is None

    def test_a_stale_version_gets_both_sides_and_changes_nothing(self, desk: Desk) -> None:
        first, second, _ = desk.contents
        desk.save(0, first)
        before = desk.everything()
        with pytest.raises(ConflictError) as caught:
            desk.save(0, second, doubt=True)
        assert (caught.value.theirs["version"], caught.value.theirs["content"]) == (1, first)
        assert (caught.value.mine["version"], caught.value.mine["content"]) == (0, second)
        with pytest.raises(ConflictError):
            desk.save(7, second)
        assert desk.everything() == before

    def test_a_version_of_what_nobody_has_written_conflicts_with_the_beginning(self, desk: Desk) -> None:
        before = desk.everything()
        with pytest.raises(ConflictError) as caught:
            desk.save(1, desk.contents[0])
        assert (caught.value.theirs["version"], caught.value.theirs["content"]) == (0, desk.begins_with)
        assert desk.everything() == before

    def test_repeating_a_save_whose_answer_was_lost_changes_nothing(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], comment="x")
        before = desk.everything()
        assert desk.save(0, desk.contents[0], comment="x").version == 1
        assert desk.everything() == before

    def test_a_first_save_of_what_was_suggested_is_a_save(self, desk: Desk) -> None:
        assert desk.save(0, desk.begins_with, done=False).version == 1
        assert Assignment.objects.get(pk=desk.assignment.pk).expires_at is None

    def test_other_peoples_answers_and_other_items_stay_as_they_are(self, desk: Desk) -> None:
        blind = make_assignment(desk.unit, desk.ben, desk.stage, mode=Mode.BLIND)
        desk.save(0, desk.contents[2], by=desk.ben, assignment=blind.pk)
        other = make_sentence(desk.project)
        elsewhere = make_project()
        make_annotation(make_sentence(elsewhere), make_member(elsewhere))
        touched = {"unit": desk.unit.pk, "user": desk.ana.pk}

        def rest() -> list[object]:
            return [
                list(Annotation.objects.exclude(**touched).values()),
                list(Assignment.objects.exclude(**touched).values()),
                list(Item.objects.exclude(unit=desk.unit).values()),
                list(Item.objects.filter(unit=other).values()),
                list(Counter.objects.exclude(user=desk.ana).values()),
            ]

        before = rest()
        # Contents that agree with Ben's: otherwise the unit comes to wait for adjudication, and is to.
        desk.save(0, desk.contents[2])
        desk.save(1, desk.contents[2], comment="again")
        assert rest() == before

    def test_scores_sent_along_are_not_kept(self, labels: LabelDesk) -> None:
        labels.save(0, spans({**span(0), "score": 0.7}))
        assert labels.kept().content == spans(span(0))


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (spans(span(4)), "no token 5"),
            (spans(span(0, label="SIMILE")), "not a label"),
            (spans(span(0, 1), span(1)), "overlaps"),
            (choice("relevant"), "list of spans"),
            (spans(span()), "at least one token"),
            ({"spans": [], "more": 1}, "list of spans"),
            (None, "list of spans"),
        ],
    )
    def test_labels_that_the_scheme_forbids(self, labels: LabelDesk, content: Any, words: str) -> None:
        before = labels.everything()
        with pytest.raises(ActionError, match=words):
            labels.save(0, content)
        assert labels.everything() == before

    @pytest.mark.parametrize("content", [choice("perhaps"), choice(None), {}, {"value": ["relevant"]}, spans()])
    def test_tags_that_the_layer_does_not_have(self, content: Any) -> None:
        tags = TagDesk()
        before = tags.everything()
        with pytest.raises(ActionError):
            tags.save(0, content)
        assert tags.everything() == before

    def test_no_tag_is_an_answer_that_is_not_finished(self) -> None:
        tags = TagDesk()
        assert tags.save(0, choice(None), done=False, doubt=True).state == "open"

    def test_nothing_is_saved_or_undone_by_others_over_gold_or_on_replaced_text(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0])
        before = desk.everything()
        other = make_project()
        for act in (
            lambda: desk.save(1, desk.contents[1], by=desk.ben),
            lambda: desk.undo(1, by=desk.ben),
            lambda: save_annotation(
                project=other,
                assignment=desk.assignment.pk,
                version=1,
                content=desk.contents[1],
                done=True,
                by=desk.ana,
                now=NOW,
            ),
        ):
            with pytest.raises(NotYoursError):
                act()
        assert desk.everything() == before
        Unit.objects.filter(pk=desk.unit.pk).update(is_current=False)
        for act in (lambda: desk.save(1, desk.contents[1]), lambda: desk.undo(1)):
            with pytest.raises(ActionError, match="new revision"):
                act()
        assert desk.everything() == before
        Unit.objects.filter(pk=desk.unit.pk).update(is_current=True)
        make_gold(desk.unit, content=desk.contents[0])
        before = desk.everything()
        for act in (lambda: desk.save(1, desk.contents[1]), lambda: desk.undo(1)):
            with pytest.raises(ActionError, match="reopen"):
                act()
        assert desk.everything() == before


class TestUndo:
    def test_goes_back_step_by_step_as_new_versions_to_what_was_suggested(self, desk: Desk) -> None:
        first, second, _ = desk.contents
        desk.save(0, first, comment="first")
        desk.save(1, second, doubt=True)

        back = desk.undo(2)
        assert (back.version, back.content, back.comment, back.doubt) == (3, first, "first", False)
        assert desk.state() == ("done", "done")
        further = desk.undo(3)
        assert (further.version, further.content, further.comment) == (4, desk.begins_with, "")
        assert desk.state() == ("open", "open")  # undoing the "done" gives the work back
        assert desk.kept().content == desk.begins_with
        before = desk.everything()
        with pytest.raises(ActionError, match="nothing to undo"):
            desk.undo(4)
        assert desk.everything() == before

        saves = list(Event.objects.filter(verb="annotation.saved"))
        undone = [event.after["undoes"] for event in Event.objects.filter(verb="annotation.undone")]
        assert undone == [saves[1].pk, saves[0].pk]

    def test_after_new_work_takes_back_the_new_work_first(self, desk: Desk) -> None:
        first, second, third = desk.contents
        desk.save(0, first)
        desk.save(1, second)
        desk.undo(2)
        desk.save(3, third)
        assert desk.undo(4).content == first
        assert desk.undo(5).content == desk.begins_with

    def test_takes_back_drafts_that_follow_each_other_at_once(self, desk: Desk) -> None:
        first, second, third = desk.contents
        desk.save(0, first, done=False)
        desk.save(1, second, done=False)
        desk.save(2, third)
        # First that it is done, then the drafts.
        assert (desk.undo(3).content, desk.state()) == (second, ("open", "open"))
        assert desk.undo(4).content == desk.begins_with
        with pytest.raises(ActionError, match="nothing to undo"):
            desk.undo(5)

    def test_takes_back_drafts_on_what_was_done(self, desk: Desk) -> None:
        first, second, third = desk.contents
        desk.save(0, first)
        desk.save(1, second, done=False)
        desk.save(2, third, done=False)
        assert (desk.undo(3).content, desk.state()) == (first, ("done", "done"))

    def test_versions_never_repeat(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0])
        desk.undo(1)
        with pytest.raises(ConflictError):
            desk.save(0, desk.contents[1])
        assert desk.save(2, desk.contents[1]).version == 3

    def test_what_was_never_saved_cannot_be_undone(self, desk: Desk) -> None:
        with pytest.raises(ActionError, match="nothing to undo"):
            desk.undo(0)
        assert not Annotation.objects.exists()

    def test_of_a_stale_version_changes_nothing(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0])
        desk.save(1, desk.contents[1])
        before = desk.everything()
        with pytest.raises(ConflictError) as caught:
            desk.undo(1)
        assert caught.value.theirs["version"] == 2
        assert desk.everything() == before

    def test_counts_go_back_too(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], doubt=True, comment="?")
        desk.undo(1)
        item = Item.objects.get(stage=desk.stage, unit=desk.unit)
        assert (item.state, item.answers_open, item.answers_done) == ("taken", 1, 0)
        assert (item.doubtful, item.commented) == (False, False)
        counter = Counter.objects.get(stage=desk.stage, user=desk.ana)
        assert (counter.done, counter.open, counter.own_done, counter.own_open) == (0, 1, 0, 1)


class TestLate:
    """Saves of an item that had gone back."""

    def test_an_item_that_is_still_free_is_taken_up_again(self, desk: Desk) -> None:
        late = NOW + LEASE + timedelta(minutes=1)
        assert claim(stage=desk.stage, user=desk.ben, now=late)[0].unit == desk.unit
        free_open(stage=desk.stage, user=desk.ben, mode=Mode.REVIEW, by=desk.ben)
        assert Assignment.objects.get(user=desk.ana).state == "returned"

        saved = desk.save(0, desk.contents[0], now=late)

        assert (saved.version, desk.state()) == (1, ("done", "done"))
        item = Item.objects.get(stage=desk.stage, unit=desk.unit)
        assert (item.state, item.answers_open, item.answers_done) == ("done", 0, 1)
        assert claim(stage=desk.stage, user=desk.ben, now=late) == []

    def test_where_somebody_else_has_it_both_are_kept(self, desk: Desk) -> None:
        late = NOW + LEASE + timedelta(minutes=1)
        (theirs,) = claim(stage=desk.stage, user=desk.ben, now=late)
        before = [list(model.objects.values()) for model in (Item, Assignment)], list(Counter.objects.values())

        with pytest.raises(ReassignedError) as caught:
            desk.save(0, desk.contents[0], doubt=True, comment="mine", now=late)

        assert caught.value.mine["content"] == desk.contents[0]
        assert caught.value.theirs["version"] == 0
        kept = desk.kept()
        assert (kept.state, kept.content, kept.doubt, kept.comment) == ("open", desk.contents[0], True, "mine")
        event = Event.objects.get(verb="annotation.kept")
        assert (event.subject_id, event.after["content"]) == (kept.pk, desk.contents[0])
        assert before == (
            [list(model.objects.values()) for model in (Item, Assignment)],
            list(Counter.objects.values()),
        )

        # Theirs goes on, and what was kept is found again should the item come back.
        desk.save(0, desk.contents[1], by=desk.ben, assignment=theirs.pk, now=late)
        assert Annotation.objects.get(user=desk.ben).content == desk.contents[1]
        assert desk.kept().content == desk.contents[0]

    def test_what_was_kept_aside_is_found_on_claiming_anew(self, desk: Desk) -> None:
        late = NOW + LEASE + timedelta(minutes=1)
        claim(stage=desk.stage, user=desk.ben, now=late)
        with pytest.raises(ReassignedError):
            desk.save(0, desk.contents[0], now=late)
        free_open(stage=desk.stage, user=desk.ben, mode=Mode.REVIEW, by=desk.ben)
        (again,) = claim(stage=desk.stage, user=desk.ana, now=late)
        assert again.pk == desk.assignment.pk
        assert desk.save(1, desk.contents[0], now=late).version == 2
        assert desk.undo(2).content == desk.contents[0]
        assert desk.state() == ("open", "open")

    def test_a_draft_that_was_taken_over_is_on_record_before_what_came_late(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], done=False)
        free_open(stage=desk.stage, user=desk.ana, mode=Mode.REVIEW, by=desk.ben)
        claim(stage=desk.stage, user=desk.ben, now=NOW)
        with pytest.raises(ReassignedError) as caught:
            desk.save(1, desk.contents[1])
        assert caught.value.theirs["content"] == desk.contents[0]
        event = Event.objects.get(verb="annotation.kept")
        assert (event.before["content"], event.after["content"]) == (desk.contents[0], desk.contents[1])

    def test_nothing_is_undone_where_somebody_else_has_it(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], done=False)
        free_open(stage=desk.stage, user=desk.ana, mode=Mode.REVIEW, by=desk.ben)
        claim(stage=desk.stage, user=desk.ben, now=NOW)
        before = desk.everything()
        with pytest.raises(ActionError, match="Nothing was undone"):
            desk.undo(1)
        assert desk.everything() == before

    def test_a_stale_version_is_a_conflict_first_and_nothing_is_kept_aside(self, desk: Desk) -> None:
        desk.save(0, desk.contents[0], done=False)
        free_open(stage=desk.stage, user=desk.ana, mode=Mode.REVIEW, by=desk.ben)
        claim(stage=desk.stage, user=desk.ben, now=NOW)
        before = desk.everything()
        with pytest.raises(ConflictError):
            desk.save(0, desk.contents[1])
        assert desk.everything() == before

    def test_a_blind_answer_taken_up_again_is_blind_again(self, labels: LabelDesk) -> None:
        row = make_assignment(labels.unit, labels.ben, labels.stage, mode=Mode.BLIND)
        labels.save(0, spans())  # the review is done: it leaves room for blind answers all the same
        free_open(stage=labels.stage, user=labels.ben, mode=Mode.BLIND, by=labels.ana)
        assert not BlindMark.objects.exists()
        saved = labels.save(0, spans(span(1)), by=labels.ben, assignment=row.pk)
        assert (saved.mode, saved.state) == ("blind", "done")
        mark = BlindMark.objects.get()
        assert (mark.user, mark.segment_id, mark.live) == (labels.ben, labels.unit.segment_id, True)

    def test_what_was_begun_blind_and_claimed_again_is_finished_as_a_review(self, labels: LabelDesk) -> None:
        free_open(stage=labels.stage, user=labels.ana, mode=Mode.REVIEW, by=labels.ana)
        row = make_assignment(labels.unit, labels.ben, labels.stage, mode=Mode.BLIND)
        labels.save(0, spans(span(0)), done=False, by=labels.ben, assignment=row.pk)
        free_open(stage=labels.stage, user=labels.ben, mode=Mode.BLIND, by=labels.ana)
        (again,) = claim(stage=labels.stage, user=labels.ben, now=NOW)
        assert (again.pk, again.mode) == (row.pk, "review")
        saved = labels.save(1, spans(span(0)), by=labels.ben, assignment=row.pk)
        # Suggestions were in sight: it must not pass for a blind answer.
        assert (saved.mode, Annotation.objects.get().mode) == ("review", "review")


def test_the_cost_of_a_save_does_not_grow(labels: LabelDesk, django_assert_max_num_queries: Any) -> None:
    for _ in range(30):
        make_sentence(labels.project)
    with django_assert_max_num_queries(14):
        labels.save(0, spans(span(1)))


CROWD = """
import json, threading
from django.db import connection
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.core.errors import ActionError, ConflictError
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.models import *
from tests.factories import *
from tests.rows import Rows, rows_of
project = make_project()
ana = make_member(project)
stage = stage_of(project, "correct")

def together(*works):
    start = threading.Barrier(len(works))
    def run(work):
        start.wait()
        try:
            result = work()
        except ConflictError:
            result = "conflict"
        except ActionError:
            result = "refused"
        except Exception as error:
            result = repr(error)
        finally:
            connection.close()
        results.append(result)
    results = []
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return sorted(results, key=str)

def save(row, version, token):
    save_annotation(
        project=project, assignment=row.pk, version=version, content=spans(span(token)), done=True, by=ana,
        now=timezone.now(),
    )
    return "saved"

windows, again, crossings = [], [], []
for _ in range(10):
    row = make_assignment(make_sentence(project, "a b c d e f"), ana, stage)
    windows.append(together(*[lambda token=token: save(row, 0, token) for token in range(4)]))
    again.append(together(*[lambda token=token: save(row, 1, 4) for token in range(4)]))
    together(
        lambda: save(row, 2, 5),
        lambda: accept_agreed(
            project=project, layer=project.label_layer, language="es", by=None, without_overlap=True
        ).accepted,
    )
    annotation = Annotation.objects.get(unit=row.unit)
    gold = Gold.objects.filter(unit=row.unit).first()
    crossings.append(gold is not None and annotation.content == gold.content)
from annotator.core.counters import recounted
from annotator.work.queue.queries.progress import stage_progress
print(json.dumps({
    "windows": windows, "again": again, "crossings": crossings,
    "versions": sorted(set(Annotation.objects.values_list("version", flat=True))),
    "counted": recounted(stage), "counters": stage_progress(stage).to_json(),
}))
"""


def test_at_the_same_moment_one_window_wins_and_gold_is_what_stands(any_site: Site) -> None:
    found = any_site.python(CROWD)
    assert found["windows"] == [["conflict"] * 3 + ["saved"]] * 10
    assert found["again"] == [["saved"] * 4] * 10
    # Either the save came first and became gold, or gold came first and the save was refused.
    assert found["crossings"] == [True] * 10
    assert set(found["versions"]) <= {2, 3}
    assert (
        found["counters"]
        == {**found["counted"], "mine": 0, "blind": 0}
        == {"total": 10, "done": 10, "open": 0, "mine": 0, "blind": 0}
    )
