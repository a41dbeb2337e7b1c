"""One scheme's labels seen as a simpler one's: what MIPVU's categories are where only metaphor or not is asked.

The mappings are a scheme's (`Scheme.mappings`). They are applied where somebody asks for it (comparison, export), and
where a machine knows the simpler labels only; the caller that applies one records its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from annotator.domain.content import Content
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.spans import Span, sort_spans, spans_from_json
from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _


class MappingError(InvalidError, LookupError):
    """A scheme has no mapping of that name."""


def mapped(spans: Iterable[Span], mapping: Mapping[str, str]) -> tuple[Span, ...]:
    """The spans under the labels that `mapping` gives theirs; those that it gives none are left out.

    Spans that get the same label and meet (share a token, or lie between each other's) become one, since tags could not
    tell them apart. Attributes and scores belong to the richer scheme and stay there.
    """
    by_label: dict[str, list[tuple[int, ...]]] = {}
    for span in sort_spans(spans):
        if target := mapping.get(span.label, ""):
            by_label.setdefault(target, []).append(span.tokens)
    found: list[Span] = []
    for label, units in by_label.items():
        merged: list[tuple[int, ...]] = []
        for tokens in dict.fromkeys(units):
            before = merged[-1] if merged else ()
            if tokens and before and tokens[0] <= before[-1]:
                merged[-1] = tuple(sorted({*before, *tokens}))
            else:
                merged.append(tokens)
        found += [Span(tokens, label) for tokens in merged]
    return sort_spans(found)


def mapped_content(content: Content, mapping: Mapping[str, str]) -> Content:
    """A content of spans under the labels that `mapping` gives theirs."""
    return {"spans": [span.to_json() for span in mapped(spans_from_json(content["spans"]), mapping)]}


def mapped_scheme(scheme: Scheme, name: str) -> Scheme:
    """The simpler scheme of a mapping. Raises MappingError when the scheme has no mapping of that name."""
    labels = tuple(dict.fromkeys(filter(None, mapping_named(scheme, name).values())))
    return Scheme(labels=labels, discontinuous=True)


def mapping_named(scheme: Scheme, name: str) -> Mapping[str, str]:
    """The mapping of that name. Raises MappingError when there is none."""
    try:
        return scheme.mappings[name]
    except KeyError:
        known = ", ".join(scheme.mappings) or "–"
        raise MappingError(_("Unknown mapping “%(name)s”. Available: %(known)s."), name=name, known=known) from None


def label_of_machine(scheme: Scheme, label: str) -> tuple[str, str] | None:
    """What a machine's label is under a scheme, and the mapping that says so ("" where the label is its own).

    Of several labels that a mapping makes that one, the first. None where the machine's label is nothing here.
    """
    if label in scheme.labels:
        return label, ""
    for name, mapping in scheme.mappings.items():
        for own in scheme.labels:
            if mapping[own] == label:
                return own, name
    return None


def labels_of_machine(scheme: Scheme) -> tuple[str, ...]:
    """The labels that a machine may know so that it can suggest under the scheme: its own, then those of mappings."""
    targets = (target for mapping in scheme.mappings.values() for target in mapping.values() if target)
    return tuple(dict.fromkeys([*scheme.labels, *targets]))


def as_machine(spans: Iterable[Span], scheme: Scheme, label: str) -> tuple[Span, ...]:
    """Of the spans, what a machine that knows `label` can learn: those of it, or that a mapping makes it."""
    if label in scheme.labels:
        return tuple(span for span in spans if span.label == label)
    for mapping in scheme.mappings.values():
        if label in mapping.values():
            return tuple(span for span in mapped(spans, mapping) if span.label == label)
    return ()
