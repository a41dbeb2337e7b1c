"""JSON lines as they are published on model hubs: one object a sentence with `tokens` and `tags`.

`datasets.load_dataset("json", data_files=…)` reads what is written here.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.bio import split_tag
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.lines import split_lines


@dataclass(frozen=True)
class HubRow:
    """A sentence: its id ("" when the file has none), tokens, one BIO tag each, and its revision if known."""

    id: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    revision: int | None = None


@dataclass(frozen=True)
class HubFile:
    """The rows of a file in order, and what was odd about it."""

    rows: tuple[HubRow, ...]
    warnings: tuple[FormatWarning, ...] = ()


def parse_hub(
    data: bytes, name: str, *, labels: Collection[str] | None = None, tag_names: Sequence[str] | None = None
) -> HubFile:
    """Parse JSON lines with `tokens` and `tags` of equal length, and optionally `id` and `revision`.

    `labels` are the label names that may occur; None allows any. Tags given as numbers are places in
    `tag_names` (`("O", "B-METAPHOR", …)`). Further keys are ignored. Raises FormatError with the line.
    """
    source = split_lines(data, name)
    warnings = list(source.warnings)
    rows: list[HubRow] = []
    for number, line in enumerate(source.lines, start=1):
        if not line:
            warnings.append(FormatWarning(name, number, "a blank line"))
            continue
        rows.append(_row(line, name, number, labels, tag_names))
    return HubFile(tuple(rows), tuple(warnings))


def write_hub(rows: Iterable[HubRow]) -> str:
    """One JSON object a line, keys in the order id, revision, tokens, tags; the first two only where there is one.

    Raises ValueError for tokens and tags of different number.
    """
    lines = []
    for row in rows:
        if len(row.tokens) != len(row.tags):
            raise ValueError(f"The row {row.id!r} has {len(row.tokens)} tokens and {len(row.tags)} tags.")
        value: dict[str, Any] = {"id": row.id} if row.id else {}
        if row.revision is not None:
            value["revision"] = row.revision
        value |= {"tokens": list(row.tokens), "tags": list(row.tags)}
        lines.append(json.dumps(value, ensure_ascii=False) + "\n")
    return "".join(lines)


def _row(line: str, name: str, number: int, labels: Collection[str] | None, tag_names: Sequence[str] | None) -> HubRow:
    try:
        value = json.loads(line)
    # Deep nesting and absurdly long numbers are as little a row as broken JSON is.
    except (ValueError, RecursionError) as error:
        raise FormatError(name, number, "a JSON object a line", quote(line)) from error
    tokens = value.get("tokens") if isinstance(value, dict) else None
    tags = value.get("tags") if isinstance(value, dict) else None
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise FormatError(name, number, "an object with “tokens”, a list of texts", quote(line))
    if not isinstance(tags, list):
        raise FormatError(name, number, "an object with “tags”, a list", quote(line))
    if len(tags) != len(tokens):
        raise FormatError(name, number, "as many tags as tokens", f"{len(tokens)} tokens and {len(tags)} tags")
    revision = value.get("revision")
    if revision is not None and type(revision) is not int:
        raise FormatError(name, number, "a whole number as “revision”", quote(line))
    spelt = tuple(_tag(tag, name, number, labels, tag_names) for tag in tags)
    return HubRow(str(value.get("id", "")), tuple(tokens), spelt, revision)


def _tag(tag: Any, name: str, number: int, labels: Collection[str] | None, tag_names: Sequence[str] | None) -> str:
    if isinstance(tag, int) and not isinstance(tag, bool) and tag_names is not None and 0 <= tag < len(tag_names):
        tag = tag_names[tag]
    parts = split_tag(tag) if isinstance(tag, str) else None
    if parts is None or not (parts[0] == "O" or labels is None or parts[1] in labels):
        known = "a label" if labels is None else "one of " + ", ".join(sorted(labels))
        raise FormatError(name, number, f"tags O, or B- or I- and {known}", quote(str(tag)))
    return str(tag)
