"""Check what must hold after a soak: `python -m bench.soak.checks LEDGER`. Prints findings and numbers as JSON."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db.models import Count, F

import bench.setup  # noqa: F401 -- before all that needs models
from annotator.core.counters import recounted, recounted_people
from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import (
    Annotation,
    Archive,
    Assignment,
    ChunkState,
    Event,
    Import,
    Job,
    JobChunk,
    JobKind,
    JobState,
    Release,
    Segment,
    Stage,
)
from annotator.work.queue.queries.progress import stage_progress
from bench.soak.jobs import SENTENCES

# Findings shown of one kind.
SHOWN = 5
STATE = ("version", "content", "doubt", "comment", "state")
Found = Iterator[str]
Line = Mapping[str, Any]


def saves(ledger: list[Line]) -> tuple[dict[str, int], list[str]]:
    """How many saves were acknowledged, lost, doubled or stored without a word; and which."""
    events: dict[str, list[dict[str, Any]]] = {}
    for event in Event.objects.filter(verb=Verb.ANNOTATION_SAVED, actor__username__startswith="writer-"):
        after: Any = event.after
        events.setdefault(after["comment"], []).append(after)
    lost, doubled, changed = [], [], []
    for line in ledger:
        stored = events.pop(line["comment"], [])
        if not stored:
            lost.append(f"lost: {line}")
        elif len(stored) > 1:
            doubled.append(f"stored {len(stored)} times: {line}")
        elif stored[0]["version"] != line["version"] or _spans(stored[0]) != _spans(line):
            changed.append(f"stored otherwise: {line} as {stored[0]}")
    unknown = [f"stored, and never acknowledged: {comment}" for comment in events]
    numbers = {"acknowledged": len(ledger), "lost": len(lost), "doubled": len(doubled)}
    return numbers, [*lost, *doubled, *changed, *unknown]


def _spans(holder: Line) -> list[tuple[Any, Any]]:
    return [(span["tokens"], span["label"]) for span in holder["content"]["spans"]]


def state_equals_log(ledger: list[Line]) -> Found:
    """Each answer is what its newest event says, its versions come one after the other, and its assignment is done."""
    rows = {row.pk: row for row in Assignment.objects.all()}
    by_answer: dict[tuple[int, int], list[Any]] = {}
    answers = {answer.pk: answer for answer in Annotation.objects.all()}
    for event in Event.objects.filter(verb__startswith="annotation.").order_by("pk"):
        subject = (rows if event.subject_type == "assignment" else answers)[event.subject_id]
        by_answer.setdefault((subject.unit_id, subject.user_id), []).append(event.after)
    for answer in answers.values():
        events = by_answer.pop((answer.unit_id, answer.user_id), [])
        versions = [after["version"] for after in events]
        if versions != list(range(1, answer.version + 1)):
            yield f"{answer!r}: version {answer.version}, and in the log {versions}"
        elif any(events[-1][name] != getattr(answer, name) for name in STATE):
            yield f"{answer!r} is not what its newest event says"
    if by_answer:
        yield f"{len(by_answer)} answers are in the log alone"
    newest = {line["assignment"]: line for line in ledger}
    for pk, line in newest.items():
        row = rows.get(pk)
        if row is None or row.state != AssignmentState.DONE:
            yield f"assignment {pk} is {row and row.state} after {line}"


def counters() -> Found:
    """Counters equal a recount."""
    for stage in Stage.objects.exclude(kind=Stage.ADJUDICATE):
        numbers, shown = recounted(stage), stage_progress(stage)
        if (shown.total, shown.done, shown.open) != (numbers["total"], numbers["done"], numbers["open"]):
            yield f"the counters of stage {stage.pk}: {shown}, and counted anew {numbers}"
        people = recounted_people(stage)
        for row in stage.counters.filter(user__isnull=False):
            own = people.get(row.user_id or 0, {})
            if (row.own_open, row.own_done) != (own.get("own_open", 0), own.get("own_done", 0)):
                yield f"the counter of user {row.user_id} in stage {stage.pk}: {row.own_open} open, {row.own_done} done"


def jobs() -> Found:
    """Every job is done, nobody has a step in hand, and what they made is there once."""
    for job in Job.objects.exclude(state=JobState.DONE):
        yield f"{job} is {job.state}: {job.error_shown}"
    for job in Job.objects.exclude(worker=""):
        yield f"{job} is in the hands of {job.worker}"
    for chunk in JobChunk.objects.exclude(state=ChunkState.DONE, job__state=JobState.DONE):
        yield f"{chunk} is {chunk.state}"
    for job in Job.objects.filter(state=JobState.DONE).exclude(done=F("total")):
        yield f"{job}: {job.done} of {job.total}"
    for model, kind in ((Release, JobKind.RELEASE),):
        made, done = model.objects.count(), Job.objects.filter(kind=kind, state=JobState.DONE).count()
        if made != done:
            yield f"{done} jobs of the kind {kind} are done, and made {made}"
    for row in Archive.objects.values("job").annotate(times=Count("pk")).filter(times__gt=1):
        yield f"job {row['job']} wrote {row['times']} project backups"


def imports() -> Found:
    """Each import brought its sentences once, in both languages."""
    for row in Import.objects.filter(dataset__startswith="book").values("dataset").annotate(times=Count("pk")):
        segments = Segment.objects.filter(dataset=row["dataset"])
        units = segments.aggregate(units=Count("units"))["units"]
        if (row["times"], segments.count(), units) != (1, SENTENCES, 2 * SENTENCES):
            yield f"{row['dataset']}: imported {row['times']} times, {segments.count()} sentences in {units} texts"


def integrity() -> tuple[bool, list[str]]:
    """Whether there is such a command, and what it found."""
    if "check_integrity" not in get_commands():
        return False, []
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            call_command("check_integrity", stdout=said, stderr=said)
    except (CommandError, SystemExit) as error:
        if not isinstance(error, SystemExit) or error.code:
            return True, [f"check_integrity: {said.getvalue()} {error}"]
    return True, []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ledger", type=Path)
    ledger = [json.loads(line) for line in parser.parse_args().ledger.read_text().splitlines()]
    numbers, findings = saves(ledger)
    for check in (state_equals_log(ledger), counters(), jobs(), imports()):
        found = list(check)
        findings += found[:SHOWN]
        if len(found) > SHOWN:
            findings.append(f"… and {len(found) - SHOWN} more")
    exists, found = integrity()
    by_kind: dict[str, dict[str, int]] = {}
    for kind, state, number in Job.objects.values_list("kind", "state").annotate(Count("pk")).order_by():
        by_kind.setdefault(kind, {})[state] = number
    report = {"saves": numbers, "findings": findings + found, "jobs": by_kind, "integrity": exists}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
