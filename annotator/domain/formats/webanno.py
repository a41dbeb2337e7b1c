"""WebAnno TSV 3, as WebAnno and INCEpTION write it: a token a line, a column for each feature of each layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from annotator.domain.formats import layers
from annotator.domain.formats.base import Guess, Options, SourceFile
from annotator.domain.formats.beginnings import placed
from annotator.domain.formats.errors import FormatError
from annotator.domain.formats.features import Feature
from annotator.domain.formats.lines import read_lines
from annotator.domain.formats.records import PairRecord, Read, Record
from annotator.domain.formats.webanno_reading import FORMAT, Reading
from annotator.domain.formats.webanno_writing import write_documents


class WebAnno:
    """The format of WebAnno TSV 3.0 to 3.3."""

    slug = "webanno"
    writes = True
    keeps = frozenset(
        {
            Feature.TOKENS,
            Feature.IDS,
            Feature.DOCUMENTS,
            Feature.LABELS,
            Feature.DISCONTINUOUS,
            Feature.OVERLAPS,
            Feature.ATTRIBUTES,
            Feature.WHOLE_TEXT,
            Feature.WORDS,
        }
    )

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose first line says so."""
        for file in files:
            try:
                lines = [line[1] for line in islice(read_lines(file), 1) if isinstance(line, tuple)]
            except FormatError:
                return None
            if not lines or not FORMAT.fullmatch(lines[0]):
                return None
        known, notes = placed(files, languages)
        return Guess(self.slug, 1.0, known, Options(), notes) if files else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence; a document that several people labelled is read once, with everybody's labels."""
        for document, parts in layers.documents(files):
            readings = [Reading(file, document, voice).read() for file, voice in parts]
            yield from layers.side_by_side_voices(readings)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file a document and language. Raises ValueError for labels of several people on one sentence."""
        return write_documents(records, folder)
