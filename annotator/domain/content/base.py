"""The protocol of content types, and which ones are installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotator.domain.messages import InvalidError

Content = dict[str, Any]
"""A content as it is stored and sent: a JSON object."""
Scheme = Mapping[str, Any]
"""A layer's scheme as it is stored."""


class ContentError(InvalidError):
    """A content that the unit may not carry; the text is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where contents differ. `key` names it among the differences of these contents; `tokens`: the tokens that
    it is about, where it is about any."""

    key: str
    tokens: tuple[int, ...] = ()


class ContentType(Protocol):
    """What a layer's contents look like. All methods are pure; `tokens` are the unit's, empty where it has none."""

    @property
    def slug(self) -> str:
        """How layers name it."""

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What agreement can be counted on; the first one is the default."""

    @property
    def unmarked(self) -> str:
        """The category of what nobody marked; empty where each category says as much as the others."""

    @property
    def distances(self) -> tuple[str, ...]:
        """How far apart agreement may take two categories to be, by name (`domain/agreement/distances.py`)."""

    def empty(self) -> Content:
        """What somebody begins with where nothing is suggested."""

    def begin(self, suggested: Content) -> Content:
        """What somebody begins with where `suggested` is shown."""

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        """The content in its one spelling. Raises ContentError; `done`: it asserts everything it could say."""

    def key(self, content: Content) -> Any:
        """A hashable value: contents are the same when their keys are. Machines' scores do not matter."""

    def is_labelled(self, content: Content) -> bool:
        """Whether it says that there is something, rather than nothing."""

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        """The categories of a dimension, in order; empty where there is no fixed list."""

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        """The category of each thing that agreement counts: one per token, or one per unit."""

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """How far two contents agree, 0 to 1: the order in which disagreements are looked at."""

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        """What was kept of the suggestion, added to it, and removed from it."""

    def merge(self, contents: Sequence[Content]) -> Content:
        """One content that has what all of `contents` share, and nothing where they differ."""

    def differences(self, contents: Sequence[Content], *, tokens: Sequence[str]) -> list[Difference]:
        """Where contents differ: what has to be chosen before one of them, or a mixture, is gold. Empty where all are
        the same."""

    def part(self, content: Content, difference: Difference, *, shared: Content) -> Content:
        """What a content says at a difference: the fields of it, or the spans. `shared`: what all contents share."""

    def joined(self, shared: Content, parts: Sequence[Content]) -> Content:
        """What all share, with a part for each difference: a whole content."""

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        """The content for a revised text: what stood on unchanged tokens, moved to where they are now, and what was
        said of the text as a whole."""

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        """What `carry` leaves behind, one text each, as a person reads it; empty where all of it is carried over.
        Where no token is `after`, nothing is."""

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether a finished content stays finished on a revised text; else the person looks at it again."""

    def places(self, content: Content) -> frozenset[int]:
        """Indices of the tokens that it labels."""


_types: dict[str, ContentType] = {}


def install(new: Iterable[ContentType]) -> None:
    """Make more content types known, each under its slug."""
    _types.update({one.slug: one for one in new})


def content_types() -> list[ContentType]:
    """All that are installed."""
    return list(_types.values())


def content_type(slug: str) -> ContentType:
    """The content type that a layer names. Raises LookupError, in words, when it is not installed."""
    try:
        return _types[slug]
    except KeyError:
        raise LookupError(f'Unknown content type "{slug}". Installed: {", ".join(sorted(_types))}.') from None
