"""The labels of a text in two versions: in both, in one, moved, or changed to another label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.domain.content import Content, content_type
from annotator.domain.content.free_text import FreeText
from annotator.domain.content.spans import Spans
from annotator.domain.labels.spans import BIO_ATTRIBUTE, spans_from_json


class Change(StrEnum):
    """What became of a label between the left and the right version.

    SAME: nothing changed. ATTRIBUTES: other attributes. RELABELLED: another label on the same words, or on words of the
    other. MOVED: the same label on more or fewer words. LEFT, RIGHT: only there.
    """

    SAME = "same"
    ATTRIBUTES = "attributes"
    MOVED = "moved"
    RELABELLED = "relabelled"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label on tokens; on the text as a whole where there are none."""

    tokens: tuple[int, ...]
    label: str
    attributes: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"tokens": list(self.tokens), "label": self.label, "attributes": dict(self.attributes)}

    @classmethod
    def from_json(cls, data: Any) -> Labelled:
        """The inverse of `to_json`."""
        return cls(tuple(data["tokens"]), data["label"], tuple(sorted(data["attributes"].items())))


@dataclass(frozen=True, slots=True)
class Compared:
    """One label with what became of it; None where a version has none."""

    change: Change
    left: Labelled | None
    right: Labelled | None


def has_labels(slug: str) -> bool:
    """Whether contents of this type have labels that can be compared, and are not texts."""
    kind = content_type(slug)
    return bool(kind.dimensions) and not isinstance(kind, FreeText)


def labels_of(slug: str, content: Content, *, length: int) -> list[Labelled]:
    """The labels of a content on a text of `length` tokens: its spans, or what agreement counts for each unit."""
    kind = content_type(slug)
    if isinstance(kind, Spans):
        return [
            Labelled(
                span.tokens,
                span.label,
                tuple((name, value) for name, value in span.attributes.items() if name != BIO_ATTRIBUTE),
            )
            for span in spans_from_json(content["spans"])
        ]
    observed = kind.observations(content, tokens=[""] * length, dimension=kind.dimensions[0])
    return [Labelled((), value) for value in observed if value != kind.unmarked]


def compare_labels(left: Sequence[Labelled], right: Sequence[Labelled]) -> Iterator[Compared]:
    """The fate of each label of the left version, and the labels that only the right one has. Each is matched with
    at most one: equal ones first, then those on the same words, then those that share most words."""
    ours, theirs = list(left), list(right)
    for change, fits in _MATCHES:
        for one in tuple(ours):
            likely = [other for other in theirs if fits(one, other)]
            if likely:
                other = max(likely, key=lambda other: len(_shared(one, other)))
                ours.remove(one)
                theirs.remove(other)
                yield Compared(change, one, other)
    yield from (Compared(Change.LEFT, one, None) for one in ours)
    yield from (Compared(Change.RIGHT, None, other) for other in theirs)


def _shared(one: Labelled, other: Labelled) -> set[int]:
    return set(one.tokens) & set(other.tokens)


_MATCHES: tuple[tuple[Change, Callable[[Labelled, Labelled], bool]], ...] = (
    (Change.SAME, lambda one, other: one == other),
    (Change.ATTRIBUTES, lambda one, other: (one.tokens, one.label) == (other.tokens, other.label)),
    (Change.RELABELLED, lambda one, other: one.tokens == other.tokens),
    (Change.MOVED, lambda one, other: one.label == other.label and bool(_shared(one, other))),
    (Change.RELABELLED, lambda one, other: bool(_shared(one, other))),
)
