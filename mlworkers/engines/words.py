"""What is known about a word form of a language: lemma, frequency, shape.

Lemmas come from simplemma, frequencies from wordfreq. Both know a few dozen languages; for any other
language the lemma is the lower-cased word and there is no frequency. `has_lemmas` and
`has_frequencies` tell which it is, and models record it.
"""

import contextlib
import ctypes
import sys
from functools import cache

from annotator.domain.languages import base_language
from annotator.domain.tokens import word_of

_MISSING = -1.0
STEM = 5  # letters


@cache
def has_lemmas(language: str) -> bool:
    """True when there is a lemma dictionary for the language."""
    import simplemma

    try:
        simplemma.lemmatize("a", lang=base_language(language), low_memory=True)
    except ValueError:
        return False
    return True


@cache
def has_frequencies(language: str) -> bool:
    """True when there are word frequencies for exactly this language (not for a similar one).

    wordfreq knows those of Chinese, Japanese and Korean, too, but looks them up with tokenizers that are not installed.
    """
    import wordfreq
    from wordfreq.language_info import get_language_info

    base = base_language(language)
    return base in wordfreq.available_languages() and get_language_info(base)["tokenizer"] == "regex"


def forget() -> None:
    """Give back the memory of word lists, some fifty megabytes a language; the next look-up reads them again."""
    import gc

    import wordfreq

    for cached in (has_lemmas, has_frequencies, wordfreq.get_frequency_dict, wordfreq.get_frequency_list):
        cached.cache_clear()
    gc.collect()
    if sys.platform == "linux":
        # Freed memory is kept for the process otherwise. musl has no such call.
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)


class Words:
    """Looks words of one language up, each once.

    Not safe for several threads at a time; one instance per model.
    """

    def __init__(self, language: str) -> None:
        self.language = base_language(language)
        self.has_lemmas = has_lemmas(language)
        self.has_frequencies = has_frequencies(language)
        self._words: dict[str, str] = {}
        self._lemmas: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        self._frequencies: dict[str, float] = {}

    def word(self, token: str) -> str:
        """The token in lower case without punctuation at its edges; "" for punctuation only."""
        found = self._words.get(token)
        if found is None:
            found = self._words[token] = word_of(clean(token))
        return found

    def lemma(self, token: str) -> str:
        """The lemma of the token's word in lower case; the word itself without a dictionary; "" for punctuation."""
        word = self.word(token)
        if not word or not self.has_lemmas:
            return word
        found = self._lemmas.get(word)
        if found is None:
            import simplemma

            found = self._lemmas[word] = simplemma.lemmatize(word, lang=self.language, low_memory=True).lower()
        return found

    def stem(self, token: str) -> str:
        """The lemma; without a dictionary the first letters of the word, which most of its forms share."""
        found = self._stems.get(token)
        if found is None:
            word = self.lemma(token)
            found = self._stems[token] = word[:STEM] if word.isalpha() and not self.has_lemmas else word
        return found

    def zipf(self, word: str) -> float:
        """Frequency of a word on the Zipf scale: log10 of occurrences per billion words.

        About 8 for the most frequent word, 1 for a rare one, 0 for an unlisted one; -1 when the
        language has no frequencies.
        """
        if not self.has_frequencies:
            return _MISSING
        found = self._frequencies.get(word)
        if found is None:
            import wordfreq

            found = self._frequencies[word] = float(wordfreq.zipf_frequency(word, self.language))
        return found


def clean(token: str) -> str:
    """The token with a question mark for each lone surrogate, which JSON can carry but UTF-8 cannot."""
    return token.encode("utf-8", "replace").decode()


def shape(word: str) -> str:
    """The word with runs of capitals as X, small letters as x, digits as d; at most 8 characters."""
    found = ""
    for character in word:
        kind = "X" if character.isupper() else "x" if character.islower() else "d" if character.isdigit() else character
        if not found.endswith(kind):
            found += kind
    return found[:8]
