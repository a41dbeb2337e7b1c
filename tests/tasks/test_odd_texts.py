"""Jobs over sentences that nobody thinks of: each gets its result, and what there is to say of them is counted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from annotator.domain.projection.carry import LabelSource
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Project, Segment, Sentence, Suggestion
from tests.factories import make_gold, make_project, make_segment, make_sentence, span
from tests.mlworkers.checkpoints import HITZ_MAP, NEEDS_EXTRA, make_checkpoint
from tests.mlworkers.encoder import needs_encoder
from tests.mlworkers.odd import ODD

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


def parallel(sentences: Iterable[list[str]]) -> Project:
    """Odd sentences in Spanish, with labels, and a usual one in English for each."""
    made = make_project()
    for tokens in sentences:
        segment = make_segment(made)
        make_gold(odd_sentence(segment, tokens), [span(len(tokens) - 1)] if tokens else [])
        make_sentence(made, "The wave hits", language="en", segment=segment)
    return made


def odd_sentence(segment: Segment, tokens: list[str], language: str = "es") -> Sentence:
    return Sentence.objects.create(
        project=segment.project, segment=segment, language=language, tokens=tokens, token_count=len(tokens)
    )


def checkpoint(tmp_path: Path) -> Path:
    pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    return make_checkpoint(tmp_path / "tiny")


def run(project: Project, kind: str, **params: object) -> Job:
    job = start_job(project=project, kind=kind, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


@pytest.mark.parametrize("engine", ["crf", pytest.param("encoder", marks=needs_encoder), "transformers"])
def test_every_sentence_is_prelabelled_to_its_last_token(tmp_path: Path, engine: str) -> None:
    project = make_project()
    sentences = {odd_sentence(make_segment(project), tokens).pk: tokens for tokens in ODD.values()}
    detector = f"transformers:{checkpoint(tmp_path)}:{HITZ_MAP}" if engine == "transformers" else engine

    job = run(project, JobKind.PREDICT, language="es", detector=detector, chunk=5)

    assert job.result["sentences"] == len(ODD)
    assert job.result["skipped"] == {}
    rows = {row.unit_id: row.probabilities for row in Suggestion.objects.filter(is_current=True)}
    assert {pk: len(row) for pk, row in rows.items()} == {pk: len(tokens) for pk, tokens in sentences.items()}
    assert all(0 <= number <= 1 for row in rows.values() for number in row)
    if engine == "transformers":
        assert job.result["notes"]["sentences longer than the model's window"] == 1
        assert job.result["notes"]["tokens that the tokenizer made nothing of"] > 5


@pytest.mark.parametrize("engine", ["lexical", "simalign"])
def test_every_label_is_carried_over_or_has_its_reason(tmp_path: Path, engine: str) -> None:
    sentences = list(ODD.values())
    project = parallel(sentences)
    aligner = engine if engine == "lexical" else f"simalign:{checkpoint(tmp_path)}?layer=1"

    job = run(
        project, JobKind.PROJECT, source="es", target="en", aligner=aligner, labels=LabelSource.GOLD.value, chunk=5
    )

    # The sentence without tokens cannot have labels.
    labelled = len(sentences) - 1
    assert job.result["sentences"] == job.result["source_spans"] == sum(job.result["outcomes"].values()) == labelled
    assert job.result["skipped"] == {"without labels": 1}
    for row in Suggestion.objects.select_related("alignment"):
        assert [outcome["outcome"] for outcome in row.detail["outcomes"]] in (["projected"], ["unaligned"], ["dropped"])
        assert all(0 <= target < 3 for _source, target, _score in row.alignment.links)
    if engine == "simalign":
        assert job.result["notes"]["sentences longer than the model's window"] == 1
        assert job.result["notes"]["tokens that the tokenizer made nothing of"] > 5


@pytest.mark.parametrize(
    ("aligner", "says"),
    [
        ("simalign:{folder}", "does not exist"),
        ("simalign:{folder}?layer=eight", "no layer “eight”"),
        ("eflomal?links=all", "Available: eflomal"),
    ],
)
def test_an_aligner_that_cannot_be_had_fails_the_job_with_its_reason(tmp_path: Path, aligner: str, says: str) -> None:
    pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    project = parallel([["ola"]])
    params = {"source": "es", "target": "en", "aligner": aligner.format(folder=tmp_path / "nothing"), "labels": "gold"}
    job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert says in job.error
    assert not Suggestion.objects.exists()
