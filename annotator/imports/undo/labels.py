"""Taking back the annotations and suggestions that came with an import."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, QuerySet

from annotator.core.counters import OWN, add_to_counter
from annotator.core.kind import is_beside
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.imports.reading.known import decided
from annotator.models import Annotation, Assignment, Import, Item, Suggestion, SuggestionKind
from annotator.work.answering.actions.suggestions import refresh_items
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.actions.order import refresh_order

CHUNK_SIZE = 50


def came_in(imported: Import) -> QuerySet[Annotation]:
    """Annotations that came with the import, and nobody has changed since."""
    return Annotation.objects.filter(imported=imported, version=1)


def take_from_counters(imported: Import) -> None:
    """What members have done is less by what came with the import's own units."""
    rows = Assignment.objects.filter(unit__imported=imported, state=AssignmentState.DONE)
    done = rows.exclude(item__state=ItemState.VOID).order_by()
    for row in done.values("stage", "user", "mode").annotate(number=Count("pk")):
        changes = {f"{OWN[Mode(row['mode'])]}_done": -row["number"]}
        add_to_counter(row["stage"], row["user"], project=imported.project_id, **changes)


def withdraw_labels(imported: Import) -> None:
    """Annotations and suggestions on units that were there before go again, in batches."""
    others = (
        came_in(imported)
        .exclude(unit__imported=imported)
        .select_related("unit__segment", "layer", "stage", "user")
        .order_by("pk")
    )
    while rows := list(others[:CHUNK_SIZE]):
        _withdraw(imported, rows)
    suggestions = Suggestion.objects.filter(imported=imported).exclude(unit__imported=imported).order_by("pk")
    while some := list(suggestions.select_related("layer")[:CHUNK_SIZE]):
        _unsay(imported, some)


@transaction.atomic
def _withdraw(imported: Import, rows: Sequence[Annotation]) -> None:
    for row in rows:
        items = Item.objects.filter(unit=row.unit_id, stage=row.stage_id).exclude(state=ItemState.VOID)
        item = items.select_related("stage").select_for_update(no_key=True, of=("self",)).first()
        assignment = Assignment.objects.filter(item=item, user=row.user_id, state=AssignmentState.DONE).first()
        if item is not None and assignment is not None:
            extra = is_beside(item.stage, assignment.mode)
            assignment.delete()
            change_item(
                item,
                user=row.user_id,
                answers_done=-int(not extra),
                extra_done=-int(extra),
                own={f"{OWN[Mode(assignment.mode)]}_done": -1},
            )
        row.delete()
        left = Annotation.objects.filter(unit=row.unit_id, layer=row.layer, state=AnnotationState.DONE).order_by("pk")
        answers = [
            Answer(mode, content, user) for mode, content, user in left.values_list("mode", "content", "user_id")
        ]
        mark_places(row.unit, row.layer, answers, decided(row.layer, [row.unit_id]).get(row.unit_id))
        labels_changed(row.layer, [row.unit], by=None, given_in=row.stage, authors=[row.user_id])
        refresh_adjudication(project=imported.project, unit=row.unit, layer=row.layer)
    refresh_order(imported.project, [row.unit for row in rows])


@transaction.atomic
def _unsay(imported: Import, rows: Sequence[Suggestion]) -> None:
    """The predictions before them are the current ones again."""
    units = [row.unit_id for row in rows]
    Suggestion.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for layer in {row.layer for row in rows}:
        mine = [row.unit_id for row in rows if row.layer_id == layer.pk and row.is_current]
        before = Suggestion.objects.filter(layer=layer, kind=SuggestionKind.PREDICTION, unit__in=mine).order_by("pk")
        newest = dict(before.values_list("unit_id", "pk"))
        Suggestion.objects.filter(pk__in=newest.values()).update(is_current=True)
        refresh_items(imported.project, layer, units)
