"""Pairs by their tag, as gold or as somebody's answer, and what a second look at them by a person would be."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

from annotator.core.access import Access
from annotator.core.kind import kind_of
from annotator.core.permissions import GRANTS, works_in
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Gold, Item, Membership, Pair, Segment, Stage, Unit, User
from annotator.work.blind.queries.blind import answers_blind, blind_units
from annotator.work.queue.queries.free import hidden_units

GOLD, ANSWERS = "gold", "answers"
# Pairs of one act, and rows that are shown.
MAX_PAIRS = 100
SHOWN = 50
# The newest acts of a person, among which one that can be undone is looked for.
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Tagged:
    """What is asked for: the pairs of a stage with a tag; `whose`: GOLD, ANSWERS, or both where it is empty."""

    stage: Stage
    tag: str
    whose: str = ""


@dataclass(frozen=True, slots=True)
class TaggedPair:
    """A pair, its texts, and who says the tag: `is_gold`, and the names of the people who answered it."""

    unit: Unit
    pair: Pair
    premise: str
    hypothesis: str
    is_gold: bool
    people: Sequence[str]


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What becomes of pairs (ids of units) that are given to a person: `own` are answers of theirs that are opened
    again, `given` are assigned to them beside the answers of others. `gold`: those of both whose gold is reopened.
    Left out: `at_work`, which somebody has open, `hidden`, which they may not see or have in another stage, and `more`,
    beyond MAX_PAIRS."""

    own: Mapping[int, int]
    given: Sequence[int]
    gold: frozenset[int]
    at_work: int
    hidden: int
    more: int

    @property
    def units(self) -> list[int]:
        return [*self.own, *self.given]


@dataclass(frozen=True, slots=True)
class Act:
    """A second look that was started: its pairs and the person."""

    operation: uuid.UUID
    at: datetime
    tag: str
    user: User | None
    pairs: int
    gold: int
    refused: int


def tagging_stages(access: Access) -> list[Stage]:
    """The stages in which pairs are tagged."""
    if access.project.tag_layer is None:
        return []
    rows = access.project.stages.filter(layer=access.project.tag_layer).exclude(kind=Stage.ADJUDICATE)
    stages = list(rows.select_related("layer"))
    for stage in stages:
        stage.project = access.project
    return stages


def people_of(stage: Stage) -> list[User]:
    """Members who may work in the stage."""
    rows = Membership.objects.filter(project=stage.project, user__is_active=True).select_related("user")
    needs = kind_of(stage).needs
    return [
        row.user
        for row in rows.order_by("user__username")
        if needs in GRANTS[row.role] and works_in(row.languages, stage.language)
    ]


def tagged(access: Access, asked: Tagged) -> list[int]:
    """The pairs (ids of units) with the tag, in reading order. Without those on which the person who asks is blind;
    none while they have blind work open, since the list tells what others answered."""
    if answers_blind(access.user, access.project):
        return []
    says = Q(unit=OuterRef("pk"), layer=asked.stage.layer, content__value=asked.tag)
    gold, answers = Gold.objects.filter(says), Annotation.objects.filter(says, state=AnnotationState.DONE)
    by_whom = {GOLD: Exists(gold), ANSWERS: Exists(answers)}
    rows = Unit.objects.published().filter(
        by_whom.get(asked.whose, Exists(gold) | Exists(answers)),
        project=access.project,
        kind=Segment.PAIR,
        language=asked.stage.language,
        is_current=True,
    )
    units = list(rows.order_by("segment__position", "pk").only("pk", "kind", "touches", "segment", "project"))
    blind = blind_units(access.user, access.project, units, asked.stage.layer)
    return [unit.pk for unit in units if unit.pk not in blind]


def second_look(stage: Stage, units: Sequence[int], user: User) -> SecondLook:
    """What becomes of these pairs when they are given to a person; at most MAX_PAIRS of them. Some ten statements."""
    rows = Assignment.objects.filter(unit__in=units, stage__layer=stage.layer).exclude(state=AssignmentState.RETURNED)
    busy: set[int] = set()
    mine: dict[int, int] = {}
    for pk, unit, owner, state, where in rows.values_list("pk", "unit_id", "user_id", "state", "stage_id"):
        if state == AssignmentState.OPEN:
            busy.add(unit)
        elif owner == user.pk and where == stage.pk:
            mine[unit] = pk
    held = Item.objects.filter(stage=stage, unit__in=units).exclude(state=ItemState.VOID).select_related("unit")
    there = {item.unit_id: item.unit for item in held}
    rest = [unit for unit in units if unit in there and unit not in busy]
    hidden = hidden_units(stage, user, [there[unit] for unit in rest if unit not in mine])
    free = [unit for unit in rest if unit not in hidden]
    chosen = free[:MAX_PAIRS]
    decided = Gold.objects.filter(layer=stage.layer, unit__in=chosen).values_list("unit_id", flat=True)
    return SecondLook(
        own={unit: mine[unit] for unit in chosen if unit in mine},
        given=[unit for unit in chosen if unit not in mine],
        gold=frozenset(decided),
        at_work=len(busy),
        hidden=len(units) - len(busy) - len(free),
        more=len(free) - len(chosen),
    )


def act_of(access: Access, operation: uuid.UUID) -> tuple[Event | None, Event | None]:
    """The event of a second look that this person began, and that of its undo."""
    rows = Event.objects.filter(operation=operation, project=access.project, actor=access.user, restored_at=None)
    found = {
        event.verb: event for event in rows.filter(verb__in=[Verb.PAIRS_GIVEN_AGAIN, Verb.PAIRS_GIVEN_AGAIN_UNDONE])
    }
    return found.get(Verb.PAIRS_GIVEN_AGAIN), found.get(Verb.PAIRS_GIVEN_AGAIN_UNDONE)


def last_act(access: Access) -> Act | None:
    """The newest of the person's last second looks that is not undone; None where there is none. Three statements."""
    rows = Event.objects.filter(
        project=access.project, actor=access.user, verb=Verb.PAIRS_GIVEN_AGAIN, restored_at=None
    ).exclude(operation=None)
    # Not by the key alone: PostgreSQL would walk back through the whole log by it.
    newest = list(rows.order_by((F("pk") + 0).desc())[:_LOOKED_AT])
    undone = Event.objects.filter(
        operation__in=[event.operation for event in newest], project=access.project, verb=Verb.PAIRS_GIVEN_AGAIN_UNDONE
    )
    over = set(undone.values_list("operation", flat=True))
    event = next((one for one in newest if one.operation not in over), None)
    if event is None or event.operation is None:
        return None
    told = event.after or {}
    return Act(
        operation=event.operation,
        at=event.at,
        tag=told["tag"],
        user=User.objects.filter(pk=told["user"]).first(),
        pairs=len(told["opened"]) + len(told["given"]),
        gold=len(told["gold"]),
        refused=len(told["refused"]),
    )


def rows_of(asked: Tagged, units: Sequence[int]) -> list[TaggedPair]:
    """The first SHOWN of the pairs, to be read. Five statements."""
    shown = Unit.objects.filter(pk__in=units[:SHOWN]).select_related("segment__pair__premise")
    rows = {unit.pk: unit for unit in shown}
    pairs = {unit.pk: unit.segment.pair for unit in rows.values()}
    sides = {pk for pair in pairs.values() for pk in (pair.premise_id, pair.hypothesis_id)}
    texts = {
        text.segment_id: text.text
        for text in Unit.objects.published().filter(
            segment__in=sides, kind=Segment.SENTENCE, language=asked.stage.language, is_current=True
        )
    }
    says = Q(unit__in=rows, layer=asked.stage.layer, content__value=asked.tag)
    decided = set(Gold.objects.filter(says).values_list("unit_id", flat=True))
    people: dict[int, list[str]] = {}
    answers = Annotation.objects.filter(says, state=AnnotationState.DONE).select_related("user").order_by("pk")
    for answer in answers:
        people.setdefault(answer.unit_id, []).append(str(answer.user))
    return [
        TaggedPair(
            unit=rows[pk],
            pair=pairs[pk],
            premise=texts.get(pairs[pk].premise_id, ""),
            hypothesis=texts.get(pairs[pk].hypothesis_id, ""),
            is_gold=pk in decided,
            people=people.get(pk, ()),
        )
        for pk in units[:SHOWN]
        if pk in rows
    ]
