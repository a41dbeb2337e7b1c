"""What the pages on a layer's scheme send: rows of labels and of attributes, and how units may lie."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.http import QueryDict

from annotator.domain.labels.relabel import LabelRow
from annotator.domain.labels.rescheme import RULES, AttributeRow, ValueRow
from annotator.domain.labels.schemes import PALETTE, Scheme
from annotator.domain.text.storable import whole_number

# How an attribute is answered.
LIST, TEXT, VOCABULARY = "list", "text", "vocabulary"
_LABEL = ("old", "code", "name", "key", "description", "anchor", "split_from")


def labels_now(scheme: Mapping[str, Any]) -> list[LabelRow]:
    """The labels of a stored scheme as they are."""
    known = Scheme.from_json(scheme)
    return [LabelRow(label, label, **asdict(known.detail(label))) for label in known.labels]


def labels_sent(data: QueryDict) -> list[LabelRow]:
    """The rows of the form in its order, after the move that a button asks for. New ones that were left empty are none.

    `place` says by which number a row's colour, and whether it may stand on the sentence, are sent: rows can be moved
    in the browser.
    """
    lists = {column: data.getlist(column) for column in _LABEL}
    places = data.getlist("place") or [str(place) for place in range(len(lists["old"]))]
    checked = set(map(str, data.getlist("tokenless"))) if "rows" in data else None
    found = []
    for number, place in enumerate(places[: len(lists["old"])]):
        values = {name: given[number].strip() if number < len(given) else "" for name, given in lists.items()}
        colour = str(data.get(f"colour-{place}", ""))
        row = LabelRow(**values, colour=colour, tokenless=None if checked is None else place in checked)
        found.append((place, row))
    return [row for _place, row in _moved(found, str(data.get("move", ""))) if row.old or row.code]


def _moved(rows: list[tuple[str, LabelRow]], move: str) -> list[tuple[str, LabelRow]]:
    """`move`: the place of a row and "up" or "down"."""
    place, _space, direction = move.partition(" ")
    at = next((number for number, (one, _row) in enumerate(rows) if one == place), None)
    to = None if at is None else at + {"up": -1, "down": 1}.get(direction, 0)
    if at is None or to is None or not 0 <= to < len(rows):
        return rows
    rows.insert(to, rows.pop(at))
    return rows


def label_fields(rows: Sequence[LabelRow]) -> list[list[tuple[str, str]]]:
    """Rows as the hidden fields of a form that sends them, each a name and a value."""
    return [
        [
            ("place", str(place)),
            *((name, getattr(row, name) or "") for name in _LABEL),
            (f"colour-{place}", row.colour),
            *([("tokenless", str(place))] if row.tokenless else []),
        ]
        for place, row in enumerate(rows)
    ]


def shown_labels(rows: Sequence[LabelRow]) -> list[dict[str, Any]]:
    """Rows for the table: each with the hue it has, and the one of its place."""
    several = sum(bool(row.code) for row in rows) > 1
    found = []
    for place, row in enumerate(rows):
        by_place = PALETTE[place % len(PALETTE)] if several else ""
        found.append(asdict(row) | {"hue": row.colour or by_place, "hue_by_place": by_place})
    return found


def attributes_now(scheme: Mapping[str, Any]) -> list[AttributeRow]:
    """The attributes of a stored scheme as they are, and an empty row for a new one."""
    rows = [
        AttributeRow(name, name, **asdict(one) | {"values": tuple(ValueRow(value, value) for value in one.values)})
        for name, one in Scheme.from_json(scheme).attributes.items()
    ]
    return [*rows, AttributeRow("", "")]


def attributes_sent(data: QueryDict) -> list[AttributeRow]:
    """The rows of the form, numbered from 0; new ones that were left empty are none."""
    count = min(whole_number(str(data.get("rows", ""))) or 0, 100)
    rows = [_attribute(data, f"{place}-") for place in range(count)]
    return [row for row in rows if row.old or row.code]


def rules_sent(data: QueryDict) -> dict[str, bool]:
    """How units may lie, by the names of `domain.schemes.Scheme`."""
    return {name: name in data for name in RULES}


def answered_by(row: AttributeRow) -> str:
    """How an attribute is answered: by a value of a list, a text, or a term of the vocabulary."""
    if row.vocabulary:
        return VOCABULARY
    return LIST if row.values or not row.old else TEXT


def digest(sent: Sequence[Any] | Mapping[str, Any]) -> str:
    """What was shown, in a few letters, so that nothing else is done than what was shown."""
    rows = sent if isinstance(sent, Mapping) else [asdict(row) for row in sent]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def _attribute(data: QueryDict, prefix: str) -> AttributeRow:
    def text(name: str) -> str:
        return str(data.get(prefix + name, "")).strip()

    values: list[ValueRow] = []
    if text("answer") == LIST:
        olds, given = data.getlist(f"{prefix}old-value"), data.getlist(f"{prefix}value")
        values = [ValueRow(old, " ".join(value.split())) for old, value in zip(olds, given, strict=False)]
        more = (" ".join(line.split()) for line in text("more").splitlines())
        values += [ValueRow("", line) for line in more if line]
    return AttributeRow(
        text("old"),
        text("code"),
        values=tuple(values),
        labels=tuple(data.getlist(f"{prefix}labels")),
        name=text("name"),
        key=text("key"),
        description=text("description"),
        vocabulary=text("answer") == VOCABULARY,
        obligatory=f"{prefix}obligatory" in data,
        translation=f"{prefix}translation" in data,
    )
