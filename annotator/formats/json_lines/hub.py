"""JSON lines as they are published on model hubs: one object per sentence with `tokens` and `tags`.

`datasets.load_dataset("json", data_files=…)` reads what is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.domain.labels.iob1 import begin_with_i
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message, message_of
from annotator.formats.common.beginnings import beginning, placed
from annotator.formats.common.errors import FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.common.side_by_side import Row, Rows, side_by_side
from annotator.formats.common.writing import SideFiles, bio_tags, sentences_of
from annotator.formats.json.interchange import tags_to_labels
from annotator.formats.json.json_rows import read_objects
from annotator.formats.json.span_objects import ShapeError


@dataclass(frozen=True)
class HubRow:
    """A sentence: its id ("" when the file has none), tokens, one BIO tag each, and its revision if known.

    `labels`: those of the sentence that no token bears.
    """

    id: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    revision: int | None = None
    labels: tuple[str, ...] = ()


def write_hub(rows: Iterable[HubRow]) -> str:
    """One JSON object per line, keys in the order id, revision, tokens, tags, labels; the last where a row has any,
    the first two only where there is one.

    Raises ValueError for tokens and tags of different number.
    """
    rows = list(rows)
    return "".join(hub_lines(rows, any_labels=any(row.labels for row in rows)))


def hub_lines(rows: Iterable[HubRow], *, any_labels: bool) -> Iterator[str]:
    """The lines of `write_hub` one by one, for rows of which the caller knows whether any has labels."""
    return (_line(row, any_labels) for row in rows)


class Hub:
    """`{"id", "tokens", "tags"}` a line, a file for each language."""

    slug = "hub"
    writes = True
    keeps = frozenset(
        {Feature.TOKENS, Feature.LANGUAGES, Feature.IDS, Feature.ROLES, Feature.LABELS, Feature.DISCONTINUOUS}
    )

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Objects with tokens and tags."""
        for file in files:
            first = "".join(beginning(file, 5)).lstrip().removeprefix("[").lstrip()
            if not (first.startswith("{") and '"tokens"' in first and '"tags"' in first and '"texts"' not in first):
                return None
        known, notes = placed(files, languages)
        return Guess(self.slug, 0.9, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record an object, with gold labels; see `side_by_side`. Sentences without tokens hold their place."""
        return side_by_side(files, _rows)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language. Raises ValueError for labels that BIO cannot spell."""
        with SideFiles(folder, ".jsonl", write_hub([HubRow("", (), ())])) as files:
            for record in sentences_of(records):
                files.put(
                    record.role,
                    {
                        language: write_hub([HubRow(record.id, text.tokens, tuple(bio_tags(text)))])
                        for language, text in record.texts.items()
                    },
                )
        return files.paths


def _rows(file: SourceFile) -> Rows:
    for read in read_objects(file):
        if not isinstance(read, tuple):
            yield read
            continue
        line, value = read
        tokens, tags, id = _strings(value, "tokens"), _strings(value, "tags"), value.get("id", value.get("uid", ""))
        if tokens is None or tags is None or not isinstance(id, str | int):
            yield file.error(line, _("an object with lists of tokens and of tags"), quote(str(value), 80))
            continue
        text = Text(tokens=tokens)
        if begin_with_i([tags]):
            tag = next(tag for tag in tags if tag.startswith("I-"))
            what = _("%(tag)s: IOB1 tags, where I- begins a label, read as BIO")
            yield FormatWarning(file.name, line, message(what, tag=tag))
        try:
            labels = (tags_to_labels(tags, text),) if tokens else ()
        except ShapeError as error:
            yield file.error(line, _("one BIO tag per token"), message_of(error))
            continue
        yield Row(line, Text(tokens=text.tokens, labels=labels), id=str(id))


def _strings(value: dict[str, Any], key: str) -> tuple[str, ...] | None:
    """A list of texts; None for anything else."""
    one = value.get(key)
    return tuple(one) if isinstance(one, list) and all(isinstance(part, str) for part in one) else None


def _line(row: HubRow, any_labels: bool) -> str:
    if len(row.tokens) != len(row.tags):
        raise ValueError(f"The row {row.id!r} has {len(row.tokens)} tokens and {len(row.tags)} tags.")
    value: dict[str, Any] = {"id": row.id} if row.id else {}
    if row.revision is not None:
        value["revision"] = row.revision
    value |= {"tokens": list(row.tokens), "tags": list(row.tags)}
    # In all rows or in none: `datasets` wants one shape a file.
    if any_labels:
        value["labels"] = list(row.labels)
    return json.dumps(value, ensure_ascii=False) + "\n"
