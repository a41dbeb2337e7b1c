"""Numbers for the dialogs of jobs, by language, from the counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotator.models import Project
from annotator.work.queue.queries.coverage import Coverage, reaches
from annotator.work.queue.queries.progress import Stages


@dataclass(frozen=True, slots=True)
class LanguageNumbers:
    """Numbers of sentences in a language: total, untouched, finished, with gold. `tagged`: pairs.

    `without_gold`: finished items of all layers that gold is decided in.
    """

    sentences: int = 0
    untouched: int = 0
    finished: int = 0
    gold: int = 0
    tagged: int = 0
    without_gold: int = 0


def run_numbers(project: Project, progress: Stages, gold: Mapping[int, int]) -> dict[str, LanguageNumbers]:
    """By language of the project. `progress` is `project_progress`, `gold` is `gold_of_unjudged`. No query."""
    found = reaches([stage for stage, _n in progress], {stage.pk: (n.total, n.done) for stage, n in progress}, gold)
    return {language: _of(project, language, progress, found) for language in project.languages}


def _of(
    project: Project, language: str, progress: Stages, found: Mapping[tuple[int, str], Coverage]
) -> LanguageNumbers:
    labels = found.get((project.label_layer.pk, language))
    tags = found.get((project.tag_layer.pk, language)) if project.tag_layer is not None else None
    held = sum(
        numbers.open
        for stage, numbers in progress
        if (stage.layer_id, stage.language) == (project.label_layer.pk, language) and not stage.adjudicates
    )
    return LanguageNumbers(
        sentences=labels.units if labels else 0,
        untouched=max(0, labels.units - labels.answered - held) if labels else 0,
        finished=labels.answered if labels else 0,
        gold=labels.decided if labels else 0,
        tagged=max(tags.answered, tags.decided) if tags else 0,
        without_gold=sum(
            max(0, reach.answered - reach.decided)
            for (_layer, of), reach in found.items()
            if of == language and (reach.judged or reach.released)
        ),
    )
