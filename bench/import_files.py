"""What importing parallel sentences from a table costs: preview, import, its pace and memory, a save beside it; and
what becomes of one that is cancelled.

    DATA_DIR=/tmp/files python bench/import_files.py                         # SQLite in DATA_DIR
    DATABASE_URL=postgres://… DATA_DIR=/tmp/files python bench/import_files.py --sentences 13320 1000000

For each size a CSV file with an id and two languages is made, put into a draft as a browser would, previewed, and
imported by a process that runs already, as a worker does, while somebody saves in another project. The pace is that of
writing: seconds for 100,000 sentences in the first and in the last fifth. Memory is the process's own peak, and that of
all its processes together (PSS). Then the same file is imported once more and cancelled in the middle: seconds until
its process is over, and the sentences that are left. Saves alone are measured before each import, since a machine's
speed changes. The sentences are put together from a small list of words; those of the second language are the first
one's, word by word.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("IMPORT_MAX_BYTES", str(4 * 1024**3))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from bench.beside_long_work import PAUSE, Saver
from bench.million import SMALL, WORDS, percentile, prepare

from django.core.management import call_command
from django.db import connection

from annotator.imports.drafts.drafts import Upload, add_files, change_draft, preview_draft, start_draft, start_import
from annotator.jobs.actions import cancel_job
from annotator.projects.actions.projects import create_project
from annotator.models import ImportDraft, Job, JobState, Project, Unit, User
from annotator.core.starts import plain

ROOT = Path(__file__).resolve().parents[1]
WORK = 13_280
LONGEST = 3600
# Run in a process of its own: the job, and then the most memory that it had.
CHILD = """
import os, resource
import bench.setup
from annotator.jobs.running import run_job
from annotator.management.commands.demo import NICE
from annotator.tasks import CHECKPOINT_SECONDS
from annotator.core.database.sqlite import base as sqlite
from annotator.core.processes.threads import switch_often
from annotator.jobs.workers import alive
# As the worker of `make demo`.
os.nice(NICE)
switch_often()
sqlite.checkpoint_every = CHECKPOINT_SECONDS
print("ready", flush=True)
with alive() as name:
    run_job(int(input()), worker=name)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def table(sentences: int) -> Iterator[bytes]:
    """A CSV file of parallel sentences, piece by piece."""
    draw = random.Random(3)
    yield b"id,es,ca\n"
    for start in range(0, sentences, 1000):
        lines = []
        for number in range(start, min(start + 1000, sentences)):
            tokens = [draw.choice(WORDS if place % 2 else SMALL) for place in range(draw.randint(8, 16))]
            tokens.append(str(draw.randint(1, 9999)))
            other = [token if token.isdecimal() else f"{token[::-1]}a" for token in tokens]
            lines.append(f"{number},{' '.join(tokens)} .,{' '.join(other)} .\n")
        yield "".join(lines).encode()


def drafted(project: Project, sentences: int) -> tuple[ImportDraft, float, float]:
    """A draft, and the seconds that uploading and previewing took."""
    draft = start_draft(project=project, by=None)
    began = time.perf_counter()
    add_files(draft=draft, uploads=[Upload("made.csv", table(sentences))], by=None)
    uploaded = time.perf_counter()
    preview = preview_draft(draft=draft)
    taken = time.perf_counter() - uploaded
    if not preview["ready"]:
        raise SystemExit(f"preview: {preview['problems'][:3]}")
    # What the words mean is nothing, so that some sentences do not look like translations.
    change_draft(draft=draft, changes={"options": {"parallel": "accepted"}}, by=None)
    return draft, uploaded - began, taken


@dataclass
class Watched:
    """What was seen of an import while it ran. `done`: (seconds, records) of all, `together`: PSS in MB."""

    records: int
    seconds: float = 0.0
    megabytes: int = 0
    together: int = 0
    saves: list[float] = field(default_factory=list)
    done: list[tuple[float, int]] = field(default_factory=list)
    # Of one that was cancelled: seconds until its process was over.
    stopped: float = 0.0

    def pace(self, first: float, last: float) -> float | None:
        """Seconds for 100,000 sentences in a part of the writing; None where too little of it was seen.

        The first quarter of the progress is the check (`imports/writing/imports.py`); a record has two sentences.
        """
        written = [(at, (done / self.records - 0.25) / 0.75) for at, done in self.done]
        part = [(at, share) for at, share in written if first <= share <= last]
        if len(part) < 3 or part[-1][1] <= part[0][1]:
            return None
        (began, here), (ended, there) = part[0], part[-1]
        return (ended - began) / ((there - here) * self.records * 2) * 100_000


def watched(draft: ImportDraft, records: int, saver: Saver | None, *, cancel_at: float = 0.0) -> tuple[Job, Watched]:
    """Import a draft in a process that runs already, as a worker does; cancel it where this share of it is done."""
    seen = Watched(records)
    command = [sys.executable, "-c", CHILD]
    child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if child.stdin is None or child.stdout is None or child.stdout.readline() != "ready\n":
        raise SystemExit("The process of the import did not start.")
    began = time.perf_counter()
    job = start_import(draft=draft, by=None)
    looked = cancelled = 0.0
    try:
        child.stdin.write(f"{job.pk}\n")
        child.stdin.flush()
        while child.poll() is None and time.perf_counter() - began < LONGEST:
            if saver is not None:
                seen.saves.append(saver.save())
            time.sleep(PAUSE)  # as a person pauses between two saves
            at = time.perf_counter() - began
            done = Job.objects.values_list("done", flat=True).get(pk=job.pk)
            if not seen.done or done > seen.done[-1][1]:
                seen.done.append((at, done))
            if at - looked > 1:
                looked = at
                seen.together = max(seen.together, memory_of(child.pid))
            if cancel_at and not cancelled and done >= cancel_at * records:
                cancelled = time.perf_counter()
                cancel_job(job=job, by=None)
    except BaseException:
        child.kill()
        raise
    seen.seconds = time.perf_counter() - began
    seen.stopped = time.perf_counter() - cancelled if cancelled else 0.0
    megabytes, _errors = child.communicate()
    seen.megabytes = int(megabytes)
    job.refresh_from_db()
    if job.state != (JobState.CANCELLED if cancelled else JobState.DONE):
        raise SystemExit(f"{job}: {job.state} {job.error}")
    return job, seen


def memory_of(process: int) -> int:
    """Megabytes of a process and of all that it started, what they share counted once (PSS)."""
    found = 0
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            found += sum(memory_of(int(child)) for child in (task / "children").read_text().split())
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:  # it ended meanwhile
        return found
    return found + next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) // 1024


def project_of(sentences: int, by: User) -> Project:
    slug = f"files-{sentences}-{time.time_ns()}"
    return create_project(slug=slug, preset=plain(["es", "ca"], ["METAPHOR"]), by=by)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[13_320, 1_000_000], help="in each language")
    parser.add_argument("--rounds", type=int, default=1, help="how often each size is imported")
    parser.add_argument("--work", type=int, default=WORK, help="sentences of the project that is worked in; 0: none")
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    mara = User.objects.get_or_create(username="bench-mara")[0]
    saver: Saver | None = None
    if options.work:
        project, mara, ana = prepare(options.work)
        saver = Saver(project, ana)
        _alone(saver, 20)
    print(f"\n{connection.vendor}; saves in milliseconds, p50 / p95\n")
    print(
        "| sentences | upload, s | preview, s | import, s | 100,000 at first, at last, s | MB, all together | "
        "saves alone | beside |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for sentences in options.sentences:
        all_alone: list[float] = []
        all_beside: list[float] = []
        for _round in range(options.rounds):
            alone = _alone(saver, 100)
            draft, upload, preview = drafted(project_of(sentences, mara), sentences)
            _job, seen = watched(draft, sentences, saver)
            pace = ", ".join("–" if one is None else f"{one:.1f}" for one in (seen.pace(0, 0.2), seen.pace(0.8, 1)))
            print(
                f"| {sentences:,} × 2 | {upload:.2f} | {preview:.2f} | {seen.seconds:.1f} | {pace} | {seen.megabytes}, "
                f"{seen.together} | {_told(alone)} | {_told(seen.saves, alone)} |",
                flush=True,
            )
            all_alone += alone
            all_beside += seen.saves
        print(f"\nAll {options.rounds}: alone {_told(all_alone)}, beside {_told(all_beside, all_alone)}")
        print(f"\n{_cancelled(sentences, mara, saver)}\n", flush=True)


def _alone(saver: Saver | None, times: int) -> list[float]:
    """Saves with nothing beside them, and with the pauses that there are beside an import: without them nothing has
    left the processor's caches."""
    taken: list[float] = []
    while saver is not None and len(taken) < times:
        taken.append(saver.save())
        time.sleep(PAUSE)  # as a person pauses between two saves
    return taken


def _cancelled(sentences: int, by: User, saver: Saver | None) -> str:
    """What became of an import that was cancelled in the middle."""
    draft, _upload, _preview = drafted(project_of(sentences, by), sentences)
    job, seen = watched(draft, sentences, saver, cancel_at=0.5)
    if job.state != JobState.CANCELLED:
        return f"{sentences:,} × 2: imported before half of it was seen, so that nothing was cancelled."
    left = Unit.objects.filter(project=job.project).count()
    return (
        f"{sentences:,} × 2, cancelled with {seen.done[-1][1]:,} of {sentences:,} done: over after {seen.stopped:.1f} "
        f"s, {left} sentences left."
    )


def _told(seconds: list[float], alone: Sequence[float] = ()) -> str:
    if not seconds:
        return "–"
    p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
    times = (
        f" ({p50 / percentile(list(alone), 0.5):.1f}, {p95 / percentile(list(alone), 0.95):.1f} times)" if alone else ""
    )
    return f"{1000 * p50:.1f} / {1000 * p95:.1f}{times}"


if __name__ == "__main__":
    main()
