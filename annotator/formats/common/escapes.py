"""Texts with characters as HTML and Moses escape them, which are read as they stand, and counted for each file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatWarning, quote
from annotator.formats.common.records import Read, Record, Text

_ESCAPED = re.compile(r"&(?:amp|apos|quot|lt|gt|nbsp|bar|bra|ket|#[0-9]{2,6}|#x[0-9A-Fa-f]{2,5});")


def noting_escapes(reads: Iterable[Read]) -> Iterator[Read]:
    """What is read, and at its end a warning for each file that has such texts."""
    found: dict[str, tuple[int, str, int]] = {}
    for read in reads:
        if isinstance(read, Record):
            for text in read.texts.values():
                if escaped := _escaped(text):
                    place = read.at(text)
                    line, shown, number = found.get(place.file, (place.line, escaped, 0))
                    found[place.file] = (line, shown, number + 1)
        yield read
    for file, (line, shown, number) in found.items():
        what = by_number(
            number,
            _("%(number)s text has escaped characters, such as %(shown)s, and is read as it is"),
            _("%(number)s texts have escaped characters, such as %(shown)s, and are read as they are"),
        )
        yield FormatWarning(file, line, message(what, number=number, shown=quote(shown)))


def _escaped(text: Text) -> str:
    """The first escaped character of a text, "" for none."""
    for piece in (text.text, *text.tokens):
        if "&" in piece and (match := _ESCAPED.search(piece)):
            return match[0]
    return ""
