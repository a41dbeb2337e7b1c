"""The protocol of formats: what a module of a format has. `formats/shipped.py` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from annotator.domain.messages import Message, Quoted, Sentence
from annotator.formats.common.errors import FormatError
from annotator.formats.common.features import Feature
from annotator.formats.common.line_edits import LineEdit
from annotator.formats.common.records import PairRecord, Read, Record, Text


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that somebody brought, unpacked, and what is known or was said about it.

    `name` is what messages call it ("corpus.zip/es.txt"). `language` and `role` are empty where the file itself,
    or a column, says so. `encoding` is a name of Python's codecs; empty for `recognise` to find out.
    `edits`: what was done to its lines, for formats that read it line by line.
    """

    name: str
    path: Path
    encoding: str = "utf-8"
    language: str = ""
    role: str = ""
    edits: tuple[LineEdit, ...] = ()

    def error(self, line: int, expected: Sentence, got: Sentence = "", /, **gaps: object) -> FormatError:
        """What is wrong with the file at a line (from 1; 0 where no line is at fault).

        `expected` and `got` are sentences, or keys of the catalogues, which have those of the `gaps` that they name.
        """
        return FormatError(self.name, line, _filled(expected, gaps), _filled(got, gaps))


def _filled(text: Sentence, gaps: Mapping[str, object]) -> Sentence:
    if isinstance(text, Message | Quoted) or not text:
        return text
    return Message(text, {name: gap for name, gap in gaps.items() if f"%({name})" in text})


@dataclass(frozen=True, slots=True)
class Options:
    """How files are read: what a person can correct.

    `columns` goes from a column's number (from 0) to its meaning: "id", "text", "text:ca", "labels:ca", "lemma",
    "group", "role", "genre", "source", "premise:es", "hypothesis:es", "inference", "premise_id", "hypothesis_id",
    "pair_id", "tag:es", "value", "value:ca", "language", or "" for one to leave out.
    `tokens`: "given" takes them as they come, "spaces" splits text at spaces, "words" splits off punctuation by the
    language's rules; `characters.tokenised` does it, for all readers. `widen`: a label that cuts a token covers it
    whole; otherwise it is an error. `positions`: what labels' positions count where the files do not say it,
    "characters" or "utf16"; "" for `positions.in_characters` to find it out.
    """

    columns: Mapping[int, str] = field(default_factory=dict)
    delimiter: str = ""
    header: bool = False
    sentences: bool = False  # running text: split it into sentences
    tokens: str = "given"
    widen: bool = False
    positions: str = ""
    quoting: bool = True  # CSV and TSV: a cell may stand in quotation marks


@dataclass(frozen=True, slots=True)
class Guess:
    """What a format takes files for. `sure`: 0 to 1, for the order in which guesses are offered."""

    format: str
    sure: float
    files: tuple[SourceFile, ...]
    options: Options
    # What somebody who looks at the guess should know: "3 columns; the first looks like ids".
    notes: tuple[Sentence, ...] = ()
    # By the name of an option, what it was set to without being sure. Void once a person chose it.
    doubts: Mapping[str, Sentence] = field(default_factory=dict)
    # By the name of a file that says that it is a translation of other texts, the language of those.
    translates: Mapping[str, str] = field(default_factory=dict)
    # Files that look like no sentences: the guess holds once a person has chosen its format.
    questions: tuple[FormatError, ...] = ()
    # So little tells it from any other table that it holds in a project with a kind of work which the format is for.
    only_at_home: bool = False


# How sure a format is of files that have the name, or most of the columns, of published ones and are not right: more
# than a table of any columns is, so that they are refused in words.
NEAR = 0.97


class Format(Protocol):
    """One file format: recognised, read and, where the other tool reads it, written."""

    @property
    def slug(self) -> str:
        """Its name in commands and in the API. Pages call it as `templatetags/imports.py` says."""

    @property
    def writes(self) -> bool:
        """Whether `write` is there."""

    @property
    def keeps(self) -> frozenset[Feature]:
        """What survives being written and read again; tests/formats/test_survival.py holds it to that."""

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """What the files are taken for; None when they are something else. Looks at their beginnings only.

        `languages`: the project's, in order; a file's name ("corpus.ca.txt") or column may say which it is.
        """

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """The records, in order. Raises FormatError where nothing more can be understood."""

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Write the records as the other tool reads them; which files. Raises ValueError for what it cannot spell."""


@runtime_checkable
class Remembers(Protocol):
    """A format that can write an imported file as it was: what it needs for that is kept with the import."""

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        """What the rows do not say, as JSON: the order of columns, their names, separator, quoting, line ends."""


@runtime_checkable
class Repeats(Protocol):
    """A format of whose files several can have the same unit, which comes in once and goes out in each of them."""

    def repeats(self, files: Sequence[SourceFile], options: Options) -> Mapping[str, Mapping[str, Any]]:
        """By the name of a file, what its layout is to have beside what `layout` says of the file alone."""


@runtime_checkable
class Explains(Protocol):
    """A format whose records are not sentences: what a preview says of each instead of its words."""

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """What the text and its contents are, in the words of the format: a name, and what stands there. A name is
        translated when it is made text."""


_Given = TypeVar("_Given")


def file_by_file(files: Iterable[SourceFile], read: Callable[[SourceFile], Iterator[Read]]) -> Iterator[Read]:
    """What `read` gives of each file; why nothing more of one can be understood, and then the next one."""
    for file in files:
        yield from up_to_its_end(partial(read, file))


def up_to_its_end(read: Callable[[], Iterator[_Given]]) -> Iterator[_Given | FormatError]:
    """What `read` gives, and last why nothing more can be understood; it may raise when it is called, too."""
    try:
        yield from read()
    except FormatError as error:
        error.ends_file = True
        yield error
