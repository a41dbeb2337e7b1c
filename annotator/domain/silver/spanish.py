"""Spanish: the form of a verb where it stands, with its pronoun, and what can stand beside an article."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from annotator.domain.silver.base import FoundVerb, Placed, Refusal, Use
from annotator.domain.silver.english_words import ends
from annotator.domain.silver.spanish_agreement import DETERMINERS, adjective_forms, agreed, disagrees
from annotator.domain.silver.spanish_forms import (
    GERUND,
    INFINITIVE,
    PARTICIPLE,
    forms_of,
    inflect,
    is_reflexive,
    verb_of,
)
from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# By pronoun the persons with which it is reflexive.
_PERSONS = {"me": (0,), "te": (1,), "se": (2, 5), "nos": (3,), "os": (4,)}
_OBJECTS = word_set("me te se nos os lo la le los las les")
_SINGULAR = word_set("él ella usted alguien nadie")
_SUBJECTS = _SINGULAR | word_set("yo tú nosotros nosotras vosotros vosotras ellos ellas ustedes")
_BETWEEN = word_set("a de que por ya no nunca siempre casi aún todavía también")
_BEFORE_INFINITIVE = word_set(
    "querer poder deber soler ir haber tener acabar empezar volver dejar lograr intentar tratar"
)
# With one of these they are expressions by themselves, whatever follows: "quiere decir", "fue a parar".
_ONE_VERB = word_set("decir ver parar caer correr nacer")
# Verbs that have no object, or nobody is in the middle of them.
_WITHOUT_OBJECT = word_set("ser estar morir caer llorar sufrir vivir")
_JOINING = word_set("y e o u pero")


class Spanish:
    """As `English`. Reflexive verbs have "se": "quedarse" is "se queda"."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        words, pronoun = [word_of(token) for token in tokens[at : at + 3]], ""
        while len(words) > 1 and words[0] in _OBJECTS | {"no"}:
            pronoun, words, lemma = words[0], words[1:], lemma_of(words[1], "es")
        if pronoun in _PERSONS:
            return _is_finite(words[0])
        if not lemma:
            return _is_infinitive(words[0])
        forms = _forms_of(words[0], lemma, tokens[:at])
        return bool(forms - {PARTICIPLE}) or (bool(forms) and at > 0 and _is_haber(tokens[at - 1]))

    def first_verb(self, tokens: Sequence[str], lemmas: Sequence[str], before: Sequence[str] = ()) -> FoundVerb | None:
        """
        >>> Spanish().first_verb(["me", "lavé", "las"], ["yo", "lavar", "el"])
        FoundVerb(begin=0, end=2, base='lavarse')
        >>> Spanish().first_verb(["han", "tirado", "la", "toalla"], ["haber", "tirado", "el", "toalla"])
        FoundVerb(begin=1, end=2, base='tirar')
        """
        words = [word_of(token) for token in tokens[:3]]
        at = 1 if len(words) > 1 and words[0] in _PERSONS else 0
        base = verb_of(words[at])
        if len(words) > at + 1 and base == "haber" and PARTICIPLE in _all_forms(words[at + 1]):
            base = verb_of(words[at + 1])
            is_own = at and _agreeing(_all_forms(words[at]), words[0])
            return FoundVerb(0, 3, f"{base}se") if is_own else None if at else FoundVerb(1, 2, base)
        if at and _agreeing(_all_forms(words[1]), words[0]):
            # "Se fue" is of "irse".
            return FoundVerb(0, 2, "irse" if base == "ser" else f"{base}se")
        # Not "fuerzas" of "fuerza".
        is_known = bool(words) and lemmas[0].endswith(("ar", "er", "ir", "ír"))
        return FoundVerb(0, 1, verb_of(words[0])) if is_known and _all_forms(words[0]) else None

    def left_out(self, expression: Sequence[str], before: Sequence[str], *, asks: bool = False) -> str:
        words = [word_of(token) for token in expression]
        if words[0] in ("no", "nunca", "jamás") and len(words) > 1:
            return words[0]
        while len(words) > 1 and words[0] in _OBJECTS:
            words = words[1:]
        first, rest = verb_of(words[0]), [word for word in words[1:] if word not in _BETWEEN]
        if not rest:
            return ""
        forms = _all_forms(rest[0])
        is_helper = (first == "haber" and PARTICIPLE in forms) or (
            first in ("estar", "seguir", "ir") and GERUND in forms
        )
        is_before = first in _BEFORE_INFINITIVE and rest[0] not in _ONE_VERB and len(rest) > 1
        return first if is_helper or (is_before and _is_infinitive(rest[0])) else ""

    def is_said(self, verb: str, before: Sequence[str]) -> bool:
        return not ends(before[-1]) and verb_of(word_of(before[-1])) == verb.removesuffix("se")

    def put_verb(self, words: list[str], use: Use, *, is_infinitive: bool) -> Placed | Refusal:
        verb = _verb_of(words)
        if verb is None:
            return Refusal.PART_OF_SPEECH
        rest = words[verb.end :]
        has_object = bool(rest) and word_of(rest[0]) not in function_words("es") - DETERMINERS.keys() | {"mal", "bien"}
        if _is_passive(use.expression) and not (has_object or is_reflexive(verb.base) or verb.base in _WITHOUT_OBJECT):
            return Refusal.VOICE
        is_denied = word_of(use.tokens[use.begin]) == "no" == word_of(words[0]) and len(use.marked) > 1
        at = use.begin + 1 if is_denied and verb.begin else use.begin
        there, before, base = [word_of(token) for token in use.tokens[at : at + 2]], use.tokens[:at], verb.base
        if there[0] in _OBJECTS and len(there) > 1:
            # "Se lavó las manos", but not "me tomó el pelo": whose hair it is would be lost.
            forms = _agreeing(_all_forms(there[1]), there[0])
        else:
            forms = _forms_of(there[0], use.lemmas[at] if use.lemmas else "", before)
            outside = word_of(before[-1]) if before else ""
            if outside in _OBJECTS and INFINITIVE not in forms:
                own = _agreeing(forms, outside)
                if base in ("ser", "estar") or bool(own) != is_reflexive(base):
                    return Refusal.VERB_FORM
                forms, base = own or forms, base.removesuffix("se") if own else base
        after = next((rest[at + 1 :] for at, word in enumerate(rest[:-1]) if word_of(word) in _JOINING), [])
        is_base = _is_infinitive(word_of(words[verb.begin]))
        verb_after = re.sub(r"(?<=r)(me|te|nos|os|l[aeo]s?)$", "", word_of(after[0])) if after else ""
        joined = after and (_is_infinitive(verb_after) or after[0] == "no" if is_base else _verb_of(after))
        if joined or (GERUND in forms and base in ("estar", "saber", "poder")):
            # "Mentir y callar", "está estando"
            return Refusal.VERB_FORM
        found = {inflect(base, form) for form in _of_one_person(forms, before)}
        made = found.pop().split() if len(found) == 1 else []
        if not made:
            return Refusal.VERB_FORM
        made = [*words[: verb.begin], *made]
        agreeing = agreed([*made, *rest], use.before, len(made) - 1)
        return Refusal.AGREEMENT if agreeing is None else Placed(use.begin, agreeing)

    def put_phrase(self, words: list[str], use: Use, here: str, there: str, before: str) -> Placed | Refusal:
        token, begin = use.before[-1] if use.begin else "", use.begin
        word, is_article = word_of(token), word_of(token) in DETERMINERS
        if token and not ends(token) and use.tokens[begin].startswith(bare(use.tokens[begin])):
            follows = use.tokens[use.end] if use.end < len(use.tokens) else ""
            has_noun = bool(bare(follows)) and follows not in function_words("es")
            if is_article and (
                (here in ("DET", "PRON") and word not in ("al", "del")) or (not has_noun and _is_plain_adjective(words))
            ):
                return Refusal.PART_OF_SPEECH
            # "Una buena [gota]"
            is_adjective = begin > 1 and not is_article and adjective_forms(word)
            first = word_of(use.tokens[begin - 2]) if is_adjective else word
            if here != "DET" and first in DETERMINERS and disagrees(first, words):
                return Refusal.AGREEMENT
            if made := _contracted(word, words, here):
                begin, words = begin - 1, [token[0] + made[0][1:] if made[0][0] == word[0] else made[0], *made[1:]]
        agreeing = agreed(words, use.before, None) if begin == use.begin else words
        return Refusal.AGREEMENT if agreeing is None else Placed(begin, agreeing)


def _verb_of(words: Sequence[str]) -> FoundVerb | None:
    """The verb of a definition, whatever form it has; None where it has none."""
    at = 1 if len(words) > 1 and word_of(words[0]) == "no" else 0
    first, follows = word_of(words[at]), word_of(words[at + 1]) if at + 1 < len(words) else ""
    if _is_infinitive(first):
        return FoundVerb(at, at + 1, first)
    if _agreeing(_all_forms(follows), first):
        return FoundVerb(at, at + 2, f"{verb_of(follows)}se")
    return FoundVerb(at, at + 1, verb_of(first)) if _is_finite(first) and first not in _OBJECTS else None


def _forms_of(word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
    """The forms that a word may have after these tokens; none where it may as well be a noun."""
    if before and _is_haber(before[-1]):
        return _all_forms(word) & {PARTICIPLE}
    found = _all_forms(word) - {PARTICIPLE}
    if (lemma != word and lemma.endswith(("ar", "er", "ir", "ír"))) or _is_infinitive(word) or found == {GERUND}:
        return found
    # "Tira" is a noun, too.
    plain = frozenset(form for form in found if form.startswith(("present:", "preterite:")))
    return plain if _is_after_subject(before) else frozenset()


def _all_forms(word: str) -> frozenset[str]:
    return forms_of(word, verb_of(word))


def _is_haber(token: str) -> bool:
    return verb_of(word_of(token)) == "haber"


def _is_infinitive(word: str) -> bool:
    base = word.removesuffix("se") if is_reflexive(word) else word
    gerund = inflect(base, GERUND) if base.endswith(("ar", "er", "ir", "ír")) else ""
    return bool(gerund) and lemma_of(gerund, "es") == base and bool(inflect(base, PARTICIPLE))


def _is_finite(word: str) -> bool:
    return any(":" in form for form in _all_forms(word))


def _agreeing(forms: Collection[str], pronoun: str) -> frozenset[str]:
    """Those finite forms whose person is that of a reflexive pronoun; none after another word."""
    return frozenset(form for form in forms if ":" in form and int(form[-1]) in _PERSONS.get(pronoun, ()))


def _of_one_person(forms: frozenset[str], before: Sequence[str]) -> frozenset[str]:
    """Of forms that "I" and "he" share ("estaba"), those of the subject before the verb, where it is plain."""
    last = word_of(before[-1]) if before else ""
    person = 0 if last == "yo" else 2 if last in _SINGULAR or _is_after_subject(before) else None
    return frozenset(form for form in forms if form.endswith(f":{person}")) or forms


def _is_after_subject(before: Sequence[str]) -> bool:
    """Whether a subject ends these tokens, apart from "no" and pronouns, so that a verb comes next."""
    tokens = list(before)
    while tokens and word_of(tokens[-1]) in _OBJECTS | _BETWEEN - {"que"} and not ends(tokens[-1]):
        if word_of(tokens.pop()) not in DETERMINERS and not tokens:
            return True
    if not tokens or ends(tokens[-1]):
        return False
    last, first = word_of(tokens[-1]), word_of(tokens[-2]) if len(tokens) > 1 else ""
    is_name = tokens[-1][:1].isupper() and last not in function_words("es") | {"ojalá", "quizá", "quizás", "siempre"}
    is_noun = first in DETERMINERS and (len(tokens) == 2 or ends(tokens[-3]) or word_of(tokens[-3]) == "que")
    return last in _SUBJECTS or (is_name and (len(tokens) == 1 or ends(tokens[-2]) or first == "que")) or is_noun


def _is_passive(expression: Sequence[str]) -> bool:
    """Whether an expression begins with a form of "ser" and a participle: "fue tomada por tonta"."""
    words = [re.sub("[ao]s?$", "o", word_of(token)) for token in expression[1:2]]
    return verb_of(word_of(expression[0])) == "ser" and bool(words) and PARTICIPLE in _all_forms(words[0])


def _is_plain_adjective(words: Sequence[str]) -> bool:
    """Whether a definition is an adjective that is hardly ever a noun: "difícil", "muy alta", but not "vago"."""
    found = re.fullmatch(r"(muy|tan|bastante) \w+|(difíc|fác)il|(im)?posible|triste|(in)?feliz", " ".join(words))
    return found is not None


def _contracted(before: str, words: list[str], here: str) -> list[str]:
    """A token and what stands after it, where both are written otherwise beside each other; [] where they are not.

    >>> _contracted("de", ["el", "jefe"], "DET"), _contracted("al", ["la", "cima"], "DET")
    (['del', 'jefe'], ['a', 'la', 'cima'])
    """
    if before in ("al", "del") and here == "DET":
        return [before, *words[1:]] if words[0] == "el" else [before[:-1], *words]
    if before in ("a", "de") and words[0] == "el" and len(words) > 1:
        return [f"{before}l", *words[1:]]
    for plain, other, sound in (("y", "e", r"h?i(?![aeo])"), ("o", "u", r"h?[oó]")):
        fitting = other if re.match(sound, word_of(words[0])) else plain
        if before in (plain, other) and before != fitting:
            return [fitting, *words]
    return []
