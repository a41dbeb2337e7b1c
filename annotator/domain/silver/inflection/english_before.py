"""Which forms an English verb may have after the words before it: the base form after "will", say."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.inflection.english_forms import (
    BASE,
    GERUND,
    PARTICIPLE,
    PASSIVE,
    PAST,
    PRESENT,
    PRESENT_OF_I,
    THIRD,
)
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

HAVE = word_set("have has had having 've 'd")
FORMS_OF_BE = word_set("be am is are was were been being 're 'm")
# With "get": "got left behind".
_BEFORE_PASSIVE = FORMS_OF_BE | word_set("get gets got getting gotten")
_HAS_OR_IS, _HAD_OR_WOULD = "'s", "'d"
_CLITICS = ("'s", "'ve", "'re", "'d", "'ll", "'m")
_BEFORE_BASE = word_set(
    "to will would shall should can could may might must do does did don't doesn't didn't won't wouldn't can't cannot "
    "couldn't shouldn't let's 'll not gonna gotta wanna ca wo"
)
BETWEEN = word_set(
    "not n't never ever just already also always often really only all both soon still even now then almost perhaps "
    "maybe"
)
_FINITE_BE = word_set("am is are was were")
_BEFORE_VERBS = word_set(
    "never ever already also always often usually rarely seldom sometimes hardly frequently normally generally "
    "occasionally constantly regularly"
)
_BEFORE_PRESENT = word_set("you we they")
SUBJECTS = word_set("i you he she it we they")
_OBJECTS = word_set("me you him her it us them")
_LEAVING = word_set("leave leaves leaving left find finds finding found keep keeps keeping kept")
_BEFORE_OBJECT_AND_BASE = word_set("let lets letting make makes made making")
# "That", "this", "her" may be subjects or objects.
DETERMINERS = word_set("a an the my your his its our their every no")
# So many words a subject may have in a question, less one.
_SUBJECT = 4
_FINITE = {BASE, PRESENT, PRESENT_OF_I, THIRD, PAST}


def helper_before(before: Sequence[str]) -> str:
    """The word on which the form of a verb after these tokens depends: the last one without adverbs, of "he's" the end,
    of "hadn't" the beginning, of "have you" the first, "to" for "let it"; "" where there is none."""
    tokens = [token for token in before if word_of(token) not in BETWEEN and not word_of(token).endswith("ly")]
    if not tokens:
        return ""
    last = helper_of(tokens[-1])
    if len(tokens) == 1 or not tokens[-2].endswith(bare(tokens[-2])):
        return last
    helper = helper_of(tokens[-2])
    if last in _OBJECTS and helper in _BEFORE_OBJECT_AND_BASE:
        return "to"
    return helper if last in SUBJECTS and helper in HAVE else last


def helper_of(token: str) -> str:
    """The helping verb that a token is or ends in, "did" of "didn't"; of others the word."""
    word = word_of(token)
    if token[:1] in "'’" and f"'{word}" in _CLITICS:
        # By itself: "He 's".
        return f"'{word}"
    if word in _BEFORE_BASE:
        return word
    if word.endswith("n't"):
        return word.removesuffix("n't")
    return next((clitic for clitic in _CLITICS if word.endswith(clitic)), word)


def is_form_of_be(token: str) -> bool:
    """Whether a token is a form of "be" or ends in a short one.

    >>> is_form_of_be("wasn't"), is_form_of_be("She's"), is_form_of_be("has")
    (True, True, False)
    """
    return helper_of(token) in FORMS_OF_BE | {_HAS_OR_IS}


def stands_before_adverb(verb: str, before: Sequence[str]) -> bool:
    """Whether a verb is a form of "be" that goes before the adverb that ends these tokens, after its subject.

    >>> stands_before_adverb("was", ["He", "always"]), stands_before_adverb("had", ["He", "always"])
    (True, False)
    """
    return (
        verb in _FINITE_BE
        and len(before) > 1
        and before[-1] in _BEFORE_VERBS
        and before[-2].endswith(bare(before[-2]))
        and helper_of(before[-2]) not in _BEFORE_BASE | HAVE | FORMS_OF_BE
    )


def follows_helper(before: Sequence[str]) -> bool:
    """Whether a form of "have", "be" or "get" stands before, after which a verb is a participle."""
    return helper_before(before) in HAVE | _BEFORE_PASSIVE | {_HAS_OR_IS}


def is_after_be(before: Sequence[str]) -> bool:
    """Whether a gerund after these tokens makes a progressive: after "was", "he's", "was he", "why was the man".

    >>> is_after_be(["He", "was", "always"]), is_after_be(["He", "was", "left"])
    (True, False)
    """
    if helper_before(before) in FORMS_OF_BE | {_HAS_OR_IS}:
        return True
    words = [word_of(token) for token in before]
    at = next((at for at, word in enumerate(words[:2]) if word in FORMS_OF_BE), None)
    # In a question the subject stands between, and nothing else.
    asked = words[at + 1 :] if at is not None and not set(words[:at]) & SUBJECTS else []
    return bool(asked) and (asked[0] in DETERMINERS | SUBJECTS or before[-1][:1].isupper()) and len(asked) < _SUBJECT


def is_left_so(before: Sequence[str]) -> bool:
    """Whether these tokens end on a verb by which somebody is in a state, and whom it is in it: "was left", "left us".

    >>> is_left_so(["We", "were", "left"]), is_left_so(["It", "kept", "us"]), is_left_so(["He", "kept"])
    (True, True, False)
    """
    words = [word_of(token) for token in before]
    if not words or not before[-1].endswith(bare(before[-1])):
        return False
    if words[-1] in _LEAVING:
        return helper_before(before[:-1]) in _BEFORE_PASSIVE | {_HAS_OR_IS}
    if len(words) > 1 and words[-1] in _OBJECTS:
        return words[-2] in _LEAVING
    at = next(
        (at for at in range(len(words) - 2, max(0, len(words) - 1 - _SUBJECT), -1) if words[at] in DETERMINERS), 0
    )
    return bool(at) and words[at - 1] in _LEAVING


def wants_base(before: Sequence[str]) -> bool:
    """Whether what stands before takes the base form of a verb."""
    return helper_before(before) in _BEFORE_BASE


def narrowed(forms: set[str], before: Sequence[str]) -> set[str]:
    """Those forms that can follow the tokens before. A participle is passive where it does not follow "have"."""
    helper = helper_before(before)
    if helper in DETERMINERS:
        forms = forms - _FINITE
    elif helper in _BEFORE_PASSIVE or helper in HAVE or (helper == _HAS_OR_IS and forms & {PARTICIPLE, GERUND}):
        base = {BASE} if helper == _HAD_OR_WOULD else set()
        forms = forms & ({PARTICIPLE, GERUND} | base)
    elif BASE in forms:
        forms = _with_base(forms, helper, bool(before))
    elif PAST in forms:
        forms = forms - {PARTICIPLE}
    if helper in ("i", "he", "she", "we", "they"):
        forms = forms - {PARTICIPLE}
    if PARTICIPLE not in forms or helper in HAVE:
        return forms
    return forms | {PASSIVE} if helper == _HAS_OR_IS else forms - {PARTICIPLE} | {PASSIVE}


def _with_base(forms: set[str], helper: str, something_before: bool) -> set[str]:
    # Where nothing stands before it, it is an imperative or a heading.
    if helper in _BEFORE_BASE or (not something_before and forms <= {BASE, PRESENT}):
        return {BASE}
    if helper == "i":
        return {PRESENT_OF_I if form == PRESENT else form for form in forms - {BASE}}
    return forms - {BASE} if helper in _BEFORE_PRESENT else forms
