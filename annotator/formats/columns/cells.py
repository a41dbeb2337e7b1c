"""What the cells of a row say of a text: its tokens, what is said of each, its categories and labels."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import white_space
from annotator.formats.columns.python_lists import is_cut_short, python_list
from annotator.formats.common.errors import quote
from annotator.formats.common.records import Text
from annotator.formats.json.interchange import labels_from_json, tags_to_labels
from annotator.formats.json.json_faults import json_fault
from annotator.formats.json.json_items import has_too_many
from annotator.formats.json.span_objects import ShapeError
from annotator.formats.text.characters import at_spaces

# What cells hold, by the meaning of their column.
_HOLDS = {
    "tokens": _("the tokens of the text, as a list or separated by spaces"),
    "spaces": _("a list of the white space before each token and at the end"),
    "lemmas": _("a lemma for each token, as a list or separated by spaces"),
    "pos": _("a part of speech for each token, as a list or separated by spaces"),
    "values": _('categories by layer, such as {"tone": ["ironic"]}'),
    "labels": _(
        'a tag for each token, such as O B-METAPHOR O, or labels such as [{"label": "METAPHOR", "at": [[4, 8]]}]; '
        "or leave the column out"
    ),
}
# "3-4", "1-2; 5-7", "3-4 METAPHOR": from where to where, in tokens or in characters.
_PLACES = re.compile(r"\d+\s*[-–:]\s*\d+")


class CellError(ShapeError):
    """A cell that does not hold what its column means. `holds`: what that is."""

    def __init__(self, meaning: str, language: str, cell: str, why: Sentence) -> None:
        super().__init__(message(_("%(cell)s: %(why)s"), cell=quote(cell, 80), why=why))
        self.meaning = meaning
        self.language = language
        self.holds = message(_HOLDS[meaning])


def are_places(cell: str) -> bool:
    """Whether a cell notes labels by where they begin and end, which could be tokens or characters, from 0 or 1."""
    return _PLACES.match(cell.strip()) is not None


def text_of_cells(cells: Mapping[str, str], language: str) -> Text:
    """A text from the cells of its language, by their meanings. Raises CellError."""
    meaning = "tokens"
    try:
        text = _tokens(cells)
        for meaning in ("lemmas", "pos"):
            text = _with_words(text, meaning, _strings(cells.get(meaning, "")))
        meaning = "values"
        text = _with_values(text, cells)
        meaning = "labels"
        return _with_labels(text, cells.get("labels", "").strip())
    except ShapeError as error:
        raise CellError(meaning, language, cells.get(meaning, ""), message_of(error)) from error


def _tokens(cells: Mapping[str, str]) -> Text:
    string = cells.get("text", "")
    if not cells.get("tokens"):
        return Text(string)
    tokens = _strings(cells["tokens"])
    given = cells.get("spaces", "")
    if given and not given.startswith("["):
        # What spaces separate cannot be spaces.
        raise ShapeError(_("it is not a list of texts"))
    try:
        spaces = _strings(given) if given else white_space(string, tokens) if string else ()
    except ValueError as error:
        raise ShapeError(_("the tokens do not match the text: %(error)s"), error=message_of(error)) from error
    if spaces and len(spaces) != len(tokens) + 1:
        raise ShapeError(_("%(spaces)s spaces for %(tokens)s tokens"), spaces=len(spaces), tokens=len(tokens))
    return Text(tokens=tokens, spaces=tuple(spaces))


def _with_words(text: Text, meaning: str, words: tuple[str, ...]) -> Text:
    """The text with its lemmas or parts of speech; split at spaces where it has no tokens yet."""
    if not words:
        return text
    if not text.tokens:
        tokens = tuple(text.text[begin:end] for begin, end in at_spaces(text.text))
        text = Text(tokens=tokens, spaces=tuple(white_space(text.text, tokens)))
    if len(words) != len(text.tokens):
        raise ShapeError(_("%(said)s for %(tokens)s tokens"), said=len(words), tokens=len(text.tokens))
    return replace(text, lemmas=words) if meaning == "lemmas" else replace(text, parts_of_speech=words)


def _with_values(text: Text, cells: Mapping[str, str]) -> Text:
    values: Mapping[str, tuple[str, ...]] = {}
    if cells.get("value"):
        values = {"": (cells["value"],)}
    if cells.get("values"):
        loaded = _json(cells["values"])
        if not isinstance(loaded, dict) or not all(isinstance(one, list) for one in loaded.values()):
            raise ShapeError(_("it is something else"))
        values = {layer: tuple(map(str, one)) for layer, one in loaded.items()}
    return replace(text, values=values) if values else text


def _with_labels(text: Text, cell: str) -> Text:
    if not cell:
        return text
    if are_places(cell):
        raise ShapeError(_("positions, which can't be read here"))
    _check_whole(cell)
    if tags := python_list(cell):
        return replace(text, labels=(tags_to_labels(tags, text),))
    if cell.startswith("["):
        return replace(text, labels=labels_from_json(_json(cell), text), sure_positions=False)
    return replace(text, labels=(tags_to_labels(cell.split(), text),))


def _strings(cell: str) -> tuple[str, ...]:
    """A list in JSON, or what spaces separate."""
    if not cell.startswith("["):
        return tuple(cell.split())
    _check_whole(cell)
    _check_values(cell)
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        # A text may begin with a bracket.
        return python_list(cell) or tuple(cell.split())
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ShapeError(_("it is not a list of texts"))
    return tuple(value)


def _check_whole(cell: str) -> None:
    if is_cut_short(cell):
        what = _("a list shortened with “...”, as to_csv does with long lists: export it with to_json instead")
        raise ShapeError(message(what))


def _check_values(cell: str) -> None:
    if has_too_many(cell):
        raise ShapeError(_("a list with too many values for one text"))


def _json(cell: str) -> Any:
    _check_values(cell)
    try:
        return json.loads(cell)
    except (ValueError, RecursionError) as error:
        why = json_fault(error) if isinstance(error, json.JSONDecodeError) else message_of(error)
        raise ShapeError(_("not valid JSON (%(error)s)"), error=why) from error
