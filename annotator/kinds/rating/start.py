"""Starting points: sentences, or labelled expressions of them, are rated or compared by fours, by several people."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, LABELS, StageSpec, Start, Texts
from annotator.domain.labels.spans import Scheme

_HERE = Path(__file__).parent
_SAMPLES = {language: _HERE / "sample" / f"{language}.txt" for language in ("en", "es")}
_SCHEME = Scheme(labels=("METAPHOR",), discontinuous=True)


def _guidelines(name: str) -> dict[str, Path]:
    return {"en": _HERE / "guidelines" / f"{name}.md", "es": _HERE / "guidelines" / f"{name}.es.md"}


RATING_START = Start(
    "rating",
    Texts.SENTENCES,
    (),
    _SCHEME,
    _guidelines("rating"),
    chain=(StageSpec("rate", "", mode="blind", answers_wanted=3),),
    samples=_SAMPLES,
    words=(
        gettext_lazy("Ratings"),
        gettext_lazy("How metaphorical, new or concrete sentences are, on a scale, by three people each."),
    ),
)
RATING_MARKED_START = Start(
    "rating-marked",
    Texts.SENTENCES,
    (),
    _SCHEME,
    _guidelines("rating-marked"),
    chain=(
        StageSpec("correct", ""),
        StageSpec("rate-marked", "", made_from="correct", mode="blind", answers_wanted=3),
        StageSpec(ADJUDICATE, "", layer=LABELS),
    ),
    samples=_SAMPLES,
    words=(
        gettext_lazy("Ratings of marked expressions"),
        gettext_lazy(
            "Words are labelled first. Then each labelled expression is rated by itself on a scale, by three people."
        ),
    ),
)
BEST_WORST_START = Start(
    "best-worst",
    Texts.SENTENCES,
    (),
    _SCHEME,
    _guidelines("best-worst"),
    chain=(StageSpec("best-worst", "", mode="blind", answers_wanted=3),),
    samples=_SAMPLES,
    words=(
        gettext_lazy("Best–worst scaling"),
        gettext_lazy("Of four sentences at a time, which is the most metaphorical and which the least; then scores."),
    ),
)
BEST_WORST_MARKED_START = Start(
    "best-worst-marked",
    Texts.SENTENCES,
    (),
    _SCHEME,
    _guidelines("best-worst-marked"),
    chain=(
        StageSpec("correct", ""),
        StageSpec("best-worst-marked", "", made_from="correct", mode="blind", answers_wanted=3),
        StageSpec(ADJUDICATE, "", layer=LABELS),
    ),
    samples=_SAMPLES,
    words=(
        gettext_lazy("Best–worst scaling of marked expressions"),
        gettext_lazy(
            "Words are labelled first. Then labelled expressions are compared by fours: which is the most metaphorical "
            "and which the least."
        ),
    ),
)
