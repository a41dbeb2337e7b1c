"""Forms of English verbs: regular ones by their spelling, the common irregular ones from a list."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.inflection.english_subjects import Number, is_he_she_or_it, subject_number
from annotator.domain.tokens import word_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BASE, THIRD, GERUND, PAST, PARTICIPLE = "base", "third", "gerund", "past", "participle"
# After "you", "we", "they" or what they stand for: of all verbs but "be" the same as the base.
PRESENT = "present"
# The past of "be" has two forms; of all other verbs they are the same.
PAST_OF = {Number.SINGULAR: "past:singular", Number.PLURAL: "past:plural"}
_VOWELS = "aeiou"
# Base, past, participle.
_IRREGULAR = """
arise arose arisen, awake awoke awoken, be was been, bear bore borne, beat beat beaten, become became become,
begin began begun, bend bent bent, bet bet bet, bind bound bound, bite bit bitten, bleed bled bled, blow blew blown,
break broke broken, breed bred bred, bring brought brought, build built built, burst burst burst,
buy bought bought, cast cast cast, catch caught caught, choose chose chosen, cling clung clung, come came come,
cost cost cost, creep crept crept, cut cut cut, deal dealt dealt, dig dug dug, do did done, draw drew drawn,
drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed fed, feel felt felt,
fight fought fought, find found found, flee fled fled, fling flung flung, fly flew flown, forbid forbade forbidden,
forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got got, give gave given, go went gone,
grind ground ground, grow grew grown, hang hung hung, have had had, hear heard heard, hide hid hidden, hit hit hit,
hold held held, hurt hurt hurt, keep kept kept, know knew known, lay laid laid, lead led led, leave left left,
lend lent lent, let let let, lie lay lain, lose lost lost, make made made, mean meant meant, meet met met,
pay paid paid, put put put, quit quit quit, read read read, ride rode ridden, ring rang rung, rise rose risen,
run ran run, say said said, see saw seen, seek sought sought, sell sold sold, send sent sent, set set set,
shake shook shaken, shed shed shed, shine shone shone, shoot shot shot, show showed shown, shrink shrank shrunk,
shut shut shut, sing sang sung, sink sank sunk, sit sat sat, sleep slept slept, slide slid slid, speak spoke spoken,
spend spent spent, spin spun spun, split split split, spread spread spread, spring sprang sprung, stand stood stood,
steal stole stolen, stick stuck stuck, sting stung stung, strike struck struck, swear swore sworn, sweep swept swept,
swim swam swum, swing swung swung, take took taken, teach taught taught, tear tore torn, tell told told,
think thought thought, throw threw thrown, understand understood understood, undergo underwent undergone,
wake woke woken, wear wore worn, weep wept wept, win won won, withdraw withdrew withdrawn, write wrote written
"""
IRREGULAR = {base: (past, participle) for base, past, participle in (row.split() for row in _IRREGULAR.split(","))}
# What stands before an irregular verb, which keeps its forms: "misunderstand", "overcome", "upset".
_PREFIXES = ("fore", "mis", "out", "over", "re", "under", "un", "up", "with")
_NOT_MADE_SO = _words("relay")
# Verbs of several syllables whose last one is stressed, so that its consonant is doubled.
_STRESSED = _words(
    "admit abhor begin commit compel concur confer control defer deter equip excel expel forbid forget incur infer "
    "occur omit permit prefer propel rebel recur refer regret repel submit transfer transmit upset"
)
_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_HAVE = _words("have has had having 've 'd be am is are was were been being 's 're get got")
_BEFORE_BASE = _words(
    "to will would shall should can could may might must do does did don't doesn't didn't won't wouldn't can't cannot "
    "couldn't shouldn't let's 'll not gonna gotta wanna"
)
_BETWEEN = _words("not never ever just already also always often really only all both")
# So many words before a verb say what form it may have.
_LOOKED_AT = 4
_BEFORE_PRESENT = _words("you we they")
_VERBS_IN_LY = _words("ally apply bully comply dally fly imply multiply rally rely reply sully supply tally")


def verb_at(words: Sequence[str]) -> int:
    """Where the verb of an infinitive stands whose "to" is left out: after its adverbs.

    >>> verb_at(["gradually", "become", "worse"]), verb_at(["rely", "on", "it"])
    (1, 0)
    """
    for at, word in enumerate(words):
        lower = word.lower()
        if lower not in _BETWEEN and (not lower.endswith("ly") or lower in _VERBS_IN_LY):
            return at
    return 0


def _doubles(verb: str) -> bool:
    ends = len(verb) > 2 and verb[-1] not in f"{_VOWELS}wxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    one_syllable = sum(char in _VOWELS for char in verb) == 1 or (verb.startswith("qu") and len(verb) == 4)
    return ends and (one_syllable or verb in _STRESSED)


def _before_vowel(verb: str) -> str:
    """The verb as it is written before -ed and -ing."""
    if verb.endswith("ic"):
        return f"{verb}k"
    return f"{verb}{verb[-1]}" if _doubles(verb) else verb


def _prefix(verb: str) -> str:
    """What stands before the irregular verb of which this one is made, or ""."""
    if verb in IRREGULAR or verb in _NOT_MADE_SO:
        return ""
    return next((prefix for prefix in _PREFIXES if verb.removeprefix(prefix) in IRREGULAR), "")


def _third(verb: str) -> str:
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in _VOWELS else f"{verb}s"


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{_before_vowel(verb)}ing"


def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{_before_vowel(verb)}ed"


class English:
    """English verbs. Of `be`, the present of "I" is not known, and the past where the subject's number is not plain."""

    def inflect(self, verb: str, form: str) -> str | None:
        if not verb.isalpha():
            return None
        prefix = _prefix(verb)
        if prefix:
            made = self.inflect(verb.removeprefix(prefix), form)
            return made and f"{prefix}{made}"
        if form == PRESENT and verb == "be":
            return "are"
        if form in (BASE, PRESENT):
            return verb
        if form == GERUND:
            return _gerund(verb)
        if form == THIRD:
            return _third(verb)
        if verb == "be" and form != PARTICIPLE:
            return {PAST_OF[Number.SINGULAR]: "was", PAST_OF[Number.PLURAL]: "were"}.get(form)
        past = _regular_past(verb)
        both = IRREGULAR.get(verb, (past, past))
        return both[1 if form == PARTICIPLE else 0]

    def forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        forms = (BASE, PRESENT, THIRD, GERUND, PAST, PARTICIPLE)
        known = {form for form in forms if self.inflect(lemma, form) == word}
        found = _narrowed(known, [word_of(token) for token in before[-_LOOKED_AT:]])
        if {PRESENT, PAST} <= found and is_he_she_or_it(before):
            # "Marta let": in the present it would be "lets".
            found = {PAST}
        number = subject_number(before) if PAST in found else None
        return frozenset(PAST_OF[number] if number and form == PAST else form for form in found)


def _narrowed(forms: set[str], before: Sequence[str]) -> set[str]:
    """Those forms that can follow the words before."""
    last = next((word for word in reversed(before) if word not in _BETWEEN and not word.endswith("ly")), "")
    if BASE in forms:
        # Where nothing stands before it, it is an imperative or a heading.
        if last in _BEFORE_BASE or (not before and forms <= {BASE, PRESENT}):
            return {BASE}
        return forms - {BASE} if last in _BEFORE_PRESENT else forms
    if {PAST, PARTICIPLE} <= forms:
        follows_have = last in _HAVE or (last.endswith("n't") and last.removesuffix("n't") in _HAVE)
        return forms - {PAST if follows_have else PARTICIPLE}
    return forms


ENGLISH = English()
