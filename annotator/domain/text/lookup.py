"""How words are looked up: in one spelling, however their characters are made up, vowels pointed or not."""

from __future__ import annotations

import unicodedata

from annotator.domain.text.invisible_chars import without_unseen

# Characters of a form or lemma that the index keeps.
LONGEST = 200
# Vowel points, signs of recitation and stretching of Arabic; points and accents of Hebrew. Readers do without them, and
# people write them or not. Marks that make another letter, such as hamza, are none of them.
_POINTS = dict.fromkeys(
    [
        *range(0x0610, 0x061B),
        0x0640,
        *range(0x064B, 0x0653),
        0x0670,
        *range(0x06D6, 0x06DD),
        *range(0x06DF, 0x06E5),
        *range(0x06E7, 0x06E9),
        *range(0x06EA, 0x06EE),
        *range(0x0591, 0x05BE),
        0x05BF,
        *range(0x05C1, 0x05C3),
        *range(0x05C4, 0x05C6),
        0x05C7,
    ]
)


def lookup_key(text: str) -> str:
    """The text as words are compared and looked up: composed (NFC), without what nobody sees and without vowel points.

    Case is left to the caller.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", without_unseen(text)).translate(_POINTS)


def indexed(word: str) -> str:
    """A form or lemma as the index of lemmas has it. What nothing would be left of stays as it is."""
    return (lookup_key(word) or word)[:LONGEST]
