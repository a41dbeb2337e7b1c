"""Labels as JSON: what our JSON lines and the label columns of tables hold, and the shapes of others that are read.

A label is `{"label": "METAPHOR", "at": [[4, 8]]}`, with the characters of the text from begin to end (exclusive), in
code points; several places for a label that leaves tokens out, none for one on the whole text; `attributes` and
`score` where there are any. A list of labels is gold's. Otherwise it is a list of `{"says": "person", "name": "ana",
"labels": […]}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.labels.bio import BioError, read_bio, split_tag
from annotator.domain.labels.iob1 import all_as_begun, begin_with_i
from annotator.domain.labels.spans import Span, SpanError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message_of
from annotator.formats.common.records import CharSpan, Labels, Says, Text
from annotator.formats.json.span_objects import Noted, ShapeError, shown, spans_of
from annotator.formats.text.characters import as_characters, at_spaces, places_of, plain

_SPAN = frozenset({"tokens", "label", "attributes", "score"})


def labels_to_json(text: Text) -> list[dict[str, Any]]:
    """The labels of a text, on its characters."""
    places = places_of(text)
    if len(text.labels) == 1 and text.labels[0].says is Says.GOLD and not text.labels[0].name:
        return [_to_json(as_characters(span, places)) for span in text.labels[0].spans]
    return [
        {
            "says": source.says.value,
            "name": source.name,
            "labels": [_to_json(as_characters(span, places)) for span in source.spans],
        }
        for source in text.labels
    ]


def labels_from_json(value: Any, text: Text, noted: Noted | None = None) -> tuple[Labels, ...]:
    """The labels that a JSON value spells, in any of the shapes that are known. Raises ShapeError.

    Read are what `labels_to_json` gives, spans on tokens as releases have them, what `span_objects` knows, and one BIO
    tag per token. `noted`: takes what is not read.
    """
    noted = Noted() if noted is None else noted
    if isinstance(value, list) and value and all(isinstance(part, dict) and "says" in part for part in value):
        return tuple(_source(part, text, noted) for part in value)
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return (tags_to_labels(value, text),)
    if text.tokens and are_on_tokens(value):
        return (Labels(Says.GOLD, "", tuple(_on_tokens(part, text) for part in value)),)
    spans = tuple(spans_of(value, plain(text), noted))
    # Where all that was labelled was rejected, nobody said that there is nothing.
    return (Labels(Says.GOLD, "", spans),) if spans or not value else ()


def are_on_tokens(value: Any) -> bool:
    """Whether a value is a list of spans as releases have them, which count tokens from 0."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and {"tokens", "label"} <= set(one) <= _SPAN for one in value)
    )


def _on_tokens(value: Any, text: Text) -> Span:
    try:
        span = Span.from_json({"attributes": {}, "score": None, **value})
    except SpanError as error:
        raise ShapeError(message_of(error)) from error
    if span.last >= len(text.tokens):
        raise ShapeError(_("%(shown)s is beyond the last token"), shown=shown(value))
    return span


def tags_to_labels(tags: Sequence[str], text: Text) -> Labels:
    """BIO tags, one per token, as gold labels. Raises ShapeError. A text without tokens is split at spaces.

    Where I- alone begins several labels of one name, it begins each of them (`iob1`).
    """
    count = len(text.tokens) if text.tokens else len(at_spaces(plain(text)))
    if len(tags) != count:
        raise ShapeError(_("%(tags)s tags for %(count)s tokens"), tags=len(tags), count=count)
    if begin_with_i([tags]):
        tags = all_as_begun(tags)
    try:
        spans = read_bio(tags).spans
    except BioError as error:
        raise ShapeError(message_of(error)) from error
    if text.tokens:
        return Labels(Says.GOLD, "", spans)
    return Labels(Says.GOLD, "", tuple(as_characters(span, at_spaces(plain(text))) for span in spans))


def are_tags(value: str) -> bool:
    """Whether a cell is BIO tags separated by spaces."""
    parts = value.split()
    return bool(parts) and all(split_tag(part) is not None for part in parts)


def _to_json(span: CharSpan) -> dict[str, Any]:
    value: dict[str, Any] = {"label": span.label, "at": [list(fragment) for fragment in span.fragments]}
    if span.attributes:
        value["attributes"] = dict(span.attributes)
    if span.score is not None:
        value["score"] = span.score
    return value


def _source(value: dict[str, Any], text: Text, noted: Noted) -> Labels:
    says = value["says"]
    if says not in tuple(Says):
        raise ShapeError(_("%(shown)s is not %(names)s"), shown=shown(says), names=", ".join(Says))
    name, labels = value.get("name", ""), value.get("labels")
    if not isinstance(name, str) or not isinstance(labels, list):
        raise ShapeError(_("%(shown)s does not have a name and a list of labels"), shown=shown(value))
    return Labels(Says(says), name, tuple(spans_of(labels, plain(text), noted)))
