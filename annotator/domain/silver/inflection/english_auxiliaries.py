"""What an English expression has before its own verb: "will kick the bucket", "did not bat an eyelid", "tried to".

A definition says nothing of it. "Be", "have" and "do" may be the expression's own verb, too: "be over the moon", "have
a ball". What is passive is not looked at, since "be made of money" is as good as "be rich".
"""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.inflection.english_before import (
    BETWEEN,
    DETERMINERS,
    FORMS_OF_BE,
    HAVE,
    SUBJECTS,
    helper_before,
    helper_of,
)
from annotator.domain.silver.inflection.english_forms import (
    GERUND,
    PARTICIPLE,
    VERB_OF,
    base_of,
    forms_by_spelling,
    is_base,
)
from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.domain.text.word_sets import word_set

_MODALS = word_set("will would shall should can could may might must cannot ca wo sha 'll gonna wanna gotta")
_DO = word_set("do does did")
_NEGATIONS = word_set("not n't never")
# With "to" and another verb they say no more than that it is tried or wanted, seems so, or has to be.
_BEFORE_TO = word_set(
    "appear attempt begin decide fail happen have hope manage mean need ought plan refuse seem start tend threaten try "
    "use want wish"
)
_OBJECTS = word_set("him her them us me it this one's")


def left_out(tokens: Sequence[str], begin: int, end: int) -> str:
    """What stands there before the expression's own verb: its first word, "not", or the beginning of the subject ("he"
    of "is he pulling your leg"); "" where nothing does."""
    word = word_of(tokens[begin])
    first = helper_of(tokens[begin]).removesuffix("n't")
    at = begin + 1
    while at < end and (word_of(tokens[at]) in BETWEEN or tokens[at].endswith("ly")):
        at += 1
    is_helper = first in _MODALS | _DO | HAVE | FORMS_OF_BE
    if is_helper and (word.endswith("n't") or _NEGATIONS.intersection(map(word_of, tokens[begin + 1 : at]))):
        return "not"
    if at == end:
        return ""
    if is_helper and (subject := _subject_after(first, tokens, at, end)):
        return subject
    rest = [word_of(token) for token in tokens[at:end]]
    if rest[:3] == ["to", "do", "with"]:
        return ""
    is_verb = _is_before_verb(first, rest, helper_before(tokens[:begin])) or (
        rest[0] == "to" and len(rest) > 1 and is_base(rest[1]) and base_of(first, lemma_of(first, "en")) in _BEFORE_TO
    )
    return first if is_verb else ""


def _subject_after(helper: str, tokens: Sequence[str], at: int, end: int) -> str:
    """The word with which the subject of a question begins at `at`, after its helping verb; "" where none does."""
    word, asks = word_of(tokens[at]), "?" in tokens[-1]
    if word in ("you", "it") and helper in _DO and not asks:
        return ""
    if word in ("you", "it") and helper not in FORMS_OF_BE:
        # "Have it in for", "do you good"
        verbs = [word_of(token) for token in tokens[at + 1 : end]]
        return word if verbs and (helper in _MODALS or _is_verb_after(helper, verbs[0])) else ""
    if word in SUBJECTS:
        return word
    later = [word_of(token) for token in tokens[at + 2 : end]]
    is_noun = word in DETERMINERS and bool(later) and asks
    return word if is_noun and any(_is_verb_after(helper, verb) for verb in later[:2]) else ""


def _is_verb_after(helper: str, word: str) -> bool:
    """Whether a word is the form of a verb that the helping verb takes."""
    if helper in _DO | _MODALS:
        return is_base(word)
    forms = forms_by_spelling(word, base_of(word, lemma_of(word, "en")))
    return bool(forms & ({PARTICIPLE} if helper in HAVE else {PARTICIPLE, GERUND}))


def _is_before_verb(first: str, rest: Sequence[str], before: str) -> bool:
    """Whether a form of a helping verb stands before one that `rest` begins with; `before` says if it is a noun."""
    word = rest[0]
    if first in _MODALS:
        return before not in DETERMINERS and is_base(word)
    takes_object = "".join(rest[1:2]) in DETERMINERS | _OBJECTS
    if first in _DO:
        # "Do time", "do battle"
        return takes_object and is_base(word)
    forms = forms_by_spelling(word, base_of(word, lemma_of(word, "en")))
    if first in FORMS_OF_BE:
        return GERUND in forms and is_base(base_of(word, ""))
    # "Have mixed feelings", "have set ideas"
    ends = len(rest) == 1 or rest[1] in function_words("en")
    return first in HAVE and PARTICIPLE in forms and (takes_object or word in VERB_OF or (ends and not is_base(word)))
