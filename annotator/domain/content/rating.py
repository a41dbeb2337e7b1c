"""A value on a scale: `{"value": 3}`, null while nothing is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.agreement.distances import INTERVAL, NOMINAL, ORDINAL
from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.choice import Choice
from annotator.domain.messages import gettext_noop as _


class Rating(Choice):
    """A choice among whole numbers from 1 to the scheme's `points`, of which agreement knows how far they are apart.

    The scheme also has words of the project: `question`, `high`, `low`.
    """

    slug = "rating"
    distances = (NOMINAL, ORDINAL, INTERVAL)

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != {"value"}:
            raise ContentError(_("A rating must be an object with a value."))
        value = content["value"]
        if value is None and not done:
            return {"value": None}
        # In Python True is a number, too.
        if type(value) is not int or not 1 <= value <= scheme["points"]:
            raise ContentError(
                _("“%(value)s” is not on the scale. Choose a whole number from 1 to %(points)d."),
                value="" if value is None else str(value),
                points=int(scheme["points"]),
            )
        return {"value": value}

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return tuple(str(value) for value in range(1, scheme["points"] + 1))

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return [] if content["value"] is None else [str(content["value"])]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """1 for the same value, 1/2 for the next one, 1/3 for the one after it: the farther apart, the lower."""
        a, b = one["value"], other["value"]
        if a is None or b is None:
            return float(a == b)
        return 1.0 / (1 + abs(int(a) - int(b)))


RATING = Rating()
