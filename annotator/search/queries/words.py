"""Sentences with words: as they stand, as their lemmas, or by how they begin ("camp-", "camp*"). By index alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Q

from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.tokens import bare
from annotator.models import LemmaPlace, Project, Unit

# Sentences with the rarest word of a search.
LOOKED_THROUGH = 1000
# Of a sentence that somebody pasted; more words find no other sentence.
_MAX_WORDS = 12
# Fewer letters are the beginning of half the words.
_MIN_BEGINNING = 2
_BEGINNING = ("-", "*")
# Tokens may have marks attached (`domain/text/tokens.py`).
_BEFORE = ("", *"¿¡“\"«‘'([")
_AFTER = ("", *".,;:?!…”\"»’')]", *(closing + mark for closing in '”"»)' for mark in ".,"))
# After every letter, in the order of SQLite.
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a search, as the index has it; `begins`: words that begin so."""

    key: str
    begins: bool = False

    def fits(self, form: str, lemma: str) -> bool:
        """Whether a word in a sentence is it."""
        return form.startswith(self.key) if self.begins else self.key in (form, lemma)


@dataclass(frozen=True, slots=True)
class Hits:
    """`units`: ids of current texts with all words, in reading order. `wanted`: by language, the words that count.

    `unknown`: words that no sentence has as content words; they were ignored. `unindexed`: function words and numbers,
    which are in no index, if no other word was searched for: beside others, as in a pasted sentence, they are left out.
    `frequent`: the rarest word, where more than LOOKED_THROUGH sentences have it: the others were not searched.
    """

    units: Sequence[int]
    unknown: Sequence[str] = ()
    unindexed: Sequence[str] = ()
    frequent: str = ""
    wanted: dict[str, list[Word]] = field(default_factory=dict)


def words_in(given: str) -> list[Word]:
    """The words that somebody typed."""
    found = []
    for written in given.split():
        key = lookup_key(bare(written).lower())
        if key:
            found.append(Word(key, written.endswith(_BEGINNING) and len(key) >= _MIN_BEGINNING))
    return list(dict.fromkeys(found))[:_MAX_WORDS]


def search(project: Project, given: str) -> Hits:
    """The texts that have all of these words. A few statements a word and language, however large the project is."""
    words = words_in(given)
    nowhere: list[set[str]] = []
    unindexed: set[str] = set()
    frequent = ""
    places: list[tuple[int, int]] = []
    known_in: dict[str, list[Word]] = {}
    for language in project.languages:
        is_content = project.content_words([word.key for word in words], language)
        wanted = [word for word, is_one in zip(words, is_content, strict=True) if is_one or word.begins]
        units = {word: _units_with(project, language, word) for word in wanted}
        known = [word for word in wanted if units[word]]
        nowhere.append({word.key for word in words if word not in known})
        unindexed |= {
            word.key
            for word, is_one in zip(words, is_content, strict=True)
            if not is_one or (word.begins and project.has_function_word(word.key, language))
        }
        if known:
            known_in[language] = known
            rarest = min(known, key=lambda word: len(units[word]))
            if len(units[rarest]) > LOOKED_THROUGH:
                frequent = rarest.key
            places += _current(project, language, _with_all(units[rarest], [one for one in known if one != rarest]))
    # A word of one language is hardly ever one of the others.
    missing = set.intersection(*nowhere) if nowhere else set()
    return Hits(
        units=[unit for _place, unit in sorted(places)],
        unknown=[word.key for word in words if word.key in missing - unindexed],
        unindexed=[word.key for word in words if word.key in missing & unindexed and (word.begins or not known_in)],
        frequent=frequent,
        wanted=known_in,
    )


def hits_in(unit: Unit, words: Sequence[Word]) -> list[int]:
    """The tokens of a text that one of the words is. It comes with its lemmas."""
    if not words or len(unit.lemmas) != len(unit.tokens):
        return []
    return [
        at
        for at, (token, lemma) in enumerate(zip(unit.tokens, unit.lemmas, strict=True))
        if (not unit.content_words or unit.content_words[at])
        and any(word.fits(lookup_key(bare(token.lower())), lemma.lower()) for word in words)
    ]


def _units_with(project: Project, language: str, word: Word) -> set[int]:
    """The ids of units with a word: hardly more than LOOKED_THROUGH of them.

    Of earlier texts, too. In the order of the index, which is none: a frequent word has a hundred thousand places.
    """
    places = LemmaPlace.objects.filter(project=project, language=language)
    if word.begins:
        some = [places.filter(_begins(f"{before}{word.key}")) for before in _BEFORE]
    else:
        forms = [f"{before}{word.key}{after}" for before in _BEFORE for after in _AFTER]
        some = [places.filter(form__in=forms), places.filter(lemma=word.key)]
    found: set[int] = set()
    for rows in some:
        found.update(rows.values_list("unit", flat=True)[: LOOKED_THROUGH + 1])
        if len(found) > LOOKED_THROUGH:
            break
    return found


def _begins(beginning: str) -> Q:
    """Forms that begin so. SQLite's LIKE ignores case, and goes by no index."""
    if connection.vendor == "sqlite":
        return Q(form__gte=beginning, form__lt=beginning + _LAST)
    return Q(form__startswith=beginning)


def _with_all(units: set[int], words: Sequence[Word]) -> Iterable[int]:
    """Those of the units that have all of the words, too."""
    if not words:
        return units
    have: dict[int, set[Word]] = {}
    for unit, form, lemma in LemmaPlace.objects.filter(unit__in=units).values_list("unit", "form", "lemma"):
        have.setdefault(unit, set()).update(word for word in words if word.fits(bare(form), lemma))
    return [unit for unit, there in have.items() if len(there) == len(words)]


def _current(project: Project, language: str, units: Iterable[int]) -> list[tuple[int, int]]:
    """Those of these units that are current and that no unfinished import hides, with their places."""
    rows = Unit.objects.published().filter(project=project, language=language, is_current=True, pk__in=list(units))
    return [(place, unit) for place, unit in rows.values_list("segment__position", "pk")]
