"""Sentences that a corpus can hold and nobody thinks of."""

from __future__ import annotations

import json

from tests.mlworkers.checkpoints import TEXT

LONG, LONG_WORD = "5,000 tokens", "a word of 5,000 characters"

ODD: dict[str, list[str]] = {
    "no tokens": [],
    LONG: [word for _ in range(100) for line in TEXT for word in line.split()][:5_000],
    LONG_WORD: ["La", "olas2" * 1_000, "golpea"],
    "combining marks only": ["La", "\u0301\u0308", "ola"],
    "nothing but combining marks": ["\u0301\u0308"],
    "zero width only": ["\u200b\u200d\u200c", "\ufeff", "\u2060"],
    "emoji joined to one": ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "ola"],
    "right to left": ["\u202bהגל\u202c", "\u2067הכה\u2069", "العائلات", "\u200f", "ola"],
    "lone surrogates": json.loads(r'["\ud800", "ola", "gol\udfffpea", "\ud83d"]'),
    "NUL and controls": ["\x00", "ola\x00", "\x1b[31mgolpea", "\x07", "\x7f", "\x85", "a\r\nb"],
    "empty tokens": ["La", "", "ola", ""],
    "nothing but an empty token": [""],
    "white space": ["La", " ", "\t", "\n", "\u00a0", "La ola", "\u2028"],
    "astral letters": ["𝔐𝔢𝔱𝔞", "𐍈𐌰", "𠜎𠜱", "ola"],
    "normalised in several ways": ["café", "cafe\u0301", "ﬁn", "Ａ１", "\u1e9b\u0323", "Å", "\u212b"],
    "subwords of the model's own": ["<s>", "[SEP]", "</s>", "[PAD]", "<pad>", "[MASK]", "ola"],
}
