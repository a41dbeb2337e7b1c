"""Training batches of a stage: what a person still has to do before work, and how their answers compare with gold."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.kind import kind_of
from annotator.core.permissions import GRANTS, works_in
from annotator.domain.agreement.against_gold import Score, against_gold
from annotator.domain.batches import batches
from annotator.domain.content import Content, content_type
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, BlindMark, Gold, Item, Membership, Stage, Training, Unit, User
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.answering.queries.unstored import unstored_answer
from annotator.work.answering.queries.workspace import WorkspaceItem, workspace_parts
from annotator.work.blind.queries.blind import blind_units
from annotator.work.blind.queries.blind_pool import trained_units

Json = dict[str, Any]
CHUNK = 200


def needs_training(stage: Stage, user: User) -> bool:
    """Whether the user was not let in to a stage that trains people. One query where it does."""
    if not stage.training:
        return False
    return not Training.objects.filter(stage=stage, user=user, let_in=True).exists()


def last_try(stage: Stage, user: User) -> Training | None:
    """The newest batch that the user was given."""
    return Training.objects.filter(stage=stage, user=user, number__gt=0).order_by("-number").first()


def draw_batch(stage: Stage, user: User, number: int) -> list[Json]:
    """The items of the user's try `number`: gold of the stage's layer, a seeded sample of it with and without labels,
    in the order in which it was drawn. What an earlier try had comes last. Fewer where there are not so many.

    Never what the user answers or answered, nor what touches a sentence on which they work blind.
    """
    asked = stage.training
    labelled = round(asked["count"] * asked["labelled"] / 100)
    wanted = {True: labelled, False: asked["count"] - labelled}
    kind = content_type(stage.layer.content_type)
    known = trained_units(user, stage.project_id)
    items = Item.objects.filter(stage=stage).exclude(state=ItemState.VOID)
    rows = Gold.objects.filter(layer=stage.layer, unit__in=items.values("unit"), unit__is_current=True)
    order = list(rows.order_by("unit").values_list("unit", flat=True))
    random.Random(f"{asked['seed']}:{number}").shuffle(order)  # noqa: S311 -- a sample that can be drawn again
    order.sort(key=known.__contains__)
    drawn: list[Json] = []
    for ids in batches(order, CHUNK):
        units = Unit.objects.in_bulk(ids)
        barred = _barred(user, units)
        golds = dict(rows.filter(unit__in=ids).values_list("unit", "content"))
        for pk in ids:
            if pk not in golds or pk in barred:
                continue
            has = kind.is_labelled(golds[pk])
            if wanted[has]:
                wanted[has] -= 1
                drawn.append({"unit": pk, "gold": golds[pk], "answer": None})
        if not any(wanted.values()):
            break
    return drawn


def _barred(user: User, units: Mapping[int, Unit]) -> set[int]:
    answered = Annotation.objects.filter(user=user, unit__in=units).values_list("unit", flat=True)
    given = Assignment.objects.filter(user=user, unit__in=units).exclude(state=AssignmentState.RETURNED)
    touched = {segment for unit in units.values() for segment in unit.touches}
    open_ = Assignment.objects.filter(user=user, mode=Mode.BLIND, state=AssignmentState.OPEN)
    blind = set(BlindMark.objects.filter(assignment__in=open_, segment__in=touched).values_list("segment", flat=True))
    return {
        *answered,
        *given.values_list("unit", flat=True),
        *(pk for pk, unit in units.items() if not blind.isdisjoint(unit.touches)),
    }


def training_items(training: Training, places: Sequence[int]) -> list[Json]:
    """Items of a batch as the API sends them, each under its place as id; gold is not among what is told."""
    stage, user = training.stage, training.user
    ids = [training.items[place - 1]["unit"] for place in places]
    units = Unit.objects.select_related("segment").in_bulk(ids)
    items = {row.unit_id: row for row in Item.objects.filter(stage=stage, unit__in=ids)}
    hidden = set(ids) if stage.mode == Mode.BLIND else blind_units(user, stage.project, units.values(), stage.layer)
    suggested = shown_in(stage.project, stage.layer, kind_of(stage), set(ids) - hidden)
    shown = []
    for place, pk in zip(places, ids, strict=True):
        item, unit, given = items[pk], units[pk], suggested.get(pk, [])
        item.state = ItemState.FREE
        answer = training.items[place - 1]["answer"]
        done = answer is not None and answer["done"]
        row = Assignment(
            pk=place, project=stage.project, stage=stage, item=item, unit=unit, user=user, mode=stage.mode,
            state=AssignmentState.DONE if done else AssignmentState.OPEN, reading=place,
            suggestion=given[0] if given else None, shown=[one.pk for one in given], context=stage.shown_context,
        )  # fmt: skip
        shown.append(WorkspaceItem(row, training_answer(training, place, unit), given, pk in hidden))
    return workspace_parts(shown, user)


def training_answer(training: Training, place: int, unit: Unit) -> Annotation | None:
    """The answer at a place as an annotation that is not stored; None where there is none."""
    return unstored_answer(training.stage, training.user, unit, training.items[place - 1]["answer"])


def answered(training: Training) -> int:
    """How many items of a batch are done."""
    return sum(one["answer"] is not None and one["answer"]["done"] for one in training.items)


def score_of(training: Training) -> Score:
    """How the answers of a finished batch agree with the gold that they were drawn with."""
    units = Unit.objects.in_bulk([one["unit"] for one in training.items])
    kind = content_type(training.stage.layer.content_type)
    rows = []
    for one in training.items:
        tokens, contents = units[one["unit"]].tokens, (one["gold"], one["answer"]["content"])
        gold, given = (kind.observations(content, tokens=tokens, dimension=kind.dimensions[0]) for content in contents)
        rows.append((gold, given))
    return against_gold(rows, unmarked=kind.unmarked)


@dataclass(frozen=True, slots=True)
class Compared:
    """An item of a finished batch: gold, the answer, and the tokens on which they differ; `same` where they do not."""

    unit: Unit
    gold: Content
    answer: Content
    tokens: Sequence[int]
    same: bool


def compared(training: Training) -> list[Compared]:
    """The answers of a finished batch beside the gold that they were drawn with, in order. Two statements."""
    kind = content_type(training.stage.layer.content_type)
    units = Unit.objects.select_related("segment").in_bulk([one["unit"] for one in training.items])
    found = []
    for one in training.items:
        unit, gold, answer = units[one["unit"]], one["gold"], one["answer"]["content"]
        differences = kind.differences([gold, answer], tokens=unit.tokens)
        tokens = sorted({token for difference in differences for token in difference.tokens})
        found.append(Compared(unit, gold, answer, tokens, not differences))
    return found


def trainees(stage: Stage) -> list[tuple[User, Training | None, bool]]:
    """The members who can work in a stage, each with their last try and whether they are let in, by name."""
    tries: dict[int, Training] = {}
    let_in: set[int] = set()
    for row in Training.objects.filter(stage=stage).defer("items").order_by("number"):
        if row.number:
            tries[row.user_id] = row
        if row.let_in:
            let_in.add(row.user_id)
    needs = kind_of(stage).needs
    members = Membership.objects.filter(project=stage.project_id, user__is_active=True).select_related("user")
    return [
        (row.user, tries.get(row.user_id), row.user_id in let_in)
        for row in members.order_by("user__username")
        if needs in GRANTS[row.role] and works_in(row.languages, stage.language)
    ]
