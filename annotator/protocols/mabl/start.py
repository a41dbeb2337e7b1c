"""The starting point: pairs are written, validated by two others, and categorised by two."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, StageSpec, Start, Texts, guideline_files
from annotator.domain.labels.spans import Scheme

_GUIDELINES = Path(__file__).parent / "guidelines"
_SAMPLE = Path(__file__).parent / "sample"

START = Start(
    "mabl",
    Texts.SENTENCES,
    scheme=Scheme(labels=("METAPHOR",), discontinuous=True),
    guidelines=guideline_files(_GUIDELINES, "mabl"),
    chain=(
        StageSpec("write-pair", ""),
        StageSpec("validate", "", made_from="write-pair", answers_wanted=2),
        StageSpec("categories", "", made_from="validate", mode="blind", answers_wanted=2),
        StageSpec(ADJUDICATE, "", layer="validity"),
        StageSpec(ADJUDICATE, "", layer="categories"),
    ),
    samples={language: _SAMPLE / f"{language}.csv" for language in ("en", "es")},
    words=(
        gettext_lazy("Figurative pairs"),
        gettext_lazy(
            "Based on MABL: two sentences that begin alike and mean the opposite, validated by other people, then "
            "categorised."
        ),
    ),
)
