"""`token<TAB>tag` and CoNLL 2003, as files of one language each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from annotator.domain.labels.iob1 import begin_with_i
from annotator.formats.columns.token_rows import token_rows
from annotator.formats.common.beginnings import beginning, looks_like_text, placed
from annotator.formats.common.errors import FormatError
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_lines
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.common.side_by_side import Row, Rows, side_by_side
from annotator.formats.common.writing import SideFiles, bio_tags, sentences_of
from annotator.formats.text.tagged import (
    Columns,
    TaggedSentence,
    are_bare_tags,
    as_bio,
    is_comment,
    is_tag,
    names_columns,
    stream_tagged,
    tagged_lines,
)

# How many lines tell whether I- begins labels. Of BIO, the first label does.
_LINES = 200_000
_KEEPS = frozenset({Feature.TOKENS, Feature.LANGUAGES, Feature.ROLES, Feature.LABELS, Feature.DISCONTINUOUS})


class TokenTag:
    """`token<TAB>tag` a line, a blank line after each sentence."""

    slug = "tagged"
    writes = True
    keeps = _KEEPS

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Lines of two columns, of which the second is a BIO tag; or the first, which reading refuses."""
        if not looks_like_text(files):
            return None
        is_ours = all(_share(file, 2) > 0.9 or _is_bare(file, 2) for file in files)
        if not is_ours and not all(_tags_first(file, 2) for file in files):
            return None
        known, notes = placed(files, languages, _words)
        return Guess(self.slug, 0.95, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence, with gold labels; see `side_by_side`."""
        return side_by_side(files, lambda file: _rows(file, "first_two"))

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language. Raises ValueError for tabs in tokens, and for labels that BIO cannot spell."""
        with SideFiles(folder, ".tsv", None) as files:
            for record in sentences_of(records):
                files.put(record.role, {language: _tagged(text) for language, text in record.texts.items()})
        return files.paths


class Conll2003:
    """Columns separated by spaces or tabs: the token first, its BIO tag last; `-DOCSTART-` begins a document."""

    slug = "conll2003"
    writes = True
    keeps = _KEEPS

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Lines of at least two columns, of which the last is a BIO tag; or the first, which reading refuses."""
        if not looks_like_text(files):
            return None
        # A label with a space in it spoils the columns: better an error with its line than another format.
        if not all(
            _share(file, 0) > 0.9
            or _is_bare(file, 0)
            or "".join(beginning(file, 1)).startswith("-DOCSTART-")
            or _tags_first(file, 0)
            for file in files
        ):
            return None
        known, notes = placed(files, languages, _words)
        return Guess(self.slug, 0.9, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence, with gold labels; documents are numbered from 1. See `side_by_side`."""
        return side_by_side(files, lambda file: _rows(file, "first_last"))

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language, of the columns token, `-`, `-` and tag. Raises ValueError as `TokenTag` does.

        Documents are begun by `-DOCSTART-`, which has no room for their names.
        """
        group = ""
        with SideFiles(folder, ".conll", None) as files:
            for record in sentences_of(records):
                starts = record.group != group
                group = record.group
                files.put(
                    record.role,
                    {
                        language: ("-DOCSTART- -X- -X- O\n\n" if starts else "") + _columns(text)
                        for language, text in record.texts.items()
                    },
                )
        return files.paths


def _rows(file: SourceFile, columns: Columns) -> Rows:
    documents = 0
    bare = _is_bare(file, 2 if columns == "first_two" else 0)
    by_i = not bare and begin_with_i(_tags(file, columns))
    with open_lines(file) as lines:
        for read in stream_tagged(lines, columns=columns, boundaries=True, bare=bare, by_i=by_i):
            if not isinstance(read, TaggedSentence):
                yield read
            elif not read.tokens:
                documents += 1
            else:
                labels = (Labels(Says.GOLD, "", read.read().spans),)
                group = str(documents) if documents else ""
                yield Row(read.line, Text(tokens=read.tokens, labels=labels), group=group)


def _tags(file: SourceFile, columns: Columns) -> Iterator[list[str]]:
    """The tags of the first sentences."""
    tags: list[str] = []
    with open_lines(file) as lines, contextlib.suppress(FormatError):
        for _number, line in islice(lines, _LINES):
            if not line or line.startswith("-DOCSTART-") or is_comment(line):
                yield tags
                tags = []
                continue
            parts = line.split("\t") if columns == "first_two" or "\t" in line else line.split()
            tags.append(as_bio(parts[1 if columns == "first_two" and len(parts) > 1 else -1]))
    yield tags


def _tagged(text: Text) -> str:
    if not text.tokens:
        raise ValueError("A sentence has no tokens, which this format cannot spell.")
    if any(token == "" for token in text.tokens):
        raise ValueError("A token is empty, which this format cannot spell.")
    return "".join(tagged_lines([TaggedSentence(text.tokens, tuple(bio_tags(text)))]))


def _columns(text: Text) -> str:
    lines = []
    for line in _tagged(text).split("\n")[:-2]:
        token, tag = line.split("\t")
        if token.startswith("-DOCSTART-"):
            raise ValueError("The token -DOCSTART- begins a document in this format, so that it cannot spell it.")
        # With tabs between columns, a token or a label may hold spaces (a no-break space is none).
        lines.append(f"{token}\t-\t-\t{tag}\n" if " " in line else f"{token} - - {tag}\n")
    return "".join([*lines, "\n"])


def _tags_first(file: SourceFile, columns: int) -> bool:
    """Whether a file has its tags in the first column. O alone may be a word; so it must have others, too."""
    return _share(file, columns, at=0) > 0.9 and any(line.startswith("B-") for line in beginning(file))


def _words(file: SourceFile) -> str:
    """The words at the beginning of a file, without its tags: O is a word of Spanish."""
    return " ".join(row[0] for row in _first_rows(file, 0)[0])


def _is_bare(file: SourceFile, columns: int) -> bool:
    """Whether a file has a token per line, and labels without B- and I- behind them."""
    rows, number = _first_rows(file, columns)
    is_even = number > 0 and len(rows) > 0.9 * number and not _begin_with_numbers(rows)
    return is_even and are_bare_tags([row[-1] for row in rows]) and token_rows(beginning(file))


def _share(file: SourceFile, columns: int, *, at: int = -1) -> float:
    """The share of a file's first lines that have a BIO tag at this place, the last one, in so many columns (0: any
    number from two)."""
    rows, number = _first_rows(file, columns)
    if not number or (at < 0 and _begin_with_numbers(rows)):
        return 0.0
    return sum(is_tag(as_bio(row[at])) for row in rows) / number


def _begin_with_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Whether words or sentences are numbered: the words stand in a column behind that."""
    return len(rows) > 1 and all(row[0].isdecimal() for row in rows)


def _first_rows(file: SourceFile, columns: int) -> tuple[list[list[str]], int]:
    """The cells of the first lines that have so many columns, without their names; and how many lines there are."""
    lines = [line for line in beginning(file) if line and not line.startswith("-DOCSTART-") and not is_comment(line)]
    if len(lines) > 1 and names_columns(lines[0]):
        del lines[0]
    return _rows_of(lines, columns), len(lines)


def _rows_of(lines: Sequence[str], columns: int) -> list[list[str]]:
    """The lines that have so many columns (0: any number from two), as their cells."""
    rows = []
    for line in lines:
        parts = line.split("\t") if columns or "\t" in line else [part for part in line.split(" ") if part]
        if len(parts) >= 2 and (not columns or len(parts) == columns):
            rows.append(parts)
    return rows
