"""Words that people write into a blank: one spelling, which ones are the same, and how often they were repeated."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.invisible_chars import without_unseen

LONGEST = 100
# Files mark a word with <b> and </b>, and readers of them may take the others for more of it.
_MARKUP = "<>&"
# They join letters, and have nothing to join at the ends of a word.
_JOINERS = "\u200c\u200d"
# What people type around a word without meaning it.
_AROUND = ' \t\r\n.,;:!?…"“”„«»‹›()[]{}'
# Between words, as in "led, headed" or "led/headed"; between digits they are part of a number.
_BETWEEN = re.compile(r"(?<!\d)[,;/]|[,;/](?!\d)")


class WordError(InvalidError):
    """A text that is not one word; the text is a sentence for the person."""


def one_word(text: str) -> str:
    """The word in its one spelling: composed (NFC), without spaces or punctuation around it, and without characters
    that nobody sees. Capital letters stay.

    Empty where nothing is written. Raises WordError for several words, for what has no letter, for characters that
    mark text up in files, and for what is longer than LONGEST characters.
    """
    word = _inner(unicodedata.normalize("NFC", without_unseen(text)))
    if not word:
        if without_unseen(text).strip().strip(_JOINERS):
            raise WordError(_("“%(written)s” is not a word."), written=text.strip()[:LONGEST])
        return ""
    if len(word) > LONGEST:
        raise WordError(
            _("A word can have at most %(most)d characters. This one has %(count)d."), most=LONGEST, count=len(word)
        )
    if any(character in _MARKUP for character in word):
        raise WordError(_("“%(written)s” contains <, > or &, which are markup. Write the word alone."), written=word)
    if len(word.split()) > 1 or _BETWEEN.search(word):
        raise WordError(_("“%(written)s” is more than one word. Write one, with hyphens if it has them."), written=word)
    if any(unicodedata.category(character) == "Cc" for character in word):
        raise WordError(_("“%(written)s” contains a control character."), written=word)
    if not any(character.isalpha() for character in word):
        raise WordError(_("“%(written)s” has no letter. Write a word."), written=word)
    return word


def _inner(text: str) -> str:
    """The text without what stands around it: spaces and punctuation, in whatever order."""
    while (shorter := text.strip().strip(_AROUND + _JOINERS)) != text:
        text = shorter
    return text


def in_case_of(word: str, marked: str) -> str:
    """The word as it is written in the place of the marked one: with a capital at its beginning where that has one.

    Words with other capitals are left as they are, such as "DRG".
    """
    if word[1:] != word[1:].lower() or len(word) == 1:
        return word
    if marked[:1].isupper():
        return word[:1].upper() + word[1:]
    return word[:1].lower() + word[1:] if marked[:1].islower() else word


def word_key(word: str) -> str:
    """Two answers are the same word when their keys are equal: whatever their capitals, their ligatures and widths, and
    however composed (NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).lower())


def counted_words(words: Iterable[str]) -> list[tuple[str, int]]:
    """Each word once with how many wrote it, the most frequent first, then alphabetically.

    Of several spellings the most frequent stands, and of equally frequent ones that without capitals.
    """
    spellings: dict[str, Counter[str]] = {}
    for word in words:
        spellings.setdefault(word_key(word), Counter())[word] += 1
    found = [
        (min(forms, key=lambda form: (-forms[form], form != form.lower(), form)), sum(forms.values()))
        for forms in spellings.values()
    ]
    return sorted(found, key=lambda one: (-one[1], word_key(one[0])))


def each_once(words: Iterable[str]) -> list[str]:
    """Each word once, in their order; of several spellings that without capitals, or else the first."""
    found: dict[str, str] = {}
    for word in words:
        key = word_key(word)
        if key not in found or (word == word.lower() and found[key] != found[key].lower()):
            found[key] = word
    return list(found.values())


def most_frequent_first(words: Sequence[str], written: Iterable[str]) -> list[str]:
    """Words in the order that `counted_words` gives to what was written; what nobody wrote comes after it."""
    places = {word_key(word): place for place, (word, _count) in enumerate(counted_words(written))}
    return sorted(words, key=lambda word: places.get(word_key(word), len(places)))


@dataclass(frozen=True, slots=True)
class Repeated:
    """How often people wrote the same word, as shares (0..1): of items, those with a word that two or more wrote; of
    answers, those that somebody else gave to the same item, too."""

    items: float
    answers: float


def repeated_shares(answers: Sequence[Sequence[str]]) -> Repeated | None:
    """How often words were repeated; None where nothing could be.

    One list of words an item. Items with a single answer are left out: nothing can be repeated there.
    """
    compared = [[count for _word, count in counted_words(words)] for words in answers if len(words) > 1]
    if not compared:
        return None
    total = sum(map(sum, compared))
    repeated = sum(count for counts in compared for count in counts if count > 1)
    return Repeated(sum(max(counts) > 1 for counts in compared) / len(compared), repeated / total)
