"""Splits for tests: a corpus with groups and labels, and splits made at once."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.formats.text.tagged import parse_tagged
from annotator.imports.drafts.drafts import Upload
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import (
    Gold,
    GoldSource,
    Job,
    JobKind,
    JobState,
    Project,
    Segment,
    Sentence,
    Split,
    SplitRow,
    Unit,
    User,
)
from annotator.splits.actions.splits import write_split
from annotator.splits.actions.uploads import store_upload
from annotator.splits.queries.collected import How
from annotator.splits.queries.computed import compute
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


def fill_at_once(project: Project, files: dict[str, bytes], dataset: str) -> None:
    """Many sentences with gold, out of tagged files by language that are parallel; without items and counters."""
    parsed = {language: parse_tagged(data, language).sentences for language, data in files.items()}
    count = len(next(iter(parsed.values())))
    segments = [
        Segment(project=project, uid=f"{dataset}:{number}", dataset=dataset, position=number) for number in range(count)
    ]
    Segment.objects.bulk_create(segments)
    layer = project.label_layer
    for language, sentences in parsed.items():
        units = [
            Unit(project=project, segment=segment, language=language, tokens=sentence.tokens,
                 token_count=len(sentence.tokens), touches=[segment.pk])
            for segment, sentence in zip(segments, sentences, strict=True)
        ]  # fmt: skip
        Unit.objects.bulk_create(units)
        Gold.objects.bulk_create(
            Gold(project=project, unit=unit, layer=layer, source=GoldSource.IMPORTED,
                 content={"spans": [one.to_json() for one in sentence.read().spans]})
            for unit, sentence in zip(units, sentences, strict=True)
        )  # fmt: skip


def make_split(project: Project, name: str = "ours", by: User | None = None, **params: Any) -> Split:
    """A split that a job has made."""
    job = run(project, name, by, **params)
    assert job.state == JobState.DONE, job.error
    return Split.objects.get(job=job)


def stored_split(project: Project) -> Split:
    """A split of the project's sentences, stored without a job that ran or an event."""
    with transaction.atomic():
        computed = compute(project.label_layer, ["train", "test"], [1, 1], How())
    job = Job.objects.create(
        project=project,
        kind=JobKind.SPLIT,
        state=JobState.DONE,
        params={**RATIO, "name": "stored", "layer": project.label_layer.pk},
    )
    pk = write_split(job=job, computed=computed)
    Split.objects.filter(pk=pk).update(published_at=timezone.now())
    return Split.objects.get(pk=pk)


def run(project: Project, name: str = "ours", by: User | None = None, **params: Any) -> Job:
    """A job that has tried to make a split."""
    layer = params.pop("layer", project.label_layer)
    job = start_job(
        project=project, kind=JobKind.SPLIT, params={**RATIO, "name": name, "layer": layer.pk, **params}, by=by
    )
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def upload(project: Project, files: Mapping[str, str | bytes]) -> dict[str, Any]:
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
