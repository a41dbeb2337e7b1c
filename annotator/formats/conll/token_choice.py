"""How text without tokens is split where nobody said it: by whether its punctuation is attached to words.

Corpora that are split into tokens already have their full stops and commas by themselves ("mes ."), other text has
them at the end of words ("mes."), where a label would cover them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare
from annotator.formats.common.records import Read, Record
from annotator.formats.text.characters import plain
from annotator.formats.text.words import UNSPACED

# Formats whose texts may come without tokens, and that leave it open how these are split.
UNDECIDED = frozenset({"lines", "moses", "csv", "tsv", "xlsx", "jsonl"})
# What is looked at.
RECORDS = 200

_CLOSING = "\"'”’»)]"
_FINAL = frozenset(".?!…")
# French writes a space before its other marks, whichever tool splits it.
_FINAL_OF = {"fr": frozenset(".…")}


@dataclass(frozen=True, slots=True)
class Punctuation:
    """How many texts of a beginning have their last mark attached to a word, and how many apart.

    `example`: the first word with a mark attached to it; "" where there is none.
    """

    attached: int = 0
    apart: int = 0
    example: str = ""

    @property
    def tokens(self) -> str:
        """How the text is to be split: a value of `Options.tokens`."""
        return "words" if self.attached > self.apart else "given"


NOTHING = Punctuation()


def punctuation(reads: Iterable[Read]) -> Punctuation:
    """What the first records say, of all that is read first, errors included.

    Nothing, where any of their texts has tokens: splitting would take these apart.
    """
    attached = apart = 0
    example = ""
    for read in islice(reads, RECORDS):
        for language, text in read.texts.items() if isinstance(read, Record) else ():
            if text.tokens:
                return NOTHING
            if base_language(language) in UNSPACED:
                continue
            found = _last_mark(plain(text).split(), _FINAL_OF.get(base_language(language), _FINAL))
            if found is None:
                continue
            attached += bool(found)
            apart += not found
            example = example or found
    return Punctuation(attached, apart, example)


def _last_mark(chunks: list[str], final: frozenset[str]) -> str | None:
    """What the mark that ends a text is attached to, or its last comma if none does: "" for nothing, None: no mark."""
    last = chunks[-1].rstrip(_CLOSING) if chunks else ""
    if last and last[-1] in final:
        return chunks[-1] if bare(last) else ""
    comma = next((chunk for chunk in reversed(chunks) if chunk.endswith(",")), None)
    if comma is None:
        return None
    return comma if bare(comma) else ""
