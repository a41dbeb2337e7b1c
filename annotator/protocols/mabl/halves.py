"""Which rows of a file of MABL's are the halves of one pair, and what is odd about them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from hashlib import blake2s
from typing import Any

from annotator.domain.content.verdict import ACCEPT, REJECT
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.pairs.figurative_pairs import UNIT_KIND, FigurativePair, Row, as_tokens, begin_alike, words
from annotator.domain.text.invisible_chars import is_seen
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Read, Record, Text
from annotator.protocols.mabl.columns import PUBLISHED
from annotator.protocols.mabl.rows import Found

VALIDITY, CATEGORIES_LAYER = "validity", "categories"
# Two rows that follow each other are one pair where their endings are as like as this.
_ALIKE = 0.5


def halves_together(file: SourceFile, rows: Iterable[Found | FormatWarning | FormatError]) -> Iterator[Read]:
    """A record per pair. A half without its other one is imported alone, with a warning."""
    before: Found | None = None
    # The half beside a wrong row is alone for that reason.
    is_excused = follows_error = False
    seen: dict[bytes, int] = {}
    for found in rows:
        if not isinstance(found, Found):
            yield found
            if isinstance(found, FormatError):
                yield from _alone(file, before, seen, is_excused=True) if before is not None else ()
                before, follows_error = None, before is None
            continue
        if words(found.said.row.ending1) == words(found.said.row.ending2):
            yield FormatWarning(file.name, found.line, message(_("both endings are the same")))
        seen.setdefault(_checksum([found.said.row]), found.line)
        if before is not None and is_pair(before, found):
            yield from _pair(file, before, found, seen)
            before = None
            continue
        if before is not None:
            yield from _alone(file, before, seen, found, is_excused=is_excused)
        before, is_excused, follows_error = found, follows_error, False
    if before is not None:
        yield from _alone(file, before, seen, is_excused=is_excused)


def is_pair(one: Found, other: Found) -> bool:
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
        yield FormatWarning(file.name, found.line, message(_("no start phrase: this half of the pair is missing")))
    if one.said.valid != other.said.valid:
        yield _unlike_valid(file, one, other)
    unseen = [row for row in (one, other) if row.said.categories is None]
    if len(unseen) == 1 and not lacking:
        what = _("no categories, but the other half of the pair has some: this half is imported as not categorised")
        yield FormatWarning(file.name, unseen[0].line, message(what))
    if not lacking and words(one.said.row.start) == words(other.said.row.start):
        what = _("this half and the one in line %(line)d have the same start phrase, and are imported as one pair")
        yield FormatWarning(file.name, one.line, message(what, line=other.line))
    if not lacking and not _belong_together(one.said.row, other.said.row):
        what = _(
            "this half and the one in line %(line)d neither begin alike nor have an ending in common, "
            "but are imported as one pair"
        )
        yield FormatWarning(file.name, one.line, message(what, line=other.line))
    first = seen.setdefault(_checksum([one.said.row, other.said.row]), one.line)
    if first != one.line:
        yield FormatWarning(file.name, one.line, message(_("the same pair as in line %(line)d"), line=first))
    yield _record(file, [one, other])


def valid_of(rows: Sequence[Found]) -> bool | None:
    """What a file says of a pair: rejected where it says so of a half, not decided where it leaves one open."""
    said = [row.said.valid for row in rows]
    return False if False in said else None if None in said else True


def _unlike_valid(file: SourceFile, one: Found, other: Found) -> FormatWarning:
    cells = ["" if found.said.valid is None else str(int(found.said.valid)) for found in (one, other)]
    what = (
        _("valid is “%(cell)s” here and “%(other)s” in line %(line)d, the other half: the pair is imported as rejected")
        if valid_of([one, other]) is False
        else _("valid is “%(cell)s” here and “%(other)s” in line %(line)d, the other half: the pair is not decided")
    )
    return FormatWarning(file.name, other.line, message(what, cell=cells[1], other=cells[0], line=one.line))


def _belong_together(one: Row, other: Row) -> bool:
    """Whether anything beside likeness speaks for two halves being of one pair."""
    first, second = ({words(text) for text in (row.ending1, row.ending2)} for row in (one, other))
    return bool(first & second) or begin_alike(one.start, other.start)


def _checksum(rows: Sequence[Row]) -> bytes:
    return blake2s(repr(sorted(rows, key=lambda row: row.label)).encode(), digest_size=8).digest()


def _alone(
    file: SourceFile,
    found: Found,
    seen: Mapping[bytes, int],
    following: Found | None = None,
    *,
    is_excused: bool = False,
) -> Iterator[Read]:
    """A half, and why it is one, unless it is excused. `seen`: as in `_pair`."""
    if not is_seen(found.said.row.start):
        yield _no_start(file, found)
        return
    what = message(_("the other half of this pair is not on the next line, so this half is imported alone"))
    twin = seen[_checksum([found.said.row])]
    if following is not None and following.said.row == found.said.row:
        twin = following.line
    if twin != found.line:
        what = message(_("the same row as in line %(line)d, so this half is imported alone"), line=twin)
    elif following is not None and _have_one_label(found, following):
        what = message(
            _(
                "this half and the one in line %(line)d have the same label, so they are not a pair, and "
                "this half is imported alone"
            ),
            line=following.line,
        )
    if not is_excused:
        yield FormatWarning(file.name, found.line, what)
    yield _record(file, [found])


def _have_one_label(one: Found, other: Found) -> bool:
    """Whether two rows would be the halves of a pair if they had not the same label; a repeated row would not."""
    a, b = one.said.row, other.said.row
    return a.label == b.label and _share_an_ending(one, other) and words(a.start) != words(b.start)


def _no_start(file: SourceFile, found: Found) -> FormatError:
    expected = message(_("a text in the column %(column)s"), column=PUBLISHED[0])
    return file.error(found.line, expected, _("an empty cell"))


def _record(file: SourceFile, rows: Sequence[Found]) -> Record:
    pair = FigurativePair.of_rows([row.said.row for row in rows])
    tokens, spaces = as_tokens(pair.lines)
    contents: dict[str, dict[str, Any]] = {}
    if (valid := valid_of(rows)) is not None:
        contents[VALIDITY] = {"verdict": ACCEPT} if valid else {"verdict": REJECT, "reason": "other"}
    of_half = {row.said.row.label: row.said.categories for row in rows}
    if any(names is not None for names in of_half.values()):
        both = (of_half.get(0, ()), of_half.get(1, ()))
        contents[CATEGORIES_LAYER] = {"answers": [None if names is None else list(names) for names in both]}
    text = Text(tokens=tokens, spaces=spaces, contents=contents, partial=(CATEGORIES_LAYER,))
    return Record(file.name, rows[0].line, {file.language: text}, kind=UNIT_KIND)
