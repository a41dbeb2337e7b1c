"""Cost of splits and of their check for leaks: seconds and memory.

    DATA_DIR=/tmp/splits python bench/splits.py --sentences 13320          # a project in SQLite, in two languages
    python bench/splits.py --items 100000 1000000                          # without a database, in one language

A project is filled with premises and three hypotheses each, words drawn as natural texts have them, a seventh of the
sentences with a gold label, some texts nearly the same. Then a process of its own, as a worker is, makes a split.
Memory is the most that this process had, and what of it was there before. Without a database, texts are made one by
one, as they would be read, and dealt out to three parts.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
VOCABULARY = 40_000
CHILD = """
import sys, time
import bench.setup
from bench.splits import memory
from annotator.jobs import handlers
from annotator.jobs.running import run_job
from annotator.jobs.workers import alive
from annotator.models import Job

handlers.handler_of("split")
before, began, used = memory(), time.perf_counter(), time.process_time()
with alive() as name:
    run_job(int(sys.argv[1]), worker=name)
job = Job.objects.get(pk=int(sys.argv[1]))
assert job.state == "done", job.error
print(round(time.perf_counter() - began, 1), round(time.process_time() - used, 1), before, memory())
"""


def memory() -> int:
    """The most that this process had, in megabytes."""
    return int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) // 1024  # type: ignore[index]  # Linux has it


def texts(count: int, seed: int = 1) -> Iterator[list[str]]:
    """Texts of 4 to 24 words, drawn by Zipf's law; one in fifty is the tenth before it with another word."""
    draw = random.Random(seed)
    weights = list(accumulate(1 / (rank + 2) for rank in range(VOCABULARY)))
    words = [f"w{rank}" for rank in range(VOCABULARY)]
    before: deque[list[str]] = deque(maxlen=10)
    for number in range(count):
        if number % 50 == 49:
            text = [*before[0]]
            text[draw.randrange(len(text))] = f"other{number}"
        else:
            text = draw.choices(words, cum_weights=weights, k=draw.randint(4, 24))
        before.append(text)
        yield text


def filled(sentences: int) -> int:
    """The id of a project of this size."""
    from annotator.models import Gold, GoldSource, Project, Segment, Unit
    from annotator.projects.actions.projects import create_project

    slug = f"split-{sentences}"
    project = Project.objects.filter(slug=slug).first()
    if project is not None:
        return project.pk
    project = create_project(slug=slug, preset="meta4xnli-es-en", by=None)
    layer = project.label_layer
    rows = [
        Segment(project=project, uid=f"s{n}", role="prem" if n % 4 == 0 else "hyp", dataset=f"set{n % 3}",
                group=f"g{n // 4}", position=n)
        for n in range(sentences)
    ]  # fmt: skip
    Segment.objects.bulk_create(rows, 2000)
    for seed, language in enumerate(("es", "en")):
        units = [
            Unit(project=project, segment=row, language=language, tokens=text, token_count=len(text), lemmas=text,
                 touches=[row.pk])
            for row, text in zip(rows, texts(sentences, seed), strict=True)
        ]  # fmt: skip
        Unit.objects.bulk_create(units, 2000)
        label = {"label": "METAPHOR", "attributes": {}, "score": None}
        Gold.objects.bulk_create(
            (Gold(project=project, unit=unit, layer=layer, source=GoldSource.IMPORTED,
                  content={"spans": [{"tokens": [2], **label}] if number % 7 == 0 else []})
             for number, unit in enumerate(units)), 2000,
        )  # fmt: skip
    return project.pk


def in_project(sentences: int) -> None:
    """Make splits of a project in processes of their own."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    from annotator.jobs.actions import start_job
    from annotator.models import JobKind, Project

    project = Project.objects.get(pk=filled(sentences))
    for method in ("ratio", "lexical"):
        params = {
            "name": f"{method}-{time.time_ns()}", "layer": project.label_layer.pk, "method": method, "together": True,
            "parts": ["train", "dev", "test"], "shares": [60, 20, 20], "strata": ["dataset", "role", "label"],
        }  # fmt: skip
        job = start_job(project=project, kind=JobKind.SPLIT, params=params, by=None)
        child = subprocess.run(
            [sys.executable, "-c", CHILD, str(job.pk)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if child.returncode:
            raise SystemExit(child.stderr)
        wall, used, before, most = child.stdout.split()
        print(f"{sentences:,} × 2, {method}: {wall} s ({used} s of a core), {before} → {most} MB", flush=True)


def alone(count: int) -> None:
    """Deal items out, and compare their texts, without a database."""
    import numpy as np

    from annotator.domain.splits.assignment import assign
    from annotator.domain.splits.items import Items
    from annotator.domain.splits.leakage import Texts, common_names

    before = memory()
    items, kept = Items(1), Texts()
    for number, text in enumerate(texts(count)):
        items.add(f"g{number // 4}", [f"set{number % 3} {number % 7 == 0}"])
        kept.add(text, number)
    began = time.process_time()
    parts = assign(items, (0.6, 0.2, 0.2))
    dealt = time.process_time()
    common_names(kept.equal, np.arange(count), parts, 3)
    near = kept.near(parts, 3)
    checked = time.process_time()
    pairs = sum(leak.shared for leak in near.leaks)
    print(
        f"{count:,} items: dealt out in {dealt - began:.1f} s, compared in {checked - dealt:.1f} s ({pairs:,} pairs "
        f"nearly the same, {near.uncompared:,} not compared with all), {before} → {memory()} MB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="*", default=[])
    parser.add_argument("--items", type=int, nargs="*", default=[])
    options = parser.parse_args()
    if options.sentences:
        import bench.setup  # noqa: F401 -- before all that needs models
    for sentences in options.sentences:
        in_project(sentences)
    for count in options.items:
        alone(count)


if __name__ == "__main__":
    main()
