"""Two versions of the labels of a layer, text by text.

Texts are found by their uid and language. `units` of the results says how many are in both (`compared`), in one
(`left`, `right`), and in both with other words or tokens (`changed`), and how many labels each of these has on the left
and on the right; those of the last three are in no cell.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.comparisons.queries.collecting import Cell, Collector, Computed
from annotator.comparisons.queries.sources import LabelledText, read_source
from annotator.domain.comparing.versions import Change, Labelled, compare_labels
from annotator.domain.text.tokens import word_of
from annotator.models import Event, Layer

KINDS_OF_TEXTS = ("compared", "left", "right", "changed")


def compare_versions(layer: Layer, left: Mapping[str, Any], right: Mapping[str, Any]) -> Computed:
    """What became of every label between two sources. Call it in a snapshot."""
    collected = Collector()
    newest = Event.objects.filter(project=layer.project_id).order_by("-pk").values_list("pk", flat=True).first()
    units = {kind: {"texts": 0, "left": 0, "right": 0} for kind in KINDS_OF_TEXTS}
    with tempfile.TemporaryDirectory() as folder:
        shelf = _Shelf(Path(folder) / "left.sqlite3", read_source(layer, left))
        for text in read_source(layer, right):
            before = shelf.take(text.uid, text.language)
            if before is None:
                _count(units["right"], (), text.labels)
                continue
            same = before.key == text.key
            _count(units["compared" if same else "changed"], before.labels, text.labels)
            if same:
                _add(collected, before, text)
        for labels in shelf.rest():
            _count(units["left"], labels, ())
        shelf.close()
    return Computed(collected, newest or 0, {"units": units})


def _count(unit: dict[str, int], left: Sequence[Labelled], right: Sequence[Labelled]) -> None:
    unit["texts"] += 1
    unit["left"] += len(left)
    unit["right"] += len(right)


def _add(collected: Collector, before: LabelledText, text: LabelledText) -> None:
    tokens = text.tokens or before.tokens
    for one in compare_labels(before.labels, text.labels):
        cell = Cell(
            state=one.change,
            label=one.left.label if one.left else "",
            other_label=one.right.label if one.right else "",
            language=text.language,
            dataset=text.dataset,
        )
        if one.change == Change.SAME:
            collected.count(cell)
            continue
        sides = [_side(side, tokens) for side in (one.left, one.right)]
        lemma, other = (" ".join(map(word_of, side["words"].split())) if side else "" for side in sides)
        content = {"uid": text.uid, "language": text.language, "left": sides[0], "right": sides[1]}
        collected.add(cell, content, lemma, other)


def _side(one: Labelled | None, tokens: Sequence[str]) -> dict[str, Any] | None:
    if one is None:
        return None
    return {**one.to_json(), "words": " ".join(tokens[token] for token in one.tokens if token < len(tokens))}


class _Shelf:
    """The texts of the left source in a file, from which each is taken once."""

    def __init__(self, path: Path, texts: Iterable[LabelledText]) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(
            "CREATE TABLE texts (uid, language, dataset, key, tokens, labels, PRIMARY KEY (uid, language))"
        )
        self._database.execute("BEGIN")
        self._database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?)", map(_row, texts))

    def take(self, uid: str, language: str) -> LabelledText | None:
        found = self._database.execute(
            "SELECT dataset, key, tokens, labels FROM texts WHERE uid = ? AND language = ?", (uid, language)
        ).fetchone()
        if found is None:
            return None
        self._database.execute("DELETE FROM texts WHERE uid = ? AND language = ?", (uid, language))
        dataset, key, tokens, labels = found
        return LabelledText(uid, language, dataset, key, json.loads(tokens), _labels(labels))

    def rest(self) -> Iterator[list[Labelled]]:
        """The labels of each text that was not taken."""
        return (_labels(labels) for (labels,) in self._database.execute("SELECT labels FROM texts"))

    def close(self) -> None:
        self._database.close()


def _row(text: LabelledText) -> tuple[str, ...]:
    labels = json.dumps([one.to_json() for one in text.labels])
    return text.uid, text.language, text.dataset, text.key, json.dumps(list(text.tokens)), labels


def _labels(stored: str) -> list[Labelled]:
    return [Labelled.from_json(one) for one in json.loads(stored)]
