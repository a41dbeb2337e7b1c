"""Whether an English word is a verb where it stands, though its form may be that of another part of speech, too."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.english_adjectives import is_adjective
from annotator.domain.silver.inflection.english_before import (
    DETERMINERS,
    FORMS_OF_BE,
    SUBJECTS,
    follows_helper,
    helper_before,
    wants_base,
)
from annotator.domain.silver.inflection.english_forms import (
    GERUND,
    INVARIANT,
    PARTICIPLE,
    THIRD,
    VERB_OF,
    base_of,
    forms_by_spelling,
    is_base,
)
from annotator.domain.silver.inflection.english_subjects import Number, subject_number
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# These are nothing but verbs with a subject, or in their base form. A participle may stand for other phrases, too.
_VERBS = word_set(
    "be am is are was were have has had do does did become becomes became begin began bring brings buy choose chose "
    "forget forgot forgive forgave get gets give gave go goes went grow grew hear keep lose seek sell send tell think "
    "understand write wrote"
)
_OBJECTS = word_set("him her them us me it this one's")
# Nobody asks for a noun between these and what follows: "with [cut corners]".
_PREPOSITIONS = word_set(
    "in on at by for from with of into onto over under against between through behind as like about"
)


def is_verb(tokens: Sequence[str], at: int, lemma: str) -> bool:
    """Whether the token at `at` is plainly a verb; `lemma` is its lemma, or "".

    An object or a determiner after it says so ("let the cat out", "reveal it"), a subject or a helping verb before it
    ("he cuts corners", "was left alone"), or that it is hardly anything else ("become"). A verb whose past is like its
    base ("put", "hit") is taken for one wherever no noun has to stand.
    """
    word = word_of(tokens[at])
    if word in _VERBS:
        return True
    if word in function_words("en"):
        return False
    base = base_of(word, lemma)
    forms = forms_by_spelling(word, base)
    if not forms or not is_base(base):
        return False
    before, helper = tokens[:at], helper_before(tokens[:at])
    if helper in DETERMINERS:
        return False
    after = word_of(tokens[at + 1]) if at + 1 < len(tokens) and tokens[at].endswith(bare(tokens[at])) else ""
    if after in DETERMINERS | _OBJECTS:
        return True
    if helper in _PREPOSITIONS or is_adjective(helper):
        return False
    if helper in SUBJECTS - {"you", "it"} or (wants_base(before) and helper not in ("to", "not")):
        return True
    if helper in FORMS_OF_BE and GERUND in forms and base != word:
        return True
    if follows_helper(before):
        # The participle of "come" is like its base, too.
        return PARTICIPLE in forms and (word in VERB_OF or word == base)
    if word in INVARIANT:
        return bool(before) or after in _PREPOSITIONS
    number = subject_number(before) if word in VERB_OF or THIRD in forms else None
    return number is Number.SINGULAR or (number is Number.PLURAL and word in VERB_OF)
