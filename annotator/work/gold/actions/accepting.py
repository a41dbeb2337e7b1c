"""Accepting answers by a rule: at once where there are few, by a job where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotator.domain.merging.rules import Rule
from annotator.domain.states import AnnotationState
from annotator.jobs.actions import start_job
from annotator.models import Annotation, Job, JobKind, Layer, Project, User
from annotator.work.gold.actions.agreed import accept_agreed, check_overlap
from annotator.work.gold.queries.agreed import AcceptSummary, count_agreed

# Finished answers that are looked at in a request. 13,320 of them took 4.7 s of one core.
MAX_INLINE = 2000

Summaries = list[tuple[Layer, AcceptSummary]]


@dataclass(frozen=True)
class Acceptance:
    """What `by` wants accepted, or counted: by which rule, in which layers of a language."""

    project: Project
    layers: Sequence[Layer]
    language: str
    rule: Rule
    by: User

    def is_small(self) -> bool:
        """Whether it can be done in a request. One statement, which reads no more than `MAX_INLINE` rows."""
        done = Annotation.objects.order_by().filter(
            project=self.project, layer__in=self.layers, state=AnnotationState.DONE
        )
        return done[: MAX_INLINE + 1].count() <= MAX_INLINE

    def params(self, *, dry_run: bool) -> dict[str, Any]:
        """The settings of the job that does it, or only counts; in the order in which jobs have them, by which SQLite
        finds them again."""
        return {
            "layers": sorted(layer.pk for layer in self.layers),
            "language": self.language,
            "rule": asdict(self.rule),
            "dry_run": dry_run,
        }


def accept(asked: Acceptance, *, without_overlap: bool) -> Summaries | Job:
    """Accept what the rule decides: what became of how many in each layer, or the job that does it.

    Raises OverlapError (`accept_agreed`), and ActionError where such a job is under way.
    """
    if not asked.is_small():
        for layer in asked.layers if not without_overlap else ():
            check_overlap(asked.project, layer, asked.language)
        return _start(asked, dry_run=False)
    return [
        (
            layer,
            accept_agreed(
                project=asked.project,
                layer=layer,
                language=asked.language,
                by=asked.by,
                rule=asked.rule,
                without_overlap=without_overlap,
            ),
        )
        for layer in asked.layers
    ]


def count(asked: Acceptance) -> Summaries | Job:
    """What accepting would do in each layer, in numbers, or the job that counts. Raises ActionError where such a job
    is under way."""
    return _counted(asked) if asked.is_small() else _start(asked, dry_run=True)


def standing_count(asked: Acceptance) -> Summaries | Job | None:
    """As `count`, but nothing is started: of many answers, the newest job of the same person that counts or counted
    just this; None where there is none."""
    if asked.is_small():
        return _counted(asked)
    jobs = asked.project.jobs.filter(kind=JobKind.ACCEPT, params=asked.params(dry_run=True), created_by=asked.by)
    return jobs.order_by("-pk").first()


def _counted(asked: Acceptance) -> Summaries:
    return [
        (layer, count_agreed(asked.project, layer, asked.language, asked.rule, by=asked.by)) for layer in asked.layers
    ]


def summaries_of(job: Job, result: dict[str, Any]) -> Summaries:
    """What a job's result says of each layer."""
    layers = {layer.slug: layer for layer in job.project.layers.all()}
    found = result.get("layers", {})
    return [(layers[slug], AcceptSummary(**counts)) for slug, counts in found.items() if slug in layers]


def _start(asked: Acceptance, *, dry_run: bool) -> Job:
    return start_job(project=asked.project, kind=JobKind.ACCEPT, params=asked.params(dry_run=dry_run), by=asked.by)
