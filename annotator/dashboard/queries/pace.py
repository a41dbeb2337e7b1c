"""The recent work of people and their active time, from a fixed number of the project's newest events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb
from annotator.models import AgreementRun, Annotation, Assignment, Event, Project, User
from annotator.reports.queries.agreement import public_name
from annotator.work.blind.queries.blind import answers_blind

DAYS = 14
MAX_EVENTS = 5_000
MAX_RUNS = 50


@dataclass(frozen=True)
class Pace:
    """What a person finished in the last days. `days`: items by day, the oldest first; `seconds`: active time on those
    items; `partial`: the events that were read do not cover all of the days, so the numbers are minimums."""

    days: Sequence[int]
    seconds: float
    partial: bool

    @property
    def items(self) -> int:
        return sum(self.days)

    @property
    def bars(self) -> list[tuple[int, int, int]]:
        """Of a chart 12 units high and 5 wide a day: from the side, from above, and the height."""
        most = max(self.days, default=0)
        heights = [round(12 * number / most) if most else 0 for number in self.days]
        return [(5 * place, 12 - height, height) for place, height in enumerate(heights)]


@dataclass(frozen=True)
class PersonAgreement:
    """The newest agreement that was computed of a person and another one, on a layer in a language. `compared`: what
    the layer is called in agreement."""

    run: AgreementRun
    other: User
    kappa: float | None
    compared: str


def recent_pace(project: Project, people: Collection[int], *, now: datetime) -> dict[int, Pace]:
    """The work of each person in the last DAYS days. Four statements for any number of people."""
    today = timezone.localdate(now)
    since = today - timedelta(days=DAYS - 1)
    events = Event.objects.filter(project=project).order_by("-pk")
    read = list(events.values_list("actor", "verb", "at", "subject_type", "subject_id")[:MAX_EVENTS])
    partial = len(read) == MAX_EVENTS and timezone.localdate(read[-1][2]) >= since
    recent = [row for row in read if row[0] in people and timezone.localdate(row[2]) >= since]
    counts: dict[int, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    seconds: dict[int, float] = defaultdict(float)
    for person, at, spent in _answered(recent):
        counts[person][at] += 1
        seconds[person] += spent
    decided = {(actor, subject): at for actor, verb, at, _type, subject in recent if verb == Verb.GOLD_DECIDED}
    for (person, _unit), when in decided.items():
        counts[person][timezone.localdate(when)] += 1
    days = [since + timedelta(days=number) for number in range(DAYS)]
    return {
        person: Pace(
            [counts[person][day] for day in days] if person in counts else [0] * DAYS, seconds[person], partial
        )
        for person in people
    }


def _answered(events: Sequence[Any]) -> list[tuple[int, date, float]]:
    """Of each answer that was saved and is done: whose it is, the day of its newest save, and its active time. The
    first save of an answer is logged with its assignment, the others with the answer."""
    newest: dict[tuple[str, int], tuple[int, datetime]] = {}
    for actor, verb, at, subject_type, subject in events:
        if verb == Verb.ANNOTATION_SAVED:
            newest.setdefault((subject_type, subject), (actor, at))
    claimed = {pk: who for (kind, pk), who in newest.items() if kind == "assignment"}
    units = {
        (claimed[pk][0], unit, layer): claimed[pk]
        for pk, unit, layer in Assignment.objects.filter(pk__in=claimed).values_list("pk", "unit", "stage__layer")
    }
    saved = {pk for kind, pk in newest if kind == "annotation"}
    rows = Annotation.objects.filter(
        Q(pk__in=saved)
        | Q(unit__in={unit for _user, unit, _layer in units}, user__in={user for user, *_rest in units}),
        state=AnnotationState.DONE,
    )
    found = []
    for pk, user, unit, layer, spent in rows.values_list("pk", "user", "unit", "layer", "seconds"):
        saver = newest.get(("annotation", pk)) or units.get((user, unit, layer))
        if saver is not None and saver[0] == user:
            found.append((user, timezone.localdate(saver[1]), spent))
    return found


def agreements(project: Project, viewer: User) -> Mapping[int, list[PersonAgreement]]:
    """By person, the newest computed agreements with others, one for each other, layer, language and dimension; none
    before a viewer who still answers blind. Reads the MAX_RUNS newest runs of the project."""
    if answers_blind(viewer, project):
        return {}
    runs = AgreementRun.objects.filter(project=project, mapping="").select_related("a", "b", "layer")
    found: dict[int, list[PersonAgreement]] = defaultdict(list)
    seen = set()
    for run in runs[:MAX_RUNS]:
        key = frozenset((run.a_id, run.b_id)), run.layer_id, run.language, run.dimension
        if key in seen or not run.results["rows"]:
            continue
        seen.add(key)
        kappa = run.results["rows"][-1]["kappa"]["value"]
        called = public_name(project, run.layer)
        found[run.a_id].append(PersonAgreement(run, run.b, kappa, called))
        found[run.b_id].append(PersonAgreement(run, run.a, kappa, called))
    return found
