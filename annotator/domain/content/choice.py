"""One of a list of values on a unit: `{"value": "relevant"}`, or None while nothing is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _


class Choice(Whole):
    """A value of the scheme's `values`; `nothing` names those that say that there is nothing to find."""

    slug = "choice"
    dimensions = ("units",)

    def empty(self) -> Content:
        return {"value": None}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != {"value"}:
            raise ContentError(_("A choice must be an object with a value."))
        value = content["value"]
        if value is None and not done:
            return {"value": None}
        values = scheme["values"]
        if value not in values:
            raise ContentError(
                _("“%(value)s” cannot be chosen here. Choose one of %(values)s."), value=value, values=", ".join(values)
            )
        return {"value": value}

    def key(self, content: Content) -> Any:
        return content["value"]

    def texts_in(self, content: Content) -> list[str]:
        return list(map(str, self.values_in(content)))

    def values_in(self, content: Content) -> list[Any]:
        return [] if content["value"] is None else [content["value"]]

    def is_labelled(self, content: Content) -> bool:
        return content["value"] is not None

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return tuple(scheme["values"])

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return [content["value"]]


CHOICE = Choice()
