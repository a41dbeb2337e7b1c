"""Which part of a unit has most of a property and which least: `{"best": 0, "worst": 3}`, null while not chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.agreement.best_worst import SIZE
from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _

_ENDS = ("best", "worst")


class BestWorst(Whole):
    """Parts are numbered from 0. The scheme has words of the project: `question`, `high` and `low`."""

    slug = "best-worst"
    dimensions = _ENDS

    def empty(self) -> Content:
        return {"best": None, "worst": None}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != set(_ENDS):
            raise ContentError(_("An answer must be an object with best and worst, each the number of a text."))
        for value in content.values():
            # In Python True is a number, too.
            if value is not None and (type(value) is not int or not 0 <= value < SIZE):
                raise ContentError(
                    _("“%(value)s” is not the number of a text. Use 0 to %(last)d."),
                    value=str(value),
                    last=SIZE - 1,
                )
        best, worst = content["best"], content["worst"]
        if best is not None and best == worst:
            raise ContentError(_("The same text cannot be both: choose two different ones."))
        if done and None in (best, worst):
            raise ContentError(_("Choose two of the texts: one for each end of the scale."))
        return {"best": best, "worst": worst}

    def key(self, content: Content) -> Any:
        return content["best"], content["worst"]

    def texts_in(self, content: Content) -> list[str]:
        return [str(number + 1) for _end, number in self.values_in(content)]

    def values_in(self, content: Content) -> list[Any]:
        return [(end, content[end]) for end in _ENDS if content[end] is not None]

    def is_labelled(self, content: Content) -> bool:
        return bool(self.values_in(content))

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return tuple(str(number) for number in range(1, SIZE + 1))

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        value = content[dimension]
        return [] if value is None else [str(value + 1)]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """Half for each of the two; nothing where what is best for one is worst for the other."""
        if one["best"] == other["worst"] or one["worst"] == other["best"]:
            return 0.0
        return sum(bool(one[end] == other[end]) for end in _ENDS) / len(_ENDS)


BEST_WORST = BestWorst()
