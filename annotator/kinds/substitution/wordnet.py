"""Senses of a word out of WordNet, where the package `wn` (extra `wordnet`) and a lexicon of its language are there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from annotator.domain.languages import base_language
from annotator.domain.one_word import word_key

MOST = 40


@dataclass(frozen=True, slots=True)
class Sense:
    """A synset: its id in the lexicon, what it means, and its other words."""

    synset: str
    definition: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Senses:
    """What is known of a word. `available`: there is a lexicon of its language to look into."""

    available: bool
    senses: tuple[Sense, ...] = ()


def senses_of(word: str, language: str) -> Senses:
    """The senses of a word, in the order of the lexicon, MOST at most. Of English, inflected forms are found, too."""
    try:
        wn: Any = import_module("wn")
    except ImportError:
        return Senses(available=False)
    # Its connection is opened by the thread that comes first; all threads of the web server only read.
    wn.config.allow_multithreading = True
    lang = base_language(language)
    if not wn.lexicons(lang=lang):
        return Senses(available=False)
    lexicons = wn.Wordnet(lang=lang, lemmatizer=import_module("wn.morphy").Morphy() if lang == "en" else None)
    found = []
    # The lemmatizer knows inflected forms in small letters only.
    for synset in (lexicons.synsets(word) or lexicons.synsets(word.lower()))[:MOST]:
        others = tuple(lemma for lemma in synset.lemmas() if word_key(lemma) != word_key(word))
        found.append(Sense(synset.id, synset.definition() or "", others))
    return Senses(available=True, senses=tuple(found))
