"""Dictionaries: an expression a row, with what it means, in a table with a heading and tabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from annotator.domain.content import DEFINITIONS as DEFINITIONS_TYPE
from annotator.domain.content import ContentError
from annotator.domain.content.definitions import check_says_something
from annotator.domain.formats.base import Guess, Options, SourceFile
from annotator.domain.formats.beginnings import beginning
from annotator.domain.formats.errors import FormatError, quote
from annotator.domain.formats.features import Feature
from annotator.domain.formats.lines import LineStream
from annotator.domain.formats.records import PairRecord, Read, Record, Text
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import said_by, say
from annotator.domain.tokens import text_of, tokenise
from annotator.kinds.impli.texts import define_names
from annotator.kinds.impli.units import DEFINITIONS, EXPRESSION

NEEDED = ("expression", "definition")
# The columns by the texts of a content.
COLUMNS: Mapping[str, str] = {"definition": "correct", "adversarial": "adversarial", "antonym": "antonym"}


class Dictionary:
    """`expression TAB definition`, and the columns `adversarial` and `antonym` where there are such."""

    slug = "dictionary"
    title = _("Definitions of expressions")
    brings = "expressions"
    parallel = False
    kinds = ("define",)
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        if not files or not all(set(NEEDED) <= set(_heading(file)) for file in files):
            return None
        only = languages[0] if len(languages) == 1 else ""
        found = tuple(replace(file, language=file.language or only) for file in files)
        return Guess(self.slug, 0.99, found, Options(header=True))

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        for file in files:
            heading: list[str] = []
            with file.path.open("rb") as stream:
                for line, text in LineStream(stream, file.name, file.encoding or "utf-8"):
                    if not heading:
                        heading = _columns(file, text)
                    elif text.strip():
                        yield _row(file, line, heading, text.split("\t"))

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """The expression and its definitions."""
        content = text.contents[DEFINITIONS]
        definitions = [(one["label"], content[one["name"]]) for one in define_names()]
        return [(gettext("Expression"), text_of(text.tokens, text.spaces)), *definitions]

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        raise NotImplementedError("Dictionaries are only read.")


def _heading(file: SourceFile) -> list[str]:
    return [cell.strip().lower() for cell in next(iter(beginning(file, 1)), "").split("\t")]


def _columns(file: SourceFile, text: str) -> list[str]:
    heading = [cell.strip().lower() for cell in text.split("\t")]
    if missing := [name for name in NEEDED if name not in heading]:
        expected = say(_("the columns %(columns)s"), columns=", ".join(NEEDED))
        raise FormatError(file.name, 1, expected, say(_("a heading without %(columns)s"), columns=", ".join(missing)))
    return heading


def _row(file: SourceFile, line: int, heading: Sequence[str], cells: Sequence[str]) -> Record | FormatError:
    if len(cells) != len(heading):
        expected = say(_("%(number)d cells, as the heading has"), number=len(heading))
        return FormatError(file.name, line, expected, say(_("%(count)d cells"), count=len(cells)))
    row: dict[str, Any] = dict(zip(heading, cells, strict=True))
    tokens = tokenise(row["expression"].strip())
    if not tokens:
        return FormatError(file.name, line, say(_("an expression")), say(_("an empty cell")))
    try:
        content = DEFINITIONS_TYPE.check(
            {name: row.get(column, "") for column, name in COLUMNS.items()}, scheme={}, tokens=tokens, done=True
        )
        check_says_something(content, file.language)
    except ContentError as error:
        return FormatError(file.name, line, said_by(error), quote("\t".join(cells), 80))
    text = Text(tokens=tokens, contents={DEFINITIONS: content})
    return Record(file.name, line, {file.language: text}, kind=EXPRESSION)
