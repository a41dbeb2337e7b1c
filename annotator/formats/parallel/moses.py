"""Parallel text as Moses and OPUS have it: one sentence per line, a file per language, named by it ("corpus.ca")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from annotator.formats.common.beginnings import looks_like_text, placed
from annotator.formats.common.features import Feature
from annotator.formats.common.names import is_language
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.common.side_by_side import side_by_side
from annotator.formats.common.writing import SideFiles, sentences_of
from annotator.formats.text.characters import plain
from annotator.formats.text.plain import line_rows


class Moses:
    """The format of parallel files that are named by their languages."""

    slug = "moses"
    writes = True
    line_by_line = True
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
        """A record a line; see `side_by_side`."""
        return side_by_side(files, line_rows)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language and role, `corpus.ca`. Raises ValueError for texts with line breaks."""
        with SideFiles(folder, "", "\n") as files:
            for record in sentences_of(records):
                files.put(record.role or "corpus", {name: _line(text) for name, text in record.texts.items()})
        return files.paths


def _line(text: Text) -> str:
    string = plain(text)
    if "\n" in string or string.endswith("\r") or not string.strip():
        raise ValueError(f"Moses has one sentence a line, and cannot spell {string!r}.")
    return string + "\n"
