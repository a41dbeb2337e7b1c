"""The starting point for words that stand for a marked one, with its guidelines and a small sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from annotator.core.presets import ADJUDICATE, LABELS, StageSpec, Start, Texts, guideline_files
from annotator.domain.labels.spans import Scheme
from annotator.kinds.substitution.units import BEST, INAPT

_HERE = Path(__file__).parent

START = Start(
    "substitution",
    Texts.SENTENCES,
    scheme=Scheme(labels=("METAPHOR",)),
    guidelines=guideline_files(_HERE / "guidelines", "substitution"),
    samples={language: _HERE / "sample" / language / "for_generation.csv" for language in ("en", "es")},
    chain=(
        StageSpec("correct", ""),
        StageSpec("substitute", "", mode="blind", answers_wanted=5, made_from="correct"),
        StageSpec("choose-best", "", mode="blind", answers_wanted=3, made_from="substitute"),
        StageSpec("inapt", "", made_from="substitute"),
        StageSpec(ADJUDICATE, "", layer=LABELS),
        StageSpec(ADJUDICATE, "", layer=BEST),
        StageSpec(ADJUDICATE, "", layer=INAPT),
    ),
    words=(
        _("Words for a metaphor"),
        _("Mark a word. Many people write a replacement, the best one is chosen by vote, and inapt words are found."),
    ),
)
MUNCH_START = replace(
    START,
    name="substitution-verified",
    chain=tuple(
        StageSpec("verify-best", "", made_from="substitute") if spec.kind == "choose-best" else spec
        for spec in START.chain
    ),
    words=(
        _("Words for a metaphor, as in MUNCH"),
        _(
            "Mark a word. Many people write a replacement, an expert verifies the most frequent one, and inapt "
            "words are found."
        ),
    ),
)
