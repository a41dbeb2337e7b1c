"""Spanish verbs: which form one has where it stands, with its pronoun, and the verb of a definition."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from annotator.domain.inflection.found_verb import FoundVerb
from annotator.domain.inflection.spanish_auxiliaries import HABER, PARTICIPLE_ENDS, left_out
from annotator.domain.inflection.spanish_forms import (
    GERUND,
    INFINITIVE,
    PARTICIPLE,
    PERSONS,
    TENSES,
    inflect,
    irregular_verb_of,
)
from annotator.domain.inflection.spanish_reflexives import OBJECTS, PERSONS_OF, agreeing, is_reflexive, of_one_person
from annotator.domain.lemmas import lemma_of, lemmas_of
from annotator.domain.tokens import word_of
from annotator.domain.word_sets import word_set

_INFINITIVE = re.compile(r"\w{2,}(?:ar|er|ir|ír)(?:se)?")
# Nouns and adverbs that end like infinitives.
_NO_INFINITIVES = word_set(
    "ayer azúcar bar collar celular hogar lugar militar mujer par peor mejor placer popular similar singular taller "
    "alquiler cualquier elixir mártir porvenir líder lunar altar familiar particular vulgar escolar"
)


class Spanish:
    """Spanish verbs, reflexive ones too ("quedarse": "se queda")."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        word, before = word_of(tokens[at]), word_of(tokens[at - 1]) if at else ""
        if word in PERSONS_OF:
            return self.first_verb(tokens[at : at + 2], lemmas_of(tokens[at : at + 2], "es")) is not None
        if word in _NO_INFINITIVES:
            return False
        if not lemma:
            return _INFINITIVE.fullmatch(word) is not None
        forms = self._forms_of(word, lemma, tokens[:at])
        if before in HABER:
            return PARTICIPLE in forms
        return bool(forms & {INFINITIVE, GERUND}) or _is_finite(forms)

    def first_verb(self, tokens: Sequence[str], lemmas: Sequence[str], before: Sequence[str] = ()) -> FoundVerb | None:
        """
        >>> SPANISH.first_verb(["me", "lavé", "las"], ["yo", "lavar", "el"])
        FoundVerb(begin=0, end=2, base='lavarse')
        """
        words = [word_of(token) for token in tokens[:2]]
        if len(words) > 1 and agreeing(self._forms_of(words[1], lemmas[1], ()), words[0]):
            return FoundVerb(0, 2, lemmas[1] if is_reflexive(lemmas[1]) else f"{lemmas[1]}se")
        return FoundVerb(0, 1, lemmas[0]) if words and self._forms_of(words[0], lemmas[0], ()) else None

    def lemmas_of(self, verb: str) -> frozenset[str]:
        return frozenset({verb, verb.removesuffix("se") if is_reflexive(verb) else verb})

    def left_out(self, tokens: Sequence[str], begin: int, end: int) -> str:
        return left_out(tokens, begin, end)

    def has_itself(self, words: Sequence[str], verb: FoundVerb, left_out: str) -> bool:
        # "Está tirando la toalla": "estar desanimado".
        return verb.base == "estar" == lemma_of(left_out, "es")

    def verb_of(self, words: Sequence[str], *, is_infinitive: bool) -> FoundVerb | None:
        at = 1 if len(words) > 1 and word_of(words[0]) == "no" else 0
        first = word_of(words[at])
        if is_infinitive or first.removesuffix("se").endswith(("ar", "er", "ir", "ír")):
            return FoundVerb(at, at + 1, first)
        found = self.first_verb(words[at:], [lemma_of(word, "es") for word in words[at : at + 2]])
        if found is None or (found.end == 1 and not _is_finite(self._forms_of(first, found.base, ()))):
            return None
        return FoundVerb(at, at + found.end, irregular_verb_of(first, found.base))

    def fitted(
        self, words: Sequence[str], verb: FoundVerb, tokens: Sequence[str], lemmas: Sequence[str], begin: int
    ) -> list[str] | None:
        form = self._like(verb.base, tokens, lemmas, begin)
        return None if form is None else [*words[: verb.begin], form, *words[verb.end :]]

    def _like(self, verb: str, tokens: Sequence[str], lemmas: Sequence[str], begin: int) -> str | None:
        """A verb in the form of the one that begins there, with its pronoun."""
        there = [word_of(token) for token in tokens[begin : begin + 2]]
        known = lemmas[begin : begin + 2] if lemmas else there
        first = self.first_verb(there, known)
        if first is not None and first.end > 1:
            forms = agreeing(self._forms_of(there[1], known[1], ()), there[0])
        else:
            forms = self._forms_of(there[0], known[0], tokens[:begin])
            before = word_of(tokens[begin - 1]) if begin else ""
            if before in OBJECTS and INFINITIVE not in forms:
                # That pronoun stays: one of a reflexive verb needs another such verb, and an object none.
                of_verb = agreeing(forms, before)
                if bool(of_verb) != is_reflexive(verb):
                    return None
                forms, verb = of_verb or forms, verb.removesuffix("se") if of_verb else verb
        found = {inflect(verb, form) for form in of_one_person(forms, tokens[:begin])}
        return found.pop() if len(found) == 1 else None

    def _forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        if lemma == word and before and word_of(before[-1]) in HABER and word.endswith(PARTICIPLE_ENDS):
            # "Metido" is an adjective, too, and so its own lemma.
            return frozenset({PARTICIPLE})
        lemma = irregular_verb_of(word, lemma)
        finite = [f"{tense}:{person}" for tense in TENSES for person in PERSONS]
        return frozenset(form for form in (INFINITIVE, GERUND, PARTICIPLE, *finite) if inflect(lemma, form) == word)


def _is_finite(forms: Collection[str]) -> bool:
    return any(":" in form for form in forms)


SPANISH = Spanish()
