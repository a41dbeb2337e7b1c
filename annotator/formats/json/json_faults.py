"""What is wrong with JSON, in words for those who did not write the parser."""

from __future__ import annotations

import json

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import quote

# By what Python's parser says.
_FAULTS = {
    "Expecting ',' delimiter": _("a comma or a closing bracket is missing"),
    "Expecting ':' delimiter": _("a colon is missing after a key"),
    "Expecting value": _("a value is missing"),
    "Expecting property name enclosed in double quotes": _("a key in quotation marks is missing"),
    "Extra data": _("there is something after the end"),
    "Unterminated string starting at": _("a text has no closing quotation mark"),
    "Invalid control character at": _("a text contains a line break, a tab or another control character"),
    "Illegal trailing comma before end of object": _("there is a comma before a closing bracket"),
    "Illegal trailing comma before end of array": _("there is a comma before a closing bracket"),
}


def json_fault(error: json.JSONDecodeError) -> Sentence:
    """What the parser said, and the characters at which it stopped; that the text was cut off, where it was."""
    rest = error.doc[error.pos : error.pos + 40]
    # A text without its end goes to the end of all.
    if not rest.strip() or error.msg.startswith("Unterminated"):
        return message(_("the end of the file, which is incomplete"))
    return message(_("%(what)s at %(rest)s"), what=_fault(error), rest=quote(rest))


def json_fault_of_line(error: json.JSONDecodeError) -> Sentence:
    """The same of JSON that is a line, or a cell: with the line and the character in it."""
    gaps = {"what": _fault(error), "number": error.colno, "line": quote(error.doc, 80)}
    return message(_("%(what)s at character %(number)s of %(line)s"), **gaps)


def _fault(error: json.JSONDecodeError) -> Sentence:
    return message(_FAULTS[error.msg]) if error.msg in _FAULTS else error.msg
