"""Several of a list of categories for each part of a unit: `{"answers": [["object"], []]}`.

None of them (`[]`) is an answer; a part that nobody has looked at is `null`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from annotator.domain.agreement.distances import JACCARD, MASI, NOMINAL
from annotator.domain.agreement.sets import jaccard
from annotator.domain.content.base import Content, ContentError, Difference, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import by_number
from annotator.domain.messages import gettext_noop as _

NONE = "none"


class Categories(Whole):
    """The scheme has `values`, the categories in order, and `parts`, how many answers a unit has (1 where it says
    nothing)."""

    slug = "categories"
    dimensions = ("sets",)
    unmarked = NONE
    distances = (NOMINAL, JACCARD, MASI)

    def empty(self) -> Content:
        return {"answers": []}

    def begin(self, suggested: Content) -> Content:
        return {"answers": list(suggested["answers"])}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != {"answers"} or not isinstance(content["answers"], list):
            raise ContentError(_("Categories must be an object with answers, a list of categories for each part."))
        parts, values = int(scheme.get("parts", 1)), tuple(scheme["values"])
        answers = [*content["answers"], *[None] * (parts - len(content["answers"]))]
        if len(answers) > parts:
            what = by_number(
                parts,
                _("The answer must have categories for %(number)d part."),
                _("The answer must have categories for %(number)d parts."),
            )
            raise ContentError(what, number=parts)
        checked = [_answer(answer, values) for answer in answers]
        if done and None in checked:
            raise ContentError(_("Choose categories for each part, or say that none of them fits."))
        return {"answers": checked}

    def key(self, content: Content) -> Any:
        answers = list(map(_key, content["answers"]))
        while answers and answers[-1] is None:
            answers.pop()
        return tuple(answers)

    def texts_in(self, content: Content) -> list[str]:
        return [name for _part, name in self.values_in(content)]

    def values_in(self, content: Content) -> list[Any]:
        return [(part, one) for part, answer in enumerate(content["answers"]) for one in answer or ()]

    def is_labelled(self, content: Content) -> bool:
        return any(content["answers"])

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return ["+".join(sorted(answer)) or NONE for answer in content["answers"] if answer is not None]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        pairs = [
            (a, b) for a, b in zip(one["answers"], other["answers"], strict=False) if a is not None and b is not None
        ]
        return sum(1 - jaccard(frozenset(a), frozenset(b)) for a, b in pairs) / len(pairs) if pairs else 0.0

    def merge(self, contents: Sequence[Content]) -> Content:
        """The parts to which all gave the same categories; nothing for the others."""
        return {
            "answers": [
                answers[0] if len(set(map(_key, answers))) == 1 else None
                for answers in zip_longest(*(content["answers"] for content in contents))
            ]
        }

    def differences(self, contents: Sequence[Content], *, tokens: Sequence[str]) -> list[Difference]:
        parts = zip_longest(*(content["answers"] for content in contents))
        return [Difference(str(number)) for number, answers in enumerate(parts) if len(set(map(_key, answers))) > 1]

    def part(self, content: Content, difference: Difference, *, shared: Content) -> Content:
        number = int(difference.key)
        return {"answers": [*[None] * number, *content["answers"][number : number + 1]]}

    def joined(self, shared: Content, parts: Sequence[Content]) -> Content:
        given = zip_longest(*(content["answers"] for content in (shared, *parts)))
        return {"answers": [next((one for one in answers if one is not None), None) for answers in given]}


def _answer(answer: Any, values: Sequence[str]) -> list[str] | None:
    if answer is None:
        return None
    if not isinstance(answer, list) or any(one not in values for one in answer):
        odd = next((one for one in answer if one not in values), answer) if isinstance(answer, list) else answer
        raise ContentError(
            _("“%(value)s” cannot be chosen here. Choose one of %(values)s."), value=str(odd), values=", ".join(values)
        )
    return [one for one in values if one in answer]


def _key(answer: Sequence[str] | None) -> frozenset[str] | None:
    return None if answer is None else frozenset(answer)


CATEGORIES = Categories()
