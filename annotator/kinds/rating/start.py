"""Starting points: sentences, or labelled expressions of them, are rated or compared by fours, by several people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, LABELS, StageSpec, Start, Texts, guideline_files
from annotator.domain.labels.spans import Scheme

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_HERE = Path(__file__).parent


def _start(name: str, title: _StrPromise, text: _StrPromise, *chain: StageSpec) -> Start:
    return Start(
        name,
        Texts.SENTENCES,
        scheme=Scheme(labels=("METAPHOR",), discontinuous=True),
        words=(title, text),
        guidelines=guideline_files(_HERE / "guidelines", name),
        chain=chain,
        samples={language: _HERE / "sample" / f"{language}.txt" for language in ("en", "es")},
    )


def _of_marked(kind: str) -> tuple[StageSpec, ...]:
    return (
        StageSpec("correct", ""),
        StageSpec(kind, "", made_from="correct", mode="blind", answers_wanted=3),
        StageSpec(ADJUDICATE, "", layer=LABELS),
    )


STARTS = (
    _start(
        "rating",
        gettext_lazy("Ratings"),
        gettext_lazy("Three people rate on a scale how metaphorical, new or concrete each sentence is."),
        StageSpec("rate", "", mode="blind", answers_wanted=3),
    ),
    _start(
        "rating-marked",
        gettext_lazy("Ratings of marked expressions"),
        gettext_lazy("People label words first. Then three people rate each labelled expression on a scale."),
        *_of_marked("rate-marked"),
    ),
    _start(
        "best-worst",
        gettext_lazy("Best–worst scaling"),
        gettext_lazy(
            "People choose the most and the least metaphorical of four sentences at a time. Scores are "
            "computed from the answers."
        ),
        StageSpec("best-worst", "", mode="blind", answers_wanted=3),
    ),
    _start(
        "best-worst-marked",
        gettext_lazy("Best–worst scaling of marked expressions"),
        gettext_lazy(
            "People label words first. Then they choose the most and the least metaphorical of four labelled "
            "expressions at a time."
        ),
        *_of_marked("best-worst-marked"),
    ),
)
