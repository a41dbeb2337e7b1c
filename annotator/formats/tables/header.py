"""What the columns of a table mean, by its header or by what somebody chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.domain.messages import by_number, joined, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.columns.columns import BY_LANGUAGE, OF_ROW, meaning_of
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.protocol import Options, SourceFile

Cells = Sequence[str]


@dataclass
class Header:
    """The header of the first file: columns of other files are found by its names."""

    names: list[str] = field(default_factory=list)


def meanings_of_columns(
    file: SourceFile, line: int, cells: Cells, options: Options, header: Header
) -> dict[int, tuple[str, str]]:
    """The meaning and the language of each column that has one."""
    columns = dict(options.columns)
    if not columns and options.header:
        columns = {
            index: meaning_of(cell, [file.language] if file.language else []) for index, cell in enumerate(cells)
        }
    elif options.header and header.names:
        columns = _by_name(file, line, cells, columns, header.names)
    elif options.header:
        header.names = [cell.strip() for cell in cells]
    found: dict[int, tuple[str, str]] = {}
    for index, meaning in columns.items():
        name, _rest, language = meaning.partition(":")
        if not name:
            continue
        if name not in BY_LANGUAGE and name not in OF_ROW:
            raise file.error(0, _("a known meaning for column %(index)s"), quote(meaning), index=index + 1)
        if index >= len(cells):
            raise file.error(
                line,
                _("column %(index)s, for %(meaning)s"),
                message(by_number(len(cells), _("%(cells)s column"), _("%(cells)s columns")), cells=len(cells)),
                index=index + 1,
                meaning=meaning,
            )
        if name in BY_LANGUAGE and not language and "language" not in columns.values():
            language = file.language
        found[index] = (name, language)
    _check_once(file, line, cells, found)
    names = {name for name, _ in found.values()}
    if not names & {"text", "tokens", "premise", "premise_id"}:
        raise file.error(
            line,
            _("a column of texts"),
            message(_("none with a known meaning")) if columns else message(_("none chosen")),
        )
    if "language" not in names:
        # Of a row with several texts, a category without a language is all of theirs.
        needing = (name for name, language in found.values() if not language and name != "value")
        lost = next((name for name in needing if name in BY_LANGUAGE), None)
        if lost is not None:
            raise file.error(line, _("the language of the %(lost)s column"), _("none"), lost=lost)
    return found


def _check_once(file: SourceFile, line: int, cells: Cells, meanings: Mapping[int, tuple[str, str]]) -> None:
    """Raises FormatError for several columns with one meaning: the last one would be taken for all."""
    number = Counter(meanings.values())
    twice = next((meaning for meaning in meanings.values() if number[meaning] > 1), None)
    if twice is not None:
        same = [index for index, meaning in meanings.items() if meaning == twice]
        called = joined(
            [message("%(number)d (%(name)s)", number=index + 1, name=quote(cells[index].strip(), 60)) for index in same]
        )
        expected = message(_("each meaning for one column only: leave out the others"))
        raise file.error(line, expected, _("columns with the same meaning: %(columns)s"), columns=called)


def _by_name(
    file: SourceFile, line: int, cells: Cells, columns: Mapping[int, str], names: Sequence[str]
) -> dict[int, str]:
    """The columns of another file, whose order may be another."""
    here = [cell.strip() for cell in cells]
    found: dict[int, str] = {}
    for index, meaning in columns.items():
        if not meaning or index >= len(names):
            continue
        if names[index] not in here:
            raise file.error(
                line, _("the column %(names)s, as in the first file"), quote(", ".join(here)), names=quote(names[index])
            )
        if here.count(names[index]) > 1:
            expected = message(_("the column %(names)s only once"), names=quote(names[index]))
            raise FormatError(file.name, line, expected, quote(", ".join(here)))
        found[here.index(names[index])] = meaning
    return found
