"""Changing the scheme of a layer, and with it what people and machines have said in it.

Few contents are changed at once. Many are changed by a job, chunk by chunk; meanwhile the scheme has the old and the
new labels, so that nobody's save is refused. Annotations keep the version of the scheme under which they were made.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError, ConflictError, translate
from annotator.core.events import log, log_many
from annotator.domain.effective_content import Answer
from annotator.domain.labels.relabel import LabelRow, Relabelling, detail_relabelled, relabelling
from annotator.domain.labels.rescheme import AttributeRow, attribute_change, rules_change
from annotator.domain.labels.spans import SpanError
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.jobs.actions import ACTIVE, start_job
from annotator.models import Annotation, Assignment, Gold, Job, JobKind, Layer, Project, Repeat, Suggestion, Unit, User
from annotator.work.derivation.actions.sources import follow_sources, mark_sources, settle_sources
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.lexicon.actions.terms import recount_terms
from annotator.work.queue.actions.order import refresh_order

# So many units with contents are changed while one waits; more are changed by a job, in chunks of CHUNK.
MAX_INLINE = 500
CHUNK = 100
# While one of these runs, it may bring labels of the old scheme.
Plan = Callable[[Mapping[str, Any]], Relabelling]
"""What a change makes of a stored scheme; raises SpanError."""
_WRITERS = (JobKind.PREDICT, JobKind.PROJECT, JobKind.TRAIN, JobKind.IMPORT, JobKind.RELABEL)


def labels_plan(rows: Sequence[LabelRow]) -> Plan:
    """`rows` as the labels."""
    return lambda scheme: relabelling(scheme, rows)


def attributes_plan(rows: Sequence[AttributeRow]) -> Plan:
    """`rows` as the attributes."""
    return lambda scheme: attribute_change(scheme, rows)


def rules_plan(*, discontinuous: bool, overlaps: bool, several: bool) -> Plan:
    """How units may lie (`domain.schemes.Scheme`)."""
    return lambda scheme: rules_change(scheme, discontinuous=discontinuous, overlaps=overlaps, several=several)


@transaction.atomic
def change_scheme(*, layer: Layer, plan: Plan, version: int, by: User | None) -> Job | None:
    """Change the scheme of a layer of spans. Returns the job that changes the contents, where they are many.

    Annotations, gold and current suggestions follow. Gold is reopened where something is taken from it in whose place
    something else may be (`Relabelling.reopens`). `version` is that of the scheme that was looked at: ConflictError
    when it is no longer the newest. Raises ActionError, with nothing changed, for a scheme that cannot be, and while a
    job writes labels.
    """
    project = Project.objects.get(pk=layer.project_id)
    lock_project(project)
    layer = Layer.objects.select_for_update(no_key=True).get(pk=layer.pk)
    change = planned(layer, plan)
    if layer.scheme_version != version:
        raise ConflictError(
            _("Someone else changed the labels in the meantime, so nothing was overwritten. Check them again."),
            theirs={"version": layer.scheme_version, "scheme": layer.scheme_data},
            mine={"version": version, "scheme": change.after},
        )
    if change.after == change.before:
        return None
    touches = change.touches_contents
    if touches and (job := project.jobs.filter(kind__in=_WRITERS, state__in=ACTIVE).first()):
        raise ActionError(_("%(job)s is running and writes labels. Wait until it ends, or cancel it.") % {"job": job})
    units = units_with_contents(layer) if touches else []
    at_once = len(units) <= MAX_INLINE
    layer.scheme_data = change.after if at_once else change.between
    layer.scheme_version += 1
    layer.save(update_fields=["scheme_data", "scheme_version"])
    data = change.to_json()
    log(
        project=project,
        actor=by,
        verb=Verb.SCHEME_CHANGE,
        subject=layer,
        before={"version": version, "scheme": change.before},
        after={
            "version": layer.scheme_version,
            "scheme": change.after,
            "mapping": data["mapping"],
            "attributes": data["attributes"],
        },
    )
    if not at_once:
        params = {"layer": layer.pk, "change": data}
        return start_job(project=project, kind=JobKind.RELABEL, params=params, by=by)
    relabel_units(layer=layer, change=change, units=units, by=by)
    _relabel_detectors(project, change)
    recount_terms(layer, change)
    return None


def planned(layer: Layer, plan: Plan) -> Relabelling:
    """What `plan` would make of the layer's scheme. Raises ActionError for a scheme that cannot be."""
    if layer.content_type != Layer.SPANS:
        raise ActionError(_("The values of this layer cannot be changed because its stages depend on them."))
    try:
        return plan(layer.scheme_data)
    except SpanError as error:
        raise ActionError(translate(error)) from error


def units_with_contents(layer: Layer) -> list[int]:
    """Units on which somebody said something in the layer: a person, gold, or a current suggestion."""
    found: set[int] = set()
    for rows in (
        Annotation.objects.filter(layer=layer),
        Gold.all_rows.filter(layer=layer),
        Suggestion.objects.filter(layer=layer, is_current=True),
    ):
        found.update(rows.order_by().values_list("unit_id", flat=True))
    return sorted(found)


@transaction.atomic
def relabel_units(
    *, layer: Layer, change: Relabelling, units: Collection[int], by: User | None, reopening: bool = True
) -> dict[str, int]:
    """Bring all contents of these units in line with a change of the scheme. Doing it again changes nothing more.

    `reopening`: whether gold that loses something is decided again.
    Returns how many annotations and decisions were changed, and how many decisions were reopened.
    """
    operation = uuid.uuid4()
    project = Project.objects.get(pk=layer.project_id)
    changed = _annotations(project, layer, change, units, by, operation)
    golds, anew = _golds(project, layer, change, units, by, operation)
    if not reopening:
        anew = {}
    _suggestions(layer, change, units)
    _repeats(layer, change, units)
    follow_sources(layer, list(Unit.objects.filter(pk__in=changed | golds)))
    rows = {unit.pk: unit for unit in Unit.objects.filter(pk__in=changed | golds | set(anew)).select_related("segment")}
    if change.fits or "" in change.mapping.values():
        _mark(layer, list(rows.values()))
    for pk in sorted(changed - golds):
        refresh_adjudication(project=project, unit=rows[pk], layer=layer)
    for pk, version in anew.items():
        # By the rule, not by the person: who annotated a unit may not judge on it, and here nobody does.
        reopen_gold(project=project, unit=pk, layer=layer, version=version, by=None)
    refresh_order(project, rows.values())
    return {"annotations changed": len(changed), "gold changed": len(golds), "gold reopened": len(anew)}


@transaction.atomic
def finish_relabelling(*, layer: Layer, change: Relabelling, since: datetime, by: User | None) -> dict[str, int]:
    """What was saved under the old labels while the job ran is changed, too, and the scheme has the new ones alone."""
    layer = Layer.objects.select_for_update(no_key=True).get(pk=layer.pk)
    late = Annotation.objects.filter(layer=layer, updated_at__gte=since).values_list("unit_id", flat=True)
    decided = Gold.all_rows.filter(layer=layer, updated_at__gte=since).values_list("unit_id", flat=True)
    again = Repeat.objects.filter(Q(done_at=None) | Q(done_at__gte=since), stage__layer=layer)
    repeated = again.values_list("assignment__unit", flat=True)
    # What was decided meanwhile was decided with the new labels at hand.
    counts = relabel_units(layer=layer, change=change, units={*late, *decided, *repeated}, by=by, reopening=False)
    layer.scheme_data = change.after
    layer.save(update_fields=["scheme_data"])
    _relabel_detectors(layer.project, change)
    recount_terms(layer, change)
    return counts


def _annotations(
    project: Project,
    layer: Layer,
    change: Relabelling,
    units: Collection[int],
    by: User | None,
    operation: uuid.UUID,
) -> set[int]:
    """The units whose annotations were changed."""
    found: list[Annotation] = []
    changes = []
    rows = Annotation.objects.filter(layer=layer, unit__in=units).select_for_update(no_key=True).order_by("pk")
    for row in rows:
        content = change.changed(row.content)
        if row.suggested is not None:
            # Origins are told by comparing the two.
            row.suggested = change.changed(row.suggested)
        if content == row.content:
            if row.suggested is not None:
                found.append(row)
            continue
        before = {"version": row.version, "content": row.content}
        row.content, row.version = content, row.version + 1
        # What would come back has labels that are no more.
        row.undo_event = None
        found.append(row)
        changes.append((row, before, {"version": row.version, "content": content}))
    Annotation.objects.bulk_update(found, ["content", "suggested", "version", "undo_event"], batch_size=500)
    log_many(project=project, actor=by, verb=Verb.ANNOTATION_RELABELLED, changes=changes, operation=operation)
    return {row.unit_id for row, _before, _after in changes}


def _repeats(layer: Layer, change: Relabelling, units: Collection[int]) -> None:
    """Both answers to items that were given again, so that they are compared under the same labels."""
    rows = Repeat.objects.filter(stage__layer=layer, assignment__unit__in=units).select_for_update(of=("self",))
    found = []
    for row in rows.order_by("pk"):
        first, answer = change.changed(row.first), row.answer
        content = change.changed(answer["content"]) if answer else None
        if answer and content != answer["content"]:
            # As for annotations: what would come back has labels that are no more.
            row.answer = {**answer, "content": content, "version": answer["version"] + 1, "before": None}
        elif first == row.first:
            continue
        row.first = first
        found.append(row)
    Repeat.objects.bulk_update(found, ["first", "answer"], batch_size=500)


def _golds(
    project: Project,
    layer: Layer,
    change: Relabelling,
    units: Collection[int],
    by: User | None,
    operation: uuid.UUID,
) -> tuple[set[int], dict[int, int]]:
    """The units whose gold was changed, and those whose gold has to be decided again, with its version."""
    found: list[Gold] = []
    anew: dict[int, int] = {}
    changes = []
    for row in Gold.all_rows.filter(layer=layer, unit__in=units).select_for_update(no_key=True).order_by("pk"):
        content = change.changed(row.content)
        stands = not row.reopened
        reopens = stands and change.reopens(row.content)
        if content != row.content:
            before = {"version": row.version, "layer": layer.pk, "content": row.content}
            row.content, row.version = content, row.version + 1
            found.append(row)
            after = {"version": row.version, "layer": layer.pk, "content": content}
            changes.append((Unit(pk=row.unit_id), before, after))
        if reopens:
            anew[row.unit_id] = row.version
    Gold.all_rows.bulk_update(found, ["content", "version"], batch_size=500)
    log_many(project=project, actor=by, verb=Verb.GOLD_RELABELLED, changes=changes, operation=operation)
    return {row.unit_id for row in found}, anew


def _suggestions(layer: Layer, change: Relabelling, units: Collection[int]) -> None:
    """Current suggestions are superseded by the same under the new labels; what was said first stays on record."""
    for old in Suggestion.objects.filter(layer=layer, unit__in=units, is_current=True).order_by("pk"):
        content, detail = change.changed(old.content), _detail(old.detail, change)
        reviewed_from = old.reviewed_from and {**old.reviewed_from, "content": _changed(old.reviewed_from, change)}
        if (content, detail, reviewed_from) == (old.content, old.detail, old.reviewed_from):
            continue
        Suggestion.objects.filter(pk=old.pk).update(is_current=False)
        new = Suggestion.objects.create(
            project_id=old.project_id,
            unit_id=old.unit_id,
            layer_id=old.layer_id,
            kind=old.kind,
            source_language=old.source_language,
            source_id=old.source_id,
            content=content,
            name=old.name,
            revision=old.revision,
            threshold=old.threshold,
            probabilities=old.probabilities,
            detail={**detail, "relabelled_from": old.pk},
            alignment_id=old.alignment_id,
            score=old.score,
            source_changed=old.source_changed,
            reviewed_from=reviewed_from,
        )
        Assignment.objects.filter(suggestion=old, state=AssignmentState.OPEN).update(suggestion=new)
    mark_sources(layer, units)
    settle_sources(layer, units)


def _detail(detail: dict[str, Any], change: Relabelling) -> dict[str, Any]:
    """What a suggestion says of how it came about, under the new labels: what it was made from as a content."""
    found: dict[str, Any] = detail_relabelled(detail, change.mapping)
    if "source_spans" not in detail:
        return found
    return {**found, "source_spans": change.changed({"spans": detail["source_spans"]})["spans"]}


def _changed(reviewed_from: dict[str, Any], change: Relabelling) -> dict[str, Any] | None:
    content = reviewed_from["content"]
    return None if content is None else change.changed(content)


def _mark(layer: Layer, units: Sequence[Unit]) -> None:
    """Which words the labels that stand now cover."""
    gold = dict(Gold.objects.filter(layer=layer, unit__in=units).values_list("unit_id", "content"))
    answers: dict[int, list[Answer]] = {}
    done = Annotation.objects.filter(layer=layer, unit__in=units, state=AnnotationState.DONE).order_by("pk")
    for unit, mode, content, user in done.values_list("unit_id", "mode", "content", "user_id"):
        answers.setdefault(unit, []).append(Answer(mode, content, user))
    for row in units:
        mark_places(row, layer, answers.get(row.pk, ()), gold.get(row.pk))


def _relabel_detectors(project: Project, change: Relabelling) -> None:
    """Detectors predict what the label that they learnt is called now; those of one that is gone are not used."""
    for old, code in change.mapping.items():
        rows = project.trained_detectors.filter(label=old)
        if code:
            rows.update(label=code)
        else:
            rows.update(active=False)
