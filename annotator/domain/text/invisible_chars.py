"""Characters that are pasted along with a text and that nobody sees."""

from __future__ import annotations

import unicodedata

# Marks of where lines may break and of direction. The joiners of Persian and of Indian scripts belong to words.
_UNSEEN = dict.fromkeys(
    [0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)
# Letters and symbols by their category, which show nothing.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# White space, controls, what formats others, and marks, which stand on something.
_NO_TEXT = frozenset(("Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"))


def without_unseen(text: str) -> str:
    """The text as it is compared with others: without the characters that nobody sees."""
    return text.translate(_UNSEEN)


def is_seen(text: str) -> bool:
    """Whether there is something to read in a text: neither white space nor other characters that nobody sees."""
    return any(unicodedata.category(one) not in _NO_TEXT and one not in _BLANK for one in text)
