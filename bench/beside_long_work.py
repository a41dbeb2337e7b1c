"""What a save costs while long work is under way: an import, a pre-labelling, a release, a training.

    DATA_DIR=/tmp/beside python bench/beside_long_work.py                      # SQLite in DATA_DIR
    DATABASE_URL=postgres://… DATA_DIR=/tmp/beside python bench/beside_long_work.py

One person saves ten times a second through Django's test client, first alone, then while a worker process imports a
corpus of `--sentences` sentences, pre-labels half of it, makes a release of a decided project, and trains a detector.
The project that is worked in is not the one that is imported into. The corpus is put together from a small
list of words.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bench.setup  # noqa: F401, I001 -- before all that needs models

from bench.million import LANGUAGE, SMALL, WORDS, percentile, prepare

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotator.work.gold.actions.agreed import accept_agreed
from annotator.jobs.actions import start_job
from annotator.projects.actions.projects import create_project
from annotator.machines.actions.training import set_train_every
from annotator.management.commands.demo import NICE
from annotator.models import Item, Job, JobKind, JobState, Project, User
from annotator.machines.queries.training import built_in

ROOT = Path(__file__).resolve().parents[1]
WORK = 13_280
LONGEST = 3600
# Seconds between two saves.
PAUSE = 0.1


class Saver:
    """A person who saves, one sentence after another."""

    def __init__(self, project: Project, user: User) -> None:
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(user)
        self.api = f"/api/v1/projects/{project.slug}/"
        self.stage = project.stages.get(kind="correct", language=LANGUAGE).pk
        self.held: list[dict[str, Any]] = []

    def save(self) -> float:
        """Seconds of one save; claims are not counted."""
        if not self.held:
            answer = self.client.post(
                f"{self.api}stages/{self.stage}/claim/", {"held": [], "count": 20}, content_type="application/json"
            )
            self.held = answer.json()["items"]
            if not self.held:
                raise SystemExit("Nothing is left to save on; start with an empty DATA_DIR.")
        item = self.held.pop(0)
        body = {"version": item["annotation"]["version"], "content": {"spans": []}, "done": True}
        began = time.perf_counter()
        answer = self.client.post(f"{self.api}assignments/{item['id']}/save/", body, content_type="application/json")
        took = time.perf_counter() - began
        if answer.status_code != 200:
            raise SystemExit(f"save: {answer.status_code} {answer.content[:300]!r}")
        return took


def corpus(folder: Path, sentences: int) -> None:
    """A dataset in the published layout: every premise with three hypotheses."""
    draw = random.Random(2)

    def text() -> list[str]:
        return [draw.choice(WORDS if place % 2 else SMALL) for place in range(draw.randint(8, 16))]

    premises = sentences // 4
    groups = {n: (text(), [text() for _ in range(3)]) for n in range(1, premises + 1)}
    interpretation: list[str] = ["language\tgold_label\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tsource_dataset"]
    for language in ("es", "en"):
        detection = folder / "detection" / "source_datasets" / language
        detection.mkdir(parents=True)
        lines: dict[str, list[str]] = {"prem": [], "hyp": []}
        for premise, (tokens, hypotheses) in groups.items():
            lines["prem"] += [*(f"{token}\tO" for token in tokens), ""]
            for number, other in enumerate(hypotheses):
                lines["hyp"] += [*(f"{token}\tO" for token in other), ""]
                pair = 3 * (premise - 1) + number + 1
                texts = [language, "neutral", " ".join(tokens), " ".join(other)]
                interpretation.append("	".join([*texts, f"{premise}_made", f"{pair}_made", "made", "made"]))
        for role, found in lines.items():
            (detection / f"made_{role}.tsv").write_text("\n".join(found) + "\n", encoding="utf-8")
    pairs = folder / "interpretation" / "source_datasets"
    pairs.mkdir(parents=True)
    header = interpretation[0]
    (pairs / "made_no_met.tsv").write_text("\n".join(interpretation) + "\n", encoding="utf-8")
    for empty in ("met", "nonrelevant"):
        (pairs / f"made_{empty}.tsv").write_text(header + "\n", encoding="utf-8")


def uploaded(sentences: int) -> str:
    """The corpus as a zip among the uploads; its name."""
    folder = Path(settings.DATA_DIR) / "made"
    shutil.rmtree(folder, ignore_errors=True)
    corpus(folder, sentences)
    uploads = Path(settings.MEDIA_ROOT) / "uploads"
    uploads.mkdir(parents=True, exist_ok=True)
    path = uploads / "made.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*.tsv")):
            archive.write(file, file.relative_to(folder))
    return path.name


def beside(
    saver: Saver, project: Project, kind: JobKind, params: Mapping[str, Any], by: User
) -> tuple[Job, list[float]]:
    """The job, and what saves took from its start to its end."""
    job = start_job(project=project, kind=kind, params=params, by=by)
    taken = []
    began = time.perf_counter()
    while not job.finished and time.perf_counter() - began < LONGEST:
        # As a person would, but faster: the rest of the time is the other process's.
        taken.append(saver.save())
        time.sleep(PAUSE)
        job.refresh_from_db()
    if job.state != JobState.DONE:
        raise SystemExit(f"{job}: {job.state} {job.error}")
    return job, taken


def row(name: str, taken: list[float], alone: list[float], seconds: float | None = None) -> str:
    p50, p95 = percentile(taken, 0.5), percentile(taken, 0.95)
    job = "" if seconds is None else f"{seconds:.1f}"
    return (
        f"| {name} | {job} | {len(taken)} | {1000 * p50:.1f} | {1000 * p95:.1f} | "
        f"{1000 * max(taken):.1f} | {p50 / percentile(alone, 0.5):.2f} | {p95 / percentile(alone, 0.95):.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=146_000)
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    project, mara, ana = prepare(WORK)
    # One thing at a time: no training that begins by itself, and no pre-labelling that follows it.
    set_train_every(project=project, hundreds=0, by=mara)
    saver = Saver(project, ana)
    for _ in range(20):
        saver.save()
    worker = subprocess.Popen(
        [sys.executable, "manage.py", "worker", "--nice", str(NICE)], cwd=ROOT, env={**os.environ, "LOG_LEVEL": "ERROR"}
    )
    try:
        alone = []
        for _ in range(200):
            alone.append(saver.save())
            time.sleep(PAUSE)
        print(f"\n{connection.vendor}; milliseconds\n")
        print("| while | job, s | saves | p50 | p95 | longest | p50 ÷ alone | p95 ÷ alone |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        print(row("nothing else", alone, alone), flush=True)
        slug = f"imported-{int(time.time())}"
        other = create_project(slug=slug, preset="meta4xnli-es-en", by=mara)
        accept_agreed(project=project, layer=project.label_layer, language=LANGUAGE, by=mara, without_overlap=True)
        for name, where, kind, params in (
            ("an import", other, JobKind.IMPORT, {"path": uploaded(options.sentences), "labels": "none"}),
            ("a pre-labelling", other, JobKind.PREDICT, {"language": LANGUAGE, "detector": built_in(LANGUAGE)}),
            ("a release", project, JobKind.RELEASE, {"partial": True}),
            ("a training", project, JobKind.TRAIN, {"language": LANGUAGE}),
        ):
            began = time.perf_counter()
            _job, taken = beside(saver, where, kind, params, mara)
            print(row(name, taken, alone, time.perf_counter() - began), flush=True)
        print(f"\n{Item.objects.filter(project=other).count():,} items were imported.")
    finally:
        worker.terminate()
        worker.wait()


if __name__ == "__main__":
    main()
