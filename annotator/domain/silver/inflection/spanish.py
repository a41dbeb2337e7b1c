"""Spanish verbs: which form one has where it stands, with its pronoun, and the verb of a definition."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from annotator.domain.silver.inflection.found_verb import FoundVerb
from annotator.domain.silver.inflection.spanish_auxiliaries import (
    HABER,
    OWN_HABER,
    PARTICIPLE_ENDS,
    is_passive,
    left_out,
    stands_for_passive,
)
from annotator.domain.silver.inflection.spanish_forms import (
    GERUND,
    INFINITIVE,
    PARTICIPLE,
    PAST_SUBJUNCTIVE,
    PERSONS,
    TENSES,
    in_ra,
    inflect,
    irregular_verb_of,
    verb_by_spelling,
    verb_of_participle,
)
from annotator.domain.silver.inflection.spanish_reflexives import (
    OBJECTS,
    PERSONS_OF,
    agreeing,
    is_after_subject,
    is_reflexive,
    object_of,
    of_one_person,
)
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.domain.text.word_sets import word_set

# What they say, they say of nobody else: "nos costaron mucho" is not "nos fueron caros".
_WITHOUT_PRONOUN = ("ser", "estar")
# Between verbs of one definition: "mentir y callar".
_JOINING = ("y", "e", "o", "u", "pero")
# Nobody is in the middle of them.
_STATES = ("estar", "saber", "poder", "haber")
_INFINITIVE = re.compile(r"\w{2,}(?:ar|er|ir|ír)(?:se)?|(?:[sv]er|dar|ir)(?:se)?")
# Nouns and adverbs that end like infinitives.
_NO_INFINITIVES = word_set(
    "ayer azúcar bar collar celular hogar lugar militar mujer par peor mejor placer popular similar singular taller "
    "alquiler cualquier elixir mártir porvenir líder lunar altar familiar particular vulgar escolar"
)


class Spanish:
    """Spanish verbs, reflexive ones too ("quedarse": "se queda")."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        word, before = word_of(tokens[at]), word_of(tokens[at - 1]) if at else ""
        if word == "no" and at + 1 < len(tokens):
            return self.is_verb(tokens, at + 1, lemma_of(tokens[at + 1], "es"))
        if word in OBJECTS:
            return self._after_pronouns(tokens[at : at + 3]) > 0
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
        if len(words) > 1 and words[0] in PERSONS_OF:
            lemma = self._verb_after_pronoun(words[1], lemmas[1])
            if lemma == "ser":
                # "Se fue" is of "irse".
                lemma = "ir"
            if agreeing(self._forms_of(words[1], lemma, ()), words[0]):
                return FoundVerb(0, 2, lemma if is_reflexive(lemma) else f"{lemma}se")
        return FoundVerb(0, 1, lemmas[0]) if words and self._forms_of(words[0], lemmas[0], ()) else None

    def perfect(self, tokens: Sequence[str], lemmas: Sequence[str]) -> FoundVerb | None:
        """
        >>> SPANISH.perfect(["han", "tirado", "la", "toalla"], ["haber", "tirado", "el", "toalla"])
        FoundVerb(begin=1, end=2, base='tirar')
        >>> SPANISH.perfect(["se", "ha", "lavado", "las", "manos"], ["él", "haber", "lavado", "el", "mano"])
        FoundVerb(begin=0, end=3, base='lavarse')
        """
        words = [word_of(token) for token in tokens[:3]]
        at = 1 if words[:1] and words[0] in PERSONS_OF else 0
        if len(words) < at + 2 or words[at] not in HABER or not words[at + 1].endswith(PARTICIPLE_ENDS):
            return None
        base = verb_of_participle(words[at + 1], lemmas[at + 1])
        if not base or not at:
            return FoundVerb(1, 2, base) if base else None
        # "Me ha tomado el pelo": that pronoun is an object.
        return FoundVerb(0, 3, f"{base}se") if words[1] in OWN_HABER[words[0]] else None

    def lemmas_of(self, verb: str) -> frozenset[str]:
        return frozenset({verb, verb.removesuffix("se") if is_reflexive(verb) else verb})

    def left_out(self, tokens: Sequence[str], begin: int, end: int) -> str:
        return left_out(tokens, begin, end)

    def has_itself(self, words: Sequence[str], verb: FoundVerb, left_out: str) -> bool:
        # "Está tirando la toalla": "estar desanimado".
        return verb.base == "estar" == lemma_of(left_out, "es")

    def turns_round(self, marked: Sequence[str], words: Sequence[str], verb: FoundVerb) -> bool:
        """
        >>> SPANISH.turns_round(["fue", "tomada", "por", "tonta"], ["engañar"], FoundVerb(0, 1, "engañar"))
        True
        """
        return is_passive(marked) and not stands_for_passive(verb.base, words[verb.end :])

    def verb_of(self, words: Sequence[str], *, is_infinitive: bool) -> FoundVerb | None:
        at = 1 if len(words) > 1 and word_of(words[0]) == "no" else 0
        first = word_of(words[at])
        if is_infinitive or _is_infinitive(first) or object_of(first):
            return FoundVerb(at, at + 1, first)
        known = [lemma_of(word, "es") for word in words[at : at + 2]]
        found = self.first_verb(words[at:], known)
        if found is None and first in OBJECTS and self._after_pronouns(words[at:]) == 1:
            # "Me asustó" is of "asustarme".
            return FoundVerb(at, at + 2, f"{irregular_verb_of(word_of(words[at + 1]), known[1])}{first}")
        if found is None or (found.end == 1 and not _is_finite(self._forms_of(first, found.base, ()))):
            return None
        return FoundVerb(at, at + found.end, irregular_verb_of(first, found.base))

    def _after_pronouns(self, tokens: Sequence[str]) -> int:
        """Where a finite verb stands after one or two pronouns; 0 where none does."""
        words = [word_of(token) for token in tokens[:3]]
        at = next((at for at, word in enumerate(words) if word not in OBJECTS), 0)
        lemma = lemma_of(words[at], "es")
        if at and words[at - 1] in PERSONS_OF:
            lemma = self._verb_after_pronoun(words[at], lemma)
        return at if at and _is_finite(self._forms_of(words[at], lemma, ())) else 0

    def _verb_after_pronoun(self, word: str, lemma: str) -> str:
        """The verb of a form after "me" or the like, where the dictionary takes it for a noun ("se lava"), too."""
        return lemma if self._forms_of(word, lemma, ()) or _is_infinitive(lemma) else verb_by_spelling(word) or lemma

    def fitted(
        self, words: Sequence[str], verb: FoundVerb, tokens: Sequence[str], lemmas: Sequence[str], begin: int
    ) -> list[str] | None:
        if word_of(tokens[begin]) == "no" == word_of(words[0]) and verb.begin:
            begin += 1
        there = [word_of(token) for token in tokens[begin : begin + 2]]
        known = lemmas[begin : begin + 2] if lemmas else there
        base, pronoun = verb.base, object_of(verb.base)
        first = self.first_verb(there, known)
        if first is not None and first.end > 1:
            lemma = self._verb_after_pronoun(there[1], known[1])
            forms = agreeing(self._forms_of(there[1], lemma, ()), there[0])
        elif pronoun and there[0] == pronoun:
            # "Me puso los pelos de punta" and "asustarme"
            forms = self._forms_of(there[1], known[1], ()) if len(there) > 1 else frozenset()
        else:
            forms = self._forms_of(there[0], known[0], tokens[:begin])
            if not forms and not _is_infinitive(known[0]) and is_after_subject(tokens[:begin]):
                # The dictionary knows "tira" for a noun.
                forms = self._forms_of(there[0], verb_by_spelling(there[0]), tokens[:begin])
            before = word_of(tokens[begin - 1]) if begin else ""
            if before in OBJECTS and INFINITIVE not in forms:
                if base in _WITHOUT_PRONOUN:
                    return None
                # That pronoun stays: one of a reflexive verb needs another such verb, and an object none.
                of_verb = agreeing(forms, before)
                if bool(of_verb) != is_reflexive(base) or pronoun not in ("", before):
                    return None
                forms, base = of_verb or forms, base.removesuffix("se" if of_verb else pronoun)
        if GERUND in forms and base in _STATES:
            # "Está estando", "está sabiendo"
            return None
        found = {self._in_form(words, verb, base, form) for form in of_one_person(forms, tokens[:begin])}
        made = found.pop() if len(found) == 1 else None
        return None if made is None else list(made)

    def _in_form(self, words: Sequence[str], verb: FoundVerb, base: str, form: str) -> tuple[str, ...] | None:
        """A definition with `base` for its verb, in a form, and with the infinitive that is joined to it."""
        made, rest = _with_pronoun(base, form), words[verb.end :]
        at = next((at for at, word in enumerate(rest[:-1]) if word_of(word) in _JOINING), None)
        if made is None or at is None:
            return None if made is None else (*words[: verb.begin], made, *rest)
        other = self.verb_of(rest[at + 1 :], is_infinitive=False)
        if other is None or (word_of(words[verb.begin]) == verb.base) != (
            word_of(rest[at + 1 :][other.begin]) == other.base
        ):
            return (*words[: verb.begin], made, *rest)
        if any(_is_infinitive(word_of(word)) for word in rest[:at]):
            # "Evitar hablar y callar"
            return None
        last = self._in_form(rest[at + 1 :], other, other.base, form)
        return None if last is None else (*words[: verb.begin], made, *rest[: at + 1], *last)

    def _forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        if lemma == word and before and word_of(before[-1]) in HABER and word.endswith(PARTICIPLE_ENDS):
            # "Metido" is an adjective, too, and so its own lemma.
            return frozenset({PARTICIPLE})
        lemma = irregular_verb_of(word, lemma)
        finite = [f"{tense}:{person}" for tense in TENSES for person in PERSONS]
        if same := in_ra(word):
            # "Tirase" is "tirara".
            past = (f"{PAST_SUBJUNCTIVE}:{person}" for person in PERSONS)
            if forms := frozenset(form for form in past if inflect(lemma, form) == same):
                return forms
        return frozenset(form for form in (INFINITIVE, GERUND, PARTICIPLE, *finite) if inflect(lemma, form) == word)


def _is_infinitive(word: str) -> bool:
    return word not in _NO_INFINITIVES and word.removesuffix("se").endswith(("ar", "er", "ir", "ír"))


def _with_pronoun(verb: str, form: str) -> str | None:
    """The verb in a form, with an object that is part of it: "dejarlo": "lo deja"."""
    pronoun = object_of(verb)
    if not pronoun or form == INFINITIVE:
        return verb if pronoun else inflect(verb, form)
    made = inflect(verb.removesuffix(pronoun), form) if ":" in form else None
    return made and f"{pronoun} {made}"


def _is_finite(forms: Collection[str]) -> bool:
    return any(":" in form for form in forms)


SPANISH = Spanish()
