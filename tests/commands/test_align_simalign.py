"""The aligner simalign from the command line and in a job, with a small model of random weights."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotator.domain.projection.carry import LabelSource
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Alignment, Job, JobKind, JobState, Suggestion, SuggestionKind
from tests.factories import make_gold, make_project, make_segment, make_sentence, span
from tests.mlworkers.checkpoints import NEEDS_EXTRA, make_checkpoint

pytest.importorskip("torch", reason=NEEDS_EXTRA)

SPANISH = "La ola de despidos golpea a las familias"
ENGLISH = "The wave of layoffs hits families"


@pytest.fixture(autouse=True)
def _cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_checkpoint(tmp_path / "model", num_hidden_layers=3, positions=32)


def align(folder: Path, aligner: str, *, spanish: str = SPANISH) -> tuple[list[str], str]:
    """The lines of links that the command writes, and what it says."""
    (folder / "es.txt").write_text(f"{spanish}\n\n", encoding="utf-8")
    (folder / "en.txt").write_text(f"{ENGLISH}\n{ENGLISH}\n", encoding="utf-8")
    said = StringIO()
    call_command(
        "align",
        source=folder / "es.txt",
        target=folder / "en.txt",
        source_language="es",
        target_language="en",
        out=folder / "links",
        aligner=aligner,
        stdout=said,
        stderr=said,
    )
    return (folder / "links").read_text().split("\n"), said.getvalue()


def test_align_writes_the_links_of_the_model(tmp_path: Path, model: Path) -> None:
    lines, said = align(tmp_path, f"simalign:{model}?layer=2&method=fwd&token_type=word")
    assert [int(link.split("-")[0]) for link in lines[0].split()] == list(range(8))
    assert lines[1:] == ["", ""]
    assert "simalign: 2 sentence pairs, 8 links" in said


def test_align_tells_what_the_aligner_met(tmp_path: Path, model: Path) -> None:
    _lines, said = align(tmp_path, f"simalign:{model}?layer=2", spanish=f"\u200b {SPANISH} {SPANISH} {SPANISH}")
    assert "1 tokens that the tokenizer made nothing of" in said
    assert "1 sentences longer than the model's window" in said


def test_align_says_what_is_wrong_with_the_choice(tmp_path: Path, model: Path) -> None:
    with pytest.raises(CommandError, match="has 3 layers, so there is no layer 8"):
        align(tmp_path, f"simalign:{model}")
    assert not (tmp_path / "links").exists()


@pytest.mark.django_db
def test_a_job_carries_labels_over_by_the_model(model: Path) -> None:
    project = make_project()
    segment = make_segment(project)
    source = make_sentence(project, SPANISH, language="es", segment=segment)
    make_sentence(project, ENGLISH, language="en", segment=segment)
    make_gold(source, [span(1)])
    params = {
        "source": "es",
        "target": "en",
        "labels": LabelSource.GOLD.value,
        "aligner": f"simalign:{model}?layer=2&method=fwd&token_type=word",
    }
    job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    alignment = Alignment.objects.get(project=project)
    assert alignment.aligner == "simalign"
    assert alignment.revision.endswith("layer=2 fwd word")
    assert [link[0] for link in alignment.links] == list(range(8))
    assert Suggestion.objects.filter(project=project, kind=SuggestionKind.PROJECTION).count() == 1


@pytest.mark.django_db
def test_a_job_without_its_model_fails_in_words(tmp_path: Path) -> None:
    project = make_project()
    segment = make_segment(project)
    make_gold(make_sentence(project, SPANISH, language="es", segment=segment), [span(1)])
    make_sentence(project, ENGLISH, language="en", segment=segment)
    params = {"source": "es", "target": "en", "labels": "gold", "aligner": f"simalign:{tmp_path / 'nothing'}"}
    job: Job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "does not exist" in job.error
    assert not Alignment.objects.filter(project=project).exists()
