"""Splits for tests: a corpus with groups and labels, and splits made at once."""

from __future__ import annotations

import random
from typing import Any

from annotator.imports.drafts.drafts import Upload
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Project, Segment, Sentence, Split, SplitRow, User
from annotator.splits.actions.uploads import store_upload
from tests.factories import make_gold, make_segment, make_sentence, span

RATIO: dict[str, Any] = {
    "method": "ratio",
    "parts": ["train", "dev", "test"],
    "shares": [60, 20, 20],
    "strata": ["dataset", "role", "label"],
    "together": True,
}
WORDS = ["casa", "río", "tiempo", "luz", "palabra", "camino", "idea", "fuego", "puerta", "mano", "noche", "barco"]


def fill(project: Project, groups: int = 20) -> list[Sentence]:
    """Premises with three hypotheses each in Spanish and English, with gold; some have a metaphor."""
    draw = random.Random(1)
    found = []
    for number in range(groups):
        for place, role in enumerate(("prem", "hyp", "hyp", "hyp")):
            segment = make_segment(project, role=role, uid=f"set:{role}:{number}.{place}", group=f"g{number}")
            words = [draw.choice(WORDS) for _ in range(6)]
            labelled = [span(draw.randrange(6))] if draw.random() < 0.3 else []
            for language in ("es", "en"):
                text = " ".join(f"{word}{language}" for word in words) + f" {number}.{place}"
                sentence = make_sentence(project, text, language=language, segment=segment)
                make_gold(sentence, labelled)
                found.append(sentence)
    return found


def make_split(project: Project, name: str = "ours", by: User | None = None, **params: Any) -> Split:
    """A split that a job has made."""
    job = run(project, name, by, **params)
    assert job.state == JobState.DONE, job.error
    return Split.objects.get(job=job)


def run(project: Project, name: str = "ours", by: User | None = None, **params: Any) -> Job:
    """A job that has tried to make a split."""
    layer = params.pop("layer", project.label_layer)
    job = start_job(
        project=project, kind=JobKind.SPLIT, params={**RATIO, "name": name, "layer": layer.pk, **params}, by=by
    )
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def upload(project: Project, files: dict[str, str | bytes]) -> dict[str, Any]:
    """The settings of a job that stores these published files."""
    uploads = [Upload(name, [text.encode() if isinstance(text, str) else text]) for name, text in files.items()]
    key = store_upload(project=project, uploads=uploads, by=None)
    return {"method": "imported", "parts": [], "shares": [], "strata": [], "together": False, "upload": key}


def parts_of(split: Split) -> dict[str, str | None]:
    """The part of each segment, by its uid."""
    rows = SplitRow.objects.filter(split=split).values_list("segment__uid", "part")
    return {uid: split.parts[part] if part is not None else None for uid, part in rows}


def groups_of(split: Split) -> dict[str, set[str | None]]:
    """The parts that each group is in."""
    found: dict[str, set[str | None]] = {}
    parts = parts_of(split)
    for segment in Segment.objects.filter(project=split.project, uid__in=parts):
        found.setdefault(segment.group, set()).add(parts[segment.uid])
    return found
