"""Parts of speech as treebanks write them: the tag set of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Sequence

OPEN = frozenset({"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB", "X"})
CLOSED = frozenset({"ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "PUNCT", "SCONJ", "SYM"})


def content_by_tag(tokens: Sequence[str], tags: Sequence[str], by_rule: Sequence[bool]) -> list[bool]:
    """For each token, whether its tag is that of a content word; `by_rule` decides on other tags."""
    return [
        any(map(str.isalpha, token)) if tag in OPEN else rule and tag not in CLOSED
        for token, tag, rule in zip(tokens, tags, by_rule, strict=True)
    ]
