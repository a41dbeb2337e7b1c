"""How spans got into an annotation: kept from a suggestion, added by a person, or taken away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.domain.labels.spans import OUTSIDE, Span, sort_spans, token_labels


@dataclass(frozen=True)
class Origins:
    """Spans by origin, each in reading order; kept and added make up the annotation."""

    kept: tuple[Span, ...]
    added: tuple[Span, ...]
    removed: tuple[Span, ...]


@dataclass(frozen=True)
class TokenOrigins:
    """Numbers of tokens in a sentence; `revised` = `predicted` - `removed` + `added`."""

    predicted: int = 0
    removed: int = 0
    added: int = 0
    revised: int = 0


def origins(suggested: Iterable[Span], annotated: Iterable[Span]) -> Origins:
    """Sort the spans of a suggestion and an annotation by origin.

    Spans are the same when tokens and label are; attributes and scores do not matter.
    A span whose extent or label a person changed is therefore one removed and one added.
    """
    before = {(span.tokens, span.label): span for span in suggested}
    after = {(span.tokens, span.label): span for span in annotated}
    return Origins(
        kept=sort_spans(span for key, span in after.items() if key in before),
        added=sort_spans(span for key, span in after.items() if key not in before),
        removed=sort_spans(span for key, span in before.items() if key not in after),
    )


def token_origins(suggested: Iterable[Span], annotated: Iterable[Span], length: int) -> TokenOrigins:
    """Count a sentence of `length` tokens for the correction table.

    A token whose label was changed counts as one removed and one added.
    """
    predicted = removed = added = revised = 0
    for before, after in zip(token_labels(suggested, length), token_labels(annotated, length), strict=True):
        predicted += before != OUTSIDE
        revised += after != OUTSIDE
        removed += before not in (OUTSIDE, after)
        added += after not in (OUTSIDE, before)
    return TokenOrigins(predicted, removed, added, revised)
