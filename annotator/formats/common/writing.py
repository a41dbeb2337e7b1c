"""What the writers share: files of one language each, and labels as tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from annotator.domain.labels.bio import write_bio
from annotator.domain.labels.spans import Span
from annotator.formats.common.errors import quote
from annotator.formats.common.records import CharSpan, PairRecord, Record, Text


class SideFiles:
    """Files of which line group k is sentence k: one for each role and language, such as `prem.ca.txt`.

    `filler` stands where a language lacks a sentence; None where the format has nothing for that.
    """

    def __init__(self, folder: Path, suffix: str, filler: str | None) -> None:
        self.paths: list[Path] = []
        self._folder, self._suffix, self._filler = folder, suffix, filler
        self._open: dict[str, dict[str, TextIO]] = {}
        self._count: dict[str, int] = {}

    def __enter__(self) -> SideFiles:
        return self

    def __exit__(self, *exception: object) -> None:
        for files in self._open.values():
            for file in files.values():
                file.close()

    def put(self, role: str, pieces: Mapping[str, str]) -> None:
        """Write a sentence in its languages, as the format spells it. Raises ValueError where it cannot be left out."""
        files = self._open.setdefault(role, {})
        count = self._count.get(role, 0)
        for language in pieces:
            if language not in files:
                path = self._folder / (".".join(filter(None, (role, language))) + self._suffix)
                # Kept open until the last sentence: closed by `__exit__`.
                files[language] = path.open("w", encoding="utf-8", newline="\n")
                self.paths.append(path)
                files[language].write(self._fill(language) * count if count else "")
        for language, file in files.items():
            piece = pieces[language] if language in pieces else self._fill(language)
            if not count and piece.startswith("\ufeff"):
                raise ValueError("The file would begin with U+FEFF, which readers take for a byte order mark.")
            file.write(piece)
        self._count[role] = count + 1

    def _fill(self, language: str) -> str:
        if self._filler is None:
            raise ValueError(f"A sentence is missing in {language}, which this format cannot spell in parallel files.")
        return self._filler


def sentences_of(records: Iterable[Record | PairRecord]) -> Iterator[Record]:
    """The sentences among records, for formats that have no pairs."""
    return (record for record in records if isinstance(record, Record))


def token_spans(text: Text) -> tuple[Span, ...]:
    """The labels of a text for a format with one source of them, all on tokens. Raises ValueError for others."""
    if len(text.labels) > 1:
        names = ", ".join(source.name or source.says.value for source in text.labels)
        raise ValueError(f"The labels of {names} are on one sentence, and this format has room for one of them.")
    spans: list[Span] = []
    for source in text.labels:
        for span in source.spans:
            if isinstance(span, CharSpan):
                raise ValueError(f"{span.label} is on characters; the text must be split into tokens first.")
            if not span.tokens:
                raise ValueError(f"{span.label} is on the whole sentence, which this format cannot spell.")
            spans.append(span)
    return tuple(spans)


def bio_tags(text: Text) -> list[str]:
    """The labels of a text as BIO tags, one per token. Raises ValueError for what they cannot spell."""
    return write_bio(token_spans(text), len(text.tokens))


def one_line(string: str, what: str) -> str:
    """The string, if it has no line feed and no tab. Raises ValueError."""
    if "\n" in string or "\t" in string or string.endswith("\r"):
        raise ValueError(f"{what} holds a tab or a line break, which this format cannot spell: {quote(string)}")
    return string
