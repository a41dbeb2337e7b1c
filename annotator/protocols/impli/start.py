"""The starting point: expressions are marked, sentences rewritten, expressions defined, and the pairs validated."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, LABELS, StageSpec, Start, Texts, guideline_files
from annotator.domain.labels.label_uses import LITERAL
from annotator.domain.labels.spans import Scheme
from annotator.kinds.impli.units import DEFINITIONS

_GUIDELINES = Path(__file__).parent / "guidelines"
_SAMPLE = Path(__file__).parent / "sample"

START = Start(
    "impli",
    Texts.SENTENCES,
    scheme=Scheme(labels=("FIGURATIVE", "LITERAL"), mappings={LITERAL: {"FIGURATIVE": "", "LITERAL": "LITERAL"}}),
    guidelines=guideline_files(_GUIDELINES, "impli"),
    chain=(
        StageSpec("correct", ""),
        StageSpec("rewrite", "", made_from="correct"),
        StageSpec("define", ""),
        StageSpec("validate", "", made_from="rewrite", mode="blind", answers_wanted=2),
        StageSpec(ADJUDICATE, "", layer=LABELS),
        StageSpec(ADJUDICATE, "", layer=DEFINITIONS),
        StageSpec(ADJUDICATE, "", layer="validity"),
    ),
    samples={language: _SAMPLE / f"{language}.txt" for language in ("en", "es")},
    words=(
        gettext_lazy("Write inference pairs"),
        gettext_lazy(
            "Based on IMPLI: rewrite figurative sentences, define expressions, and validate what follows from them."
        ),
    ),
)
