"""Running text: documents in paragraphs, to be split into sentences. A file is a document.

A blank line ends a paragraph. So does the end of a line, unless the line looks wrapped: the next one continues in lower
case, or it has from 45 to 120 characters and does not end like a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import has_suffix, looks_like_prose, looks_like_text, placed
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import MAX_LINE, LineStream, open_lines
from annotator.formats.common.names import document_of
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.common.writing import one_line, sentences_of
from annotator.formats.text.characters import plain

_WRAPPED = range(45, 121)
CLOSING = "\"'”’»)]"
FINAL = tuple(".!?…:;。！？؟")


class RunningText:
    """Paragraphs of documents; `characters.tokenised` splits them into sentences."""

    slug = "text"
    writes = True
    keeps = frozenset({Feature.DOCUMENTS})

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Text whose lines are paragraphs, or parts of them."""
        if not looks_like_text(files) or not has_suffix(files, ".txt", ".md", ".text"):
            return None
        known, notes = placed(files, languages)
        sure = 0.55 if looks_like_prose(files) else 0.25
        return Guess(self.slug, sure, known, Options(sentences=True, tokens="words"), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a paragraph, in the group of its document: the file's name."""
        return file_by_file(files, _read)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each document and language, a paragraph a sentence.

        Raises ValueError for line breaks in texts, and for names of documents that no file can have.
        """
        paths: dict[tuple[str, str], Path] = {}
        for record in sentences_of(records):
            for language, text in record.texts.items():
                name = record.group or "text"
                if "/" in name or "\\" in name or name.startswith("."):
                    raise ValueError(f"No file can have the name of the document {name!r}.")
                path = paths.setdefault((name, language), folder / f"{name}.{language}.txt")
                with self._open(path) as file:
                    file.write(one_line(plain(text), "A sentence") + "\n\n")
        return list(paths.values())

    @staticmethod
    def _open(path: Path) -> TextIO:
        # A file a document may be more files than can be open at once.
        return path.open("a", encoding="utf-8", newline="\n")


def _read(file: SourceFile) -> Iterator[Read]:
    if not file.language:
        raise file.error(0, _("a language for this file"), _("none"))
    document = document_of(file)
    with open_lines(file) as lines:
        for line, paragraph in _paragraphs(file, lines):
            yield Record(file.name, line, {file.language: Text(paragraph)}, role=file.role, group=document)
        yield from lines.warnings


def _paragraphs(file: SourceFile, stream: LineStream) -> Iterator[tuple[int, str]]:
    begun, lines = 0, list[str]()
    length = 0
    for number, line in stream:
        if lines and not goes_on(lines[-1], line):
            yield begun, " ".join(lines)
            lines, length = [], 0
        if line.strip():
            begun = begun if lines else number
            lines.append(line.strip())
            length += len(line)
            if length > MAX_LINE:
                raise file.error(
                    begun,
                    _("paragraphs of at most %(longest_line)s characters"),
                    _("a longer one"),
                    longest_line=f"{MAX_LINE:,}",
                )
    if lines:
        yield begun, " ".join(lines)


def goes_on(line: str, following: str) -> bool:
    """Whether a paragraph continues in the next line."""
    following = following.strip()
    if not following:
        return False
    return following[0].islower() or (len(line) in _WRAPPED and not line.rstrip(CLOSING).endswith(FINAL))
