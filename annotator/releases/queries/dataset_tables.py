"""The rows of a release as flat tables, one a configuration: JSON Lines, and Parquet where pyarrow is installed.

They are made from the files that lose nothing: what is nested there is JSON in a text here, so that every reader of
tables has the same columns. Rows are made and written one by one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from io import BufferedWriter
from typing import Any

from annotator.domain.batches import batches
from annotator.domain.labels.bio import BioError, write_bio
from annotator.domain.labels.spans import SpanError, spans_from_json
from annotator.formats.json_lines.release import PAIRS, SENTENCES
from annotator.releases.folder import ReleaseFolder

Row = dict[str, Any]
# Types of columns: texts, texts that are times, whole numbers, numbers, truth values, lists of texts.
TEXT, TIME, WHOLE, NUMBER, TRUTH, TEXTS = "text", "time", "whole", "number", "truth", "texts"
DATA = "data/{name}.{ending}"
# Rows of Parquet that are written together, as a group of their own.
_TOGETHER = 2_000
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
    """A configuration: its columns by name, and how many rows it has, at least one."""

    name: str
    columns: Mapping[str, str]
    size: int

    @property
    def ending(self) -> str:
        """Of the file that readers are pointed to."""
        return "parquet" if writes_parquet() else "jsonl"

    @property
    def path(self) -> str:
        return DATA.format(name=self.name, ending=self.ending)


def writes_parquet() -> bool:
    """Whether the extra `parquet` is installed."""
    return find_spec("pyarrow") is not None


def add_tables(files: ReleaseFolder) -> list[Table]:
    """Add the tables of a release's files; those that have rows. What is gold in one language has a row there,
    whatever the others have."""
    found = _written(files, _SENTENCE, _named("sentences"), map(_sentence, json_rows(files, SENTENCES)))
    if PAIRS in files:
        rows = json_rows(files, SENTENCES)
        texts = {(row["uid"], row["language"]): " ".join(row["tokens"]) for row in rows}
        pairs = (row for pair in json_rows(files, PAIRS) for row in _pairs(pair, texts))
        found += _written(files, _PAIR, _named("pairs"), pairs)
    for path in list(files):
        folder, _slash, file = path.partition("/")
        if _slash and file.endswith(".jsonl") and folder in _OTHERS:
            columns, make = _OTHERS[folder]
            name = f"{folder}_{file.removesuffix('.jsonl')}"
            found += _written(files, columns, _always(name), map(make, json_rows(files, path)))
    if writes_parquet():
        for table in found:
            _write_parquet(files, table)
    return found


def _named(name: str) -> Callable[[Row], str]:
    """Tables of each language."""
    return lambda row: _name(f"{name}_{row['language']}")


def _always(name: str) -> Callable[[Row], str]:
    return lambda _row: _name(name)


def _written(
    files: ReleaseFolder, columns: Mapping[str, str], table_of: Callable[[Row], str], rows: Iterable[Row]
) -> list[Table]:
    """Write each row to the table that it belongs to; the tables by name."""
    sizes: Counter[str] = Counter()
    with ExitStack() as stack:
        opened: dict[str, BufferedWriter] = {}
        for row in rows:
            name = table_of(row)
            if name not in opened:
                opened[name] = stack.enter_context(files.create(DATA.format(name=name, ending="jsonl")))
            opened[name].write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            sizes[name] += 1
    return [Table(name, columns, sizes[name]) for name in sorted(sizes)]


def _name(text: str) -> str:
    """A name that a configuration can have."""
    return re.sub(r"[^\w.]+", "_", text)


def json_rows(files: ReleaseFolder, path: str) -> Iterator[Row]:
    """The rows of a file of JSON lines, one by one; none where there is no such file."""
    return map(json.loads, files.lines(path))


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


def _write_parquet(files: ReleaseFolder, table: Table) -> None:
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
    rows = json_rows(files, DATA.format(name=table.name, ending="jsonl"))
    with (
        files.create(DATA.format(name=table.name, ending="parquet")) as file,
        parquet.ParquetWriter(file, schema) as writer,
    ):
        for some in batches(rows, _TOGETHER):
            writer.write_table(pyarrow.Table.from_pylist(some, schema=schema))
