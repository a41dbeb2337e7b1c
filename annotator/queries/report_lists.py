"""Which tables a project has: those of the layers that it works on, and those that have something to count."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from annotator.kind import kind_of
from annotator.models import Annotation, AnnotationState, Gold, Layer, Mode, Project, Suggestion, SuggestionKind, Unit


def layers_worked_on(project: Project) -> frozenset[str]:
    """The content types of the layers that the project's stages work on. One query."""
    return frozenset(project.stages.order_by().values_list("layer__content_type", flat=True).distinct())


def reports_of(project: Project) -> list[str]:
    """The names of the core's tables (`REPORTS`) that count what the project's stages do, or what is there without any.

    At most seven queries, each by an index.
    """
    stages = list(project.stages.select_related("layer"))
    labels, tags = project.label_layer, project.tag_layer
    working = [stage for stage in stages if stage.layer_id == labels.pk and not stage.adjudicates]
    found = []
    if any(stage.layer_id == labels.pk for stage in stages) or _has_gold(project, labels):
        found.append("detection")
    if tags and (any(stage.layer_id == tags.pk for stage in stages) or _has_gold(project, tags)):
        found.append("interpretation")
    reviews = any(stage.mode == Mode.REVIEW for stage in working)
    if reviews or _done(project, [labels]).filter(mode=Mode.REVIEW).exists():
        found.append("correction")
    projects = any(SuggestionKind.PROJECTION in kind_of(stage).suggests for stage in working)
    if project.target_languages and (projects or _has_projection(project, labels)):
        found.append("projection")
    return found


def has_answers(content_type: str) -> Callable[[Project], bool]:
    """A test of projects: whether there is a finished answer, or gold, in a layer of this content type."""

    def there(project: Project) -> bool:
        layers = [layer for layer in project.layers.all() if layer.content_type == content_type]
        gold = Gold.objects.filter(project=project, layer__in=layers)
        return bool(layers) and (_done(project, layers).exists() or gold.exists())

    return there


def has_units(kind: str) -> Callable[[Project], bool]:
    """A test of projects: whether there are such units."""

    def there(project: Project) -> bool:
        return Unit.objects.published().filter(project=project, kind=kind, is_current=True).exists()

    return there


def _done(project: Project, layers: list[Layer]) -> QuerySet[Annotation]:
    return Annotation.objects.filter(project=project, layer__in=layers, state=AnnotationState.DONE)


def _has_gold(project: Project, layer: Layer) -> bool:
    return Gold.objects.filter(project=project, layer=layer).exists()


def _has_projection(project: Project, layer: Layer) -> bool:
    return Suggestion.objects.filter(project=project, layer=layer, kind=SuggestionKind.PROJECTION).exists()
