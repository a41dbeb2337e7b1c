"""The sentences, and the answers on them, that the tables of labels are counted from."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotator.models import Annotation, AnnotationState, Counter, Layer, Mode, Project, Sentence, Stage
from annotator.models.corpus_import import PUBLISHED


def current_sentences(project: Project, language: str) -> QuerySet[Sentence]:
    """The current sentences of a language, in reading order."""
    return project.sentences.filter(language=language, is_current=True).order_by("segment__position", "pk")


def reviewed(project: Project, language: str) -> QuerySet[Annotation]:
    """Done annotations of the labels in review mode, on current sentences, the first of each sentence first."""
    return Annotation.objects.filter(
        PUBLISHED,
        project=project,
        layer=project.label_layer,
        mode=Mode.REVIEW,
        state=AnnotationState.DONE,
        unit__language=language,
        unit__is_current=True,
    ).order_by("unit__segment__position", "unit", "pk")


def has_reviewed(project: Project) -> bool:
    """Whether anybody has finished labels in review mode. Two statements: the counters know of all work in stages."""
    layer = project.label_layer
    counters = Counter.objects.filter(project=project, stage__layer=layer, own_done__gt=0)
    if counters.exclude(stage__kind=Stage.ADJUDICATE).exists():
        return True
    done = Annotation.objects.filter(project=project, layer=layer, state=AnnotationState.DONE, mode=Mode.REVIEW)
    return done.filter(stage__isnull=True).exists()


def has_gold(project: Project, layer: Layer) -> bool:
    """Whether anything is decided in a layer. One statement."""
    return project.golds.filter(layer=layer).exists()


def works_on(layer: Layer, stages: Sequence[Stage]) -> list[Stage]:
    """Those of the stages in which people answer in a layer; anyone who adjudicates there decides."""
    return [stage for stage in stages if stage.layer_id == layer.pk and not stage.adjudicates]
