"""How far people are, stage by stage: what is done, open and doubtful, how long it took, and what remains at that pace.

Hours are active time, as pages measure it: pauses are none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Project, Stage, User
from annotator.work.queue.queries.progress import held_ahead, people_progress, project_progress, public_progress

DAYS = 60


@dataclass(slots=True)
class Numbers:
    """Items done and open, and what of them is doubtful; `seconds` on the `timed` ones of those that are done, and how
    many `left` there are to do."""

    done: int = 0
    open: int = 0
    doubtful: int = 0
    seconds: float = 0
    timed: int = 0
    left: int = 0

    @property
    def per_item(self) -> float | None:
        """Active seconds on an item; None where no time was measured."""
        return self.seconds / self.timed if self.timed else None

    @property
    def remaining(self) -> float | None:
        """Active seconds that what is left will take at that pace."""
        return None if self.per_item is None or not self.left else self.left * self.per_item

    def add(self, other: Numbers) -> None:
        """Count the other numbers in, too."""
        for name in ("done", "open", "doubtful", "seconds", "timed", "left"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class StageLine:
    """A stage, and each person at work there: what is left of theirs is what they have open."""

    stage: Stage
    numbers: Numbers
    people: Sequence[tuple[User, Numbers]]


@dataclass(frozen=True, slots=True)
class ProgressTable:
    """Stages with their people; the same by `languages` and by `people`; `days`: how many answers were done by then,
    day by day, the oldest first."""

    stages: Sequence[StageLine]
    languages: dict[str, Numbers] = field(default_factory=dict)
    people: dict[User, Numbers] = field(default_factory=dict)
    days: Sequence[tuple[date, int]] = ()


def progress_table(project: Project, *, now: datetime) -> ProgressTable:
    """The progress of a project. A fixed number of queries, two of them over all answers."""
    found = [(stage, public_progress(stage, numbers)) for stage, numbers in project_progress(project)]
    found = [(stage, numbers) for stage, numbers in found if not stage.adjudicates]
    stages = [stage for stage, _numbers in found]
    times = _times(project)
    people, ahead = people_progress(stages), held_ahead(stages)
    table = ProgressTable([], days=_days(project, now))
    lines: list[StageLine] = []
    for stage, numbers in found:
        rows: dict[User, Numbers] = {}
        for person in people[stage.pk]:
            held = ahead[stage.pk].people.get(person.user.pk, 0) if person.mode == stage.mode else 0
            open_ = person.open - held
            rows.setdefault(person.user, Numbers()).add(Numbers(done=person.done, open=open_, left=open_))
        for user, row in rows.items():
            row.add(times.get((stage.pk, user.pk), Numbers()))
        whole = Numbers()
        for row in rows.values():
            whole.add(row)
        whole.done, whole.open, whole.left = numbers.done, numbers.open, max(0, numbers.total - numbers.done)
        rows = {user: row for user, row in rows.items() if row.done or row.open}
        if rows:
            lines.append(StageLine(stage, whole, list(rows.items())))
        table.languages.setdefault(stage.language, Numbers()).add(whole)
        for user, row in rows.items():
            table.people.setdefault(user, Numbers()).add(row)
    return ProgressTable(lines, table.languages, table.people, table.days)


def _times(project: Project) -> dict[tuple[int, int], Numbers]:
    """By stage and person, the time on their finished answers, and how many answers are doubtful."""
    is_timed = Q(state=AnnotationState.DONE, seconds__gt=0)
    rows = Annotation.objects.filter(project=project, stage__isnull=False).order_by().values_list("stage", "user")
    summed = rows.annotate(
        doubtful=Count("pk", filter=Q(doubt=True)),
        timed=Count("pk", filter=is_timed),
        spent=Sum("seconds", filter=is_timed, default=0.0),
    )
    return {
        (stage, user): Numbers(doubtful=doubtful, timed=timed, seconds=spent)
        for stage, user, doubtful, timed, spent in summed
    }


def _days(project: Project, now: datetime) -> list[tuple[date, int]]:
    """Answers that were done by each of the last DAYS days; none where nothing was done in them."""
    today = timezone.localdate(now)
    since = today - timedelta(days=DAYS - 1)
    rows = Annotation.objects.filter(project=project, state=AnnotationState.DONE, done_at__isnull=False).order_by()
    by_day = dict(rows.annotate(day=TruncDate("done_at")).values_list("day").annotate(Count("pk")))
    if not any(day >= since for day in by_day):
        return []
    total = sum(number for day, number in by_day.items() if day < since)
    days = []
    for place in range(DAYS):
        day = since + timedelta(days=place)
        total += by_day.get(day, 0)
        days.append((day, total))
    return days
