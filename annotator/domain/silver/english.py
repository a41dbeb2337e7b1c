"""English: the form of a verb where it stands, and what can stand beside an article, a preposition or another verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from annotator.domain.silver.base import FoundVerb, Placed, Refusal, Use
from annotator.domain.silver.english_subjects import is_plural, with_owner
from annotator.domain.silver.english_words import (
    ADVERBS,
    BE,
    BEFORE_BASE,
    DETERMINERS,
    GET,
    HAVE,
    MODALS,
    OBJECTS,
    PREPOSITIONS,
    SUBJECTS,
    ends,
    forms_of,
    helper_before,
    helper_of,
    inflect,
    is_adjective,
    is_adverb,
    is_base,
    parts_of_speech,
    verb_of,
)
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# The participle after "be", and the gerund: of "be" itself nothing, since one stands there.
PASSIVE, PROGRESSIVE = "passive", "progressive"
_FINITE = frozenset({"VB", "VBP", "VBZ", "VBD"})
_JOINING = word_set("and or but")
# Nobody takes them for nouns: "it goes", "they get".
_NEARLY_VERBS = word_set("be have do become go get give keep lose make say take think")
# Nobody is in the middle of them; with "to" the others say no more than that it is tried or wanted, or seems so.
_STATES = word_set("believe belong exist hate know like love matter mean need own prefer seem understand want")
_BEFORE_TO = word_set("appear attempt begin fail happen have manage need plan refuse seem start tend try use want wish")
# They take no object, so that they have no passive.
_WITHOUT_OBJECT = word_set(
    "agree appear arrive become behave come complain die disappear exist fail fall go happen lie live occur panic "
    "relax remain seem sleep succeed suffer wait work"
)
_VERBS_LIKE_BE = word_set(
    "be become seem appear look sound feel get turn grow go come stay remain keep prove stand lie sit run fall find "
    "consider make think call declare leave hold return arrive die emerge live start"
)
# By the article that they take, the beginnings of words that do not sound as they are written.
_SOUNDS = (
    ("an", re.compile(r"unim|unin|unide|hour|honest|honou?r|heir")),
    ("a", re.compile(r"uni|us[eaui]|ut[io]|ubi|eu|ewe|one\b|one-|once\b")),
)


class English:
    """What can stand in the place of an English expression, and in which form."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        """Whether the token at `at` is plainly a verb; `lemma` is its lemma, or ""."""
        word, before = word_of(tokens[at]), tokens[:at]
        verb = verb_of(word)
        forms, helper = forms_of(word, verb), helper_before(before)
        if not verb or word == "having" or (word in function_words("en") and verb not in ("be", "have", "do")):
            return False
        if helper in DETERMINERS:
            return False
        if lemma not in ("", word) and forms & {"VBG", "VBN", "VBD"}:
            return True
        after = word_of(tokens[at + 1]) if at + 1 < len(tokens) and not ends(tokens[at]) else ""
        if forms - {"VBG", "VBN"} and (parts_of_speech(word) == {"VERB"} or verb in _NEARLY_VERBS):
            return True
        if after in (DETERMINERS | OBJECTS) - {"no"}:
            return True
        if helper in PREPOSITIONS or "ADJ" in parts_of_speech(helper):
            return False
        if helper in SUBJECTS - {"you", "it"} or helper in BEFORE_BASE - {"to", "not"} or forms == {"VBD"}:
            return True
        if helper in BE | {"'s"} and "VBG" in forms:
            return True
        if helper in HAVE | BE | GET | {"'s"}:
            return "VBN" in forms and (not word.endswith("ed") or "".join(parts_of_speech(word)) == "VERB")
        if {"VB", "VBD"} <= forms:
            return bool(before) or after in PREPOSITIONS
        several = is_plural(before) if forms & {"VBZ", "VBD"} and parts_of_speech(word) else None
        return several is False or (several is True and "VBD" in forms)

    def first_verb(self, tokens: Sequence[str], lemmas: Sequence[str], before: Sequence[str] = ()) -> FoundVerb | None:
        """The verb with which an expression begins; a helping verb of the perfect is not part of it.

        >>> English().first_verb(["cutting", "corners"], ["cutting", "corner"], ["She", "was"])
        FoundVerb(begin=0, end=1, base='cut')
        >>> English().first_verb(["have", "kicked", "the", "bucket"], ["have", "kick", "the", "bucket"])
        FoundVerb(begin=1, end=2, base='kick')
        """
        words = [word_of(token) for token in tokens[:2]]
        if len(words) > 1 and words[0] in HAVE and self.left_out(tokens, ()) == words[0]:
            base = verb_of(words[1])
            if "VBN" in forms_of(words[1], base) and base != "get":
                return FoundVerb(1, 2, base)
        base = verb_of(words[0])
        if base in ("", words[0]):
            return None
        is_own_lemma = lemmas[0] == words[0] and (
            helper_before(before) in BE | GET or not self.is_verb([*before, *tokens], len(before), words[0])
        )
        # "Left" and "cutting" may be other words, and "was left alone" is not what somebody leaves.
        is_other = is_own_lemma and not (helper_before(before) in BE and "VBG" in forms_of(words[0], base))
        return None if is_other else FoundVerb(0, 1, base)

    def left_out(self, expression: Sequence[str], before: Sequence[str], *, asks: bool = False) -> str:
        """What an expression has before its own verb, and a definition would leave out: a helping verb, a negation or
        the subject of a question (`asks`); "" for nothing."""
        words = [word_of(token) for token in expression]
        first = helper_of(expression[0])
        at = next((at for at, token in enumerate(expression[1:], 1) if not is_adverb(token)), len(words))
        word, after = (*words[at:], "", "")[:2]
        if helper_before(before) in DETERMINERS:
            return ""
        if (
            word == "to"
            and verb_of(first) in _BEFORE_TO
            and is_base(after)
            and words[at : at + 3] != ["to", "do", "with"]
        ):
            return first
        if first not in MODALS | HAVE | BE | {"do", "does", "did", "can"}:
            return ""
        if words[0].endswith("n't") or {"not", "never"} & set(words[1:at]):
            return "not"
        forms = forms_of(word, verb_of(word))
        if (asks and word in SUBJECTS | DETERMINERS - {"a", "an", "no"}) or (first in MODALS and "VB" in forms):
            return first
        if first in BE and "VBG" in forms:
            return "be"
        has_object = after in DETERMINERS | OBJECTS or not after or (word != verb_of(word) and not word.endswith("ed"))
        return first if first in HAVE and "VBN" in forms and has_object else ""

    def is_said(self, verb: str, before: Sequence[str]) -> bool:
        """Whether the verb of a definition stands before the expression already: "was [over the moon]", "be happy"."""
        return verb == "be" and helper_of(before[-1]) in BE | {"'s"}

    def put_verb(self, words: list[str], use: Use, *, is_infinitive: bool) -> Placed | Refusal:
        """A definition in the place of an expression that begins with a verb, its own verb in the same form."""
        verb = _verb_of(words, is_infinitive=is_infinitive)
        if verb is None:
            return Refusal.PART_OF_SPEECH
        if _is_passive(use.expression) and not (
            verb.base in _WITHOUT_OBJECT | {"be"} or _begins_object(words[verb.end :])
        ):
            # Who was deceived would deceive.
            return Refusal.VOICE
        forms = _forms_there(use)
        if len(forms) > 1 and not _has_passive(verb.base, words[verb.end :]):
            forms -= {PASSIVE}
        found = {_in_form(words, verb, form, use.before) for form in forms}
        made = found.pop() if len(found) == 1 else None
        if made is None:
            return Refusal.VERB_FORM
        owned = with_owner(made, use.before, use.expression)
        return Refusal.AGREEMENT if owned is None else Placed(use.begin, owned)

    def put_phrase(self, words: list[str], use: Use, here: str, there: str, before: str) -> Placed | Refusal:
        """A definition in the place of another phrase. The parts of speech of its first word, of the expression's, and
        of the token before."""
        article = use.before[-1] if use.begin else ""
        plain = is_adjective(words)
        verb = verb_of(word_of(use.before[-2] if word_of(article) in OBJECTS and use.begin > 1 else article))
        if there == "DET" and word_of(words[0]) == "same":
            return Refusal.PART_OF_SPEECH
        if there in ("DET", "ADP") and (
            (plain and verb and (before == "VERB" or word_of(article) in OBJECTS) and verb not in _VERBS_LIKE_BE)
            or (there == "DET" and here not in ("DET", "NOUN", "NUM", "PRON", "PROPN") and _wants_noun(article, before))
        ):
            return Refusal.PART_OF_SPEECH
        begin = use.begin
        if not ends(article) and word_of(article) in DETERMINERS:
            follows = use.tokens[use.end] if use.end < len(use.tokens) and not ends(use.tokens[use.end - 1]) else ""
            has_noun = bool(word_of(follows)) and word_of(follows) not in function_words("en")
            if here == "DET" or (here == "PRON" and len(words) > 1) or (plain and not has_noun):
                return Refusal.PART_OF_SPEECH
            if word_of(article) in ("a", "an"):
                fitting = _article(words[0])
                if not fitting:
                    return Refusal.PART_OF_SPEECH
                words, begin = [bare(article)[0] + fitting[1:], *words], begin - 1
        owned = with_owner(words, use.before, use.expression)
        return Refusal.AGREEMENT if owned is None else Placed(begin, owned)


def _forms_there(use: Use) -> frozenset[str]:
    """The forms that a verb may have where an expression's verb stands."""
    before, word = use.before, word_of(use.tokens[use.begin])
    helper = helper_before(before)
    wants_base = helper in BEFORE_BASE | {"can", "will"}
    verb = word if wants_base and is_base(word) else verb_of(word)
    forms = set(forms_of(word, verb))
    if wants_base:
        return frozenset({"VB"} & forms)
    if helper in DETERMINERS:
        forms -= _FINITE
    elif helper in BE | GET | HAVE or (helper == "'s" and forms & {"VBN", "VBG"}):
        forms &= {"VBN", "VBG", "VB" if helper == "'d" else "VBN"}
    elif "VB" in forms and not before and forms <= {"VB", "VBP"}:
        return frozenset({"VB"})
    elif "VBD" in forms:
        forms -= {"VBN"}
        if "VBP" in forms and helper != "i" and is_plural(before) is False:
            forms = {"VBD"}
    if helper in SUBJECTS and not ends(before[-1]):
        forms -= {"VBN"} if forms == {"VB"} else {"VB", "VBN"}
    if "VBG" in forms and word != "being" and _is_after_be(before):
        forms = forms - {"VBG"} | {PROGRESSIVE}
    if "VBN" in forms and helper == "'s":
        forms.add(PASSIVE)
    elif "VBN" in forms and helper not in HAVE:
        forms = forms - {"VBN"} | (set() if verb in _WITHOUT_OBJECT and len(forms) > 1 else {PASSIVE})
    return frozenset(forms - {"VB"} if forms & {"VBP", "VBD"} and (helper in SUBJECTS or is_plural(before)) else forms)


def _is_after_be(before: Sequence[str]) -> bool:
    """Whether a gerund after these tokens says how somebody is: "he's", "why was the man", "was left", "left us"."""
    words, helper = [word_of(token) for token in before], helper_before(before)
    if helper in ("left", "found"):
        return helper_before(before[:-1]) in BE
    is_asked = bool(set(words[:2]) & BE) and len(words) < 5 and not set(words) & SUBJECTS
    return helper in BE | {"'s"} or is_asked or bool({"left", "found"} & set(words[-4:-1]))


def _verb_of(words: Sequence[str], *, is_infinitive: bool) -> FoundVerb | None:
    """The verb of a definition, in whatever form."""
    at = next((at for at, word in enumerate(words) if not is_adverb(word)), 0)
    word = word_of(words[at])
    if is_infinitive:
        return FoundVerb(at, at + 1, word)
    base = verb_of(word)
    return FoundVerb(at, at + 1, base) if base else None


def _in_form(words: Sequence[str], verb: FoundVerb, form: str, before: Sequence[str]) -> tuple[str, ...] | None:
    """A definition with its verb in a form; None where it has no such form, or another verb may be joined to it."""
    rest = words[verb.end :]
    if (form == PASSIVE and not _has_passive(verb.base, rest)) or (form == PROGRESSIVE and verb.base in _STATES):
        # "She was died", "he was knowing it"
        return None
    if verb.base == "lie" and form in ("VBD", "VBN"):
        # "Lied" or "lay"
        return None
    made = _alone(words[: verb.begin], verb.base, form, before)
    joined = next((word for word, after in pairwise(rest) if word.lower() in _JOINING), "")
    follows = word_of(rest[rest.index(joined) + 1]) if joined else ""
    is_verb = follows in ("to", "not") or parts_of_speech(follows) == {"VERB"}
    is_verb = is_verb or (verb.base != "be" and "VERB" in parts_of_speech(follows))
    if joined and is_verb and form not in ("VB", "VBP"):
        # "Panic and stop", "lose hope and faith"
        return None
    return None if made is None else (*made, *rest)


def _alone(adverbs: Sequence[str], verb: str, form: str, before: Sequence[str]) -> tuple[str, ...] | None:
    """A verb in a form with its adverbs; what is denied has "do"."""
    if verb == "be":
        made = _be(form, before)
        if made is None:
            return None
        if "not" in adverbs and form in _FINITE - {"VB"}:
            return (made, *adverbs)
        return (*adverbs, made) if made else tuple(adverbs)
    if "not" in adverbs and form in _FINITE - {"VB"}:
        return (inflect("do", form), *adverbs, verb)
    made = inflect(verb, {PASSIVE: "VBN", PROGRESSIVE: "VBG"}.get(form, form))
    return (*adverbs, made) if made else None


def _be(form: str, before: Sequence[str]) -> str | None:
    """The form of "be" that fits its subject: "" after another "be", None where the subject is not plain."""
    if form in (PASSIVE, PROGRESSIVE):
        return ""
    if form == "VBP":
        return "am" if helper_before(before) == "i" else "are"
    if form == "VBD":
        several = is_plural(before)
        return None if several is None else "were" if several else "was"
    return inflect("be", form)


def _is_passive(expression: Sequence[str]) -> bool:
    """Whether an expression begins with a passive, as "was taken for a ride" does."""
    words = [word_of(token) for token in expression if not is_adverb(token)]
    return len(words) > 1 and words[0] in BE | GET and "VBN" in forms_of(words[1], verb_of(words[1]))


def _has_passive(verb: str, rest: Sequence[str]) -> bool:
    return verb == "be" or not (verb in _WITHOUT_OBJECT or _begins_object(rest))


def _begins_object(rest: Sequence[str]) -> bool:
    """Whether what follows a verb begins with an object: "people", "the truth"."""
    word = word_of(rest[0]) if rest else ""
    if not word or word in ADVERBS | {"to"} or (parts_of_speech(word) & {"ADV", "ADJ"} and word != "money"):
        return word in DETERMINERS | {"all", "much", "more"}
    return word in DETERMINERS | OBJECTS or word not in function_words("en")


def _wants_noun(token: str, part_of_speech: str) -> bool:
    """Whether a noun phrase alone can follow a token: "into [a piece of cake]", not "into easy"."""
    word = word_of(token)
    return word == "such" or (part_of_speech == "ADP" and word not in ("as", ""))


def _article(first: str) -> str:
    """The indefinite article before a word; "" where it may be spelt out, or has no Latin letters: "FBI", "8"."""
    letters = re.match(r"[A-Za-zÀ-ÿ]+\b", bare(first))
    if letters is None or len(letters[0]) == 1 or letters[0].isupper():
        return ""
    found = next((article for article, pattern in _SOUNDS if pattern.match(bare(first).lower())), "")
    return found or ("an" if letters[0][0].lower() in "aeiouáéíóú" else "a")
