"""Plain text, one sentence per line; line k of two files is a sentence in two languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from annotator.formats.common.beginnings import beginning, looks_like_prose, looks_like_text, placed
from annotator.formats.common.errors import quote
from annotator.formats.common.features import Feature
from annotator.formats.common.line_edits import EditedLines
from annotator.formats.common.lines import Lines, read_bytes, read_lines, split_lines
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.common.side_by_side import Row, Rows, side_by_side
from annotator.formats.common.writing import SideFiles, sentences_of
from annotator.formats.text.characters import plain


def read_plain(path: Path | str) -> Lines:
    """The lines of a file together with its warnings. Raises FormatError."""
    return split_lines(read_bytes(Path(path), str(path)), str(path))


class SentenceALine:
    """One sentence per line, in one language or in several parallel files. Blank lines hold their place."""

    slug = "lines"
    writes = True
    line_by_line = True
    keeps = frozenset({Feature.TEXT, Feature.LANGUAGES, Feature.ROLES})

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Any text; surer of it when the lines are like sentences, or as many in each file."""
        if not looks_like_text(files) or any("".join(beginning(file, 1)).startswith("-DOCSTART-") for file in files):
            return None
        known, notes = placed(files, languages)
        sure = 0.3 if looks_like_prose(files) else 0.4
        if len({file.language for file in known}) > 1:
            sure += 0.2
        return Guess(self.slug, sure, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a line; see `side_by_side`."""
        return side_by_side(files, line_rows)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language. Raises ValueError for texts with line breaks."""
        with SideFiles(folder, ".txt", "\n") as files:
            for record in sentences_of(records):
                files.put(record.role, {language: _line(text) for language, text in record.texts.items()})
        return files.paths


def line_rows(file: SourceFile) -> Rows:
    """The lines of a file as sentences, after what was done to them."""
    lines = read_lines(file)
    for read in EditedLines(file.edits).read(lines) if file.edits else lines:
        yield Row(read[0], Text(read[1])) if isinstance(read, tuple) else read


def _line(text: Text) -> str:
    string = plain(text)
    if "\n" in string or string.endswith("\r"):
        raise ValueError(f"A sentence holds a line break, which this format cannot spell: {quote(string)}")
    if string and not string.strip():
        raise ValueError("A sentence is white space only, which would be a blank line.")
    return string + "\n"
