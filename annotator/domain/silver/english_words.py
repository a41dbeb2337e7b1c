"""English words: their parts of speech and the forms of verbs, by LemmInflect's dictionary; short lists of helpers.

Forms have the names of the Penn Treebank: VB, VBP, VBZ, VBD, VBG, VBN.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

FORMS = ("VB", "VBP", "VBZ", "VBD", "VBG", "VBN")
BE = word_set("be am is are was were been being 're 'm")
HAVE = word_set("have has had having 've 'd")
GET = word_set("get gets got getting gotten")
MODALS = word_set("will would shall should can could may might must cannot ca wo sha 'll gonna wanna gotta")
BEFORE_BASE = MODALS | word_set("to do does did let's not")
SUBJECTS = word_set("i you he she it we they")
OBJECTS = word_set("me you him her it us them")
DETERMINERS = word_set("a an the my your his her its our their every no one's")
PREPOSITIONS = word_set(
    "in on at by for from with of into onto over under against between through behind as like about"
)
# Between a helping verb and its verb.
ADVERBS = word_set(
    "not n't never ever just already also always often really only all both soon still even now then almost perhaps "
    "maybe"
)
_CLITICS = ("'s", "'ve", "'re", "'d", "'ll", "'m")
# The dictionary has rarer ones first, or alone.
_PARTICIPLES = {"bear": "borne", "get": "got", "relay": "relayed"}


@lru_cache(maxsize=20_000)
def parts_of_speech(word: str) -> frozenset[str]:
    """What a word in lower case may be (NOUN, VERB, ADJ, ADV); nothing for a word that is not in the dictionary."""
    # Loaded here: it takes a tenth of a second, and spaCy with it where that is installed.
    from lemminflect import getAllLemmas

    found = frozenset(getAllLemmas(word)) - {"AUX"}
    # It knows "responsible" for a noun alone.
    return found | {"ADJ"} if word.endswith(("able", "ible", "less", "ful")) else found


@lru_cache(maxsize=20_000)
def inflect(verb: str, form: str) -> str:
    """A verb in a form, of several the most frequent one; "" for what is not a word.

    >>> inflect("undergo", "VBZ"), inflect("quiz", "VBG"), inflect("panic", "VBD"), inflect("wake", "VBN")
    ('undergoes', 'quizzing', 'panicked', 'woken')
    """
    from lemminflect import getInflection
    from wordfreq import zipf_frequency

    if not verb.isalpha():
        return ""
    if form == "VBN" and verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    made = filter(str.isalpha, getInflection(verb, form))
    return max(made, key=lambda one: zipf_frequency(one, "en"), default="")


@lru_cache(maxsize=20_000)
def verb_of(word: str) -> str:
    """The verb of which a word in lower case may be a form, rather than that whose base form it is; "" for none.

    >>> verb_of("saw"), verb_of("lay"), verb_of("cutting"), verb_of("easy")
    ('see', 'lay', 'cut', '')
    """
    from lemminflect import getAllLemmas

    found = [verb for verb in getAllLemmas(word, "VERB").get("VERB", ()) if verb.isalpha()]
    return next((verb for verb in found if verb != word and word != "lay"), word if word in found else "")


@lru_cache(maxsize=20_000)
def forms_of(word: str, verb: str) -> frozenset[str]:
    """The forms that a word may be of a verb, whatever stands around it."""
    from lemminflect import getAllInflections

    known = getAllInflections(verb, "VERB")
    found = {form for form in FORMS if word in known.get(form, ()) or word == inflect(verb, form)}
    if "VBD" in found and set(known.get("VBN", known.get("VBD", ()))) & set(known.get("VBD", ())):
        # "Burnt" is a participle, as "burned" is.
        found.add("VBN")
    return frozenset(found)


def is_base(word: str) -> bool:
    """Whether a word may be the base form of a verb."""
    return verb_of(word) == word


def is_adjective(words: Sequence[str]) -> bool:
    """Whether words are an adjective and its adverbs, and can be nothing else: "very rare", "useless"."""
    found = [word_of(word) for word in words]
    closed = function_words("en") | {"much", "many", "little", "few"}
    last = parts_of_speech(found[-1]) if found[-1] not in closed else frozenset[str]()
    before = all("ADV" in parts_of_speech(word) or word == "very" for word in found[:-1])
    return "ADJ" in last and not last & {"NOUN", "VERB"} - ({"VERB"} if found[-1].endswith("ed") else set()) and before


def ends(token: str) -> bool:
    """Whether punctuation stands at its end, or it is nothing else."""
    return not bare(token) or not token.endswith(bare(token))


def helper_of(token: str) -> str:
    """The helping verb that a token is or ends in, "did" of "didn't"; of others the word."""
    word = word_of(token)
    if token[:1] in "'’" and f"'{word}" in _CLITICS:
        return f"'{word}"
    if word.endswith("n't"):
        return {"ca": "can", "wo": "will"}.get(word[:-3], word[:-3])
    return word if word in BEFORE_BASE else next((clitic for clitic in _CLITICS if word.endswith(clitic)), word)


def is_adverb(token: str) -> bool:
    word = word_of(token)
    return word in ADVERBS or (word.endswith("ly") and "ADV" in parts_of_speech(word))


def helper_before(before: Sequence[str]) -> str:
    """The word on which the form of a verb after these tokens depends: the last one without adverbs, of "he's" the end,
    of "have you" the first, "to" for "let it"; "" where there is none."""
    tokens = [token for token in before if not is_adverb(token)]
    if not tokens:
        return ""
    last = helper_of(tokens[-1])
    if len(tokens) == 1 or ends(tokens[-2]):
        return last
    helper = helper_of(tokens[-2])
    if last in OBJECTS and verb_of(helper) in ("let", "make"):
        return "to"
    return helper if last in SUBJECTS and helper in HAVE | BE | MODALS | {"do", "does", "did"} else last
