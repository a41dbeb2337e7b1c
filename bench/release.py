"""Cost of a release by its sentences: seconds and memory.

    DATABASE_URL=postgres://… DATA_DIR=/tmp/release python bench/release.py --sentences 10000 40000

For each size a project of its own is filled, unless it is there already, every sentence of it answered by one person,
and what they agree on accepted as gold, which is timed, too. Then a process of its own, as a worker is, writes the
release. Memory is the most that this process had, and what of it was there before.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from bench.million import LANGUAGE, answer, fill

from django.core.management import call_command
from django.db import connection

from annotator.jobs.actions import start_job
from annotator.projects.actions.projects import add_member, create_project
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.models import JobKind, JobState, Project, User

ROOT = Path(__file__).resolve().parents[1]
# Run in a process of its own: the job; then the seconds that it took, and the memory before and at most.
CHILD = """
import re, sys, time
from pathlib import Path
import bench.setup
from annotator.jobs import handlers
from annotator.jobs.running import run_job
from annotator.jobs.workers import alive

def memory():
    # Not getrusage: that counts what the process had been before it ran another program.
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

handlers.handler_of("release")
before, began, used = memory(), time.perf_counter(), time.process_time()
with alive() as name:
    run_job(int(sys.argv[1]), worker=name)
print(round(time.perf_counter() - began, 1), round(time.process_time() - used, 1), before, memory())
"""


def decided(sentences: int) -> tuple[Project, User]:
    """The project of this size, its answers decided; and its manager."""
    people = [User.objects.get_or_create(username=name)[0] for name in ("bench-ana", "bench-ben", "bench-mara")]
    slug = f"released-{sentences}"
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        project = create_project(slug=slug, preset="meta4xnli-es-en", by=people[2])
        for user in people[:2]:
            add_member(project=project, user=user, role="adjudicator", by=None)
        fill(project, sentences)
        answer(project, people[:2], sentences // 2)
        began = time.perf_counter()
        layer = project.label_layer
        accept_agreed(project=project, layer=layer, language=LANGUAGE, by=people[2], without_overlap=True)
        print(f"{sentences:,} sentences: accepted as gold in {time.perf_counter() - began:.1f} s", flush=True)
    return project, people[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[10_000, 40_000])
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    rows = []
    for sentences in options.sentences:
        project, manager = decided(sentences)
        job = start_job(project=project, kind=JobKind.RELEASE, params={"partial": True}, by=manager)
        child = subprocess.run(
            [sys.executable, "-c", CHILD, str(job.pk)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        job.refresh_from_db()
        if job.state != JobState.DONE:
            raise SystemExit(f"The release ended otherwise: {job.state} {job.error} {child.stderr[-800:]}")
        rows.append([f"{project.golds.count():,}", *child.stdout.split()])
    print(f"\n{connection.vendor}\n\n| sentences with gold | clock, s | processor, s | MB before | MB at most |")
    print("|---:|---:|---:|---:|---:|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
