"""Tags as CoNLL had them before BIO: I- begins a label, and B- one that follows another of its name at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotator.domain.labels.bio import split_tag
from annotator.domain.labels.spans import OUTSIDE


def begin_with_i(sentences: Iterable[Sequence[str]]) -> bool:
    """Whether I- begins labels in these tags: some label has it in two places of a sentence, and none begins with B-
    but after another one of its name. Stops at the first that does."""
    again = False
    for tags in sentences:
        begun: set[str] = set()
        previous = ""
        for tag in tags:
            prefix, label = split_tag(tag) or (OUTSIDE, "")
            if prefix == "B" and label != previous:
                return False
            if prefix == "I" and label != previous:
                again = again or label in begun
                begun.add(label)
            previous = label
    return again


def as_begun(tag: str, previous: str) -> str:
    """A tag as BIO says it; `previous`: the one before it in the sentence, "" for none."""
    return f"B-{tag[2:]}" if tag.startswith("I-") and previous[2:] != tag[2:] else tag


def all_as_begun(tags: Sequence[str]) -> list[str]:
    """The tags of a sentence as BIO says them."""
    return [as_begun(tag, previous) for tag, previous in zip(tags, ["", *tags], strict=False)]
