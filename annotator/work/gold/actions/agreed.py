"""Gold of what all done annotations agree on, many units at a time."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import OverlapError
from annotator.core.events import log_many
from annotator.core.kind import is_beside
from annotator.domain.content import Written, content_type
from annotator.domain.deciding import without_doubt
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Gold, GoldSource, Item, Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.own import anybodys, own_units
from annotator.work.blind.queries.blind_subset import accepting_spoils
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.derivation.actions.filling import after_gold
from annotator.work.gold.actions.adjudication import close_adjudication
from annotator.work.gold.actions.chosen_from import kept
from annotator.work.gold.actions.gold import BATCH, decide_items, end_blind, gold_content, write_gold
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.order import refresh_order


@dataclass(frozen=True)
class AcceptSummary:
    """What became of the units that somebody has done and that had no gold."""

    accepted: int = 0
    differing: int = 0  # left to adjudication
    doubtful: int = 0  # all with a doubt flag: left to adjudication
    own: int = 0  # made from what the person who accepts wrote: left to somebody else
    # Somebody still works on it, answers are missing, or one person did it, blind: its review is to come.
    waiting: int = 0


def accept_agreed(
    *, project: Project, layer: Layer, language: str, by: User | None, without_overlap: bool = False
) -> AcceptSummary:
    """Make gold of every current unit in the language on which all done annotations agree.

    One reviewed annotation agrees with itself; a blind one is there to be compared, so alone it waits for the review,
    unless it is one of a blind sample and no other is wanted any more.
    Where all are flagged as doubtful, an adjudicator decides (`domain.deciding`). Nothing is accepted while somebody
    still works on the unit, nor in a layer of written texts, which others judge, nor of what `by` wrote. Written in
    batches, each whole in itself, under one operation.

    Raises OverlapError, with nothing accepted, while a blind sample of what is finished can still be assigned
    (`queries.blind_subset.accepting_spoils`), unless it is to be `without_overlap`.
    """
    if isinstance(content_type(layer.content_type), Written):
        return AcceptSummary()
    if not without_overlap and not project.is_archived and accepting_spoils(project, layer, language):
        raise OverlapError(
            _(
                "Nobody has labelled blind in %(language)s yet. Items accepted now can't be in a blind sample: "
                "assign the sample first, or accept without one."
            )
            % {"language": language}
        )
    done = Annotation.objects.filter(
        project=project,
        layer=layer,
        state=AnnotationState.DONE,
        unit__language=language,
        unit__is_current=True,
    )
    decided = Gold.objects.filter(layer=layer).values("unit")
    units = sorted(set(done.exclude(unit__in=decided).values_list("unit_id", flat=True)))
    counts = dict.fromkeys(AcceptSummary.__dataclass_fields__, 0)
    operation = uuid.uuid4()
    for start in range(0, len(units), BATCH):
        for name, number in _accept(project, layer, language, units[start : start + BATCH], by, operation).items():
            counts[name] += number
    return AcceptSummary(**counts)


@again_on_deadlock
@transaction.atomic
def _accept(
    project: Project, layer: Layer, language: str, units: Sequence[int], by: User | None, operation: uuid.UUID
) -> dict[str, int]:
    # The lock keeps a save and this decision from crossing; gold is looked up again once it is held.
    items = _held(layer, units)
    # So is whether the text was replaced meanwhile.
    current = set(Unit.objects.filter(pk__in=units, is_current=True).values_list("pk", flat=True))
    standing = {gold.unit_id: gold for gold in Gold.all_rows.filter(unit__in=units, layer=layer)}
    done = _done(layer, current)
    at_work = set(
        Assignment.objects.filter(unit__in=units, stage__layer=layer, state=AssignmentState.OPEN).values_list(
            "unit_id", flat=True
        )
    )
    unfinished = {item.unit_id for item in items if item.answers_wanted > 1 and item.answers_done < item.answers_wanted}
    # Of a blind sample that the others were taken out of: nothing else is to come.
    over = {item.unit_id for item in items if item.state == ItemState.DONE and _is_blind_for_some(item.stage)}
    own = own_units(by, Unit.objects.filter(pk__in=units).exclude(kind__in=anybodys())) if by else set()
    undecided = {unit: rows for unit, rows in done.items() if unit not in standing or standing[unit].reopened}
    agreed, counts = _agreeing(layer, undecided, waiting=at_work | unfinished, over=over, own=own)
    golds = [
        Gold(
            project=project,
            unit_id=row.unit_id,
            layer=layer,
            content=row.content,
            chosen=kept(None, done[row.unit_id]),
            source=GoldSource.AGREED,
            decided_by=by,
            version=standing[row.unit_id].version + 1 if row.unit_id in standing else 1,
        )
        for row in agreed
    ]
    write_gold(golds, reopened={unit: gold for unit, gold in standing.items() if gold.reopened})
    accepted = {row.unit_id for row in agreed}
    decide_items([item for item in items if item.unit_id in accepted], by=by)
    end_blind(accepted, layer)
    close_adjudication(
        project=project, units=sorted(accepted), layer=layer, language=language, by=by.pk if by else None
    )
    units_by_id = Unit.objects.in_bulk(list(accepted))
    for row in agreed:
        # Of several blind answers nothing stood before.
        if row.mode == Mode.BLIND:
            mark_places(units_by_id[row.unit_id], layer, (), row.content)
    labels_changed(layer, list(units_by_id.values()), by=by)
    refresh_order(project, units_by_id.values())
    log_many(
        project=project,
        actor=by,
        verb=Verb.GOLD_ACCEPTED,
        operation=operation,
        changes=[(units_by_id[gold.unit_id], None, gold_content(gold)) for gold in golds],
    )
    after_gold(layer, units_by_id.values(), by=by)
    return counts


def _held(layer: Layer, units: Sequence[int]) -> list[Item]:
    """The units' items in the layer's stages, held with their units until the transaction ends."""
    return list(
        Item.objects.filter(unit__in=units, stage__layer=layer)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .select_related("unit", "stage")
        .select_for_update(no_key=True, of=("unit", "self"))
        .order_by("unit", "pk")
    )


def _done(layer: Layer, units: set[int]) -> dict[int, list[Annotation]]:
    """By unit, the finished annotations."""
    done: dict[int, list[Annotation]] = {}
    rows = Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE)
    # "review" before "blind": of equal contents, the reviewer's is kept.
    for annotation in rows.order_by("-mode", "pk"):
        done.setdefault(annotation.unit_id, []).append(annotation)
    return done


def _agreeing(
    layer: Layer, done: dict[int, list[Annotation]], *, waiting: set[int], over: set[int], own: set[int]
) -> tuple[list[Annotation], dict[str, int]]:
    """An annotation of each unit on which all of `done` agree, and what becomes of how many units.

    `waiting`: units that somebody still works on, or that lack answers; `over`: of blind samples that nobody else
    answers any more; `own`: made from what the person wrote who accepts.
    """
    kind = content_type(layer.content_type)
    counts = dict.fromkeys(AcceptSummary.__dataclass_fields__, 0)
    agreed: list[Annotation] = []
    for unit, rows in done.items():
        first = rows[0]
        is_alone = len(rows) == 1 and first.mode == Mode.BLIND and unit not in over
        if unit in waiting or is_alone:
            counts["waiting"] += 1
        elif len({kind.key(row.content) for row in rows}) > 1:
            counts["differing"] += 1
        elif not without_doubt((row, row.doubt) for row in rows):
            counts["doubtful"] += 1
        elif unit in own:
            counts["own"] += 1
        else:
            counts["accepted"] += 1
            agreed.append(first)
    return agreed, counts


def _is_blind_for_some(stage: Stage) -> bool:
    """Whether blind answers are among those that the stage wants, though it is not blind."""
    return stage.mode == Mode.REVIEW and not is_beside(stage, Mode.BLIND)
