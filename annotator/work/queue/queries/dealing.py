"""Who can be given which items of a stage, what an assignment would do in numbers, and what an earlier one did."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from annotator.core.kind import is_beside, kind_of
from annotator.core.permissions import GRANTS, works_in
from annotator.domain.batches import batches
from annotator.domain.content import Content, content_type
from annotator.domain.dealing.deal import Candidate, Order, Plan, deal
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    Membership,
    Project,
    Stage,
    Unit,
    User,
)
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.blind.queries.blind_pool import reasons_of
from annotator.work.blind.queries.blind_subset import is_free_text, no_subset
from annotator.work.queue.queries.free import ORDERS, answered_elsewhere, hidden_units
from annotator.work.queue.queries.progress import held_in_advance

CHUNK = 500
# What a random sample can have its share of, and the field of the segment that says it.
STRATA = {"dataset": "dataset", "role": "role", "document": "group", "class": "pair__inference"}
# So, too, the labels that are suggested or gold, which no field says (`_labels`).
LABELS = "labels"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a manager asks for: people, how items are dealt to them, by what a sample is stratified, and whether they
    answer blind."""

    users: Sequence[User]
    order: Order
    strata: Sequence[str] = ()
    blind: bool = False

    def is_blind_in(self, stage: Stage) -> bool:
        """Whether they will see no suggestions, since it is asked for or since the stage is blind."""
        return self.blind or stage.mode == Mode.BLIND


@dataclass(slots=True)
class LeftOut:
    """How many items a person cannot have, for each reason: they `seen` suggestions there; it is their `own` text, or
    shows what they label blind, or they answer it in another stage; they have it already (`theirs`)."""

    seen: int = 0
    own: int = 0
    theirs: int = 0


@dataclass(frozen=True, slots=True)
class PersonsPart:
    """What one person would get, how much open work they have already, and why they cannot have the rest."""

    user: User
    items: int
    shared: int
    load: int
    left: LeftOut


@dataclass(frozen=True, slots=True)
class Preview:
    """What an assignment will do. Of all items (`total`), `given` are assigned, `shared` of them to several people;
    `busy` are decided or in others' hands, and `nobody`: none of the people can have them."""

    plan: Plan
    people: Sequence[PersonsPart]
    total: int
    busy: int
    nobody: int

    @property
    def given(self) -> int:
        return len(self.plan.items)

    @property
    def shared(self) -> int:
        return len(self.plan.shared)

    @property
    def missing(self) -> int:
        """How many fewer items are given than were asked for."""
        return self.plan.asked - self.given

    @property
    def missing_shared(self) -> int:
        """How many fewer are shared."""
        return self.plan.asked_shared - self.shared


def workers(stage: Stage) -> list[User]:
    """The members who can be given work of a stage, by name."""
    needs = kind_of(stage).needs
    rows = Membership.objects.filter(project=stage.project_id, user__is_active=True).select_related("user")
    return [
        row.user
        for row in rows.order_by("user__username")
        if needs in GRANTS[row.role] and works_in(row.languages, stage.language)
    ]


def refusal(stage: Stage) -> str:
    """Why nothing of a stage can be assigned, as a sentence; empty where it can be."""
    if stage.adjudicates:
        return _("Items can't be assigned in this stage. Use its adjudication queue.")
    if kind_of(stage).on_demand is not None:
        return _("Items of this stage are made when people ask for them. They can't be assigned in advance.")
    return ""


def blind_refusal(stage: Stage) -> str:
    """Why no items of a stage can be assigned blind, as a sentence; empty where they can be, or always are."""
    if stage.mode == Mode.BLIND:
        return ""
    return no_subset(stage, list(Stage.objects.filter(project=stage.project_id).select_related("layer", "project")))


def shares_blind(stage: Stage) -> bool:
    """Whether shared items are answered blind though the stage is not: people's answers are compared, and nothing is
    suggested there."""
    return stage.mode == Mode.REVIEW and not kind_of(stage).suggestions and not is_free_text(stage.layer)


def loads(project: Project, users: Iterable[User]) -> dict[int, int]:
    """By person, how much open work they have in all stages of a project. One query, from the counters."""
    rows = Counter.objects.filter(project=project, user__in=list(users)).order_by()
    return dict(rows.values_list("user").annotate(open=Sum(F("own_open") + F("blind_open"))))


@dataclass(frozen=True, slots=True)
class Barred:
    """Of some units (ids), by person: why they cannot have them."""

    seen: Mapping[int, Collection[int]] = field(default_factory=dict)
    own: Mapping[int, Collection[int]] = field(default_factory=dict)
    theirs: Mapping[int, Collection[int]] = field(default_factory=dict)
    decided: Collection[int] = ()

    def bars(self, user: User, unit: int) -> bool:
        """Whether a person cannot have a unit."""
        return unit in self.decided or any(unit in why[user.pk] for why in (self.seen, self.own, self.theirs))


def barring(stage: Stage, wanted: Wanted) -> Callable[[Sequence[Unit]], Barred]:
    """What tells why people cannot have some of the units of a stage: a fixed number of queries a person."""
    users = {user.pk: user for user in wanted.users}
    blind = reasons_of(stage, wanted.users) if wanted.is_blind_in(stage) else None

    def barred(units: Sequence[Unit]) -> Barred:
        held = Assignment.objects.filter(stage=stage, user__in=users, unit__in=units)
        theirs: dict[int, set[int]] = {pk: set() for pk in users}
        for user, unit in held.exclude(state=AssignmentState.RETURNED).values_list("user_id", "unit_id"):
            theirs[user].add(unit)
        if blind is None:
            own = {pk: hidden_units(stage, user, units) for pk, user in users.items()}
            return Barred({pk: set() for pk in users}, own, theirs)
        found = blind(units)
        own = {pk: found.own[pk] | answered_elsewhere(stage, user, units) for pk, user in users.items()}
        # What somebody has already, they have seen, too: it is told once.
        seen = {pk: set(found.seen[pk]) - theirs[pk] for pk in users}
        return Barred(seen, own, theirs, found.decided)

    return barred


def preview(stage: Stage, wanted: Wanted) -> Preview:
    """What an assignment would do. Looks at all items of the stage, some at a time."""
    users = {user.pk: user for user in wanted.users}
    left = {pk: LeftOut() for pk in users}
    candidates: list[Candidate] = []
    total = busy = 0
    fields = [f"unit__segment__{STRATA[name]}" for name in wanted.strata if name in STRATA]
    barred = barring(stage, wanted)
    for rows in batches(_rows(stage, fields), CHUNK):
        total += len(rows)
        units = Unit.objects.select_related("segment").in_bulk([row["unit_id"] for row in rows])
        why = barred(list(units.values()))
        labels = _labels(stage, units) if LABELS in wanted.strata else {}
        for row in rows:
            unit = row["unit_id"]
            untouched = _is_untouched(stage, row, blind=wanted.blind)
            places = _places(stage, row, untouched=untouched, blind=wanted.blind)
            for pk in users:
                left[pk].theirs += unit in why.theirs[pk]
            if not places or unit in why.decided:
                busy += 1
                continue
            for pk in users:
                left[pk].seen += unit in why.seen[pk]
                left[pk].own += unit in why.own[pk] and unit not in why.theirs[pk]
            can = frozenset(pk for pk, user in users.items() if not why.bars(user, unit))
            stratum = "\0".join([*(row[name] or "" for name in fields), labels.get(unit, "")])
            candidates.append(Candidate(unit, stratum, can, places, untouched))
    load = loads(stage.project, wanted.users)
    plan = deal(candidates, list(users), wanted.order, load)
    people = [
        PersonsPart(user, len(plan.given[pk]), len(plan.shared.intersection(plan.given[pk])), load.get(pk, 0), left[pk])
        for pk, user in users.items()
    ]
    return Preview(plan, people, total, busy, sum(not one.people for one in candidates))


def _rows(stage: Stage, fields: Sequence[str]) -> Iterable[dict[str, Any]]:
    """All items of a stage, in its order, with what decides whether they can be assigned."""
    hidden = Import.objects.filter(project=stage.project_id, published_at__isnull=True)
    rows = (
        Item.objects.filter(Q(imported__isnull=True) | ~Q(imported__in=hidden), stage=stage, unit__is_current=True)
        .exclude(state=ItemState.VOID)
        .order_by(*ORDERS[Stage.Order(stage.order)])
    )
    counts = ("answers_wanted", "answers_open", "answers_done", "extra_open", "extra_done")
    return list(rows.values("unit_id", "state", *counts, *fields))


def _labels(stage: Stage, units: Mapping[int, Unit]) -> dict[int, str]:
    """By unit id, the values of what the stage suggests, as agreement counts them; of gold in the project's first
    layer that has some where nothing is suggested. Two queries."""
    suggested = shown_in(stage.project, stage.layer, kind_of(stage), units)
    found = {pk: _values(stage.layer, rows[0].content, units[pk]) for pk, rows in suggested.items()}
    decided = Gold.objects.filter(unit__in=units.keys() - found.keys()).select_related("layer")
    for gold in decided.order_by("layer__position", "pk"):
        found.setdefault(gold.unit_id, _values(gold.layer, gold.content, units[gold.unit_id]))
    return found


def _values(layer: Layer, content: Content, unit: Unit) -> str:
    kind = content_type(layer.content_type)
    values = kind.observations(content, tokens=unit.tokens, dimension=kind.dimensions[0])
    return "\0".join(sorted({value for value in values if value != kind.unmarked}))


def _is_untouched(stage: Stage, row: Mapping[str, Any], *, blind: bool) -> bool:
    """Whether nobody has an answer of the sort that is asked for, nor gave one."""
    beside = blind and is_beside(stage, Mode.BLIND)
    names = ("extra_open", "extra_done") if beside else ("answers_open", "answers_done")
    return not any(row[name] for name in names)


def _places(stage: Stage, row: Mapping[str, Any], *, untouched: bool, blind: bool) -> int:
    """How many people an item still wants. One that is asked for blind by name wants one, once."""
    if row["state"] == ItemState.DECIDED:
        return 0
    if blind and stage.mode != Mode.BLIND:
        return int(untouched)
    if row["state"] != ItemState.FREE:
        return 0
    places: int = row["answers_wanted"] - row["answers_open"] - row["answers_done"]
    return places


def unstarted(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Those of the assignments that are open, and on which the person has saved nothing."""
    own = Annotation.objects.filter(unit=OuterRef("unit"), layer=OuterRef("stage__layer"), user=OuterRef("user"))
    return rows.filter(~Exists(own), state=AssignmentState.OPEN)


@dataclass(frozen=True, slots=True)
class Unstarted:
    """How many items somebody has in a mode that they have not started."""

    user: User
    mode: str
    items: int


def unstarted_by_person(stage: Stage) -> list[Unstarted]:
    """Who has not-started work of a stage, by name; without what pages hold in advance. Two queries."""
    rows = unstarted(Assignment.objects.filter(stage=stage)).exclude(held_in_advance()).order_by()
    numbers = list(rows.values_list("user_id", "mode").annotate(Count("pk")))
    users = User.objects.in_bulk({user for user, _mode, _number in numbers})
    found = [Unstarted(users[user], mode, number) for user, mode, number in numbers]
    return sorted(found, key=lambda one: (str(one.user), one.mode != Mode.REVIEW))


@dataclass(frozen=True, slots=True)
class Dealt:
    """An assignment that was made: when, by whom, how much each person got, and how much of it nobody has started."""

    operation: uuid.UUID
    at: datetime
    by: User | None
    people: Sequence[tuple[User, int]]
    unstarted: int
    undone: bool


def dealt(stage: Stage, operation: uuid.UUID) -> Dealt | None:
    """An assignment of a stage; None where there was none of this name. A fixed number of queries."""
    event = dealing_event(stage, operation)
    if event is None:
        return None
    rows = assigned_by(stage, operation)
    numbers = dict(rows.order_by().values_list("user_id").annotate(Count("pk")))
    users = User.objects.in_bulk(numbers)
    undone = Event.objects.filter(operation=operation, verb=Verb.ASSIGNMENT_DEALT_UNDONE)
    return Dealt(
        operation,
        event.at,
        event.actor,
        sorted(((users[pk], number) for pk, number in numbers.items()), key=lambda one: str(one[0])),
        unstarted(rows).exclude(held_in_advance()).count(),
        undone.exists(),
    )


def dealing_event(stage: Stage, operation: uuid.UUID) -> Event | None:
    """The event of an assignment."""
    rows = Event.objects.filter(operation=operation, project=stage.project_id, verb=Verb.ASSIGNMENT_DEALT)
    return rows.filter(subject_id=stage.pk).select_related("actor").first()


def assigned_by(stage: Stage, operation: uuid.UUID) -> QuerySet[Assignment]:
    """What an assignment gave to people."""
    given = Event.objects.filter(operation=operation, verb__in=[Verb.ASSIGNMENT_GIVEN, Verb.ASSIGNMENT_BLIND])
    return Assignment.objects.filter(stage=stage, pk__in=given.values("subject_id"))


def last_dealt(stage: Stage) -> Dealt | None:
    """The newest assignment of a stage."""
    rows = Event.objects.filter(
        subject_type=Stage._meta.model_name or "", subject_id=stage.pk, verb=Verb.ASSIGNMENT_DEALT
    )
    operation = rows.order_by("-pk").values_list("operation", flat=True).first()
    return dealt(stage, operation) if operation is not None else None
