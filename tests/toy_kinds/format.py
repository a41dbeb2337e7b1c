"""Texts with their votes in a file of its own: `text<TAB>vote` a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.domain.text.tokens import tokenise
from annotator.formats.common.errors import FormatError
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text


class Voted:
    slug = "toy-voted"
    title = "Voted texts"
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        if not all(file.name.endswith(".voted") for file in files):
            return None
        return Guess(self.slug, 1.0, tuple(files), Options())

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        for file in files:
            for line, row in enumerate(file.path.read_text(file.encoding).splitlines(), start=1):
                text, tab, vote = row.partition("\t")
                if not tab:
                    yield FormatError(file.name, line, "a text, a tab and a vote", row)
                    continue
                contents = {"votes": {"value": vote}}
                yield Record(
                    file.name, line, {file.language: Text(tokens=tokenise(text), contents=contents)}, kind="text"
                )

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        raise NotImplementedError

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        return {"ends": "\r\n" if b"\r\n" in file.path.read_bytes() else "\n"}
