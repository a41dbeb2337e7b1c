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
from annotator.domain.labels.schemes import Scheme
from annotator.domain.text.storable import whole_number

# How an attribute is answered.
LIST, TEXT, VOCABULARY = "list", "text", "vocabulary"
NEW_LABELS = 2
_LABEL = ("old", "code", "name", "key", "colour", "description", "anchor", "split_from")


def labels_now(scheme: Mapping[str, Any]) -> list[LabelRow]:
    """The labels of a stored scheme as they are, and empty rows for new ones."""
    known = Scheme.from_json(scheme)
    rows = [LabelRow(label, label, **asdict(known.detail(label))) for label in known.labels]
    return [*rows, *([LabelRow("", "")] * NEW_LABELS)]


def labels_sent(data: QueryDict) -> list[LabelRow]:
    """The rows of the form, in its order; new ones that were left empty are none."""
    lists = {column: data.getlist(column) for column in _LABEL}
    checked = set(map(str, data.getlist("tokenless"))) if "rows" in data else None
    found = []
    for place in range(len(lists["old"])):
        values = {name: given[place].strip() if place < len(given) else "" for name, given in lists.items()}
        row = LabelRow(**values, tokenless=None if checked is None else str(place) in checked)
        if row.old or row.code:
            found.append(row)
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
