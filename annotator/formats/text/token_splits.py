"""Tokens that we made of a text, corrected by a person: split inside, or joined where no white space is between them.

A correction names its place by the text as the file has it, before it is split into sentences. So it holds whatever
becomes of these, however the text is split into tokens, and wherever in the file the same text stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.corrections import Corrections, text_key
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import Read, Record
from annotator.formats.text.characters import keeps_tokens, plain

_JOINER = "\u200d"


def break_places(token: str) -> list[int]:
    """The places inside a token at which a second one can begin: not inside a character that is made of several."""
    return [place for place in range(1, len(token)) if _can_begin(token, place)]


def with_breaks(reads: Iterable[Read], options: Options, corrections: Corrections) -> Iterator[Read]:
    """What a reader gives, its texts with what is corrected of their tokens.

    Corrections that fit no text are a FormatWarning, once all is read.
    """
    used: set[str] = set()
    for read in reads:
        yield _marked(read, options, corrections, used) if corrections and isinstance(read, Record) else read
    if lost := corrections.unused(used):
        yield FormatWarning(
            "",
            0,
            message(
                by_number(
                    lost,
                    _(
                        "a token correction is left out, because its text is no longer in the files, or has its own "
                        "tokens there"
                    ),
                    _(
                        "%(lost)s token corrections are left out, because their text is no longer in the files, or "
                        "has its own tokens there"
                    ),
                ),
                lost=lost,
            ),
        )


def _marked(record: Record, options: Options, corrections: Corrections, used: set[str]) -> Record:
    texts = {}
    for language, text in record.texts.items():
        if keeps_tokens(text, options):
            continue
        string = plain(text)
        key = text_key(string)
        if mine := corrections.places.get(key):
            used.add(key)
            breaks = tuple((place, what) for place, what in sorted(mine.items()) if _can_begin(string, place))
            texts[language] = replace(text, breaks=breaks)
    return replace(record, texts={**record.texts, **texts}) if texts else record


def _can_begin(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    character = text[place]
    return not (
        character.isspace()
        or text[place - 1] == _JOINER
        or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")
        # Skin tones go with the emoji before them.
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )
