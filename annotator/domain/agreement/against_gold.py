"""One person's answers against gold: kappa over everything, and kappa and F1 of each category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.domain.agreement.kappa import Kappa, cohen_kappa


@dataclass(frozen=True, slots=True)
class OfLabel:
    """Agreement with gold on one category. `gold`, `given`: how often each side has it; `f1` and `kappa` are None
    where they are undefined."""

    label: str
    gold: int
    given: int
    f1: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """Agreement with gold over everything, and on each category."""

    whole: Kappa
    labels: Sequence[OfLabel]

    def reaches(self, threshold: float) -> bool:
        """Whether kappa is at least so high; where it is undefined, whether all is as in gold."""
        value = self.whole.value if self.whole.value is not None else self.whole.observed
        return value is not None and value >= threshold


def against_gold(items: Iterable[tuple[Sequence[str], Sequence[str]]], *, unmarked: str) -> Score:
    """The score of items: the categories of their places in gold and in the answer. Places of all items count
    together; `unmarked` is no category of its own."""
    gold: list[str] = []
    given: list[str] = []
    for decided, answer in items:
        for one, other in zip(decided, answer, strict=False):
            gold.append(one)
            given.append(other)
    whole = cohen_kappa(gold, given)
    labels = [label for label in whole.labels if label != unmarked]
    return Score(whole, [_of_label(label, gold, given) for label in labels])


def _of_label(label: str, gold: Sequence[str], given: Sequence[str]) -> OfLabel:
    one, other = ([str(value == label) for value in values] for values in (gold, given))
    kappa = cohen_kappa(one, other, labels=["True", "False"])
    return OfLabel(label, one.count("True"), other.count("True"), kappa.specific[0], kappa.value)
