"""Fixing the text of a sentence: a new revision under the same id, and what hung on the old one moves on to it.

Labels on unchanged tokens are carried over, the others are decided again. The old revision stays on record with all
that was said of it. What needs models (lemmas, predictions, projections) is made again by a job of one sentence.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError, ConflictError, NotYoursError
from annotator.core.events import log
from annotator.core.kind import kind_of, on_change
from annotator.core.unit_kinds import Closed, wordings
from annotator.domain.states import ItemState
from annotator.domain.text.revision import SEPARATORS, retokenised
from annotator.domain.text.tokens import MAX_TOKENS, white_space
from annotator.domain.verbs import Verb
from annotator.jobs.actions import start_job
from annotator.machines.queries.training import detector_in_use
from annotator.models import (
    Gold,
    Item,
    Job,
    JobKind,
    Layer,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.revisions.carrying import carry_work, make_again
from annotator.revisions.earlier_gold import offer_gold
from annotator.revisions.new_revision import NOWHERE, new_revision
from annotator.work.answering.actions.policies import check_can_revise
from annotator.work.derivation.actions.making import ended
from annotator.work.derivation.actions.sources import carry_sources, follow_sources
from annotator.work.derivation.actions.withdrawing import withdraw
from annotator.work.gold.actions.adjudication import reopen_adjudication
from annotator.work.gold.actions.gold import gold_content
from annotator.work.queue.actions.order import refresh_order

# Why gold is open again, as the event says it.
TEXT_REVISED = "text revised"


@dataclass(frozen=True, slots=True)
class Revised:
    """The sentence as it stands now, and the job that makes suggestions for it (None: nothing was changed)."""

    unit: Unit
    job: Job | None = None


@again_on_deadlock
@transaction.atomic
def revise_text(*, project: Project, unit: int, text: str, by: User | None, anybodys: bool = False) -> Revised:
    """Give a sentence a new wording, over the revision (a unit's id) that the person saw.

    People's answers, open and done, continue to the new revision; gold on it is reopened, and where it came with files
    what stays of it is suggested. Units that were made from the sentence follow the same way, or are closed with a
    reason (`UnitKind.wording`).
    Writing the text that stands changes nothing, so a request may be repeated. An earlier text may come back: what
    nobody has touched since is then as it was. `anybodys`: not only where the person has an answer of their own.

    Raises ConflictError when somebody else fixed the text meanwhile, ActionError for an empty text and while the
    person is blind there, NotYoursError when the sentence is not theirs to fix.
    """
    # Before units and items: the job that follows needs it, too.
    lock_project(project)
    seen = Unit.objects.published().filter(project=project, kind=Segment.SENTENCE, pk=unit).first()
    if seen is None:
        raise NotYoursError(_("There is no such sentence in this project."))
    old = _current(seen)
    # Where an earlier wording was seen, the one that was set aside is another revision.
    if old is None:
        raise ActionError(_("This sentence is set aside. Restore it first, then edit its text."))
    check_can_revise(old, by, anybodys=anybodys)
    wording = text.strip(SEPARATORS)
    if wording == old.text:
        return Revised(old)
    if old.pk != seen.pk:
        raise ConflictError(
            _("Someone else edited this text after you opened it. Nothing was overwritten."),
            theirs={"unit": old.pk, "revision": old.revision, "text": old.text},
            mine={"unit": seen.pk, "revision": seen.revision, "text": wording},
        )
    tokens = retokenised(old.tokens, old.spaces, wording)
    if not tokens:
        raise ActionError(_("A sentence needs a text, so nothing was changed."))
    operation = uuid.uuid4()
    if len(tokens) > MAX_TOKENS:
        raise ActionError(
            _("A sentence can have at most %(most)d tokens. Shorten the text, and save it again.")
            % {"most": MAX_TOKENS}
        )
    new, lost = _replace(project, old, tokens, white_space(wording, tokens), by, operation)
    log(
        project=project,
        actor=by,
        verb=Verb.TEXT_REVISED,
        subject=new,
        before={"unit": old.pk, "revision": old.revision, "tokens": old.tokens, "spaces": old.spaces},
        after={"unit": new.pk, "revision": new.revision, "tokens": new.tokens, "spaces": new.spaces, "lost": lost},
        operation=operation,
    )
    job = start_job(project=project, kind=JobKind.REVISE, params=_to_make_anew(project, old, new), by=by)
    return Revised(new, job)


def _replace(
    project: Project,
    old: Unit,
    tokens: Sequence[str],
    spaces: Sequence[str],
    by: User | None,
    operation: uuid.UUID,
    *,
    uid: str = "",
    moved: Mapping[int, int] = NOWHERE,
) -> tuple[Unit, dict[str, list[str]]]:
    """The new revision, with everything that hung on the old one, and what of people's answers was lost.

    `uid`: the one that it has from now on; `moved`: by segment, the one in whose place it is, of what it was made from.
    """
    items = list(
        Item.objects.filter(unit=old).select_related("stage__layer").select_for_update(no_key=True, of=("self",))
    )
    new = new_revision(project, old, tokens, spaces, by, uid=uid, moved=moved)
    reopened = _reopen_gold(project, old, {"reason": TEXT_REVISED, "unit": new.pk}, by, operation)
    Item.objects.filter(unit=old, stage__kind=Stage.ADJUDICATE).update(state=ItemState.VOID)
    lost = carry_work(project=project, old=old, new=new, items=items, by=by, operation=operation)
    offer_gold(project=project, old=old, new=new, reopened=reopened)
    carry_sources(old, new)
    for layer in Layer.objects.filter(suggestions__source__segment=old.segment_id).distinct():
        follow_sources(layer, [new])
    # What was made from the old revision hangs on the new one: pairs, and units made from answers.
    Unit.parents.through.objects.filter(to_unit=old, from_unit__is_current=True).update(to_unit=new)
    refresh_order(project, [new])
    _reword_made(project, old, new, by, operation)
    make_again(new, by=by)
    return new, lost


def _reword_made(project: Project, before: Unit, after: Unit, by: User | None, operation: uuid.UUID) -> None:
    """Units that were made from the text read as it does now, or are closed: the kind says which."""
    rows = Unit.objects.filter(parents=after, is_current=True, kind__in=wordings()).select_related("segment")
    units = list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    reworded = [(unit, wordings()[unit.kind](unit, before, after)) for unit in units]
    moved = {before.segment_id: after.segment_id} if before.segment_id != after.segment_id else NOWHERE
    changed = [
        (unit, wording)
        for unit, wording in reworded
        if isinstance(wording, Closed)
        or (
            wording is not None
            and (moved or (unit.tokens, unit.spaces) != (list(wording.tokens), list(wording.spaces)))
        )
    ]
    # All at once: one may get the uid that another one has had.
    Unit.objects.filter(pk__in=[unit.pk for unit, _said in changed]).update(is_current=False)
    for unit, wording in changed:
        if isinstance(wording, Closed):
            _close(project, unit, wording.reason, by, operation)
            continue
        uid = ended(unit.segment.uid, wording.key) if wording.key else ""
        new, lost = _replace(project, unit, wording.tokens, wording.spaces, by, operation, uid=uid, moved=moved)
        log(
            project=project,
            actor=by,
            verb=Verb.UNIT_REWORDED,
            subject=new,
            before={"unit": unit.pk, "uid": unit.segment.uid, "revision": unit.revision},
            after={"unit": new.pk, "uid": new.segment.uid, "revision": new.revision, "lost": lost},
            operation=operation,
        )
        for item in Item.objects.filter(unit=new).exclude(stage__kind=Stage.ADJUDICATE).select_related("stage__layer"):
            if kind_of(item.stage).outcome is not None:
                on_change(item.stage, new, by)


def _close(project: Project, unit: Unit, reason: str, by: User | None, operation: uuid.UUID) -> None:
    """Take a unit out of all stages, and what was made from its text: what it was made from is gone. What was said of
    it stays on record."""
    _reopen_gold(project, unit, {"reason": reason}, by, operation)
    withdraw([unit], by)
    log(
        project=project,
        actor=by,
        verb=Verb.UNIT_CLOSED,
        subject=unit,
        before={"unit": unit.pk, "uid": unit.segment.uid, "revision": unit.revision},
        after={"reason": reason},
        operation=operation,
    )
    made = Unit.objects.filter(parents=unit, is_current=True, kind__in=wordings()).select_related("segment")
    for one in made.select_for_update(no_key=True, of=("self",)).order_by("pk"):
        _close(project, one, reason, by, operation)


def _current(seen: Unit) -> Unit | None:
    """The revision that stands, held until the transaction ends, with its segment; None where the text is set aside."""
    return (
        Unit.objects.select_for_update(no_key=True, of=("self",))
        .select_related("segment")
        .filter(segment=seen.segment_id, language=seen.language, is_current=True)
        .first()
    )


def _reopen_gold(project: Project, old: Unit, why: dict[str, Any], by: User | None, operation: uuid.UUID) -> list[Gold]:
    """Gold was decided on another text: it is open again, in every layer, and the event keeps what was decided."""
    golds = Gold.objects.filter(unit=old).select_related("layer", "unit").select_for_update(no_key=True, of=("self",))
    rows = list(golds)
    for gold in rows:
        before = gold_content(gold)
        gold.reopened = True
        gold.save(update_fields=["reopened", "updated_at"])
        log(
            project=project,
            actor=by,
            verb=Verb.GOLD_REOPENED,
            subject=old,
            before=before,
            after=why,
            operation=operation,
        )
        reopen_adjudication(
            project=project, unit=old, layer=gold.layer, by=by.pk if by else None, decided_by=gold.decided_by_id
        )
    return rows


def _to_make_anew(project: Project, old: Unit, new: Unit) -> dict[str, Any]:
    """What the job is to make: what machines had said of the old revision, or were still to say."""
    waiting = project.jobs.filter(kind=JobKind.REVISE, params__unit=old.pk).order_by("-pk").first()
    promised: dict[str, Any] = waiting.params if waiting is not None else {}
    suggestions = Suggestion.objects.filter(layer=project.label_layer, is_current=True)
    projected = suggestions.filter(kind=SuggestionKind.PROJECTION).select_related("job", "unit")
    routes = list(promised.get("projections", []))
    for row in (*projected.filter(unit=old), *projected.filter(source=old, unit__is_current=True)):
        route = {
            "source": row.source_language,
            "target": row.unit.language,
            "aligner": _aligner(row),
            "labels": row.detail.get("labels", "annotations"),
        }
        if not any((other["source"], other["target"]) == (route["source"], route["target"]) for other in routes):
            routes.append(route)
    predicted = suggestions.filter(kind=SuggestionKind.PREDICTION, unit=old).exists() or promised.get("detector")
    return {
        "unit": new.pk,
        "detector": detector_in_use(project, new.language).spec if predicted else "",
        "projections": routes,
    }


def _aligner(row: Suggestion) -> str:
    """The aligner of a projection as jobs name it."""
    params: dict[str, Any] = row.job.params if row.job is not None else {}
    for route in params.get("projections", []):
        if (route["source"], route["target"]) == (row.source_language, row.unit.language):
            return str(route["aligner"])
    return str(params.get("aligner") or "lexical")
