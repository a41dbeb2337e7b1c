"""Dictionaries: an expression a row, with what it means, in a table with a heading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotator.domain.content import DEFINITIONS as DEFINITIONS_TYPE
from annotator.domain.content import ContentError
from annotator.domain.content.definitions import check_says_something
from annotator.domain.messages import by_number, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.invisible_chars import is_seen
from annotator.domain.text.tokens import text_of, tokenise
from annotator.formats.columns.columns import meaning_of
from annotator.formats.common.errors import ContentRefused, FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.names import plain_words
from annotator.formats.common.protocol import NEAR, Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.tables.sheets import are_tables, headed, heading_of, with_one_language
from annotator.kinds.impli.texts import define_names
from annotator.kinds.impli.units import DEFINITIONS, EXPRESSION

NEEDED = ("expression", "definition")
# The columns by the texts of a content.
COLUMNS: Mapping[str, str] = {"definition": "correct", "adversarial": "adversarial", "antonym": "antonym"}
# The names of columns, without accents.
_NAMES: Mapping[str, Collection[str]] = {
    "expression": ("expression", "expressions", "expresion", "expresiones"),
    "definition": ("definition", "definitions", "definicion", "definiciones"),
    "adversarial": ("adversarial", "adversaria"),
    "antonym": ("antonym", "antonyms", "antonimo", "antonimos"),
}
_LONGEST_NAME = 200
_OF_SENTENCES = frozenset({"text", "tokens", "premise", "hypothesis"})


class Dictionary:
    """The columns `expression` and `definition`, and `adversarial` and `antonym` where there are such."""

    slug = "dictionary"
    title = gettext_lazy("Definitions of expressions")
    brings = "expressions"
    parallel = False
    kinds = ("define",)
    suggests = "dictionary"
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """All headings have both columns that are needed. In a project with expressions, one of the two is enough where
        no column has a text: then `read` says which is missing."""
        headings: list[list[str]] = []
        for file in files:
            headings.append(heading_of(file, _known))
            if not _is_meant(headings[-1]):
                return None
        if not are_tables(files):
            return None
        whole = all(set(NEEDED) <= set(_columns(heading)) for heading in headings)
        # Another table may have an expression and its definition beside a sentence.
        alone = not any(_unknown(heading) for heading in headings)
        found, notes = with_one_language(files, languages)
        sure = 0.99 if whole else NEAR
        return Guess(self.slug, sure, found, Options(header=True), notes, only_at_home=not (whole and alone))

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a row. What is wrong with a file hides nothing of the others."""
        return file_by_file(files, _read)

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """The expression and its definitions."""
        content = text.contents[DEFINITIONS]
        definitions = [(one["label"], content[one["name"]]) for one in define_names()]
        return [(gettext("Expression"), text_of(text.tokens, text.spaces)), *definitions]

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        raise NotImplementedError("Dictionaries are only read.")


def _read(file: SourceFile) -> Iterator[Read]:
    table = headed(file, _known)
    columns = _columns(table.heading)
    _check_columns(file, table.line, columns)
    if unknown := _unknown(table.heading):
        what = _("skipped columns: %(columns)s")
        yield FormatWarning(file.name, table.line, message(what, columns=quote(", ".join(unknown), 80)))
    seen: dict[str, int] = {}
    for read in table.rows:
        if not isinstance(read, tuple):
            yield read
            continue
        found = _row(file, read[0], columns, read[1])
        if isinstance(found, Record):
            yield from _twice(file, read[0], found, seen)
        yield found


def _columns(heading: Sequence[str]) -> list[str]:
    """What each column has, by its name in English or Spanish; "" for one without a meaning here."""
    # What is far longer is the first sentence of some other file, which takes its time to look through.
    names = ["".join(plain_words(cell)) if len(cell) <= _LONGEST_NAME else "" for cell in heading]
    return [next((one for one, known in _NAMES.items() if name in known), "") for name in names]


def _unknown(heading: Sequence[str]) -> list[str]:
    """The names of columns that mean nothing here."""
    return [cell.strip() for cell, name in zip(heading, _columns(heading), strict=True) if cell.strip() and not name]


def _known(heading: Sequence[str]) -> int:
    return len({*_columns(heading)} - {""})


def _is_meant(heading: Sequence[str]) -> bool:
    """Whether a heading has both columns that are needed, or one of them and none that a table of sentences has."""
    needed = set(NEEDED) & set(_columns(heading))
    others = (meaning_of(cell, ()).partition(":")[0] for cell in heading)
    return len(needed) == len(NEEDED) or (bool(needed) and not _OF_SENTENCES.intersection(others))


def _check_columns(file: SourceFile, line: int, columns: Sequence[str]) -> None:
    """Raises FormatError for a column that is missing, or there twice."""
    expected = message(_("the columns %(columns)s"), columns=", ".join(NEEDED))
    if missing := [name for name in NEEDED if name not in columns]:
        raise file.error(line, expected, _("a header without %(columns)s"), columns=", ".join(missing))
    if twice := [name for name in _NAMES if columns.count(name) > 1]:
        expected = message(_("each column once"))
        raise file.error(line, expected, _("%(columns)s twice"), columns=", ".join(twice))


def _twice(file: SourceFile, line: int, record: Record, seen: dict[str, int]) -> Iterator[FormatWarning]:
    """A warning of an expression that is in the file already, capitals aside. `seen`: by expression, its first line."""
    text = next(iter(record.texts.values()))
    first = seen.setdefault(" ".join(text.tokens).casefold(), line)
    if first != line:
        what = _("the same expression as in line %(line)d (%(expression)s), and both are imported")
        yield FormatWarning(
            file.name, line, message(what, line=first, expression=quote(text_of(text.tokens, text.spaces), 80))
        )


def _row(file: SourceFile, line: int, columns: Sequence[str], cells: Sequence[str]) -> Record | FormatError:
    if len(cells) != len(columns):
        expected = message(_("%(number)d cells, as in the header"), number=len(columns))
        got = message(by_number(len(cells), _("%(count)d cell"), _("%(count)d cells")), count=len(cells))
        return file.error(line, expected, got)
    row: dict[str, Any] = dict(zip(columns, cells, strict=True))
    if not is_seen(row["definition"]):
        return file.error(line, _("a text in the column %(column)s"), _("an empty cell"), column="definition")
    tokens = tokenise(row["expression"].strip())
    if not is_seen(row["expression"]):
        return file.error(line, _("an expression"), _("an empty cell"))
    try:
        content = DEFINITIONS_TYPE.check(
            {name: row.get(column, "") for column, name in COLUMNS.items()}, scheme={}, tokens=tokens, done=True
        )
        check_says_something(content, file.language)
    except ContentError as error:
        why = message("%(definition)s: %(why)s", definition=quote(row["definition"], 80), why=message_of(error))
        return ContentRefused(file.name, line, why)
    text = Text(tokens=tokens, contents={DEFINITIONS: content})
    return Record(file.name, line, {file.language: text}, kind=EXPRESSION)
