"""Senses of a word out of WordNet, where the package `wn` (extra `wordnet`) and a lexicon of its language are there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

from annotator.domain.text.languages import base_language
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.one_word import word_key
from annotator.domain.text.tokens import bare

# WordNet has 75 of "break": people choose among all of them, and only a list that is none is cut off.
MAX_SENSES = 200


@dataclass(frozen=True, slots=True)
class Sense:
    """A synset: its id in the lexicon, its part of speech as WordNet has it, what it means, and its other words."""

    synset: str
    part: str
    definition: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Senses:
    """What is known of a word. `available`: there is a lexicon of its language to look into."""

    available: bool
    senses: tuple[Sense, ...] = ()


def senses_of(word: str, language: str) -> Senses:
    """The senses of a word, in the order of the lexicon, MAX_SENSES at most, whatever its case and the punctuation
    around it.

    Those of its lemma follow, of English also those of the forms that `wn` knows: "ran" is from "run". What
    several lexicons of the language say in the same words is there once.
    """
    try:
        wn: Any = import_module("wn")
    except ImportError:
        return Senses(available=False)
    # Its connection is opened by the thread that comes first; all threads of the web server only read.
    wn.config.allow_multithreading = True
    lang = base_language(language)
    there = [one.specifier() for one in wn.lexicons() if base_language(one.language) == lang]
    if not there:
        return Senses(available=False)
    lexicons = wn.Wordnet(
        lexicon=" ".join(there), lemmatizer=import_module("wn.morphy").Morphy() if lang == "en" else None
    )
    written = bare(word)
    # In small letters first: "New" begins a sentence, and its synset of that spelling is a period of English. The
    # lemmatizer knows no other forms either.
    forms = dict.fromkeys(form for form in (written.lower(), written, lemma_of(written.lower(), language)) if form)
    synsets = dict.fromkeys(synset for form in forms for synset in lexicons.synsets(form))
    # Of "waves", "wave" is not another word.
    lemmas = {one.lemma() for form in forms for one in lexicons.words(form)}
    same = {word_key(text) for text in (word, *forms, *lemmas)}
    found: dict[tuple[str, ...], Sense] = {}
    for synset in synsets:
        others = tuple(lemma for lemma in synset.lemmas() if word_key(lemma) not in same)
        definition = synset.definition() or ""
        # Without a definition, only its id tells one from another.
        key = (definition, *sorted(others)) if definition else (synset.id,)
        found.setdefault(key, Sense(synset.id, synset.pos, definition, others))
    return Senses(available=True, senses=tuple(islice(found.values(), MAX_SENSES)))
