"""Positions in text as other tools want them, and text that no tool may hand over.

`characters.code_points` goes the other way.
"""

from __future__ import annotations

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _

# What no text is made of alone. A no-break space can be a token.
WHITE = " \t\r\n"
_LAST_OF_ONE_UNIT = "\uffff"


def utf16_units(text: str) -> list[int] | range:
    """The position in UTF-16 units of each code point of a text, and of its end: Java and JavaScript count so."""
    if text.isascii() or max(text) <= _LAST_OF_ONE_UNIT:
        return range(len(text) + 1)
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if character > _LAST_OF_ONE_UNIT else 1))
    return units


def text_problem(text: str) -> Sentence:
    """What keeps a text from being stored, for a message; "" when nothing does."""
    if "\0" in text:
        return message(_("a NUL character at position %(place)d"), place=text.index("\0") + 1)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = ord(text[error.start])
        return message(
            _("half a character (U+%(code)s, a lone surrogate) at position %(place)d"),
            code=f"{half:04X}",
            place=error.start + 1,
        )
    return ""
