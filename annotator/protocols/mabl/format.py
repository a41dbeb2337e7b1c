"""MABL's files: two rows per pair, one for each figurative sentence, with both meanings and which of them is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from django.utils.translation import gettext, pgettext

from annotator.core.unit_kinds import parts_of
from annotator.domain.content.verdict import ACCEPT
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.domain.text.tokens import text_of
from annotator.formats.common.beginnings import language_by_words, placed
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.names import file_language
from annotator.formats.common.protocol import NEAR, Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.tables.sheets import (
    WORKBOOK,
    are_tables,
    delimiter_of,
    headed,
    heading_fit,
    heading_of,
    is_quoted,
    words_of,
)
from annotator.protocols.mabl.columns import (
    PUBLISHED,
    ROW,
    DecidedRow,
    layout_of,
    meanings,
    missing_parts,
    named_twice,
)
from annotator.protocols.mabl.halves import CATEGORIES_LAYER, VALIDITY, halves_together, is_pair, valid_of
from annotator.protocols.mabl.headless import is_headless, what_is_there
from annotator.protocols.mabl.rows import Found, read_rows
from annotator.protocols.mabl.together import each_once, repeated

SLUG = "mabl"
TRANSLATED = "translated_"


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
        alone, with a warning. What is wrong with a file hides nothing of the others. A pair that is in several files of
        one language comes in once."""
        return each_once(_sets(files), self._pairs)

    def repeats(self, files: Sequence[SourceFile], options: Options) -> Mapping[str, Mapping[str, Any]]:
        return repeated(_sets(files), self._pairs)

    def _pairs(self, file: SourceFile) -> Iterator[Read]:
        return halves_together(file, self._table(file)[1])

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """Sentences and meanings, what was decided on the pair, and the categories of each of its halves."""
        found: list[tuple[object, str]] = list(
            zip(parts_of(UNIT_KIND), text_of(text.tokens, text.spaces).split("\n"), strict=False)
        )
        found.append((pgettext("of a pair", "Validation"), _decided(text)))
        for number, values in enumerate(text.contents.get(CATEGORIES_LAYER, {}).get("answers", ()), start=1):
            name = gettext("Categories of %(number)d") % {"number": number}
            seen = gettext("not categorised") if values is None else ", ".join(values) or gettext("none of these")
            found.append((name, seen))
        return found

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not here: releases write these files (`release.py`)."""
        raise NotImplementedError("MABL's files are written by releases.")

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        header, rows = self._table(file)
        found = [row for row in rows if isinstance(row, Found)]
        lines: list[tuple[int, DecidedRow, Sequence[str]]] = []
        number = 0
        while number < len(found):
            is_whole = number + 1 < len(found) and is_pair(found[number], found[number + 1])
            rows_of_it = found[number : number + 1 + is_whole]
            # The two are decided on together.
            valid = valid_of(rows_of_it)
            lines += [(found[number].line, replace(row.said, valid=valid), row.cells) for row in rows_of_it]
            number += len(rows_of_it)
        delimiter = delimiter_of(file, heading_fit(_known))
        if delimiter == WORKBOOK:
            # It goes out as the published files are.
            return layout_of("", header, ",", lines, is_quoted=True).to_json()
        text = file.path.read_bytes().decode(file.encoding or "utf-8", errors="replace")
        in_marks = is_quoted(file, delimiter, has_heading=True)
        return layout_of(text, header, delimiter, lines, is_quoted=in_marks).to_json()

    def _table(self, file: SourceFile) -> tuple[Sequence[str], Iterator[Found | FormatWarning | FormatError]]:
        table = headed(file, _known)
        header = table.heading
        if missing := _missing(header):
            raise FormatError(
                file.name,
                table.line,
                message(_("the columns %(columns)s"), columns=", ".join(PUBLISHED)),
                message(_("a header without %(columns)s"), columns=", ".join(missing))
                if _known(header)
                else what_is_there(file, header),
            )
        if twice := named_twice(header):
            raise file.error(
                table.line,
                _("each column once"),
                _("%(columns)s with the same meaning"),
                columns=quote(", ".join(twice), 80),
            )
        if missing := missing_parts(header):
            raise file.error(
                table.line,
                _("the columns subject, relation and object, or none of the three"),
                _("a header without %(columns)s"),
                columns=", ".join(missing),
            )
        return header, read_rows(file, header, table.rows)


def _sets(files: Sequence[SourceFile]) -> list[list[SourceFile]]:
    """The files that may have the same pairs: those of a language, translations by themselves."""
    found: dict[tuple[str, bool], list[SourceFile]] = {}
    for file in files:
        found.setdefault((file.language, is_translation(file.name)), []).append(file)
    return list(found.values())


def _decided(text: Text) -> str:
    if VALIDITY not in text.contents:
        return pgettext("of a pair", "not decided")
    is_accepted = text.contents[VALIDITY]["verdict"] == ACCEPT
    return pgettext("of a pair", "accepted") if is_accepted else pgettext("of a pair", "rejected")


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
