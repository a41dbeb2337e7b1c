"""In which script a text is written, and in which one its language is expected to be."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache

import langcodes
from langcodes import Language
from langcodes.tag_parser import LanguageTagError

from annotator.domain.text.languages import base_language

# By the first word of a letter's name in Unicode, its script (ISO 15924).
_SCRIPTS = {
    "ARABIC": "Arab",
    "ARMENIAN": "Armn",
    "BALINESE": "Bali",
    "BENGALI": "Beng",
    "CYRILLIC": "Cyrl",
    "DEVANAGARI": "Deva",
    "ETHIOPIC": "Ethi",
    "GEORGIAN": "Geor",
    "GREEK": "Grek",
    "GUJARATI": "Gujr",
    "GURMUKHI": "Guru",
    "HEBREW": "Hebr",
    "JAVANESE": "Java",
    "KANNADA": "Knda",
    "KHMER": "Khmr",
    "LAO": "Laoo",
    "LATIN": "Latn",
    "MALAYALAM": "Mlym",
    "MONGOLIAN": "Mong",
    "MYANMAR": "Mymr",
    "ORIYA": "Orya",
    "SINHALA": "Sinh",
    "SUNDANESE": "Sund",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "THAI": "Thai",
    "TIBETAN": "Tibt",
}
# Languages that are written in other scripts, too, with nothing in their tag that says so.
_ALSO = {
    "az": "Cyrl Arab",
    "ban": "Bali",
    "bs": "Cyrl",
    "ha": "Arab",
    "jv": "Java",
    "kk": "Latn Arab",
    "ks": "Deva",
    "ku": "Arab Cyrl",
    "ky": "Latn Arab",
    "mn": "Mong",
    "ms": "Arab",
    "pa": "Arab",
    "sd": "Deva",
    "sh": "Cyrl",
    "sr": "Latn",
    "su": "Sund",
    "tg": "Latn Arab",
    "tk": "Cyrl Arab",
    "tt": "Latn",
    "ug": "Latn Cyrl",
    "uz": "Cyrl Arab",
}


@cache
def expected_scripts(language: str) -> tuple[str, ...]:
    """The scripts (ISO 15924) in which a language may be written, the usual one first; () where that is not known.

    One that its tag names is the only one.

    >>> expected_scripts("hi"), expected_scripts("hi-Latn"), expected_scripts("sr")
    (('Deva',), ('Latn',), ('Cyrl', 'Latn'))
    """
    try:
        tag = Language.get(language)
        likely = tag.maximize().script or ""
    except LanguageTagError:
        return ()
    if not langcodes.tag_is_valid(language) or tag.language in (None, "und") or likely not in _SCRIPTS.values():
        # Chinese, Japanese and Korean mix several, and what is not in the table cannot be recognised.
        return ()
    return (likely,) if tag.script else (likely, *_ALSO.get(base_language(language), "").split())


def script_of(tokens: Sequence[str]) -> str:
    """The script of more than half of the letters of a text; "" where no known one has so many."""
    letters = Counter(_script(letter) for token in tokens for letter in token if letter.isalpha())
    script, number = next(iter(letters.most_common(1)), ("", 0))
    return script if 2 * number > letters.total() else ""


@cache
def _script(letter: str) -> str:
    return _SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0], "")


def script_name(script: str, language: str) -> str:
    """What a script (ISO 15924) is called in a language."""
    return str(Language.make(script=script).script_name(language))
