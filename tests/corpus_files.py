"""A copy of the sample corpus that a test may damage."""

from __future__ import annotations

import shutil
from pathlib import Path

import annotator

SAMPLE = Path(annotator.__file__).parent / "sample"
DATASET = "sample"
ES_PREM = "detection/source_datasets/es/sample_prem.tsv"
EN_PREM = "detection/source_datasets/en/sample_prem.tsv"
ES_HYP = "detection/source_datasets/es/sample_hyp.tsv"
EN_HYP = "detection/source_datasets/en/sample_hyp.tsv"
MET = "interpretation/source_datasets/sample_met.tsv"
NONRELEVANT = "interpretation/source_datasets/sample_nonrelevant.tsv"
NO_MET = "interpretation/source_datasets/sample_no_met.tsv"
PUBLISHED = (ES_PREM, EN_PREM, ES_HYP, EN_HYP, MET, NONRELEVANT, NO_MET)


def copy_sample(folder: Path) -> Path:
    """The sample's files in the published layout, under `folder`."""
    for part in ("detection", "interpretation"):
        shutil.copytree(SAMPLE / part, folder / part)
    return folder


def replace(path: Path, old: bytes, new: bytes, count: int = 1) -> None:
    """Replace the first `count` occurrences of `old`, which must be there."""
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, count))
