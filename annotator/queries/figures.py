"""Figures that a job counted: what tables on pages are made from, however large the project is."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.models import Job, JobKind, JobState, Project
from annotator.queries.reports import FIGURES, Json


@dataclass(frozen=True, slots=True)
class Counted:
    """`job`: the last that counted them to its end, and what it found; `under_way`: one that waits or runs."""

    job: Job | None
    figures: Json | None
    under_way: Job | None


def counted(project: Project, name: str) -> Counted | None:
    """The figures of a project as they were last counted; None where it cannot have any. Two or three statements."""
    if not FIGURES[name].applies(project):
        return None
    jobs = project.jobs.filter(kind=JobKind.COUNT, params__figures=name).order_by("-pk")
    done = jobs.filter(state=JobState.DONE).first()
    under_way = jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).defer("result").first()
    return Counted(done, done.result["figures"] if done is not None else None, under_way)
