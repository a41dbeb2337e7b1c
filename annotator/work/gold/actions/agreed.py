"""Gold by a rule: of what all done annotations agree on, or of what another rule decides; many units at a time."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import OverlapError
from annotator.core.events import log_many
from annotator.domain.batches import batches
from annotator.domain.merging.rules import Rule, RuleName
from annotator.domain.states import Mode
from annotator.domain.verbs import Verb
from annotator.models import Gold, GoldSource, Item, Layer, Project, Stage, Unit, User
from annotator.work.blind.queries.blind_subset import accepting_spoils
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.derivation.actions.filling import after_gold
from annotator.work.gold.actions.adjudication import close_adjudication
from annotator.work.gold.actions.chosen_from import kept
from annotator.work.gold.actions.gold import BATCH, decide_items, end_blind, gold_content, write_gold
from annotator.work.gold.queries.agreed import Accepted, AcceptSummary, Decider, sorted_out, undecided_units
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.order import refresh_order

ALL_AGREE = Rule()


def accept_agreed(
    *,
    project: Project,
    layer: Layer,
    language: str,
    by: User | None,
    without_overlap: bool = False,
    rule: Rule = ALL_AGREE,
) -> AcceptSummary:
    """Make gold of every current unit in the language that the rule decides: by itself, of those on which all done
    annotations agree.

    One reviewed annotation agrees with itself; a blind one is there to be compared, so alone it waits for the review,
    unless it is one of a blind sample and no other is wanted any more, or the rule takes it.
    Where what wins is flagged as doubtful, an adjudicator decides. Nothing is accepted while somebody still works on
    the unit, nor in a layer of written texts, which others judge, nor of what `by` wrote; gold that stands stays.
    Written in batches, each whole in itself, under one operation.

    Raises OverlapError, with nothing accepted, while a blind sample of what is finished can still be assigned
    (`queries.blind_subset.accepting_spoils`), unless it is to be `without_overlap`.
    """
    decider = Decider(project, layer, language, rule, by=by)
    if not decider.applies:
        return AcceptSummary()
    if not without_overlap:
        check_overlap(project, layer, language)
    counts: Counter[str] = Counter()
    operation = uuid.uuid4()
    for units in batches(undecided_units(project, layer, language), BATCH):
        counts += accept_units(project, decider, language, units, by=by, operation=operation)
    return AcceptSummary(**counts)


def check_overlap(project: Project, layer: Layer, language: str) -> None:
    """Raise OverlapError while a blind sample of what is finished can still be assigned."""
    if not project.is_archived and accepting_spoils(project, layer, language):
        raise OverlapError(
            _(
                "Nobody has labelled blind in %(language)s yet. Items accepted now can't be in a blind sample: "
                "assign the sample first, or accept without one."
            )
            % {"language": language}
        )


@again_on_deadlock
@transaction.atomic
def accept_units(
    project: Project, decider: Decider, language: str, units: Sequence[int], *, by: User | None, operation: uuid.UUID
) -> Counter[str]:
    """Make gold of those of these units (ids) that the rule decides. Returns what became of how many; those that have
    gold by now count nowhere."""
    layer = decider.layer
    # The lock keeps a save and this decision from crossing; gold is looked up again once it is held.
    items = _held(layer, units)
    standing = {gold.unit_id: gold for gold in Gold.all_rows.filter(unit__in=units, layer=layer)}
    # So is whether the text was replaced meanwhile.
    open_ = [unit for unit in units if unit not in standing or standing[unit].reopened]
    undecided = Unit.objects.filter(is_current=True).in_bulk(open_)
    agreed, counts = sorted_out(decider, undecided, items, by=by)
    golds = [
        Gold(
            project=project,
            unit_id=one.row.unit_id,
            layer=layer,
            content=one.row.content,
            chosen=_chosen(one, decider.rule),
            source=GoldSource.AGREED,
            decided_by=by,
            version=standing[one.row.unit_id].version + 1 if one.row.unit_id in standing else 1,
        )
        for one in agreed
    ]
    write_gold(golds, reopened={unit: gold for unit, gold in standing.items() if gold.reopened})
    accepted = {one.row.unit_id: undecided[one.row.unit_id] for one in agreed}
    decide_items([item for item in items if item.unit_id in accepted], by=by)
    end_blind(accepted, layer)
    close_adjudication(
        project=project, units=sorted(accepted), layer=layer, language=language, by=by.pk if by else None
    )
    for one in agreed:
        # Of several blind answers nothing stood before; of answers that differ, perhaps another one.
        if one.row.mode == Mode.BLIND or decider.rule.name != RuleName.ALL:
            mark_places(accepted[one.row.unit_id], layer, (), one.row.content)
    labels_changed(layer, list(accepted.values()), by=by)
    refresh_order(project, accepted.values())
    log_many(
        project=project,
        actor=by,
        verb=Verb.GOLD_ACCEPTED,
        operation=operation,
        changes=[(accepted[gold.unit_id], None, gold_content(gold)) for gold in golds],
    )
    after_gold(layer, accepted.values(), by=by)
    return counts


def _chosen(one: Accepted, rule: Rule) -> dict[str, Any] | None:
    """What gold came from: all answers that stood, and where they need not agree, the rule and whose was taken."""
    record = kept(None, one.answers)
    if record is None or rule.name == RuleName.ALL:
        return record
    estimate = {} if one.uncertainty is None else {"uncertainty": round(one.uncertainty, 6)}
    return {**record, "rule": {**rule.to_json(), "user": one.row.user_id, **estimate}}


def _held(layer: Layer, units: Sequence[int]) -> list[Item]:
    """The units' items in the layer's stages, held with their units until the transaction ends."""
    return list(
        Item.objects.filter(unit__in=units, stage__layer=layer)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .select_related("unit", "stage")
        .select_for_update(no_key=True, of=("unit", "self"))
        .order_by("unit", "pk")
    )
