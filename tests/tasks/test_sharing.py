"""Workers with different devices share one job: real processes, and the parts that need none in this one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.projection.carry import LabelSource
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.models import Alignment, ChunkState, Job, JobKind, JobState, Suggestion
from mlworkers.engines.registry import load_detector
from mlworkers.tasks import ProjectLabels
from tests.conftest import on_servers
from tests.factories import make_gold, make_project, make_segment, make_sentence, span
from tests.mlworkers.checkpoints import HITZ_MAP, NEEDS_EXTRA, make_checkpoint
from tests.mlworkers.parallel import pairs
from tests.site import Site, wait_until

SENTENCES = 60
CHUNK = 2

MAKE = f"""
from itertools import cycle, islice
from django.db import transaction
from tests.mlworkers.parallel import pairs
from tests.factories import make_gold, make_project, make_segment, make_sentence, span
with transaction.atomic():
    project = make_project("corpus")
    for left, right in islice(cycle(pairs()), {SENTENCES}):
        segment = make_segment(project)
        make_gold(make_sentence(project, " ".join(left), language="es", segment=segment), [span(1), span(2)])
        make_sentence(project, " ".join(right), language="en", segment=segment)
"""

# Every part is held by nobody at first. `GROUP` of them are let go at once, more than the threads of one worker take,
# until both workers have done one; then they share the rest as they come. One at a time would not do: two workers that
# look for messages every quarter of a second may go on in step, and then the same one is always first.
GROUP = 10
SHARE = """
import json, sys, time
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.jobs.steps import send
from annotator.models import ChunkState, Job, JobState, Project, Worker

def let_go(chunks):
    chunks.update(state=ChunkState.PENDING, worker="")
    send(jobs.steps_of(job))

def wait_for(condition):
    until = time.monotonic() + 90
    while not condition():
        job.refresh_from_db()
        assert job.state == JobState.RUNNING, (job.state, job.error)
        assert time.monotonic() < until, [*job.chunks.values()]
        time.sleep(0.01)

with transaction.atomic():
    job = start_job(project=Project.objects.get(), kind={kind!r}, params={params!r}, by=None)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, started_at=timezone.now())
    jobs._plan(job, jobs.handler_of(job.kind))
    now = timezone.now()
    Worker.objects.update_or_create(name="nobody", defaults={{"started_at": now, "seen_at": now + timedelta(hours=1)}})
    job.chunks.update(state=ChunkState.RUNNING, worker="nobody")
done = job.chunks.filter(state=ChunkState.DONE)
job.refresh_from_db()
chunks = [*job.chunks.values_list("pk", flat=True)]
for first in range(0, len(chunks), {group}):
    group = chunks[first : first + {group}]
    let_go(job.chunks.filter(pk__in=group))
    wait_for(lambda: done.filter(pk__in=group).count() == len(group))
    if done.values("worker").distinct().count() == 2:
        break
let_go(job.chunks.filter(worker="nobody"))
while job.state == JobState.RUNNING:
    job.refresh_from_db()
    time.sleep(0.01)
rows = job.suggestions
print(json.dumps({{
    "state": job.state, "error": job.error, "done": job.done, "result": job.result,
    "chunks": [*job.chunks.values("worker", "items", "state")],
    "rows": [*rows.values(*{columns!r})],
}}))
"""


def share(site: Site, kind: str, params: Mapping[str, object], *columns: str) -> dict[str, Any]:
    """Have the workers do a job, both of them; returns how it went and what it stored."""
    code = SHARE.format(kind=kind, params={**params, "chunk": CHUNK}, columns=columns, group=GROUP)
    found: dict[str, Any] = site.python("exec(" + repr(code) + ")")
    assert (found["state"], found["error"], found["done"]) == (JobState.DONE, "", SENTENCES)
    assert found["result"]["sentences"] == SENTENCES
    assert {chunk["state"] for chunk in found["chunks"]} == {"done"}
    return found


def start_workers(site: Site, *workers: tuple[str, str]) -> list[str]:
    """Start workers, each for a queue and with a precision; returns their names."""
    processes = []
    for queue, precision in workers:
        site.env |= {"ENGINE_DEVICE": "cpu", "ENGINE_PRECISION": precision}
        processes.append(site.start("worker", "--queues", queue))
    names = "SELECT name FROM annotator_worker WHERE name LIKE '%:{}:%'"
    return [wait_until(partial(site.value, names.format(process.pid)), what="a worker") for process in processes]


# As one with a CPU and one with a GPU would compute.
EXACT, ROUGH = ("ml,ml-gpu", "fp32"), ("ml,ml-gpu", "bf16")


def share_projection(site: Site, aligner: str, workers: set[str]) -> None:
    """Have `workers` carry all labels over: each sentence once, by one and the same aligner."""
    params = {"source": "es", "target": "en", "aligner": aligner, "labels": "gold"}
    job = share(site, "project", params, "source", "is_current", "alignment__revision", "alignment__is_current")
    assert {chunk["worker"] for chunk in job["chunks"]} == workers
    assert len({row["source"] for row in job["rows"]}) == len(job["rows"]) == SENTENCES
    assert all(row["is_current"] and row["alignment__is_current"] for row in job["rows"])
    assert len({row["alignment__revision"] for row in job["rows"]}) == 1


def test_workers_of_different_precision_share_jobs_that_others_leave_alone(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    checkpoint = make_checkpoint(tmp_path / "checkpoint")
    detector = f"transformers:{checkpoint}:{HITZ_MAP}"
    site.python(MAKE)
    # What the last one took of the jobs would show: parts are left free for seconds.
    exact, rough, other = start_workers(site, EXACT, ROUGH, ("default", "fp32"))

    columns = ("unit", "revision", "is_current", "probabilities", "unit__tokens")
    job = share(site, "predict", {"language": "en", "detector": detector}, *columns)

    worker = {pk: chunk["worker"] for chunk in job["chunks"] for pk in chunk["items"]}
    assert set(worker.values()) == {exact, rough}
    assert sorted(row["unit"] for row in job["rows"]) == sorted(worker)
    assert all(row["is_current"] for row in job["rows"])
    assert len({row["revision"] for row in job["rows"]}) == 1
    # Each computed as it was told, so that the numbers are nearly the same.
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setenv("ENGINE_PRECISION", "fp32")
    expected = load_detector(detector, language="en").predict([row["unit__tokens"] for row in job["rows"]])
    off = {exact: 0.0, rough: 0.0}
    for row, numbers in zip(job["rows"], expected, strict=True):
        who = worker[row["unit"]]
        off[who] = max(off[who], *(abs(a - b) for a, b in zip(row["probabilities"], numbers, strict=True)))
    assert off[exact] < 2e-4 < off[rough] < 0.1

    share_projection(site, "lexical", {exact, rough})
    share_projection(site, f"simalign:{checkpoint}?layer=1", {exact, rough})

    seen = f"SELECT seen_at FROM annotator_worker WHERE name = '{other}'"  # noqa: S608
    before = site.value(seen)
    wait_until(lambda: site.value(seen) > before, what="a sign of life of the worker of the other queue")


@on_servers
def test_workers_share_a_projection_on_postgresql(any_site: Site) -> None:
    any_site.python(MAKE)
    share_projection(any_site, "lexical", set(start_workers(any_site, EXACT, ROUGH)))


class _Overtaken(ProjectLabels):
    """Projects, but is taken for dead between the work and the storing, and another worker does it all."""

    def work(self, job: Job, *more: Any) -> Any:
        outcome = super().work(job, *more)
        if job.chunks.get().attempts == 1:
            free_dead_workers()
            run_job(job.pk, worker="two")
        return outcome


@pytest.fixture
def job(db: None) -> Job:
    """A projection in one part."""
    project = make_project()
    for left, right in pairs():
        segment = make_segment(project)
        make_gold(make_sentence(project, " ".join(left), language="es", segment=segment), [span(1)])
        make_sentence(project, " ".join(right), language="en", segment=segment)
    params = {"source": "es", "target": "en", "labels": LabelSource.GOLD, "chunk": 100}
    return start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)


def test_a_part_of_a_projection_that_two_workers_do_is_stored_once(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "handler_of", {JobKind.PROJECT: _Overtaken()}.__getitem__)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.error, job.done) == (JobState.DONE, "", len(pairs()))
    chunk = job.chunks.get()
    assert (chunk.worker, chunk.attempts) == ("two", 2)
    assert_stored_once(job)


def test_a_part_of_a_projection_that_is_done_again_is_stored_once(job: Job) -> None:
    run_job(job.pk, worker="one")
    # However that came about.
    job.chunks.update(state=ChunkState.PENDING, worker="")
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)

    run_job(job.pk, worker="two")

    job.refresh_from_db()
    assert (job.state, job.chunks.get().worker) == (JobState.DONE, "two")
    assert_stored_once(job)


def assert_stored_once(job: Job) -> None:
    assert job.result["sentences"] == job.result["source_spans"] == len(pairs())
    for model in (Suggestion, Alignment):
        assert model.objects.count() == model.objects.filter(is_current=True).count() == len(pairs())
    assert Suggestion.objects.values("source", "unit").distinct().count() == len(pairs())
