"""Agreement for pages and the API: computed at once if two people share few items, otherwise stored by a job.

The inputs of a run say what was compared: how many items, the project's newest event before the answers were read, and
a SHA-256. It is that of lines of JSON without spaces, keys in order, each ended by a line feed: first the settings
(content type, dimension, mapping, values, groups of rows), then for each item, in the order of ids: its id, its role,
its inference label, its tokens, of each person the answer's id, version and content, whether both were blind, and when
the second one finished it. Anyone who computes the same question over the same answers gets the same one;
`manage.py agreement … --format json` prints it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb
from annotator.models import AgreementRun, Annotation, Assignment, Event, Job, JobKind, Project
from annotator.reports.queries.agreement import Agreement, Question, Shared, agreement_of, both_done, shared_work
from annotator.reports.queries.agreement_course import CoursePoint, course_of
from annotator.reports.queries.agreement_places import MAX_STORED, Places, places_of
from annotator.reports.queries.stored_agreement import agreement_of_run, course_of_run

# Maximum number of shared items for which agreement is computed in a request. Of 1,000 sentences of 20 words it
# took 270 ms of one core with SQLite, and time grows with the items.
MAX_INLINE = 2000
# Maximum number of answers read to count the shared items of two people.
MAX_READ = 40_000
# Maximum number of comparisons on a page.
MAX_LISTED = 50
# Maximum number of saves of one person since a run that are read to count changed answers.
MAX_SINCE = 1000


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of a run, as the module describes them.

    `units`: number of items; `blind`: those on which neither saw suggestions.
    """

    units: int
    blind: int
    last_event: int
    scheme_version: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Since:
    """Changes since a run: answers to items that both have done, at least so many where there are `more`, and
    whether the layer's scheme did."""

    answers: int = 0
    more: bool = False
    scheme: bool = False


@dataclass(frozen=True)
class Computed:
    """An agreement with its course, what it was computed from, and when.

    `run`: the newest stored run of the same inputs, None where there is none. `since`: what changed since then.
    `places`: some of each cell of the tables, for storing.
    """

    asked: Question
    agreement: Agreement
    course: Sequence[CoursePoint]
    inputs: Inputs
    at: datetime
    run: AgreementRun | None = None
    since: Since | None = None
    places: Places = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.agreement.to_json(),
            "computed_at": self.at,
            "inputs": asdict(self.inputs),
            "since": asdict(self.since) if self.since else None,
        }


def is_small(asked: Question) -> bool:
    """Whether the two share at most `MAX_INLINE` items, and have at most `MAX_READ` answers in the layer together.

    Two statements, which read no more rows than that.
    """
    if asked.found is None:
        return True
    answers = Annotation.objects.order_by().filter(
        project=asked.project, layer=asked.found, user__in=(asked.a, asked.b), state=AnnotationState.DONE
    )
    if answers[: MAX_READ + 1].count() > MAX_READ:
        return False
    return both_done(asked, asked.found)[: MAX_INLINE + 1].count() <= MAX_INLINE


def compute(asked: Question, *, now: datetime) -> Computed:
    """Compute it from all that both have done. The newest event is read before the answers: what is saved meanwhile
    counts as saved since."""
    events = Event.objects.filter(project=asked.project).order_by("-pk")
    last_event = events.values_list("pk", flat=True).first() or 0
    shared = shared_work(asked)
    inputs = Inputs(
        units=len(shared),
        blind=sum(unit.blind for unit in shared),
        last_event=last_event,
        scheme_version=asked.found.scheme_version if asked.found else 0,
        sha256=_digest(asked, shared),
    )
    places = places_of(asked, shared, at_most=MAX_STORED)
    return Computed(asked, agreement_of(asked, shared), course_of(asked, shared), inputs, now, places=places)


def newest_run(asked: Question) -> AgreementRun | None:
    """The newest stored run of just this question, with its people."""
    return _runs(asked).select_related("computed_by", "a", "b").first() if asked.found else None


def standing(asked: Question, *, now: datetime) -> Computed | None:
    """Answer a question for a page: the agreement of few items is computed now, that of many is what was stored last;
    None where nothing was. Nothing is written."""
    run = newest_run(asked)
    if is_small(asked):
        found = compute(asked, now=now)
        same = run is not None and run.sha256 == found.inputs.sha256
        return replace(found, run=run if same else None)
    if run is None:
        return None
    return Computed(
        asked,
        agreement_of_run(run, asked.layer),
        course_of_run(run),
        inputs_of(run),
        run.computed_at,
        run,
        since(run, asked),
    )


def rows_of(asked: Question) -> Agreement | None:
    """The numbers alone, as `standing` finds them, for pages that show several comparisons."""
    if is_small(asked):
        return agreement_of(asked, shared_work(asked))
    run = newest_run(asked)
    return agreement_of_run(run, asked.layer) if run is not None else None


def inputs_of(run: AgreementRun) -> Inputs:
    """Inputs of a run."""
    return Inputs(run.units, run.blind, run.last_event, run.scheme_version, run.sha256)


def params_of(asked: Question) -> dict[str, Any]:
    """The settings of the job that computes it. Raises ValueError for a question without a layer, which needs none."""
    if asked.found is None:
        raise ValueError("Nothing is shared in a layer that there is not.")
    return {
        "layer": asked.found.pk,
        "language": asked.language,
        "a": asked.a.pk,
        "b": asked.b.pk,
        "dimension": asked.dimension,
        "mapping": asked.mapping,
    }


def newest_job(asked: Question) -> Job | None:
    """The newest job that computes or computed just this; None where there is none."""
    if asked.found is None:
        return None
    return asked.project.jobs.filter(kind=JobKind.AGREEMENT, params=params_of(asked)).order_by("-pk").first()


def since(run: AgreementRun, asked: Question) -> Since:
    """Changes of the two people since a run. Five statements, which read at most `MAX_SINCE` events of each.

    Their saves are told by the log. A text that was replaced or an import that was undone isn't among them.
    """
    saved = [_saves(run, person) for person in (run.a_id, run.b_id)]
    more = any(len(events) > MAX_SINCE for events in saved)
    touched: defaultdict[str, set[int]] = defaultdict(set)
    was_done: set[int] = set()
    for subject, pk, before in chain.from_iterable(events[:MAX_SINCE] for events in saved):
        touched[subject].add(pk)
        if before == AnnotationState.DONE:
            was_done.add(pk)
    there = {"unit__language": run.language}
    answers = set(
        Annotation.objects.filter(pk__in=touched["annotation"], layer=run.layer_id, **there).values_list("unit", "user")
    )
    # The first save of an answer is logged with its assignment.
    first = Assignment.objects.filter(pk__in=touched["assignment"], stage__layer=run.layer_id, **there)
    answers |= set(first.values_list("unit", "user"))
    both = Annotation.objects.filter(
        layer=run.layer_id, unit__in={unit for unit, _person in answers}, user__in=(run.a_id, run.b_id)
    )
    done = {
        (unit, person)
        for pk, unit, person, state in both.values_list("pk", "unit", "user", "state")
        if state == AnnotationState.DONE or pk in was_done
    }
    other = {run.a_id: run.b_id, run.b_id: run.a_id}
    number = sum((unit, person) in done and (unit, other[person]) in done for unit, person in answers)
    scheme = asked.found is not None and asked.found.scheme_version != run.scheme_version
    return Since(number, more, scheme)


def _saves(run: AgreementRun, person: int) -> Sequence[tuple[str, int, str | None]]:
    """The saves of a person since a run: what each is of, and which state an answer had before."""
    events = Event.objects.order_by().filter(
        project=run.project_id,
        actor=person,
        verb__in=(Verb.ANNOTATION_SAVED, Verb.ANNOTATION_UNDONE),
        pk__gt=run.last_event,
    )
    return list(events.values_list("subject_type", "subject_id", "before__state")[: MAX_SINCE + 1])


def compared_before(project: Project) -> Sequence[AgreementRun]:
    """The newest run of each two people in each layer and language, newest first: at most `MAX_LISTED` of the last
    `MAX_SINCE`."""
    rows = AgreementRun.objects.filter(project=project).defer("results").select_related("a", "b", "layer")
    newest: dict[tuple[Any, ...], AgreementRun] = {}
    for run in rows.order_by("-pk")[:MAX_SINCE]:
        newest.setdefault((run.layer_id, run.language, run.a_id, run.b_id), run)
    return list(newest.values())[:MAX_LISTED]


def _runs(asked: Question) -> QuerySet[AgreementRun]:
    return AgreementRun.objects.filter(
        project=asked.project,
        layer=asked.found,
        a=asked.a,
        b=asked.b,
        language=asked.language,
        dimension=asked.dimension,
        mapping=asked.mapping,
    ).order_by("-pk")


def _digest(asked: Question, shared: Iterable[Shared]) -> str:
    digest = sha256()
    for line in _lines(asked, shared):
        written = json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest.update(written.encode() + b"\n")
    return digest.hexdigest()


def _lines(asked: Question, shared: Iterable[Shared]) -> Iterator[Any]:
    yield {
        "content_type": asked.found.content_type if asked.found else "",
        "dimension": asked.dimension,
        "mapping": asked.taken_for,
        "values": asked.values,
        "groups": list(asked.groups),
    }
    for unit in shared:
        answers = [[*answer, content] for answer, content in zip(unit.answers, (unit.first, unit.second), strict=True)]
        yield [unit.unit, unit.role, unit.inference, unit.tokens, *answers, unit.blind, unit.at.isoformat()]
