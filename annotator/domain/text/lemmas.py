"""Lemmas and content words of a sentence: worked out once, when it comes in, and stored with it.

Workers and commands look up what is imported. The web process loads a dictionary once somebody writes a text that
becomes a unit, in its language alone: 2 MB for English, 10 for Spanish; for Swahili 53, and 1.5 s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from annotator.domain.text.function_words import is_function_word
from annotator.domain.text.languages import base_language
from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.tokens import bare, is_punctuation

_DOUBLED = re.compile(r"([bdgklmnprt])\1$")
_SYLLABLE = re.compile(r"[aeiouy]+")
# "Install", "appall", "enthrall", "fulfill", "enroll", "instill", "aberr": as one spells them without an ending, too.
_ENDS_IN_TWO = ("call", "fall", "stall", "pall", "thrall", "fill", "roll", "still", "tell", "err")
# Plurals that the dictionary takes for forms of rare verbs, such as "to thieve"; also at the end of "housewives".
_IN_F = {"calves": "f", "halves": "f", "loaves": "f", "sheaves": "f", "thieves": "f", "wives": "fe", "wolves": "f"}
_IN_VES = re.compile(f"({'|'.join(_IN_F)})$")


@cache
def has_lemmas(language: str) -> bool:
    """True when there is a lemma dictionary for the language."""
    # Loaded here, since its dictionaries take megabytes; those of `low_memory` a seventh of the others, and no longer.
    import simplemma

    try:
        simplemma.lemmatize("a", lang=base_language(language), low_memory=True)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=200_000)
def lemma_of(token: str, language: str) -> str:
    """The lemma of a token, in lower case; the bare word itself in languages for which there is no lemma list."""
    word = lookup_key(bare(token).replace("’", "'"))
    if not word:
        return token
    if not has_lemmas(language):
        return word.lower()
    import simplemma

    # Capitals count here, unlike in a detector's features: a reader takes "Colorado" for a name.
    lemma = simplemma.lemmatize(word, base_language(language), low_memory=True).lower()
    if base_language(language) != "en":
        return lemma
    noun = _IN_VES.search(word.lower())
    return f"{word.lower()[:-3]}{_IN_F[noun[0]]}" if noun else _undoubled(word.lower(), lemma)


def _undoubled(word: str, lemma: str) -> str:
    """An English lemma without the consonant that is doubled before -ed and -ing alone: "cancelled" is of "cancel".

    The dictionary has spellings such as "cancell", with all their forms. The shorter lemma is taken where the
    dictionary has that one, too, and the verb has several syllables; of one, "bill" and "bil" may be words. Verbs in
    -s, -f and -z end in two, as do those that are made with one of `_ENDS_IN_TWO`.
    """
    short = lemma[:-1]
    if (
        word not in (f"{lemma}ed", f"{lemma}ing")
        or not lemma.isalpha()
        or not _DOUBLED.search(lemma)
        or len(_SYLLABLE.findall(lemma)) < 2
        or lemma.endswith(_ENDS_IN_TWO)
    ):
        return lemma
    import simplemma

    return short if simplemma.lemmatize(f"{short}s", "en", low_memory=True) == short else lemma


@lru_cache(maxsize=50_000)
def is_in_dictionary(word: str, language: str) -> bool:
    """Whether the lemma dictionary of a language has a word; False where there is no dictionary."""
    if not word or not has_lemmas(language):
        return False
    import simplemma

    return simplemma.is_known(word, base_language(language), low_memory=True)


def tells(form: str, lemma: str) -> bool:
    """Whether a stored lemma says something: a form that is its own may have been stored without a dictionary."""
    return lemma not in (form, bare(form))


def known_lemma(token: str, language: str, known: Mapping[str, str]) -> str:
    """The lemma of a token as a project knows it: `known` has those of forms (`looked_up`), else the dictionary's."""
    form = lookup_key(token.lower())
    lemma = known.get(form, form)
    return lemma if tells(form, lemma) else lemma_of(token, language)


def lemmas_of(tokens: Sequence[str], language: str) -> list[str]:
    """The lemma of each token, in lower case."""
    return [lemma_of(token, language) for token in tokens]


def content_words(tokens: Sequence[str], language: str, own: Iterable[str] | None = None) -> list[bool]:
    """For each token, whether it is a content word: not punctuation, not a number, not a function word.

    `own`: function words that stand for the list of the language. Without any list every word is one, so that all are
    indexed; pages do not mark them then (`function_words.tells_content_words`).
    """
    return list(map(_is_content(language, None if own is None else tuple(own)), tokens))


@lru_cache(maxsize=8)
def _is_content(language: str, own: tuple[str, ...] | None) -> Callable[[str], bool]:
    is_function = is_function_word(language, own)

    @lru_cache(maxsize=50_000)
    def test(token: str) -> bool:
        return not is_punctuation(token) and any(map(str.isalpha, token)) and not is_function(token)

    return test
