"""Records as the JSON Lines that doccano imports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from annotator.formats.common.records import PairRecord, Record, Text
from annotator.formats.common.voices import only_labels
from annotator.formats.common.writing import sentences_of
from annotator.formats.text.characters import as_characters, places_of, plain

# A relation of this type between two labels says that they are one: doccano has no other way to leave words out.
PART = "translatio:part"
PLAIN = ("id", "group", "role", "genre", "source", "language")
# What doccano keeps with the sentence and gives back.
_ABOUT = (*PLAIN, "layer", "tokens")


def write_doccano(records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
    """Write a file per language, `doccano.ca.jsonl`. Pairs are left out. Raises ValueError for what doccano has no room
    for."""
    drafts: dict[str, _Draft] = {}
    try:
        for record in sentences_of(records):
            for language, text in record.texts.items():
                if language not in drafts:
                    path = folder / f"doccano.{language}.draft"
                    drafts[language] = _Draft(path, path.open("w", encoding="utf-8", newline="\n"))
                drafts[language].put(_row(record, language, text))
    finally:
        for draft in drafts.values():
            draft.out.close()
    return [
        draft.finish(folder / (f"doccano.{language}.jsonl" if language else "doccano.jsonl"))
        for language, draft in drafts.items()
    ]


@dataclass(slots=True)
class _Draft:
    """The rows of a language, which wait in a file: what each needs, such as relations, is known only at the end."""

    path: Path
    out: TextIO
    # The keys that some row fills.
    needs: set[str] = field(default_factory=set)

    def put(self, row: Mapping[str, Any]) -> None:
        self.needs |= {key for key, value in row.items() if value or (key == "entities" and value is not None)}
        self.out.write(json.dumps(row, ensure_ascii=False) + "\n")

    def finish(self, path: Path) -> Path:
        with (
            self.path.open(encoding="utf-8", newline="\n") as rows,
            path.open("w", encoding="utf-8", newline="\n") as out,
        ):
            for row in rows:
                out.write(json.dumps(self.shaped(json.loads(row)), ensure_ascii=False) + "\n")
        self.path.unlink()
        return path

    def shaped(self, row: dict[str, Any]) -> dict[str, Any]:
        """A row as the kind of project imports it that has no more than all rows need.

        All rows have the same keys: doccano makes NaN of what one lacks, and then cannot store any of them.
        """
        entities, relations, categories = row.pop("entities"), row.pop("relations"), row.pop("cats")
        about = {key: row.get(key) for key in _ABOUT if key in self.needs} | row
        if "relations" in self.needs:
            return (
                about
                | {"entities": entities, "relations": relations}
                | ({"cats": categories} if "cats" in self.needs else {})
            )
        spans = [[entity["start_offset"], entity["end_offset"], entity["label"]] for entity in entities or []]
        # Without an answer there is no list, which doccano reads past.
        answer = spans if entities is not None else None
        if {"entities", "cats"} <= self.needs:
            return about | {"entities": answer, "cats": categories}
        return about | {"label": categories if "cats" in self.needs else answer}


def _row(record: Record, language: str, text: Text) -> dict[str, Any]:
    labels = only_labels(record, text, "doccano")
    categories = [category for values in text.values.values() for category in values]
    if len(text.values) > 1:
        raise ValueError(f"{record.id or record.line}: doccano has room for the categories of one layer, not of two.")
    entities: list[dict[str, Any]] = []
    relations: list[dict[str, Any]] = []
    places = places_of(text)
    for span in labels.spans if labels else ():
        pieces = as_characters(span, places)
        if not pieces.fragments:
            categories.append(pieces.label)
        for number, (begin, end) in enumerate(pieces.fragments):
            own = len(entities)
            entities.append({"id": own, "label": span.label, "start_offset": begin, "end_offset": end})
            if number:
                relations.append({"id": len(relations), "from_id": own - number, "to_id": own, "type": PART})
    row: dict[str, Any] = {name: getattr(record, name, "") for name in PLAIN}
    row["language"] = language
    # What is empty everywhere would only clutter the metadata that doccano shows.
    row = {name: value for name, value in row.items() if value}
    if layer := "".join(text.values):
        row["layer"] = layer
    row["text"] = plain(text)
    if text.tokens:
        row["tokens"] = list(text.tokens)
    return row | {"entities": entities if labels else None, "relations": relations, "cats": categories}
