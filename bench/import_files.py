"""What importing parallel sentences from a table costs: the preview, the import, its memory, and a save beside it.

    DATA_DIR=/tmp/files python bench/import_files.py                         # SQLite in DATA_DIR
    DATABASE_URL=postgres://… DATA_DIR=/tmp/files python bench/import_files.py --sentences 13320 1000000

For each size a CSV file with an id and two languages is made, put into a draft as a browser would, previewed, and
imported by a process of its own, whose peak memory is printed, while somebody saves in another project. The sentences
are put together from a small list of words; those of the second language are the first one's, word by word.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("IMPORT_MAX_BYTES", str(4 * 1024**3))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from bench.beside_long_work import PAUSE, Saver
from bench.million import SMALL, WORDS, percentile, prepare

from django.core.management import call_command
from django.db import connection

from annotator.actions.import_drafts import Upload, add_files, change_draft, preview_draft, start_draft, start_import
from annotator.actions.projects import create_project
from annotator.models import ImportDraft, Job, JobState, Project, User
from annotator.presets import plain

ROOT = Path(__file__).resolve().parents[1]
WORK = 13_280
LONGEST = 3600
# Run in a process of its own: the job, and then the most memory that it had.
CHILD = """
import os, resource, sys
import bench.setup
import annotator.tasks
from annotator.jobs import run_job
from annotator.management.commands.demo import NICE
from annotator.workers import LONG_LEASE
os.nice(NICE)  # as the worker of `make demo`
run_job(int(sys.argv[1]), worker="bench", lease=LONG_LEASE)
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


def imported(draft: ImportDraft, saver: Saver | None) -> tuple[float, int, list[float]]:
    """Seconds, megabytes at most, and what saves beside it took."""
    job = start_import(draft=draft, by=None)
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(job.pk)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    saves: list[float] = []
    while child.poll() is None and time.perf_counter() - began < LONGEST:
        if saver is not None:
            saves.append(saver.save())
        time.sleep(PAUSE)  # as a person pauses between two saves
    seconds = time.perf_counter() - began
    megabytes, _errors = child.communicate()
    job = Job.objects.get(pk=job.pk)
    if job.state != JobState.DONE:
        raise SystemExit(f"{job}: {job.state} {job.error}")
    return seconds, int(megabytes), saves


def project_of(sentences: int, by: User) -> Project:
    slug = f"files-{sentences}-{int(time.time())}"
    return create_project(slug=slug, preset=plain(["es", "ca"], ["METAPHOR"]), by=by)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[13_320, 1_000_000], help="in each language")
    parser.add_argument("--work", type=int, default=WORK, help="sentences of the project that is worked in; 0: none")
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    mara = User.objects.get_or_create(username="bench-mara")[0]
    saver: Saver | None = None
    alone: list[float] = []
    if options.work:
        project, mara, ana = prepare(options.work)
        saver = Saver(project, ana)
        # With the pauses that there are beside an import: without them nothing has left the processor's caches.
        for _ in range(100):
            alone.append(saver.save())
            time.sleep(PAUSE)  # as a person pauses between two saves
    print(f"\n{connection.vendor}; saves in milliseconds, p50 / p95; alone {_told(alone)}\n")
    print("| sentences | upload, s | preview, s | import, s | memory, MB | saves beside it |")
    print("|---:|---:|---:|---:|---:|---:|")
    for sentences in options.sentences:
        draft, upload, preview = drafted(project_of(sentences, mara), sentences)
        seconds, megabytes, saves = imported(draft, saver)
        print(
            f"| {sentences:,} × 2 | {upload:.2f} | {preview:.2f} | {seconds:.1f} | {megabytes} | {_told(saves)} |",
            flush=True,
        )


def _told(seconds: list[float]) -> str:
    if not seconds:
        return "–"
    return f"{1000 * percentile(seconds, 0.5):.1f} / {1000 * percentile(seconds, 0.95):.1f}"


if __name__ == "__main__":
    main()
