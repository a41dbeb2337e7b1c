"""The published corpus, in and out again, and its published numbers."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotator.domain.labels.label_uses import LabelUse
from annotator.models import Project
from annotator.releases.queries.literal_samples import literal_sample
from tests.corpora import META4XNLI, needs_meta4xnli

pytestmark = [pytest.mark.django_db, needs_meta4xnli]

DATASET = "xnli_dev"
# language, role, labelled tokens, tokens, labelled sentences, sentences
DETECTION = [
    ("es", "prem", 276, 16146, 203, 830),
    ("es", "hyp", 276, 24347, 252, 2490),
    ("es", "all", 552, 40493, 455, 3320),
    ("en", "prem", 384, 15098, 290, 830),
    ("en", "hyp", 442, 23271, 388, 2490),
    ("en", "all", 826, 38369, 678, 3320),
]
# inference, relevant, non-relevant, no metaphor, total
INTERPRETATION = [
    ("entailment", 101, 136, 593, 830),
    ("neutral", 96, 153, 581, 830),
    ("contradiction", 92, 160, 578, 830),
    ("all", 289, 449, 1752, 2490),
]


def run(*args: Any) -> str:
    out = StringIO()
    call_command(*map(str, args), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture(scope="module")
def imported(kept_rows: None) -> None:
    run("create_project", "m4x", "--preset", "meta4xnli-es-en")
    run("import_meta4xnli", "m4x", META4XNLI, "--dataset", DATASET, "--labels", "gold")


@pytest.mark.usefixtures("imported")
def test_reports_give_the_published_numbers() -> None:
    detection = json.loads(run("report", "m4x", "detection", "--format", "json"))
    interpretation = json.loads(run("report", "m4x", "interpretation", "--format", "json"))

    assert [tuple(value for key, value in row.items() if key != "dataset") for row in detection] == DETECTION
    assert [tuple(value for key, value in row.items() if key != "dataset") for row in interpretation] == INTERPRETATION
    text = run("report", "m4x", "detection")
    for percentage in ("1.36", "13.70", "1.13", "1.71", "10.12", "24.46", "2.15", "20.42", "1.90", "2.54", "15.58"):
        assert percentage in text


@pytest.mark.usefixtures("imported")
def test_projection_counts_every_label_of_the_target_language_once() -> None:
    rows = json.loads(run("report", "m4x", "projection", "--format", "json"))

    assert [(row["role"], row["target"], row["labelled_tokens"]) for row in rows] == [
        ("prem", 382, 384), ("hyp", 429, 442), ("all", 811, 826),
    ]  # fmt: skip
    assert all(row["source"] - row["lost"] + row["gained"] == row["target"] for row in rows)


@pytest.mark.usefixtures("imported")
def test_projected_labels_are_kept_shifted_or_lost_and_the_others_gained() -> None:
    run("project_labels", "m4x", "--source", "es", "--target", "en", "--labels", "gold", "--wait")

    rows = json.loads(run("report", "m4x", "projection", "--format", "json"))

    assert [(row["role"], row["source"], row["target"]) for row in rows] == [
        ("prem", 276, 382), ("hyp", 276, 429), ("all", 552, 811),
    ]  # fmt: skip
    for row in rows:
        assert row["projected"] + row["unaligned"] + row["dropped"] == row["source"]
        assert row["kept"] + row["shifted"] + row["lost"] == row["source"]
        assert row["source"] - row["lost"] + row["gained"] == row["target"]
    # Most labels stay where the aligner put them. Where the Spanish sentence has none, all are gained.
    assert rows[-1]["kept"] > 450
    assert rows[-1]["revised"] == 261


@pytest.mark.usefixtures("imported")
def test_export_is_byte_for_byte_what_was_imported(tmp_path: Path) -> None:
    run("export_meta4xnli", "m4x", tmp_path)

    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(written) == 7
    for path in written:
        assert (tmp_path / path).read_bytes() == (META4XNLI / path).read_bytes(), path


@pytest.mark.usefixtures("imported")
def test_every_metaphor_has_a_literal_use_beside_it() -> None:
    """Of xnli_dev, in which nothing is labelled as a whole sentence; 15 English labels have two words."""
    for language, metaphors in (("es", 552), ("en", 811)):
        project = Project.objects.get(slug="m4x")
        rows = list(literal_sample(project, language, seed=3, uses={"METAPHOR": LabelUse.METAPHOR}).records())
        assert sum(row["label"] == "metaphor" for row in rows) == metaphors
        assert len(rows) == 2 * metaphors
        assert {row["found"] for row in rows} == {"labelled", "same-words", "same-lemmas", "same-word-class"}
        places = [(row["uid"], token) for row in rows for token in row["expression"]]
        assert len(set(places)) == len(places)


@pytest.mark.usefixtures("imported")
def test_importing_again_changes_nothing() -> None:
    said = run("import_meta4xnli", "m4x", META4XNLI, "--dataset", DATASET, "--labels", "gold")

    assert "Everything was already in the project, so nothing was changed." in said
