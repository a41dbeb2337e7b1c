"""Figures that a job counted: what tables on pages are made from, however large the project is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotator.models import Job, JobKind, JobState, Project
from annotator.queries.reports import FIGURES, Json


@dataclass(frozen=True, slots=True)
class Counted:
    """`names`: what there is to count; `figures`: by name, what the last `job` that came to its end counted of it.

    `under_way`: a job that waits or runs.
    """

    names: frozenset[str]
    job: Job | None
    figures: Mapping[str, Json]
    under_way: Job | None


def countable(project: Project) -> list[str]:
    """The names of the figures of which a project has any. A statement or two each, by an index."""
    return [name for name, figures in FIGURES.items() if figures.applies(project)]


def counted(project: Project) -> Counted:
    """The figures of a project as they were last counted. Two statements, and those of `countable`."""
    names = frozenset(countable(project))
    # Earlier jobs were started for figures of one name, and kept them otherwise.
    jobs = project.jobs.filter(kind=JobKind.COUNT, params={}).order_by("-pk")
    done = jobs.filter(state=JobState.DONE).first()
    under_way = jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).defer("result").first()
    found = done.result.get("figures", {}) if done is not None else {}
    return Counted(names, done, {name: found[name] for name in names & found.keys()}, under_way)
