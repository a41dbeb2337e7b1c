"""MABL's files: two rows a pair, one for each figurative sentence, with both meanings and which of them is right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from hashlib import blake2s
from pathlib import Path, PurePosixPath
from typing import Any

from django.utils.translation import gettext, pgettext

from annotator.domain.content.verdict import ACCEPT, REJECT
from annotator.domain.figurative_pairs import UNIT_KIND, FigurativePair, Row, as_tokens, begin_alike, words
from annotator.domain.formats.base import NEAR, Guess, Options, SourceFile, file_by_file
from annotator.domain.formats.beginnings import language_by_words, placed
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.features import Feature
from annotator.domain.formats.names import file_language
from annotator.domain.formats.records import PairRecord, Read, Record, Text
from annotator.domain.formats.sheets import (
    WORKBOOK,
    are_tables,
    delimiter_of,
    headed,
    heading_fit,
    heading_of,
    is_quoted,
    words_of,
)
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.domain.tokens import text_of
from annotator.domain.unseen import is_seen
from annotator.kind import parts_of
from annotator.kinds.mabl.columns import (
    PUBLISHED,
    ROW,
    Said,
    layout_of,
    meanings,
    missing_parts,
    named_twice,
)
from annotator.kinds.mabl.headless import is_headless, what_is_there
from annotator.kinds.mabl.rows import Found, read_rows

SLUG = "mabl"
VALIDITY, CATEGORIES_LAYER = "validity", "categories"
TRANSLATED = "translated_"
# Two rows that follow each other are one pair where their endings are as like as this.
_ALIKE = 0.5


class Mabl:
    """A table with a heading that names the start phrase, both endings and the label, in any order."""

    slug = SLUG
    title = "MABL"
    brings = "pairs"
    parallel = False
    kinds = ("write-pair",)
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """All files have the four columns, or all but one: then `read` says which is missing. In a project with such
        pairs it does so of files with two of them, or of pairs that do not begin with a heading."""
        missing = 0
        for file in files:
            missing = max(missing, len(_missing(heading_of(file, _known))))
            if missing > 2 and not is_headless(file):
                return None
        if not are_tables(files):
            return None
        known, notes = placed([_as_translation(file, languages) for file in files], languages, words_of)
        sure = 0.99 if not missing else NEAR
        translates = _translated_from(known, languages)
        return Guess(
            self.slug, sure, known, Options(header=True), notes, translates=translates, only_at_home=missing > 1
        )

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a pair: a unit of its own kind, with what is decided on it. A half without its other one comes in
        alone, with a warning. What is wrong with a file hides nothing of the others."""
        return file_by_file(files, self._read)

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """Sentences and meanings, what was decided on the pair, and the categories of each of its halves."""
        found: list[tuple[object, str]] = list(
            zip(parts_of(UNIT_KIND), text_of(text.tokens, text.spaces).split("\n"), strict=False)
        )
        valid = text.contents[VALIDITY]["verdict"] == ACCEPT
        found.append(
            (
                pgettext("of a pair", "Validation"),
                pgettext("of a pair", "accepted") if valid else pgettext("of a pair", "rejected"),
            )
        )
        for number, values in enumerate(text.contents.get(CATEGORIES_LAYER, {}).get("answers", ()), start=1):
            name = gettext("Categories of %(number)d") % {"number": number}
            found.append((name, ", ".join(values) or gettext("none of these")))
        return found

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not here: releases write these files (`release.py`)."""
        raise NotImplementedError("MABL's files are written by releases.")

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        header, rows = self._table(file)
        found = [row for row in rows if isinstance(row, Found)]
        lines: list[tuple[int, Said, Sequence[str]]] = []
        number = 0
        while number < len(found):
            is_pair = number + 1 < len(found) and _is_pair(found[number], found[number + 1])
            rows_of_it = found[number : number + 1 + is_pair]
            # The two are decided on together.
            valid = all(row.said.valid for row in rows_of_it)
            lines += [(found[number].line, _valid(row.said, valid), row.cells) for row in rows_of_it]
            number += len(rows_of_it)
        delimiter = delimiter_of(file, heading_fit(_known))
        if delimiter == WORKBOOK:
            # It goes out as the published files are.
            return layout_of("", header, ",", lines, is_quoted=True).to_json()
        text = file.path.read_bytes().decode(file.encoding or "utf-8", errors="replace")
        in_marks = is_quoted(file, delimiter, has_heading=True)
        return layout_of(text, header, delimiter, lines, is_quoted=in_marks).to_json()

    def _read(self, file: SourceFile) -> Iterator[Read]:
        before: Found | None = None
        seen: dict[bytes, int] = {}
        _header, rows = self._table(file)
        for found in rows:
            if not isinstance(found, Found):
                yield found
                continue
            seen.setdefault(_checksum([found.said.row]), found.line)
            if before is not None and _is_pair(before, found):
                yield from _pair(file, before, found, seen)
                before = None
                continue
            if before is not None:
                yield from _alone(file, before, seen, found)
            before = found
        if before is not None:
            yield from _alone(file, before, seen)

    def _table(self, file: SourceFile) -> tuple[Sequence[str], Iterator[Found | FormatWarning | FormatError]]:
        table = headed(file, _known)
        header = table.heading
        if missing := _missing(header):
            raise FormatError(
                file.name,
                table.line,
                say(_("the columns %(columns)s"), columns=", ".join(PUBLISHED)),
                say(_("a heading without %(columns)s"), columns=", ".join(missing))
                if _known(header)
                else what_is_there(file, header),
            )
        if twice := named_twice(header):
            raise FormatError(
                file.name,
                table.line,
                say(_("each column once")),
                say(_("%(columns)s with the same meaning"), columns=quote(", ".join(twice), 80)),
            )
        if missing := missing_parts(header):
            raise FormatError(
                file.name,
                table.line,
                say(_("the columns subject, relation and object, or none of the three")),
                say(_("a heading without %(columns)s"), columns=", ".join(missing)),
            )
        return header, read_rows(file, header, table.rows)


def _as_translation(file: SourceFile, languages: Sequence[str]) -> SourceFile:
    """ "translated_hi.csv" is a translation from the language that it names: its words say in which one it is."""
    if file.language or not is_translation(file.name):
        return file
    return replace(file, language=language_by_words(words_of(file), languages))


def is_translation(name: str) -> bool:
    """Whether a file's name says that its texts are translations, as MABL's "translated_hi.csv"."""
    return PurePosixPath(name).name.lower().startswith(TRANSLATED)


def _translated_from(files: Sequence[SourceFile], languages: Sequence[str]) -> dict[str, str]:
    """By the name of each file that is a translation, the language that it was translated from."""
    named = {file.name: file_language(file.name, languages) for file in files if is_translation(file.name)}
    languages_of = {file.name: file.language for file in files}
    return {name: code for name, code in named.items() if code in languages and code != languages_of[name]}


def _known(header: Sequence[str]) -> int:
    return len(PUBLISHED) - len(_missing(header))


def _missing(header: Sequence[str]) -> list[str]:
    there = set(meanings(header))
    return [name for name, needed in zip(PUBLISHED, ROW, strict=True) if needed not in there]


def _is_pair(one: Found, other: Found) -> bool:
    """Whether two rows that follow each other are the halves of a pair: one has each label, and their endings fit."""
    if one.said.row.label == other.said.row.label:
        return False
    if _share_an_ending(one, other):
        return True
    first, second = _endings(one), _endings(other)
    return SequenceMatcher(a=" ".join(first), b=" ".join(second), autojunk=False).ratio() >= _ALIKE


def _endings(found: Found) -> list[str]:
    return [unicodedata.normalize("NFC", text) for text in (found.said.row.ending1, found.said.row.ending2)]


def _share_an_ending(one: Found, other: Found) -> bool:
    return any(a == b for a, b in zip(_endings(one), _endings(other), strict=True))


def _pair(file: SourceFile, one: Found, other: Found, seen: dict[bytes, int]) -> Iterator[Read]:
    """A pair, and what is odd about it. `seen`: by a checksum of a row or pair, the line in which it stands first."""
    lacking = [found for found in (one, other) if not is_seen(found.said.row.start)]
    if len(lacking) == 2:
        yield _no_start(file, one)
        return
    for found in lacking:
        yield FormatWarning(file.name, found.line, say(_("no start phrase: this half of the pair is missing")))
    if not lacking and words(one.said.row.start) == words(other.said.row.start):
        what = _("this half and the one in line %(line)d have the same start phrase; they come in as one pair")
        yield FormatWarning(file.name, one.line, say(what, line=other.line))
    if not lacking and not _belong_together(one.said.row, other.said.row):
        what = _(
            "this half and the one in line %(line)d neither begin alike nor have an ending in common; they come in as "
            "one pair"
        )
        yield FormatWarning(file.name, one.line, say(what, line=other.line))
    first = seen.setdefault(_checksum([one.said.row, other.said.row]), one.line)
    if first != one.line:
        yield FormatWarning(file.name, one.line, say(_("the same pair as in line %(line)d"), line=first))
    yield _record(file, [one, other])


def _belong_together(one: Row, other: Row) -> bool:
    """Whether anything beside likeness speaks for two halves being of one pair."""
    first, second = ({words(text) for text in (row.ending1, row.ending2)} for row in (one, other))
    return bool(first & second) or begin_alike(one.start, other.start)


def _checksum(rows: Sequence[Row]) -> bytes:
    return blake2s(repr(sorted(rows, key=lambda row: row.label)).encode(), digest_size=8).digest()


def _alone(file: SourceFile, found: Found, seen: Mapping[bytes, int], following: Found | None = None) -> Iterator[Read]:
    """A half, and why it is one. `seen`: as in `_pair`."""
    if not is_seen(found.said.row.start):
        yield _no_start(file, found)
        return
    what = say(_("the other half of this pair does not follow; it comes in alone"))
    twin = seen[_checksum([found.said.row])]
    if following is not None and following.said.row == found.said.row:
        twin = following.line
    if twin != found.line:
        what = say(_("the same row as in line %(line)d; it comes in alone"), line=twin)
    elif following is not None and _have_one_label(found, following):
        what = say(
            _("this half and the one in line %(line)d have the same label, so they are no pair; it comes in alone"),
            line=following.line,
        )
    yield FormatWarning(file.name, found.line, what)
    yield _record(file, [found])


def _have_one_label(one: Found, other: Found) -> bool:
    """Whether two rows would be the halves of a pair if they had not the same label; a repeated row would not."""
    a, b = one.said.row, other.said.row
    return a.label == b.label and _share_an_ending(one, other) and words(a.start) != words(b.start)


def _no_start(file: SourceFile, found: Found) -> FormatError:
    expected = say(_("a text in the column %(column)s"), column=PUBLISHED[0])
    return FormatError(file.name, found.line, expected, say(_("an empty cell")))


def _record(file: SourceFile, rows: Sequence[Found]) -> Record:
    pair = FigurativePair.of_rows([row.said.row for row in rows])
    tokens, spaces = as_tokens(pair.lines)
    valid = all(row.said.valid for row in rows)
    contents: dict[str, dict[str, Any]] = {
        VALIDITY: {"verdict": ACCEPT} if valid else {"verdict": REJECT, "reason": "other"}
    }
    if any(row.said.categories is not None for row in rows):
        of_half = {row.said.row.label: list(row.said.categories or ()) for row in rows}
        contents[CATEGORIES_LAYER] = {"answers": [of_half.get(0, []), of_half.get(1, [])]}
    text = Text(tokens=tokens, spaces=spaces, contents=contents)
    return Record(file.name, rows[0].line, {file.language: text}, kind=UNIT_KIND)


def _valid(said: Said, valid: bool) -> Said:
    return Said(said.row, valid, said.categories)
