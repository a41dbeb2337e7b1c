"""How frequent words are in a language, as wordfreq counted them."""

from __future__ import annotations

from functools import cache

from annotator.domain.text.languages import base_language

UNKNOWN = -1.0


@cache
def has_frequencies(language: str) -> bool:
    """True when there are word frequencies for exactly this language (not for a similar one).

    wordfreq knows those of Chinese, Japanese and Korean, too, but looks them up with tokenizers that are not installed.
    """
    # Loaded here: its lists take megabytes, and web processes have no use for them.
    import wordfreq
    from wordfreq.language_info import get_language_info

    base = base_language(language)
    return base in wordfreq.available_languages() and get_language_info(base)["tokenizer"] == "regex"


def zipf_of(word: str, language: str) -> float:
    """Frequency of a word on the Zipf scale: log10 of occurrences per billion words.

    About 8 for the most frequent word, 1 for a rare one, 0 for an unlisted one; UNKNOWN, for every word alike, when the
    language has no frequencies.
    """
    if not has_frequencies(language):
        return UNKNOWN
    import wordfreq

    return float(wordfreq.zipf_frequency(word, base_language(language)))
