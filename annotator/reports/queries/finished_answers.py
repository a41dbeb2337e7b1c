"""The answers that count in agreement of any people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.core.kind import judges_texts, kinds
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.models import Annotation, Assignment, Layer, Project, Unit, User
from annotator.models.corpus_import import PUBLISHED


def judging_kinds(layer: Layer) -> Sequence[str]:
    """The kinds of work on the layer whose answers are judgements. One query."""
    kinds_there = layer.stages.order_by().values_list("kind", flat=True).distinct()
    judging = {kind.slug for kind in kinds() if judges_texts(kind)}
    return sorted(judging.intersection(kinds_there))


def finished_answers(
    project: Project, layer: Layer, language: str, people: Iterable[User], judging: Sequence[str]
) -> QuerySet[Annotation]:
    """The finished answers of these people that count in agreement: on current units, and where answers are judgements
    (`judging`: kinds of work) also on those that were replaced. Unordered."""
    rows = Annotation.objects.order_by().filter(
        PUBLISHED,
        project=project,
        layer=layer,
        user__in=people,
        state=AnnotationState.DONE,
        unit__language=language,
    )
    counts = Q(unit__is_current=True)
    if judging:
        held = Assignment.objects.filter(
            stage__layer=layer,
            stage__kind__in=judging,
            unit=OuterRef("unit"),
            user=OuterRef("user"),
            state=AssignmentState.DONE,
        )
        aside = Unit.objects.filter(segment=OuterRef("unit__segment"), set_aside_with__isnull=False)
        counts |= Q(Exists(held)) & Q(~Exists(aside))
    return rows.filter(counts)
