"""Pairs without a label, confirmed as *no metaphor* in bulk."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.counters import add_to_counter, difference, weight
from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError
from annotator.core.events import log_many
from annotator.core.policies import check_open
from annotator.domain.labels.tags import Tag
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode, item_state
from annotator.domain.verbs import Verb
from annotator.kinds.pair_tags.proposals import proposed
from annotator.models import Annotation, Assignment, Event, Item, Segment, Stage, User
from annotator.work.answering.actions.own_answers import answer_data
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.gold.actions.adjudication import refresh_adjudication

BATCH = 500
CONTENT = {"value": Tag.NO_METAPHOR.value}


@dataclass(frozen=True)
class Confirmed:
    """What `confirm_no_metaphor` wrote: the pairs tagged, and those that are no longer proposed."""

    confirmed: tuple[int, ...]
    left_out: tuple[int, ...]


@again_on_deadlock
@transaction.atomic
def confirm_no_metaphor(*, stage: Stage, pairs: Collection[int], by: User, now: datetime) -> Confirmed:
    """Tag those of `pairs` (ids) as *no metaphor* that are proposed right now, and mark them done by this person.

    One operation, and each tag can be undone like any other. Raises ActionError for a stage in which no pairs are
    tagged.
    """
    check_open(stage.project)
    wanted = list(dict.fromkeys(pairs))
    if stage.adjudicates or stage.layer.unit_kind != Segment.PAIR:
        raise ActionError(_("Pairs can only be confirmed in a stage where pairs are tagged."))
    # Held until the transaction ends, so that nobody claims or decides one between the look and the write.
    items = list(
        Item.objects.select_for_update(no_key=True, of=("self",))
        .select_related("unit__segment")
        .filter(stage=stage, unit__segment__pair__in=wanted, unit__is_current=True)
        .exclude(state=ItemState.VOID)
        .order_by("pk")
    )
    found = proposed(stage, items, by)
    chosen = [item for item in items if item.pk in found]
    if chosen:
        _write(stage, chosen, by=by, now=now)
    confirmed = {found[item.pk].pair.pk for item in chosen}
    return Confirmed(
        confirmed=tuple(pk for pk in wanted if pk in confirmed),
        left_out=tuple(pk for pk in wanted if pk not in confirmed),
    )


def _write(stage: Stage, items: Sequence[Item], *, by: User, now: datetime) -> None:
    """Assignments, tags, events, items and counters of all of them: a fixed number of statements a batch."""
    was_open = set(
        Assignment.objects.filter(item__in=items, user=by, state=AssignmentState.OPEN).values_list("item_id", flat=True)
    )
    assignments = _assign(stage, items, by=by, now=now)
    standing = {
        row.unit_id: row
        for row in Annotation.objects.filter(unit__in=[item.unit_id for item in items], layer=stage.layer, user=by)
    }
    mine = {item.unit_id: _mine(standing.get(item.unit_id)) for item in items}
    events = log_many(
        project=stage.project_id,
        actor=by,
        verb=Verb.ANNOTATION_SAVED,
        changes=[
            (
                standing.get(item.unit_id) or assignments[item.pk],
                _before(standing.get(item.unit_id)),
                {"version": _version(standing.get(item.unit_id)) + 1, **mine[item.unit_id]},
            )
            for item in items
        ],
    )
    for item, event in zip(items, events, strict=True):
        standing[item.unit_id] = _tag(
            stage, item, standing.get(item.unit_id), mine[item.unit_id], event, by=by, now=now
        )
    rows = list(standing.values())
    Annotation.objects.bulk_create([row for row in rows if row.pk is None], batch_size=BATCH)
    Annotation.objects.bulk_update(
        [row for row in rows if row.version > 1],
        ["content", "state", "version", "undo_event", "done_at", "updated_at"],
        batch_size=BATCH,
    )
    _count(stage, items, was_open, by=by)
    units = [item.unit for item in items]
    labels_changed(stage.layer, units, by=by, given_in=stage, authors=[by.pk])
    for item in items:
        if item.extra_open or item.extra_done:
            refresh_adjudication(project=stage.project, unit=item.unit, layer=stage.layer)


def _assign(stage: Stage, items: Sequence[Item], *, by: User, now: datetime) -> dict[int, Assignment]:
    """By item id, the person's assignments, done; those that were there, or new ones."""
    return {
        row.item_id: row
        for row in Assignment.objects.bulk_create(
            [
                Assignment(
                    project_id=stage.project_id,
                    stage=stage,
                    item=item,
                    unit=item.unit,
                    user=by,
                    mode=Mode.REVIEW,
                    reading=item.reading,
                    state=AssignmentState.DONE,
                    done_at=now,
                )
                for item in items
            ],
            update_conflicts=True,
            unique_fields=["item", "user"],
            update_fields=["state", "mode", "done_at", "expires_at"],
            batch_size=BATCH,
        )
    }


def _mine(standing: Annotation | None) -> dict[str, Any]:
    return {
        "content": CONTENT,
        "doubt": standing.doubt if standing is not None else False,
        "comment": standing.comment if standing is not None else "",
        "state": AnnotationState.DONE.value,
    }


def _before(standing: Annotation | None) -> dict[str, Any] | None:
    content = answer_data(standing)
    return None if standing is None or content is None else {**content, "undo_event": standing.undo_event}


def _version(standing: Annotation | None) -> int:
    return standing.version if standing is not None else 0


def _tag(
    stage: Stage,
    item: Item,
    standing: Annotation | None,
    mine: dict[str, Any],
    event: Event,
    *,
    by: User,
    now: datetime,
) -> Annotation:
    row = standing or Annotation(
        project_id=stage.project_id,
        unit=item.unit,
        layer=stage.layer,
        stage=stage,
        user=by,
        mode=Mode.REVIEW,
        version=0,
        scheme_version=stage.layer.scheme_version,
        guidelines_version=stage.project.guidelines_version,
    )
    for name, value in mine.items():
        setattr(row, name, value)
    row.version += 1
    row.undo_event, row.done_at, row.updated_at = event.pk, now, now
    return row


def _count(stage: Stage, items: Sequence[Item], was_open: set[int], *, by: User) -> None:
    sums = {"total": 0, "done": 0, "open": 0}
    for item in items:
        before = weight(item)
        item.answers_open -= int(item.pk in was_open)
        item.answers_done += 1
        item.state = item_state(
            wanted=item.answers_wanted, open_=item.answers_open, done=item.answers_done, decided=False
        )
        for name, change in difference(before, weight(item)).items():
            sums[name] += change
    Item.objects.bulk_update(items, ["answers_open", "answers_done", "state"], batch_size=BATCH)
    add_to_counter(stage, by, project=stage.project_id, own_done=len(items), own_open=-len(was_open), **sums)
