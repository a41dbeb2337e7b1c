"""One act on many sentences: whose answers it changes, what it suggests, what it leaves alone, and its undo."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError, NotYoursError
from annotator.domain.states import AssignmentState, ItemState
from annotator.models import Annotation, Assignment, Event, Item, Mode, Project, Role, Suggestion, Unit, User
from annotator.search.actions.many import MAX_SENTENCES, Row, assign_many, label_many
from annotator.search.actions.undo_many import undo_many
from annotator.search.queries.acts import Act, act_of
from annotator.search.queries.standing import standings
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.answering.queries.workspace import shown_assignments
from annotator.work.queue.actions.assignments import assign_review, claim
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.site import Site

pytestmark = pytest.mark.django_db
VUELA = frozenset({2})


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project, username="ben")


def entry(user: User, project: Project) -> Access:
    return project_for(user, project.slug)


def listed(user: User, units: Sequence[Unit], words: frozenset[int] = VUELA) -> list[Row]:
    """The rows of these sentences as a list shows them to the person now."""
    stands = standings(entry(user, units[0].project), [unit.pk for unit in units])
    return [Row(unit.pk, words, stands[unit.pk].seen) for unit in units]


def label(user: User, rows: Sequence[Row], project: Project, *, remove: bool = False) -> Act:
    access = entry(user, project)
    done = label_many(access=access, rows=rows, label="METAPHOR", remove=remove, now=timezone.now())
    return told(user, project, done)


def told(user: User, project: Project, operation: uuid.UUID) -> Act:
    found = act_of(project, operation, user)
    assert found is not None
    return found


def undo(user: User, act: Act, project: Project) -> Act:
    undo_many(access=entry(user, project), operation=act.operation, now=timezone.now())
    return told(user, project, act.operation)


def save(user: User, unit: Unit, *given: dict[str, Any], done: bool = False, version: int | None = None) -> Annotation:
    row = Assignment.objects.get(unit=unit, user=user)
    mine = Annotation.objects.filter(unit=unit, user=user).first()
    at = version if version is not None else (mine.version if mine else 0)
    return save_annotation(
        project=unit.project, assignment=row.pk, version=at, content=spans(*given), done=done, by=user,
        now=timezone.now(),
    )  # fmt: skip


def answer(user: User, unit: Unit) -> Annotation:
    return Annotation.objects.get(unit=unit, user=user)


def item(unit: Unit) -> Item:
    return Item.objects.get(unit=unit, stage=stage_of(unit.project, "correct"))


def refused(act: Act) -> list[tuple[int, str]]:
    return [(one.unit.pk, one.reason) for one in act.refused]


class TestLabel:
    def test_free_items_are_claimed_and_stay_open(self, project: Project, ana: User) -> None:
        sentences = [make_sentence(project) for _ in range(3)]
        act = label(ana, listed(ana, sentences), project)

        assert (act.saved, act.claimed, act.proposed, refused(act)) == (3, 3, 0, [])
        for sentence in sentences:
            assert answer(ana, sentence).content == spans(span(2))
            assert answer(ana, sentence).state == "open"
            row = Assignment.objects.get(unit=sentence, user=ana)
            assert (row.state, row.expires_at) == (AssignmentState.OPEN, None)
            assert item(sentence).state == ItemState.TAKEN

    def test_own_items_get_it_beside_what_is_there_and_keep_their_state(self, project: Project, ana: User) -> None:
        begun, done = make_sentence(project), make_sentence(project)
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[begun.pk, done.pk], user=ana, by=ana)
        save(ana, begun, span(0))
        save(ana, done, span(1), done=True)

        act = label(ana, listed(ana, [begun, done]), project)
        assert (act.saved, act.claimed) == (2, 0)
        assert (answer(ana, begun).content, answer(ana, begun).state) == (spans(span(0), span(2)), "open")
        assert (answer(ana, done).content, answer(ana, done).state) == (spans(span(1), span(2)), "done")
        assert label(ana, listed(ana, [begun, done]), project).same == 2
        assert answer(ana, done).version == 2

    def test_a_claimed_item_begins_from_what_a_machine_said(self, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        make_prediction(sentence, [span(0)], [0.9, 0.1, 0.1])
        label(ana, listed(ana, [sentence]), project)

        assert answer(ana, sentence).content == spans(span(0), span(2))
        assert answer(ana, sentence).suggested == spans(span(0))

    def test_what_others_have_is_suggested_to_them_with_its_origin(
        self, project: Project, ana: User, ben: User
    ) -> None:
        untouched, begun = make_sentence(project), make_sentence(project)
        make_prediction(untouched, [span(0)], [0.9, 0.1, 0.1])
        stage = stage_of(project, "correct")
        claim(stage=stage, user=ben, count=2, now=timezone.now())
        kept = save(ben, begun, span(1))

        act = label(ana, listed(ana, [untouched, begun]), project)
        assert (act.saved, act.proposed) == (0, 2)
        assert not Assignment.objects.filter(user=ana).exists()
        assert answer(ben, begun).version == kept.version
        assert not Annotation.objects.filter(unit=untouched).exists()
        # Who has not started begins from it, with what a detector said.
        held = claim(stage=stage, user=ben, count=2, now=timezone.now())
        shown = {row.unit.pk: row for row in shown_assignments(project, held, ben)}
        suggestion = shown[untouched.pk].suggestion
        assert suggestion is not None
        assert (suggestion.kind, suggestion.name) == ("proposal", "ana")
        assert suggestion.content == spans(span(0), span(2))
        assert shown[begun.pk].answer.content == spans(span(1))
        # Said again, it is the same.
        assert label(ana, listed(ana, [untouched, begun]), project).same == 2

    def test_who_has_started_sees_it_beside_their_answer_until_they_finish_it(
        self, project: Project, ana: User, ben: User
    ) -> None:
        begun, done, other = (make_sentence(project) for _number in range(3))
        claim(stage=stage_of(project, "correct"), user=ben, count=3, now=timezone.now())
        save(ben, begun, span(1))
        save(ben, done, span(1), done=True)
        save(ben, other)
        label(ana, listed(ana, [begun, done]), project)
        label(ana, listed(ana, [begun], frozenset({0})), project)
        label(ana, listed(ana, [done], frozenset({1})), project, remove=True)

        def shown() -> list[list[tuple[list[int], bool]]]:
            held = Assignment.objects.select_related("item", "unit__segment", "stage__layer").filter(user=ben)
            rows = {row.unit.pk: row for row in shown_assignments(project, list(held), ben)}
            assert not any(row.suggestions for row in rows.values())
            return [
                [(one.detail["words"], one.detail["remove"]) for one in rows[unit.pk].proposals]
                for unit in (begun, done, other)
            ]

        assert shown() == [[([2], False), ([0], False)], [([2], False), ([1], True)], []]
        # Taken back, it is not there any more; nothing of the answers has changed.
        undone = label(ana, listed(ana, [other]), project)
        undo(ana, undone, project)
        assert shown()[2] == []
        assert answer(ben, done).content == spans(span(1))
        # A draft decides nothing; who finishes has decided.
        save(ben, begun, span(1), span(2))
        assert len(shown()[0]) == 2
        save(ben, begun, span(1), span(2), done=True)
        assert shown() == [[], [([2], False), ([1], True)], []]

    def test_nothing_is_shown_of_it_in_blind_work(self, project: Project, ana: User, ben: User) -> None:
        sentence = make_sentence(project)
        row = make_assignment(sentence, ben, stage_of(project, "correct"))
        Assignment.objects.filter(pk=row.pk).update(mode=Mode.BLIND)
        save(ben, sentence, span(1))
        label(ana, listed(ana, [sentence]), project)

        held = Assignment.objects.select_related("item", "unit__segment", "stage__layer").filter(user=ben)
        for one in shown_assignments(project, list(held), ben):
            assert (one.blind, list(one.suggestions), list(one.proposals)) == (True, [], [])

    def test_who_is_blind_there_suggests_nothing(self, project: Project, ana: User, ben: User) -> None:
        sentence = make_sentence(project)
        assign_review(stage=stage_of(project, "correct"), units=[sentence.pk], user=ben, by=ben)
        blind = make_assignment(sentence, ana, stage_of(project, "correct", "es"), mode=Mode.BLIND)
        Assignment.objects.filter(pk=blind.pk).update(state=AssignmentState.RETURNED)

        assert refused(label(ana, listed(ana, [sentence]), project)) == [(sentence.pk, "hidden")]
        assert not Suggestion.objects.filter(kind="proposal").exists()

    def test_removing_takes_the_whole_span_and_nothing_else(self, project: Project, ana: User) -> None:
        there, elsewhere = make_sentence(project), make_sentence(project)
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[there.pk, elsewhere.pk], user=ana, by=ana)
        save(ana, there, span(0), span(1, 2))
        save(ana, elsewhere, span(0))

        act = label(ana, listed(ana, [there, elsewhere]), project, remove=True)
        assert (act.saved, act.same) == (1, 1)
        assert answer(ana, there).content == spans(span(0))
        assert answer(ana, elsewhere).version == 1
        free = make_sentence(project)
        assert label(ana, listed(ana, [free]), project, remove=True).same == 1
        assert not Assignment.objects.filter(unit=free).exists()

    def test_what_changed_since_the_list_was_opened_stays_and_is_told(
        self, project: Project, ana: User, ben: User
    ) -> None:
        mine, free, decided = make_sentence(project), make_sentence(project), make_sentence(project)
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[mine.pk], user=ana, by=ana)
        rows = listed(ana, [mine, free, decided])
        save(ana, mine, span(0))
        assign_review(stage=stage, units=[free.pk], user=ben, by=ben)
        make_gold(decided)

        act = label(ana, rows, project)
        assert (act.saved, act.proposed) == (0, 0)
        assert refused(act) == [(mine.pk, "changed"), (free.pk, "changed"), (decided.pk, "changed")]
        assert answer(ana, mine).content == spans(span(0))
        assert not Suggestion.objects.filter(kind="proposal").exists()
        assert refused(label(ana, listed(ana, [decided]), project)) == [(decided.pk, "gold")]

    def test_a_span_that_does_not_fit_is_refused_in_words(self, ana: User) -> None:
        project = ana.memberships.get().project
        layer = project.label_layer
        layer.scheme_data = {**layer.scheme_data, "labels": ["METAPHOR", "IRONY"]}
        layer.save()
        sentence = make_sentence(project)
        assign_review(stage=stage_of(project, "correct"), units=[sentence.pk], user=ana, by=ana)
        save(ana, sentence, span(2, label="IRONY"))
        project = Project.objects.get(pk=project.pk)

        act = label(ana, listed(ana, [sentence]), project)
        assert [(one.reason, "overlaps" in one.text) for one in act.refused] == [("rule", True)]
        assert answer(ana, sentence).version == 1

    def test_only_members_who_may_and_only_so_many(self, project: Project, ana: User) -> None:
        sentence = make_sentence(project)
        rows = listed(ana, [sentence])
        now = timezone.now()
        with pytest.raises(ActionError, match="at most 100"):
            label_many(access=entry(ana, project), rows=rows * (MAX_SENTENCES + 1), label="METAPHOR", now=now)
        with pytest.raises(ActionError, match="not a label"):
            label_many(access=entry(ana, project), rows=rows, label="OTHER", now=now)
        with pytest.raises(ActionError, match="Search for a word"):
            label_many(access=entry(ana, project), rows=listed(ana, [sentence], frozenset()), label="METAPHOR", now=now)
        project.memberships.filter(user=ana).update(languages=["en"])
        assert refused(label(ana, rows, project)) == [(sentence.pk, "language")]
        assert not Annotation.objects.exists()


class TestUndo:
    def test_all_is_as_before(self, project: Project, ana: User, ben: User) -> None:
        free, done, others = (make_sentence(project) for _ in range(3))
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[done.pk], user=ana, by=ana)
        assign_review(stage=stage, units=[others.pk], user=ben, by=ben)
        save(ana, done, span(1), done=True)
        act = label(ana, listed(ana, [free, done, others]), project)
        assert act.changed == 3

        undone = undo(ana, act, project).undone
        assert undone is not None
        assert (undone.restored, undone.withdrawn, undone.returned, list(undone.kept)) == (2, 1, 1, [])
        assert item(free).state == ItemState.FREE
        assert (answer(ana, done).content, answer(ana, done).state) == (spans(span(1)), "done")
        assert not Suggestion.objects.filter(kind="proposal", is_current=True).exists()
        assert not item(others).suggested
        with pytest.raises(ActionError, match="already undone"):
            undo(ana, act, project)

    def test_what_was_changed_since_stays_and_is_told(self, project: Project, ana: User, ben: User) -> None:
        mine, free, others = (make_sentence(project) for _ in range(3))
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[mine.pk], user=ana, by=ana)
        assign_review(stage=stage, units=[others.pk], user=ben, by=ben)
        act = label(ana, listed(ana, [mine, free, others]), project)
        save(ana, mine, span(0), span(2), done=True)
        # Ben begins from what was suggested.
        held = claim(stage=stage, user=ben, now=timezone.now())
        assert [row.unit_id for row in held] == [others.pk]
        save(ben, others, span(2))

        undone = undo(ana, act, project).undone
        assert undone is not None
        assert (undone.restored, undone.withdrawn, undone.returned) == (1, 0, 1)
        assert {(one.unit.pk, one.reason) for one in undone.kept} == {(mine.pk, "changed"), (others.pk, "changed")}
        assert answer(ana, mine).content == spans(span(0), span(2))
        assert answer(ben, others).content == spans(span(2))
        assert item(free).state == ItemState.FREE

    def test_an_earlier_suggestion_comes_back(self, project: Project, ana: User, ben: User) -> None:
        cara = make_member(project)
        sentence = make_sentence(project)
        assign_review(stage=stage_of(project, "correct"), units=[sentence.pk], user=ben, by=ben)
        label(cara, listed(cara, [sentence], frozenset({0})), project)
        act = label(ana, listed(ana, [sentence]), project)
        assert Suggestion.objects.get(kind="proposal", is_current=True).content == spans(span(0), span(2))

        undo(ana, act, project)
        assert Suggestion.objects.get(kind="proposal", is_current=True).content == spans(span(0))

    def test_nobody_undoes_what_somebody_else_did(self, project: Project, ana: User, ben: User) -> None:
        act = label(ana, listed(ana, [make_sentence(project)]), project)
        manager = make_member(project, Role.MANAGER)
        for other in (ben, manager):
            with pytest.raises(NotYoursError):
                undo_many(access=entry(other, project), operation=act.operation, now=timezone.now())
            assert act_of(project, act.operation, other) is None
        assert Annotation.objects.get().content == spans(span(2))

    def test_one_operation_says_who_did_what(self, project: Project, ana: User) -> None:
        sentences = [make_sentence(project) for _ in range(2)]
        act = label(ana, listed(ana, sentences), project)
        undo(ana, act, project)

        found = Event.objects.filter(operation=act.operation).values_list("verb", "actor")
        assert sorted(found) == [
            ("annotation.saved", ana.pk),
            ("annotation.saved", ana.pk),
            ("sentences.labelled", ana.pk),
            ("sentences.undone", ana.pk),
        ]


class TestAssign:
    def test_managers_give_free_ones_to_anybody_and_take_them_back(
        self, project: Project, ana: User, ben: User
    ) -> None:
        mara = make_member(project, Role.MANAGER)
        free, begun, others = (make_sentence(project) for _ in range(3))
        stage = stage_of(project, "correct")
        assign_review(stage=stage, units=[others.pk], user=ben, by=ben)
        rows = listed(mara, [free, begun, others], frozenset())
        operation = assign_many(access=entry(mara, project), rows=rows, stage=stage, user=ana, now=timezone.now())
        act = told(mara, project, operation)
        assert (act.assigned, refused(act)) == (2, [(others.pk, "not-free")])
        save(ana, begun, span(0))

        undone = undo(mara, act, project).undone
        assert undone is not None
        assert (undone.returned, [one.unit.pk for one in undone.kept]) == (1, [begun.pk])
        assert (item(free).state, item(begun).state) == (ItemState.FREE, ItemState.TAKEN)

    def test_annotators_give_to_themselves_alone(self, project: Project, ana: User, ben: User) -> None:
        sentence, stage = make_sentence(project), stage_of(project, "correct")
        rows = listed(ana, [sentence], frozenset())
        access = entry(ana, project)
        with pytest.raises(ActionError, match="Only managers"):
            assign_many(access=access, rows=rows, stage=stage, user=ben, now=timezone.now())
        assert not Assignment.objects.exists()
        assign_many(access=access, rows=rows, stage=stage, user=ana, now=timezone.now())
        assert Assignment.objects.get().user == ana

    def test_not_to_outsiders_nor_in_languages_that_are_not_theirs(self, project: Project, ana: User) -> None:
        mara, stage = make_member(project, Role.MANAGER), stage_of(project, "correct")
        rows = listed(mara, [make_sentence(project)], frozenset())
        access = entry(mara, project)
        with pytest.raises(ActionError, match="not a member"):
            assign_many(access=access, rows=rows, stage=stage, user=make_user("eve"), now=timezone.now())
        project.memberships.filter(user=ana).update(languages=["en"])
        with pytest.raises(ActionError, match="can't work in this stage"):
            assign_many(access=access, rows=rows, stage=stage, user=ana, now=timezone.now())
        project.memberships.filter(user=ana).update(languages=["en"])
        with pytest.raises(PermissionDenied):
            assign_many(access=entry(ana, project), rows=rows, stage=stage, user=ana, now=timezone.now())
        assert not Assignment.objects.exists()


TWO_PEOPLE = """
import json, threading
from django.db import connection
from django.utils import timezone
from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.models import *
from annotator.search.actions.many import Row, label_many
from annotator.search.actions.undo_many import undo_many
from annotator.search.queries.acts import act_of
from annotator.search.queries.standing import standings
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import assign_review, claim
from tests.factories import *

project = make_project("letters")
ana, ben, cara = (make_member(project, username=name) for name in ("ana", "ben", "cara"))
units = [make_sentence(project) for _ in range(40)]
stage = stage_of(project, "correct")
assign_review(stage=stage, units=[unit.pk for unit in units[:20]], user=ana, by=ana)
assign_review(stage=stage, units=[unit.pk for unit in units[20:30]], user=ben, by=ben)
access = project_for(ana, "letters")
stands = standings(access, [unit.pk for unit in units])
rows = [Row(unit.pk, frozenset({2}), stands[unit.pk].seen) for unit in units]
faults = []

def save(user, place, tokens, assignment=None):
    row = assignment or Assignment.objects.get(unit=units[place], user=user)
    mine = Annotation.objects.filter(unit=units[place], user=user).first()
    try:
        save_annotation(project=project, assignment=row.pk, version=mine.version if mine else 0,
            content=spans(*(span(one) for one in tokens)), done=False, by=user, now=timezone.now())
    except ActionError:
        pass

def beside(user, places):
    def run():
        try:
            for place in places:
                if user != cara:
                    save(user, place, [0])
                else:
                    for one in claim(stage=stage, user=cara, count=1, now=timezone.now()):
                        save(cara, [unit.pk for unit in units].index(one.unit_id), [0], one)
        except Exception as error:
            faults.append(repr(error))
        finally:
            connection.close()
    return threading.Thread(target=run)

def while_others_work(act):
    threads = [beside(ana, range(0, 20, 2)), beside(ben, range(20, 30)), beside(cara, range(3))]
    [thread.start() for thread in threads]
    result = act()
    [thread.join() for thread in threads]
    return result

operation = while_others_work(lambda: label_many(access=access, rows=rows, label="METAPHOR", now=timezone.now()))
first = act_of(project, operation, ana)
while_others_work(lambda: undo_many(access=access, operation=operation, now=timezone.now()))
last = act_of(project, operation, ana)
written = Event.objects.filter(verb__in=["annotation.saved", "annotation.undone"], subject_type="annotation")
first_saves = Event.objects.filter(verb="annotation.saved", subject_type="assignment")
print(json.dumps({
    "faults": faults,
    "all_told": first.saved + first.proposed + first.same + len(first.refused),
    "undo_told": last.undone.restored + last.undone.withdrawn + len(last.undone.kept),
    "changed": first.saved + first.proposed,
    # Each version has an event of its own: nobody wrote over what they had not seen.
    "versions": sum(Annotation.objects.values_list("version", flat=True)),
    "events": written.count() + first_saves.count(),
    "labelled_by_cara_or_ben": Annotation.objects.filter(user__in=[ben, cara]).exclude(content=spans(span(0))).count(),
    "left_of_the_act": [
        row.content for row in Annotation.objects.filter(user=ana, unit__in=units[1:20:2])
    ],
}))
"""


def test_two_people_edit_the_same_sentences_meanwhile(any_site: Site) -> None:
    found = any_site.python(TWO_PEOPLE)

    assert found["faults"] == []
    # Each sentence is told of, in the act and in its undo.
    assert found["all_told"] == 40
    assert found["undo_told"] == found["changed"]
    # What others wrote is theirs alone, and what nobody touched is as before.
    assert found["versions"] == found["events"]
    assert found["labelled_by_cara_or_ben"] == 0
    assert found["left_of_the_act"] == [{"spans": []}] * 10
