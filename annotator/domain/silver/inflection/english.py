"""English verbs: which form one has where it stands, and the verb of a definition."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.english_adjectives import is_adjective
from annotator.domain.silver.inflection.english_auxiliaries import left_out
from annotator.domain.silver.inflection.english_before import (
    BETWEEN,
    DETERMINERS,
    FORMS_OF_BE,
    HAVE,
    helper_before,
    helper_of,
    is_after_be,
    is_left_so,
    narrowed,
    wants_base,
)
from annotator.domain.silver.inflection.english_constructions import (
    has_passive,
    has_progressive,
    is_passive,
    stands_for_passive,
)
from annotator.domain.silver.inflection.english_forms import (
    BASE,
    GERUND,
    PARTICIPLE,
    PASSIVE,
    PAST,
    PAST_OF,
    PRESENT,
    PRESENT_OF_I,
    PROGRESSIVE,
    RESULTING,
    THIRD,
    VERB_OF,
    base_of,
    forms_by_spelling,
    inflect,
    is_base,
)
from annotator.domain.silver.inflection.english_readings import is_verb
from annotator.domain.silver.inflection.english_subjects import Number, person_before, subject_number
from annotator.domain.silver.inflection.found_verb import FoundVerb
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of

# So many words before a verb say what form it may have.
_LOOKED_AT = 4
_VERBS_IN_LY = (
    "ally", "apply", "bully", "comply", "dally", "fly", "imply", "multiply", "rally", "rely", "reply", "sully",
    "supply", "tally",
)  # fmt: skip


def _verb_at(words: Sequence[str]) -> int:
    """Where the verb of an infinitive stands whose "to" is left out: after its adverbs."""
    for at, word in enumerate(words):
        lower = word.lower()
        if lower not in BETWEEN and (not lower.endswith("ly") or lower in _VERBS_IN_LY):
            return at
    return 0


_FINITE = {PRESENT, PRESENT_OF_I, THIRD, PAST, *PAST_OF.values()}


def _with_verb(before: Sequence[str], verb: str, form: str) -> tuple[str, ...] | None:
    """The adverbs of a definition and its verb in a form; what is denied has "do"."""
    made = inflect(verb, form)
    if made is None:
        return None
    if "not" not in map(str.lower, before) or form not in _FINITE:
        # After "be", there is nothing of "be".
        return (*before, made) if made else tuple(before)
    return (made, *before) if verb == "be" else (inflect("do", form) or "", *before, verb)


def _of_lie(made: tuple[str, ...], rest: Sequence[str]) -> tuple[str, ...] | None:
    """ "Lied", where `rest` says about what or to whom, "lay", where it says where; None where nothing tells."""
    follows = "".join(rest[:1]).lower()
    if follows == "to" or (follows == "about" and len(rest) > 1):
        return tuple(_LIED.get(word, word) for word in made)
    return made if follows in _WHERE_ONE_LIES or not _LIED.keys() & set(made) else None


# Between verbs of one definition: "panic and stop".
_JOINING = ("and", "or", "but", "then")
_WHERE_ONE_LIES = ("down", "in", "on", "under", "beside", "there", "low", "still", "flat", "awake", "idle")
_LIED = {"lay": "lied", "lain": "lied"}
_LIKE_BASE = {BASE, PRESENT, PRESENT_OF_I}
# Forms that other words hardly have.
_TELLING = {GERUND, PROGRESSIVE, RESULTING, PAST, *PAST_OF.values(), PARTICIPLE, PASSIVE}


class English:
    """English verbs. The past of "be" is known where the subject's number is plain."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        if is_verb(tokens, at, lemma):
            return True
        word = word_of(tokens[at])
        if lemma in ("", word) or helper_before(tokens[:at]) in DETERMINERS:
            return False
        return bool(self._forms_of(word, lemma, tokens[:at]) & _TELLING)

    def first_verb(self, tokens: Sequence[str], lemmas: Sequence[str], before: Sequence[str] = ()) -> FoundVerb | None:
        """
        >>> ENGLISH.first_verb(["was", "over", "the", "moon"], ["be", "over", "the", "moon"])
        FoundVerb(begin=0, end=1, base='be')
        >>> ENGLISH.first_verb(["cutting", "corners"], ["cutting", "corner"], ["She", "was"])
        FoundVerb(begin=0, end=1, base='cut')
        """
        first = word_of(tokens[0]) if tokens else ""
        base = base_of(first, lemmas[0]) if first else ""
        if base == first or not forms_by_spelling(first, base):
            return None
        if lemmas[0] == first and not (
            is_verb([*before, *tokens], len(before), first) and PASSIVE not in self._forms_of(first, first, before)
        ):
            # "Left" and "cutting" may be other words, and "was left alone" is not what somebody leaves.
            return None
        return FoundVerb(0, 1, base)

    def perfect(self, tokens: Sequence[str], lemmas: Sequence[str]) -> FoundVerb | None:
        """
        >>> ENGLISH.perfect(["have", "kicked", "the", "bucket"], ["have", "kick", "the", "bucket"])
        FoundVerb(begin=1, end=2, base='kick')
        >>> ENGLISH.perfect(["has", "mixed", "feelings"], ["have", "mix", "feeling"])
        """
        first = helper_of(tokens[0]) if len(tokens) > 1 else ""
        if first not in HAVE or left_out(tokens, 0, len(tokens)) != first:
            return None
        participle = word_of(tokens[1])
        base = base_of(participle, lemmas[1])
        # "Has got a chip on his shoulder" says "has"; an adverb between the two is part of what is marked.
        is_perfect = PARTICIPLE in forms_by_spelling(participle, base) and base != "get"
        return FoundVerb(1, 2, base) if is_perfect else None

    def lemmas_of(self, verb: str) -> frozenset[str]:
        return frozenset({verb})

    def left_out(self, tokens: Sequence[str], begin: int, end: int) -> str:
        return left_out(tokens, begin, end)

    def has_itself(self, words: Sequence[str], verb: FoundVerb, left_out: str) -> bool:
        if left_out == "not":
            return "not" in map(str.lower, words[: verb.begin])
        return left_out in FORMS_OF_BE and verb.base == "be"

    def turns_round(self, marked: Sequence[str], words: Sequence[str], verb: FoundVerb) -> bool:
        return is_passive(marked) and not stands_for_passive(verb.base, words[verb.end :])

    def verb_of(self, words: Sequence[str], *, is_infinitive: bool) -> FoundVerb | None:
        """
        >>> ENGLISH.verb_of(["gradually", "became", "worse"], is_infinitive=False)
        FoundVerb(begin=1, end=2, base='become')
        """
        at = _verb_at(words)
        word = word_of(words[at])
        if is_infinitive:
            return FoundVerb(at, at + 1, word)
        if is_adjective(word) and word_of("".join(words[at + 1 : at + 2])) not in DETERMINERS:
            # "Dead" and "calm" may be verbs, too, but who means one writes "to" before it.
            return None
        if is_base(word):
            return FoundVerb(at, at + 1, word)
        lemma = VERB_OF.get(word, lemma_of(word, "en"))
        return FoundVerb(at, at + 1, lemma) if is_base(lemma) and forms_by_spelling(word, lemma) else None

    def fitted(
        self, words: Sequence[str], verb: FoundVerb, tokens: Sequence[str], lemmas: Sequence[str], begin: int
    ) -> list[str] | None:
        """
        >>> ENGLISH.fitted(["not", "care"], FoundVerb(1, 2, "care"), ["She", "gave", "up"], ["she", "give", "up"], 1)
        ['did', 'not', 'care']
        """
        first = word_of(tokens[begin])
        forms = self._forms_of(first, lemmas[begin] if lemmas else first, tokens[:begin])
        if len(forms) > 1 and not has_passive(verb.base, words[verb.end :]):
            forms -= {PASSIVE}
        found = {self._in_form(words, verb, form) for form in forms}
        made = found.pop() if len(found) == 1 else None
        return None if made is None else list(made)

    def _in_form(self, words: Sequence[str], verb: FoundVerb, form: str) -> tuple[str, ...] | None:
        """A definition with its verb in a form, and with those that are joined to it."""
        made = _with_verb(words[: verb.begin], verb.base, form)
        rest = words[verb.end :]
        if (form == PASSIVE and not has_passive(verb.base, rest)) or (
            form == PROGRESSIVE and not has_progressive(verb.base, rest)
        ):
            # "She was revealed the secret", "she was knowing it".
            return None
        if made is not None and verb.base == "lie":
            made = _of_lie(made, rest)
        at = next((at for at, word in enumerate(rest) if word.lower() in _JOINING), None)
        if made is None or at is None or at + 1 == len(rest):
            return None if made is None else (*made, *rest)
        joined = rest[at + 1 :]
        has_to = word_of(joined[0]) == "to" and len(joined) > 1
        joined = joined[1:] if has_to else joined
        other = self.verb_of(joined, is_infinitive=has_to)
        is_base_form = word_of(words[verb.begin]) == verb.base
        if at and word_of(rest[at - 1]) == word_of(joined[0]):
            # "More and more"
            other = None
        if other is None or is_base_form != (word_of(joined[other.begin]) == other.base):
            # "Be angry and confused"
            return (*made, *rest)
        if not has_to and at and not is_verb(joined, other.begin, other.base):
            # "Lose hope and faith" and "lose hope and stop" look alike; in the base form both stay as they are.
            return (*made, *rest) if form in _LIKE_BASE or is_adjective(word_of(joined[0])) else None
        if form == PASSIVE and verb.base == "be":
            # "Was deceived and lost"
            return None
        last = self._in_form(joined, other, form)
        return None if last is None else (*made, *rest[: at + 1], *last)

    def _forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        known = forms_by_spelling(word, lemma)
        other = base_of(word, lemma)
        if other != lemma and (not known or (lemma == word and not wants_base(before))):
            # "left" and "felt" are words by themselves, too, and so their own lemmas.
            known = forms_by_spelling(word, other)
        found = narrowed(known, before[-_LOOKED_AT:])
        if GERUND in found and word != "being" and is_after_be(before):
            found = found - {GERUND} | {PROGRESSIVE}
        elif GERUND in found and word != "being" and is_left_so(before):
            found = found - {GERUND} | {RESULTING}
        person = person_before(before) if PRESENT in found else None
        if PAST in found and person is Number.SINGULAR:
            # "Marta let": in the present it would be "lets".
            found = {PAST}
        elif person is Number.PLURAL:
            found -= {BASE, PARTICIPLE, PASSIVE}
        number = subject_number(before) if PAST in found else None
        return frozenset(PAST_OF[number] if number and form == PAST else form for form in found)


ENGLISH = English()
