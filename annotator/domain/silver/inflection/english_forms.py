"""Forms of English verbs by their spelling: regular ones by rule, the common irregular ones from a list."""

from __future__ import annotations

from annotator.domain.silver.inflection.english_subjects import Number
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.word_sets import word_set

BASE, THIRD, GERUND, PAST, PARTICIPLE = "base", "third", "gerund", "past", "participle"
# After "you", "we", "they" or what they stand for, and after "I": of all verbs but "be" the same as the base.
PRESENT, PRESENT_OF_I = "present", "present:i"
# The participle after a form of "be" or "get": of "be" itself nothing, since one stands there: "was left", "was happy".
PASSIVE = "passive"
# The gerund after a form of "be": of "be" itself nothing, too ("was pushing up daisies", "was dead").
PROGRESSIVE = "progressive"
# The gerund after "was left": of "be" itself nothing either ("was left holding the baby", "was left responsible").
RESULTING = "resulting"
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
# Those whose past is like the base: "put".
INVARIANT = frozenset(base for base, (past, _participle) in IRREGULAR.items() if past == base)
# Of an irregular form that is no base, its verb.
VERB_OF = {form: base for base, forms in IRREGULAR.items() for form in forms if form not in IRREGULAR}
# Forms that are nothing but a verb in the past: no participle, and no noun either.
PLAIN_PASTS = frozenset(
    past for past, participle in IRREGULAR.values() if past != participle and past not in IRREGULAR
) - word_set("bit bore broke drove rang rode rose sank saw spoke tore woke")
# Forms that are written in two ways, or were made by another rule.
SPELT_ALSO = {
    "gotten": "got", "burnt": "burned", "dreamt": "dreamed", "leant": "leaned", "leapt": "leaped", "learnt": "learned",
    "spelt": "spelled", "spilt": "spilled", "spoilt": "spoiled",
}  # fmt: skip
# What stands before an irregular verb, which keeps its forms: "misunderstand", "overcome", "upset".
_PREFIXES = ("fore", "mis", "out", "over", "re", "under", "un", "up", "with")
_NOT_MADE_SO = word_set("relay")
# Verbs of several syllables whose last one is stressed, so that its consonant is doubled.
_STRESSED = word_set(
    "admit abhor begin commit compel concur confer control defer deter equip excel expel forbid forget incur infer "
    "occur omit permit prefer propel rebel recur refer regret repel submit transfer transmit upset"
)
# The dictionary knows no form of these with the "k" that they take: "panicked".
_IN_IC = word_set("frolic mimic panic picnic traffic")
_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_BE = {
    THIRD: "is", PRESENT: "are", PRESENT_OF_I: "am", PAST_OF[Number.SINGULAR]: "was", PAST_OF[Number.PLURAL]: "were",
    PARTICIPLE: "been", PASSIVE: "", PROGRESSIVE: "", RESULTING: "",
}  # fmt: skip


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


def inflect(verb: str, form: str) -> str | None:
    """The verb in a form; None where it has a sign that is no letter, and of the past of "be" without a number."""
    if not verb.isalpha():
        return None
    prefix = _prefix(verb)
    if prefix:
        made = inflect(verb.removeprefix(prefix), form)
        return made and f"{prefix}{made}"
    if verb == "be" and form in _BE:
        return _BE[form]
    if form in (BASE, PRESENT, PRESENT_OF_I):
        return verb
    if form in (GERUND, PROGRESSIVE, RESULTING):
        return _gerund(verb)
    if form == THIRD:
        return _third(verb)
    if verb == "be":
        return None
    past = _regular_past(verb)
    both = IRREGULAR.get(verb, (past, past))
    return both[1 if form in (PARTICIPLE, PASSIVE) else 0]


def forms_by_spelling(word: str, verb: str) -> set[str]:
    """The forms that a word may be of a verb, whatever stands around it."""
    forms = {BASE, PRESENT, THIRD, GERUND, PAST, PARTICIPLE}
    if verb == "be":
        forms |= {PRESENT_OF_I, *PAST_OF.values()}
    word = SPELT_ALSO.get(word, word)
    if word == "lied" and verb == "lie":
        # Who tells what is not true; who is in bed "lay" there.
        return {PAST, PARTICIPLE}
    return {form for form in forms if inflect(verb, form) == word}


def base_of(word: str, lemma: str) -> str:
    """The verb that a word may be a form of, whatever stands around it; `lemma`, or the word, where none is found.

    The dictionary has many forms in -ing as words by themselves ("cutting"), and some of words that do not exist
    ("playe"), so those are told by their spelling and by the past of the verb.
    """
    if word in VERB_OF:
        return VERB_OF[word]
    if word.endswith("ing"):
        stem = word.removesuffix("ing")
        made = [stem, f"{stem}e", stem[:-1], f"{stem[:-1]}ie"]
        found = [verb for verb in made if len(verb) > 1 and inflect(verb, GERUND) == word]
        for verb in sorted(found, key=lambda verb: verb not in IRREGULAR):
            past = inflect(verb, PAST)
            if verb in IRREGULAR or _prefix(verb) or (past is not None and lemma_of(past, "en") == verb):
                return verb
    return lemma or word


def is_base(word: str) -> bool:
    """Whether a word may be the base form of a verb: the dictionary knows what would be made of it.

    It knows such forms of many words that are hardly verbs ("thinged"), so that only False says much.
    """
    if word in VERB_OF:
        return False
    made = (inflect(word, GERUND), inflect(word, PAST))
    return (
        word in IRREGULAR or word in _IN_IC or any(form is not None and lemma_of(form, "en") == word for form in made)
    )
