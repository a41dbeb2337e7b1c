"""WebAnno TSV 3, as WebAnno and INCEpTION write it: a token a line, a column for each feature of each layer."""

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
from annotator.formats.webanno import layers
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
        documents = [file for file in files if not layers.is_project(file)]
        for file in documents:
            try:
                lines = [line[1] for line in islice(read_lines(file), 1) if isinstance(line, tuple)]
            except FormatError:
                return None
            if not lines or not (FORMAT.fullmatch(lines[0]) or EARLIER.fullmatch(lines[0])):
                return None
        known, notes = _placed(documents, languages)
        projects = tuple(file for file in files if layers.is_project(file))
        return Guess(self.slug, 1.0, (*known, *projects), Options(), notes) if documents else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence; a document that several people labelled is read once, with everybody's labels."""
        states = layers.states_of(files)
        for document, parts in layers.documents(files):
            known = list(layers.in_their_states(parts, states))
            yield from (warning for _file, _voice, warning in known if warning is not None)
            readings = [Reading(file, document, voice).read() for file, voice, _warning in known]
            yield from layers.side_by_side_voices(readings)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file a document and language. Raises ValueError for labels of several people on one sentence."""
        return write_documents(records, folder)


def _placed(
    files: Sequence[SourceFile], languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with the language that their names say, or their words; and what was only guessed.

    Files are documents, or one document of several people, and not parallel: of which nothing tells are all in one
    language.
    """
    notes: list[Sentence] = []
    known = [file.language or file_language(file.name, languages) for file in files]
    for number, file in enumerate(files):
        text = " ".join(line[6:] for line in beginning(file) if line.startswith("#Text="))
        if not known[number] and (guess := language_by_words(text, languages)):
            known[number] = guess
            notes.append(message(_("%(name)s looks like %(guess)s by its words"), name=file.name, guess=guess))
    if not all(known) and languages:
        own = next((language for language in languages if language not in known), languages[0])
        if len(languages) > 1:
            what = _("%(name)s was taken for %(language)s, which no other file is in")
            notes.append(message(what, name=files[known.index("")].name, language=own))
        known = [language or own for language in known]
    return (
        tuple(
            replace(file, language=language, role=file.role or file_role(file.name))
            for file, language in zip(files, known, strict=True)
        ),
        tuple(notes),
    )
