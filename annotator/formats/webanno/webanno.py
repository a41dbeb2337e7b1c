"""WebAnno TSV 3, as WebAnno and INCEpTION write it: a token per line, a column for each feature of each layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import beginning, language_by_words
from annotator.formats.common.errors import FormatError
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import read_lines
from annotator.formats.common.names import file_language, file_role
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.webanno import documents
from annotator.formats.webanno.reading import EARLIER, FORMAT, Reading
from annotator.formats.webanno.writing import write_documents


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
        """Files whose first line says so. Those of version 2, too: an error tells more than a table of theirs would."""
        annotated = [file for file in files if not documents.is_project(file)]
        for file in annotated:
            try:
                lines = [line[1] for line in islice(read_lines(file), 1) if isinstance(line, tuple)]
            except FormatError:
                return None
            if not lines or not (FORMAT.fullmatch(lines[0]) or EARLIER.fullmatch(lines[0])):
                return None
        known, notes = _placed(annotated, languages)
        projects = tuple(file for file in files if documents.is_project(file))
        return Guess(self.slug, 1.0, (*known, *projects), Options(), notes) if annotated else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence; a document that several people labelled is read once, with everybody's labels."""
        yield from documents.read_documents(
            files, files, lambda file, document, voice: Reading(file, document, voice).read()
        )

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file a document and language. Raises ValueError for labels of several people on one sentence."""
        return write_documents(records, folder)


def _placed(
    files: Sequence[SourceFile], languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with the language that their names say, or their words; and what was only guessed."""
    notes: list[Sentence] = []
    known = [file.language or file_language(file.name, languages) for file in files]
    for number, file in enumerate(files):
        text = " ".join(line[6:] for line in beginning(file) if line.startswith("#Text="))
        if not known[number] and (guess := language_by_words(text, languages)):
            known[number] = guess
            notes.append(
                message(_("%(name)s seems to be in %(guess)s, judging by its words"), name=file.name, guess=guess)
            )
    placed, guessed = documents.in_one_language(files, known, languages)
    return tuple(replace(file, role=file.role or file_role(file.name)) for file in placed), (*notes, *guessed)
