"""The rows of a release as flat tables, one a configuration: JSON Lines, and Parquet where pyarrow is installed.

They are made from the files that lose nothing: what is nested there is JSON in a text here, so that every reader of
tables has the same columns. Rows are made one by one, and kept as the lines that they become: as objects, those of a
large release would take many times the room.
"""

from __future__ import annotations

import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from annotator.domain.batches import batches
from annotator.domain.labels.bio import BioError, write_bio
from annotator.domain.labels.spans import SpanError, spans_from_json
from annotator.formats.json_lines.release import PAIRS, SENTENCES

Row = dict[str, Any]
# Types of columns: texts, texts that are times, whole numbers, numbers, truth values, lists of texts.
TEXT, TIME, WHOLE, NUMBER, TRUTH, TEXTS = "text", "time", "whole", "number", "truth", "texts"
DATA = "data/{name}.{ending}"
# Rows of Parquet that are written together, as a group of their own.
_TOGETHER = 10_000
_DECIDED = {"gold_source": TEXT, "decided_by": TEXT, "decided_at": TIME, "reason": TEXT}
_UNIT = {"uid": TEXT, "kind": TEXT, "language": TEXT, "revision": WHOLE, "dataset": TEXT}
_SENTENCE = {
    "uid": TEXT, "language": TEXT, "revision": WHOLE, "dataset": TEXT, "role": TEXT, "group": TEXT, "genre": TEXT,
    "tokens": TEXTS, "tags": TEXTS, "spans": TEXT, **_DECIDED,
}  # fmt: skip
_PAIR = {
    "pair_id": TEXT, "language": TEXT, "dataset": TEXT, "source_dataset": TEXT, "genre": TEXT, "premise_uid": TEXT,
    "premise": TEXT, "hypothesis_uid": TEXT, "hypothesis": TEXT, "inference": TEXT, "tag": TEXT, **_DECIDED,
}  # fmt: skip
_LAYER = {**_UNIT, "tokens": TEXTS, "content": TEXT, **_DECIDED}
_ANSWER = {
    **_UNIT, "role": TEXT, "token_count": WHOLE, "annotator": TEXT, "mode": TEXT, "scheme_version": WHOLE,
    "created_at": TIME, "done_at": TIME, "seconds": NUMBER, "doubt": TRUTH, "commented": TRUTH, "content": TEXT,
    "suggested": TEXT, "suggestion": TEXT, "origins": TEXT,
}  # fmt: skip
_LINKS = {"uid": TEXT, "source_revision": WHOLE, "target_revision": WHOLE, "aligner": TEXT, "links": TEXT}


@dataclass(frozen=True)
class Table:
    """A configuration: its columns by name, and its rows, at least one, as lines of JSON."""

    name: str
    columns: Mapping[str, str]
    lines: bytes

    @cached_property
    def size(self) -> int:
        """How many rows it has."""
        return self.lines.count(b"\n")

    @property
    def ending(self) -> str:
        """Of the file that readers are pointed to."""
        return "parquet" if writes_parquet() else "jsonl"

    @property
    def path(self) -> str:
        return DATA.format(name=self.name, ending=self.ending)

    def files(self) -> dict[str, bytes]:
        files = {DATA.format(name=self.name, ending="jsonl"): self.lines}
        if writes_parquet():
            files[DATA.format(name=self.name, ending="parquet")] = _parquet(self)
        return files


def writes_parquet() -> bool:
    """Whether the extra `parquet` is installed."""
    return find_spec("pyarrow") is not None


def dataset_tables(files: Mapping[str, bytes]) -> list[Table]:
    """The tables of a release's files, those without rows left out. What is gold in one language has a row there,
    whatever the others have."""
    found = [*_by_language("sentences", _SENTENCE, map(_sentence, json_rows(files, SENTENCES)))]
    if PAIRS in files:
        rows = json_rows(files, SENTENCES)
        texts = {(row["uid"], row["language"]): " ".join(row["tokens"]) for row in rows}
        pairs = (row for pair in json_rows(files, PAIRS) for row in _pairs(pair, texts))
        found += _by_language("pairs", _PAIR, pairs)
    for path in sorted(files):
        folder, _slash, file = path.partition("/")
        if _slash and file.endswith(".jsonl") and folder in _OTHERS:
            columns, make = _OTHERS[folder]
            lines = b"".join(_line(make(row)) for row in json_rows(files, path))
            found.append(Table(_name(f"{folder}_{file.removesuffix('.jsonl')}"), columns, lines))
    return [table for table in found if table.lines]


def _by_language(name: str, columns: Mapping[str, str], rows: Iterable[Row]) -> Iterator[Table]:
    found: defaultdict[str, bytearray] = defaultdict(bytearray)
    for row in rows:
        found[row["language"]] += _line(row)
    for language in sorted(found):
        yield Table(_name(f"{name}_{language}"), columns, bytes(found[language]))


def _name(text: str) -> str:
    """A name that a configuration can have."""
    return re.sub(r"[^\w.]+", "_", text)


def json_rows(files: Mapping[str, bytes], path: str) -> Iterator[Row]:
    """The rows of a file of JSON lines, one by one; none where there is no such file."""
    return (json.loads(line) for line in io.BytesIO(files.get(path, b"")))


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _sentence(row: Row) -> Row:
    try:
        tags = write_bio(spans_from_json(row["spans"]), len(row["tokens"]))
    except (BioError, SpanError):
        # What tags cannot spell is in the spans.
        tags = None
    return {name: row[name] for name in list(_SENTENCE)[:8]} | {
        "tags": tags,
        "spans": _text(row["spans"]),
        **_decided(row["gold"]),
    }


def _pairs(pair: Row, texts: Mapping[tuple[str, str], str]) -> Iterator[Row]:
    for language, gold in sorted(pair["gold"].items()):
        yield {
            "pair_id": pair["pair_id"],
            "language": language,
            "dataset": pair["dataset"],
            "source_dataset": pair["source_dataset"],
            "genre": pair["genre"],
            "premise_uid": pair["premise"],
            "premise": texts.get((pair["premise"], language)),
            "hypothesis_uid": pair["hypothesis"],
            "hypothesis": texts.get((pair["hypothesis"], language)),
            "inference": pair["inference"],
            "tag": gold["tag"],
            **_decided(gold),
        }


def _layer(row: Row) -> Row:
    about = {name: row[name] for name in (*_UNIT, "tokens")}
    return {**about, "content": _text(row["content"]), **_decided(row["gold"])}


def _answer(row: Row) -> Row:
    nested = ("content", "suggested", "origins")
    return {name: _text(row.get(name)) if name in nested else row[name] for name in _ANSWER}


def _links(row: Row) -> Row:
    return {
        "uid": row["uid"],
        "source_revision": row["source"]["revision"],
        "target_revision": row["target"]["revision"],
        "aligner": row["aligner"],
        "links": " ".join(f"{source}-{target}" for source, target, *_score in row["links"]),
    }


def _decided(gold: Row) -> Row:
    names = zip(_DECIDED, ("source", "decided_by", "decided_at", "reason"), strict=True)
    return {column: gold[name] for column, name in names}


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


_OTHERS = {"layers": (_LAYER, _layer), "annotations": (_ANSWER, _answer), "alignments": (_LINKS, _links)}


def _parquet(table: Table) -> bytes:
    """The same bytes from the same rows, by one version of pyarrow."""
    # Loaded here: an extra, and large.
    import pyarrow
    from pyarrow import parquet

    types = {
        TEXT: pyarrow.string(),
        TIME: pyarrow.string(),
        WHOLE: pyarrow.int64(),
        NUMBER: pyarrow.float64(),
        TRUTH: pyarrow.bool_(),
        TEXTS: pyarrow.list_(pyarrow.string()),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in table.columns.items()])
    out = io.BytesIO()
    with parquet.ParquetWriter(out, schema) as writer:
        for lines in batches(io.BytesIO(table.lines), _TOGETHER):
            writer.write_table(pyarrow.Table.from_pylist([json.loads(line) for line in lines], schema=schema))
    return out.getvalue()
