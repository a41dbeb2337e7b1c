"""XML as text: what is escaped, and what XML has no way to say."""

from __future__ import annotations

import re
from collections.abc import Mapping

# XML 1.0 has neither these control characters nor halves of characters, not even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TEXT = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
# Readers turn line breaks and tabs of an attribute into spaces, unless they are escaped.
_ATTRIBUTE = {**_TEXT, ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}


def xml_text(text: str) -> str:
    """The text between tags. Raises ValueError for a character that XML does not have."""
    return _checked(text).translate(_TEXT)


def xml_attributes(attributes: Mapping[str, str | int]) -> str:
    """The attributes of a tag, each with a space before it. Raises ValueError as `xml_text` does."""
    return "".join(f' {name}="{_checked(str(value)).translate(_ATTRIBUTE)}"' for name, value in attributes.items())


def _checked(text: str) -> str:
    match = _FORBIDDEN.search(text)
    if match:
        raise ValueError(f"XML cannot spell the character U+{ord(match[0]):04X}.")
    return text
