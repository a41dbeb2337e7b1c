"""Labels as JSON: what our JSON lines and the label columns of tables hold, and the shapes of others that are read.

A label is `{"label": "METAPHOR", "at": [[4, 8]]}`, with the characters of the text from begin to end (exclusive), in
code points; several places for a label that leaves tokens out, none for one on the whole text; `attributes` and
`score` where there are any. A list of labels is gold's. Otherwise it is a list of `{"says": "person", "name": "ana",
"labels": […]}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.bio import BioError, read_bio, split_tag
from annotator.domain.formats.characters import as_characters, at_spaces, places_of, plain
from annotator.domain.formats.errors import quote
from annotator.domain.formats.records import CharSpan, Labels, Says, Text
from annotator.domain.said import SaidError, said_by, say
from annotator.domain.said import gettext_noop as _
from annotator.domain.spans import Attributes, Span

_BEGIN = ("start", "begin", "start_offset", "beginOffset", "from")
_END = ("end", "end_offset", "endOffset", "to", "stop")
_LABEL = ("label", "labels", "tag", "type", "entity", "category")


class ShapeError(SaidError):
    """A value that is none of the shapes that labels have; the text says what it is."""


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


def labels_from_json(value: Any, text: Text) -> tuple[Labels, ...]:
    """The labels that a JSON value spells, in any of the shapes that are known. Raises ShapeError.

    Read are what `labels_to_json` gives, lists of `[begin, end, label]`, objects with begin and end under their usual
    names, and one BIO tag a token.
    """
    if not isinstance(value, list):
        raise ShapeError(say(_("%(shown)s is not a list"), shown=_shown(value)))
    if value and all(isinstance(part, dict) and "says" in part for part in value):
        return tuple(_source(part) for part in value)
    if value and all(isinstance(part, str) for part in value):
        return (tags_to_labels(value, text),)
    return (Labels(Says.GOLD, "", tuple(_from_json(part) for part in value)),)


def tags_to_labels(tags: Sequence[str], text: Text) -> Labels:
    """BIO tags, one a token, as gold labels. Raises ShapeError. A text without tokens is split at spaces."""
    count = len(text.tokens) if text.tokens else len(at_spaces(plain(text)))
    if len(tags) != count:
        raise ShapeError(say(_("%(tags)s tags for %(count)s tokens"), tags=len(tags), count=count))
    try:
        spans = read_bio(tags).spans
    except BioError as error:
        raise ShapeError(said_by(error)) from error
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


def _source(value: dict[str, Any]) -> Labels:
    says = value["says"]
    if says not in tuple(Says):
        raise ShapeError(say(_("%(shown)s is not %(names)s"), shown=_shown(says), names=", ".join(Says)))
    name, labels = value.get("name", ""), value.get("labels")
    if not isinstance(name, str) or not isinstance(labels, list):
        raise ShapeError(say(_("%(shown)s has no name and list of labels"), shown=_shown(value)))
    return Labels(Says(says), name, tuple(_from_json(part) for part in labels))


def _from_json(value: Any) -> Span | CharSpan:
    if isinstance(value, list) and len(value) == 3 and _are_places(value[:2]) and isinstance(value[2], str):
        return _checked(((value[0], value[1]),), value[2], {}, None)
    if not isinstance(value, dict):
        raise ShapeError(say(_("%(shown)s is not a label"), shown=_shown(value)))
    label = next((value[key] for key in _LABEL if key in value), None)
    if isinstance(label, list) and len(label) == 1:
        label = label[0]
    if not isinstance(label, str):
        raise ShapeError(say(_("%(shown)s has no label"), shown=_shown(value)))
    if "at" in value:
        places = value["at"]
    else:
        begin = next((value[key] for key in _BEGIN if key in value), None)
        end = next((value[key] for key in _END if key in value), None)
        places = [[begin, end]]
    if not isinstance(places, list) or not all(isinstance(p, list) and len(p) == 2 and _are_places(p) for p in places):
        raise ShapeError(say(_("%(shown)s has no begin and end in whole numbers"), shown=_shown(value)))
    attributes = value.get("attributes") or {}
    if not isinstance(attributes, dict) or not all(isinstance(one, str) for one in attributes.values()):
        raise ShapeError(say(_("the attributes of %(shown)s are not names with a text each"), shown=_shown(value)))
    score = value.get("score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1):
        raise ShapeError(say(_("the score of %(shown)s is not between 0 and 1"), shown=_shown(value)))
    return _checked(tuple((p[0], p[1]) for p in places), label, attributes, score)


def _checked(
    places: tuple[tuple[int, int], ...], label: str, attributes: Mapping[str, str], score: float | None
) -> CharSpan:
    if not label:
        raise ShapeError(say(_("a label is empty")))
    return CharSpan(tuple(sorted(places)), label, Attributes(attributes), score)


def _are_places(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _shown(value: Any) -> str:
    return quote(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), 100)
