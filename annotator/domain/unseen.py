"""Characters that are pasted along with a text and that nobody sees."""

from __future__ import annotations

# Marks of where lines may break and of direction. The joiners of Persian and of Indian scripts belong to words.
_UNSEEN = dict.fromkeys(
    [0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)


def without_unseen(text: str) -> str:
    """The text as it is compared with others: without the characters that nobody sees."""
    return text.translate(_UNSEEN)
