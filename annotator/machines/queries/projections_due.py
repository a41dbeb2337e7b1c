"""Which languages wait for labels to be projected onto them, and what waits for that."""

from __future__ import annotations

from annotator.core.intake import Holds
from annotator.core.kind import kind_of
from annotator.models import Project, Stage, Suggestion, SuggestionKind
from annotator.work.queue.queries.progress import Stages


def unprojected(project: Project, progress: Stages) -> tuple[str, str] | None:
    """A source and its target, which waits for labels while the source language is all corrected."""
    layer = project.label_layer
    labels = [(stage, numbers) for stage, numbers in progress if stage.layer_id == layer.pk]
    decided = {stage.language for stage, numbers in labels if stage.adjudicates and numbers.done}
    for target in project.target_languages:
        if target in decided or not any(_is_review(stage) and stage.language == target for stage, _numbers in progress):
            continue
        sources = project.sources_of(target)
        for source in sources:
            if _is_corrected(source, labels) and not _was_projected(project, source, target, progress, len(sources)):
                return source, target
    return None


def _is_corrected(language: str, labels: Stages) -> bool:
    own = [numbers for stage, numbers in labels if stage.language == language and not stage.adjudicates]
    return any(numbers.total for numbers in own) and all(numbers.done >= numbers.total for numbers in own)


def _was_projected(project: Project, source: str, target: str, progress: Stages, sources: int) -> bool:
    """Whether projections from the source ever reached the target."""
    if sources == 1:
        return _is_projected(project, target, progress, now=False)
    rows = Suggestion.objects.filter(project=project, layer=project.label_layer, kind=SuggestionKind.PROJECTION)
    return rows.filter(unit__language=target, source_language=source).exists()


def _is_projected(project: Project, language: str, progress: Stages, *, now: bool) -> bool:
    """Whether projections reach the language `now`, or ever did."""
    if any(numbers.total for stage, numbers in progress if stage.language == language and _is_review(stage)):
        return True
    rows = Suggestion.objects.filter(
        project=project, layer=project.label_layer, kind=SuggestionKind.PROJECTION, unit__language=language
    )
    return (rows.filter(is_current=True) if now else rows).exists()


def _is_review(stage: Stage) -> bool:
    return not stage.adjudicates and kind_of(stage).intake.holds(stage) == Holds.PROJECTED


def can_begin(stage: Stage, progress: Stages) -> bool:
    """Correcting a target language comes after projecting; before that nobody knows which sentences it is about."""
    reviewed = any(_is_review(other) and other.language == stage.language for other, _numbers in progress)
    if kind_of(stage).intake.holds(stage) != Holds.UNPROJECTED or not reviewed:
        return True
    return _is_projected(stage.project, stage.language, progress, now=True)
