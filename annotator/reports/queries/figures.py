"""What tables are made from, and when it is counted: at once in a small project, by a job in any other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Sum

from annotator.models import Counter, Job, JobKind, JobState, Project
from annotator.reports.queries.reports import Json, Report
from annotator.reports.queries.tables import all_figures, report_named

# Items of a project whose tables are counted while somebody waits for the page. Of 1,000 items the core's tables took
# 95 ms on one core with SQLite, those of ratings 50 ms, of best-worst scaling 200 ms; time grows with the items.
MAX_INLINE = 1000


@dataclass(frozen=True, slots=True)
class Counted:
    """`figures`: by name, those of a project that there are. `at_once`: all were counted for this, and need no job.

    The others are of `job`, the last one that came to its end. `under_way`: one that waits or runs; `failed`: the
    newest one, where it failed.
    """

    figures: Mapping[str, Json]
    at_once: bool
    job: Job | None = None
    under_way: Job | None = None
    failed: Job | None = None


def counted(project: Project, names: Collection[str], *, at_once: int = MAX_INLINE) -> Counted:
    """The figures of these names: counted now where the project has at most `at_once` items and they are not slow, else
    as a job left them.

    Never reads more of a larger project than its counters and its newest jobs: five statements.
    """
    known = all_figures()
    quick = {name for name in names if not known[name].slow} if is_small(project, at_once) else set()
    now = {name: known[name].count(project) for name in quick}
    if len(now) == len(names):
        return Counted(now, at_once=True)
    # Earlier jobs were started for figures of one name, and kept them otherwise.
    jobs = project.jobs.filter(kind=JobKind.COUNT, params={}).order_by("-pk")
    done = jobs.filter(state=JobState.DONE).first()
    under_way = jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).defer("result").first()
    newest = jobs.defer("result").first()
    stored = done.result.get("figures", {}) if done is not None else {}
    return Counted(
        {name: stored[name] for name in names if name in stored} | now,
        at_once=False,
        job=done,
        under_way=under_way,
        failed=newest if newest is not None and newest.state == JobState.FAILED else None,
    )


def report_of(project: Project, kind: str) -> Report | None:
    """A table as the page has it; None where a job has not counted it yet. Raises LookupError for an unknown one."""
    table = report_named(kind)
    figures = counted(project, [table.figures.name]).figures.get(table.figures.name)
    return None if figures is None else table.show(figures)


def is_small(project: Project, at_most: int) -> bool:
    """Whether a project has at most so many items, and as many texts. Two statements, which read as many rows at most.

    Texts that are in no stage have no items, but are in tables all the same.
    """
    items = Counter.objects.filter(project=project).aggregate(total=Sum("total"))["total"] or 0
    return items <= at_most and project.units.order_by()[: at_most + 1].count() <= at_most
