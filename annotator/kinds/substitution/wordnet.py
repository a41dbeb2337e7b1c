"""Senses of a word out of WordNet, where the package `wn` (extra `wordnet`) and a lexicon of its language are there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from annotator.domain.languages import base_language
from annotator.domain.lemmas import lemma_of
from annotator.domain.one_word import word_key
from annotator.domain.tokens import bare

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
    """The senses of a word, in the order of the lexicon, MOST at most, whatever its case and the punctuation around it.

    Inflected forms are found, too: of English those that `wn` knows, of other languages those of the lemma dictionary.
    """
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
    # The lemmatizer knows inflected forms in small letters only.
    lemma = "" if lang == "en" else lemma_of(word.lower(), language)
    asked = dict.fromkeys((bare(word), bare(word).lower(), lemma))
    form = next((form for form in asked if form and lexicons.synsets(form)), "")
    if not form:
        return Senses(available=True)
    # Of "waves", "wave" is no other word.
    same = {word_key(form), word_key(word)} | {word_key(one.lemma()) for one in lexicons.words(form)}
    found = []
    for synset in lexicons.synsets(form)[:MOST]:
        others = tuple(lemma for lemma in synset.lemmas() if word_key(lemma) not in same)
        found.append(Sense(synset.id, synset.definition() or "", others))
    return Senses(available=True, senses=tuple(found))
