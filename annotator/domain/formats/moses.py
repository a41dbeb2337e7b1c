"""Parallel text as Moses and OPUS have it: one sentence a line, a file for each language, named by it ("corpus.ca")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from annotator.domain.formats.base import Guess, Options, SourceFile
from annotator.domain.formats.beginnings import looks_like_text, placed
from annotator.domain.formats.characters import plain
from annotator.domain.formats.errors import FormatWarning
from annotator.domain.formats.features import Feature
from annotator.domain.formats.lines import read_lines
from annotator.domain.formats.names import is_language
from annotator.domain.formats.records import PairRecord, Read, Record, Text
from annotator.domain.formats.side_by_side import Row, Rows, side_by_side
from annotator.domain.formats.writing import SideFiles, sentences_of
from annotator.domain.said import by_number, say
from annotator.domain.said import gettext_noop as _

# What the tokenizer of Moses writes for characters that its decoder could not read.
_ESCAPED = re.compile(r"&(?:amp|apos|quot|lt|gt|bar|bra|ket|#124|#91|#93);")


class Moses:
    """The format of parallel files that are named by their languages."""

    slug = "moses"
    writes = True
    keeps = frozenset({Feature.TEXT, Feature.LANGUAGES, Feature.ROLES})

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose suffixes are languages."""
        suffixes = [PurePosixPath(file.name).suffix[1:] for file in files]
        if not all(suffix in languages or is_language(suffix) for suffix in suffixes) or not looks_like_text(files):
            return None
        known, notes = placed(files, languages)
        # `lines` reads them as well, and knows more names.
        return Guess(self.slug, 0.5, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a line; see `side_by_side`. Escaped characters stay as they are, and are counted."""
        return side_by_side(files, _rows)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language and role, `corpus.ca`. Raises ValueError for texts with line breaks."""
        with SideFiles(folder, "", "\n") as files:
            for record in sentences_of(records):
                files.put(record.role or "corpus", {name: _line(text) for name, text in record.texts.items()})
        return files.paths


def _rows(file: SourceFile) -> Rows:
    escaped = first = 0
    for read in read_lines(file):
        if not isinstance(read, tuple):
            yield read
            continue
        number, line = read
        if _ESCAPED.search(line):
            first = first or number
            escaped += 1
        yield Row(number, Text(line))
    if escaped:
        what = say(
            by_number(
                escaped,
                _("this line has characters as Moses escapes them, such as &apos;; it is read as it stands"),
                _(
                    "%(escaped)s lines have characters as Moses escapes them, such as &apos;; they are read as they "
                    "stand"
                ),
            ),
            escaped=escaped,
        )
        yield FormatWarning(file.name, first, what)


def _line(text: Text) -> str:
    string = plain(text)
    if "\n" in string or string.endswith("\r") or not string.strip():
        raise ValueError(f"Moses has one sentence a line, and cannot spell {string!r}.")
    return string + "\n"
