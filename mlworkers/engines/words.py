"""What is known about a word form of a language: lemma, frequency, shape.

Lemmas come from simplemma, frequencies from wordfreq. Both know a few dozen languages; for any other
language the lemma is the lower-cased word and there is no frequency. `has_lemmas` and
`has_frequencies` tell which it is, and models record it.
"""

import contextlib
import ctypes
import sys

from annotator.domain.text.frequencies import has_frequencies, zipf_of
from annotator.domain.text.languages import base_language
from annotator.domain.text.lemmas import has_lemmas
from annotator.domain.text.tokens import word_of

STEM = 5  # letters


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
        """Frequency of a word on the Zipf scale; UNKNOWN when the language has no frequencies."""
        found = self._frequencies.get(word)
        if found is None:
            found = self._frequencies[word] = zipf_of(word, self.language)
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
