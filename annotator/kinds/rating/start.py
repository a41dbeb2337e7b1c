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
        gettext_lazy("How metaphorical, new or concrete sentences are, on a scale, by three people each."),
        StageSpec("rate", "", mode="blind", answers_wanted=3),
    ),
    _start(
        "rating-marked",
        gettext_lazy("Ratings of marked expressions"),
        gettext_lazy(
            "Words are labelled first. Then each labelled expression is rated by itself on a scale, by three people."
        ),
        *_of_marked("rate-marked"),
    ),
    _start(
        "best-worst",
        gettext_lazy("Best–worst scaling"),
        gettext_lazy("Of four sentences at a time, which is the most metaphorical and which the least; then scores."),
        StageSpec("best-worst", "", mode="blind", answers_wanted=3),
    ),
    _start(
        "best-worst-marked",
        gettext_lazy("Best–worst scaling of marked expressions"),
        gettext_lazy(
            "Words are labelled first. Then labelled expressions are compared by fours: which is the most metaphorical "
            "and which the least."
        ),
        *_of_marked("best-worst-marked"),
    ),
)
