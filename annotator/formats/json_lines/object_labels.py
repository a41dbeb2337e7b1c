"""What an object of JSON says of its text under the usual keys: labels on words, and categories of the whole."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from annotator.domain.labels.iob1 import begin_with_i
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Labels, Says, Text
from annotator.formats.json.interchange import are_on_tokens, labels_from_json, tags_to_labels
from annotator.formats.json.json_rows import read_objects
from annotator.formats.json.span_objects import Noted, ShapeError, has_positions
from annotator.formats.text.tagged import as_bio, is_tag

LABELS = (
    "labels", "tags", "ner_tags", "spans", "span", "entities", "ents", "annotations", "annotation", "mentions", "bio",
    "label", "category", "categories",
)  # fmt: skip
# How many rows tell what sort of answers a file has.
_LOOKED_AT = 200


def has_categories_alone(file: SourceFile) -> bool:
    """Whether a file is of texts that are classified, by its first rows: an empty list says nothing of words there."""
    found = False
    rows = (read[1] for read in read_objects(file) if isinstance(read, tuple))
    with contextlib.suppress(FormatError):
        for row in islice(rows, _LOOKED_AT):
            for key in LABELS:
                given = row.get(key)
                if (
                    has_positions(given)
                    or are_on_tokens(given)
                    or (isinstance(given, list) and any(map(_is_bio, given)))
                ):
                    return False
                found = found or (isinstance(given, list | str | dict) and bool(given) and not _are_answers(given))
    return found


def _is_bio(value: Any) -> bool:
    return isinstance(value, str) and is_tag(as_bio(value))


def labelled(
    value: Mapping[str, Any], text: Text, tags: Sequence[str], noted: Noted, *, classified: bool = False
) -> Text:
    """The text with all that an object says of it. Raises ShapeError.

    `tags`: what the tokens themselves say. `classified`: an empty list says nothing of words. `noted`: takes the keys
    and the labels that are not read.
    """
    values = dict(text.values)
    labels: list[Labels] = [tags_to_labels(tags, text)] if tags else []
    empty = False
    numbers = ""
    for key in (key for key in LABELS if key in value):
        given = value[key]
        if given is None or given == "":
            continue
        if _are_answers(given):
            noted.keys[key] += 1
            continue
        if isinstance(given, str | int) and not isinstance(given, bool):
            values[""] = (*values.get("", ()), str(given))
        elif given in ([], {}):
            empty = True
        elif _are_categories(given):
            values[""] = tuple(dict.fromkeys((*values.get("", ()), *given)))
        elif isinstance(given, dict) and all(isinstance(one, str) for one in given.values()):
            values |= {layer: (one,) for layer, one in given.items() if one}
        elif isinstance(given, list) and all(type(one) is int for one in given):
            numbers = numbers or key
        else:
            labels += _labels(key, given, text, noted)
    if numbers and not labels:
        raise ShapeError(_("%(key)s has numbers instead of names"), key=quote(numbers))
    if not labels and empty and not values and not classified and not noted.counts:
        labels = [Labels(Says.GOLD, "", ())]
    return replace(text, labels=_together(labels), values=values, sure_positions=False)


def _are_answers(given: Any) -> bool:
    """Whether a list says who answered, as releases have it beside the gold: not what they answered."""
    return (
        isinstance(given, list)
        and bool(given)
        and all(
            isinstance(one, dict) and {"annotator", "mode", "doubt"} <= set(one) and "content" not in one
            for one in given
        )
    )


def _labels(key: str, given: Any, text: Text, noted: Noted) -> tuple[Labels, ...]:
    own = Noted(counts=noted.counts)
    if isinstance(given, list) and all(map(_is_bio, given)) and begin_with_i([given]):
        noted.counts[message(_("lists of IOB1 tags, where I- begins a label, read as BIO"))] += 1
    found = labels_from_json(given, text, own)
    noted.keys.update({f"{key}.{name}": number for name, number in own.keys.items()})
    return found


def _are_categories(given: Any) -> bool:
    """Whether a list is of names of categories, and not of tags of tokens."""
    return isinstance(given, list) and all(isinstance(one, str) for one in given) and not any(map(_is_bio, given))


def _together(labels: Sequence[Labels]) -> tuple[Labels, ...]:
    """What stands under several keys as one answer; those of named people and models stay as they are."""
    nobodys = [one for one in labels if one.says == Says.GOLD and not one.name]
    if len(nobodys) < 2:
        return tuple(labels)
    spans: list[Any] = []
    for one in nobodys:
        spans += [span for span in one.spans if span not in spans]
    return (Labels(Says.GOLD, "", tuple(spans)), *(one for one in labels if one not in nobodys))
