"""Which sentences machines may still label: those without a person's labels."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.leaving_out import Skipped
from annotator.models import Annotation, Gold, Layer, Project, Sentence, Suggestion, SuggestionKind


@dataclass(frozen=True, slots=True)
class ToPredict:
    """`sentences` are ids in reading order; `skipped` counts the others of the language by reason."""

    sentences: list[int]
    skipped: dict[str, int]


def to_predict(project: Project, language: str, *, only_unprojected: bool) -> ToPredict:
    """The current sentences of a language that a detector labels."""
    layer = project.label_layer
    current = project.sentences.filter(language=language, is_current=True)
    skipped: dict[str, int] = {}
    wanted = without_person(current, layer)
    if with_labels := current.count() - wanted.count():
        skipped[Skipped.PERSON] = with_labels
    if only_unprojected:
        projected = Exists(
            Suggestion.objects.filter(unit=OuterRef("pk"), layer=layer, kind=SuggestionKind.PROJECTION, is_current=True)
        )
        if reached := wanted.filter(projected).count():
            skipped[Skipped.PROJECTED] = reached
        wanted = wanted.filter(~projected)
    return ToPredict(list(wanted.order_by("segment__position", "pk").values_list("pk", flat=True)), skipped)


def without_person(sentences: QuerySet[Sentence], layer: Layer | int) -> QuerySet[Sentence]:
    """Those on which nobody has begun an annotation in the layer and no gold is decided."""
    return sentences.filter(
        ~Exists(Annotation.objects.filter(unit=OuterRef("pk"), layer=layer)),
        ~Exists(Gold.objects.filter(unit=OuterRef("pk"), layer=layer)),
    )
