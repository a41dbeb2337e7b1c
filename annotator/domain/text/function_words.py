"""Function words by language: pronouns, articles, prepositions, auxiliaries, conjunctions.

One file per language in `data/function_words`: its sources in lines that begin with #, then words, separated by white
space. The lists are small and closed on purpose. English adverb particles (off, up, out, down, away, back) are not in
them: in "took off" they are half of a phrasal verb, and so part of the unit that is labelled. A project can bring a
list of its own for any language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import word_of

_FOLDER = Path(__file__).parent / "data" / "function_words"


@cache
def listed_languages() -> frozenset[str]:
    """The languages (without region) that there is a list for."""
    return frozenset(path.stem for path in _FOLDER.glob("*.txt"))


@cache
def function_words(language: str) -> frozenset[str]:
    """The list of a language ("es", also with a region: "es-MX"); empty where there is none."""
    base = base_language(language)
    if base not in listed_languages():
        return frozenset()
    lines = (_FOLDER / f"{base}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def is_function_word(language: str, own: Iterable[str] | None = None) -> Callable[[str], bool]:
    """A test for function words of a language; `own` stands for the list that is shipped.

    The test takes a token as it stands in a sentence: case and punctuation at its edges do not matter,
    and a typographic apostrophe is an apostrophe. For a language without a list nothing is a function
    word.
    """
    words = function_words(language) if own is None else frozenset(map(word_of, own))

    def test(token: str) -> bool:
        return word_of(token) in words

    return test


def has_beginning(language: str, beginning: str, own: Iterable[str] | None = None) -> bool:
    """Whether a function word of a language begins so; `own` stands for the list that is shipped."""
    words = function_words(language) if own is None else map(word_of, own)
    return any(word.startswith(beginning) for word in words)


def tells_content_words(language: str, own: Iterable[str] | None = None) -> bool:
    """Whether content words can be told from function words: without a list every word would be one."""
    return bool(function_words(language) if own is None else tuple(own))
