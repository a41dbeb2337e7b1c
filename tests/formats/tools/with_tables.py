"""Loads files with datasets, pandas, openpyxl, NLTK and the Translate Toolkit, and writes them again with these.

Runs with their Python: `python with_tables.py FOLDER`; see with_doccano.py for what lies there. Each case is named
`<tool>-<format>`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1]).absolute()
os.environ.update(HF_HOME=str(FOLDER / "hub"), HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1")

import datasets
import nltk
import openpyxl
import pandas as pd
from nltk.corpus.reader import ConllCorpusReader
from translate.storage.tmx import tmxfile

datasets.disable_progress_bars()
RETURNED = FOLDER / "returned"
Rows = list[dict[str, Any]]


def same(case: str, what: str, got: Any, want: Any) -> None:
    """Say where what a tool sees is something else."""
    if got != want:
        pairs = [(a, b) for a, b in zip(got, want, strict=False) if a != b] if isinstance(got, list) else [(got, want)]
        print(f"DIFFERS {case}, {what}: {len(got)} of {len(want)}")
        for a, b in pairs[:3]:
            print(f"  given {b!r:.700}\n  seen  {a!r:.700}")


def loaded(kind: str, path: Path, **options: Any) -> datasets.Dataset:
    return datasets.load_dataset(kind, data_files=str(path), split="train", **options)


def tags_of(row: dict[str, Any]) -> list[str]:
    """The labels of a sentence as BIO tags, from their places."""
    tags = ["O"] * len(row["tokens"])
    places, end = [], 0
    for token in row["tokens"]:
        begin = row["text"].index(token, end)
        end = begin + len(token)
        places.append((begin, end))
    for label in row["labels"]:
        inside = [k for k, (b, e) in enumerate(places) if any(first <= b and e <= last for first, last in label["at"])]
        for number, k in enumerate(inside):
            tags[k] = ("I-" if number else "B-") + label["label"]
    return tags


def look_at_cells(case: str, cells: Callable[[str], list[Any]], rows: Rows) -> None:
    """A table of one row a sentence: the ids, the texts, and the labels as JSON in its cells."""
    same(case, "ids", cells("id"), [row["id"] for row in rows if row["language"] == rows[0]["language"]])
    for language in dict.fromkeys(row["language"] for row in rows):
        own = [row for row in rows if row["language"] == language]
        same(case, f"texts in {language}", cells(f"text:{language}"), [row["text"] for row in own])
        labels = [json.loads(cell) if cell else None for cell in cells(f"labels:{language}")]
        flat = [None if one is None else [{"attributes": {}, **label} for label in one] for one in labels]
        want = [row["labels"] if row["answered"] else None for row in own]
        same(case, f"labels in {language}", flat, want)


def datasets_hub(case: str, path: Path, rows: Rows) -> None:
    table = loaded("json", path)
    same(case, "ids", list(table["id"]), [row["id"] for row in rows])
    same(case, "tokens", [list(one) for one in table["tokens"]], [row["tokens"] for row in rows])
    same(case, "tags", [list(one) for one in table["tags"]], [tags_of(row) for row in rows])
    table.to_json(RETURNED / f"{case}.jsonl")
    table.to_csv(RETURNED / f"{case}.csv")


def datasets_jsonl(case: str, path: Path, rows: Rows) -> None:
    table = loaded("json", path)
    for language in dict.fromkeys(row["language"] for row in rows):
        own = [row for row in rows if row["language"] == language]
        same(
            case,
            f"tokens in {language}",
            [one[language]["tokens"] for one in table["texts"]],
            [r["tokens"] for r in own],
        )
        labels = [one[language].get("labels") for one in table["texts"]]
        seen = [None if one is None else [[label["label"], label["at"]] for label in one] for one in labels]
        want = [[[one["label"], one["at"]] for one in row["labels"]] if row["answered"] else None for row in own]
        same(case, f"labels in {language}", seen, want)
    table.to_json(RETURNED / f"{case}.jsonl")


def datasets_table(case: str, path: Path, rows: Rows) -> None:
    options: dict[str, Any] = {"sep": "\t"} if path.suffix == ".tsv" else {}
    # Or pandas, which does the reading, makes 7 of 007 and nothing of NA.
    names = path.read_text("utf-8").split("\n", 1)[0].split(options.get("sep", ","))
    features = datasets.Features({name: datasets.Value("string") for name in names})
    table = loaded("csv", path, features=features, keep_default_na=False, **options)
    look_at_cells(case, lambda name: list(table[name]), rows)
    table.to_csv(RETURNED / f"{case}{path.suffix}", **options)


def datasets_text(case: str, path: Path, rows: Rows) -> None:
    same(case, "lines", list(loaded("text", path)["text"]), [row["text"] for row in rows])


def pandas_table(case: str, path: Path, rows: Rows) -> None:
    options: dict[str, Any] = {"sep": "\t"} if path.suffix == ".tsv" else {}
    table = pd.read_csv(path, dtype=str, keep_default_na=False, **options)
    look_at_cells(case, lambda name: list(table[name]), rows)
    table.to_csv(RETURNED / f"{case}{path.suffix}", index=False, **options)


def pandas_excel(case: str, path: Path, rows: Rows) -> None:
    table = pd.read_excel(path, dtype=str, keep_default_na=False)
    look_at_cells(case, lambda name: list(table[name]), rows)
    table.to_excel(RETURNED / f"{case}.xlsx", index=False)


def pandas_jsonl(case: str, path: Path, rows: Rows) -> None:
    table = pd.read_json(path, lines=True, dtype=False)
    for language in dict.fromkeys(row["language"] for row in rows):
        own = [row for row in rows if row["language"] == language]
        same(
            case,
            f"tokens in {language}",
            [one[language]["tokens"] for one in table["texts"]],
            [r["tokens"] for r in own],
        )
    same(case, "ids", list(table["id"]), [row["id"] for row in rows if row["language"] == rows[0]["language"]])
    table.to_json(RETURNED / f"{case}.jsonl", orient="records", lines=True, force_ascii=False)


def openpyxl_excel(case: str, path: Path, rows: Rows) -> None:
    book = openpyxl.load_workbook(path)
    names, *cells = [[cell or "" for cell in row] for row in book.active.iter_rows(values_only=True)]
    look_at_cells(case, lambda name: [row[names.index(name)] for row in cells], rows)
    book.save(RETURNED / f"{case}.xlsx")


def nltk_columns(case: str, path: Path, rows: Rows) -> None:
    columns = ("words", "pos", "ignore", "chunk")
    # It reads in folders that it was told of.
    nltk.data.path.append(str(path.parent))
    reader = ConllCorpusReader(str(path.parent), [path.name], columns, separator=None, encoding="utf-8")
    found = [one for one in reader.iob_sents() if [word for word, *_ in one] != ["-DOCSTART-"]]
    same(case, "tokens", [[word for word, *_ in one] for one in found], [row["tokens"] for row in rows])
    same(case, "tags", [[tag for *_, tag in one] for one in found], [tags_of(row) for row in rows])


def toolkit_tmx(case: str, path: Path, rows: Rows) -> None:
    memory = tmxfile.parsefile(str(path))
    first, second = dict.fromkeys(row["language"] for row in rows)
    same(case, first, [str(unit.source) for unit in memory.units], [r["text"] for r in rows if r["language"] == first])
    same(
        case, second, [str(unit.target) for unit in memory.units], [r["text"] for r in rows if r["language"] == second]
    )
    ids = [unit.xmlelement.get("tuid") for unit in memory.units]
    same(case, "ids", ids, [row["id"] for row in rows if row["language"] == first])
    (RETURNED / f"{case}.tmx").write_bytes(bytes(memory))


TOOLS: dict[str, Callable[[str, Path, Rows], None]] = {
    "datasets-hub": datasets_hub,
    "datasets-jsonl": datasets_jsonl,
    "datasets-csv": datasets_table,
    "datasets-tsv": datasets_table,
    "datasets-lines": datasets_text,
    "datasets-moses": datasets_text,
    "pandas-csv": pandas_table,
    "pandas-tsv": pandas_table,
    "pandas-xlsx": pandas_excel,
    "pandas-jsonl": pandas_jsonl,
    "openpyxl-xlsx": openpyxl_excel,
    "nltk-conll2003": nltk_columns,
    "toolkit-tmx": toolkit_tmx,
}
DISTRIBUTIONS = ("datasets", "pandas", "openpyxl", "nltk", "translate-toolkit")


def main() -> None:
    RETURNED.mkdir()
    for case, rows in json.loads((FOLDER / "expected.json").read_text("utf-8")).items():
        (path,) = (FOLDER / "given").glob(f"{case}.*")
        try:
            TOOLS[case](case, path, rows)
        except Exception as error:  # whatever a tool raises is a difference; the other cases go on
            print(f"DIFFERS {case}: {type(error).__name__}: {str(error)[:600]}")
    for name in DISTRIBUTIONS:
        print("VERSION", name, version(name))


main()
