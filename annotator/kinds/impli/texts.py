"""The words of the workspaces in which sentences are rewritten and expressions defined."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.pairs.inference_pairs import (
    ADVERSARIAL,
    ANTONYM,
    FIGURATIVE,
    LITERAL,
    MANUAL,
    MANUAL_ANTONYMS,
    class_of,
)
from annotator.domain.silver import Refusal

PARTS = (gettext_lazy("First sentence"), gettext_lazy("Second sentence"))


def way_words(way: str) -> str:
    """How pairs were made, in the reader's language; a way that only a file's name says as it is."""
    words = {
        MANUAL: _("Rewriting by hand"),
        MANUAL_ANTONYMS: _("Rewriting by hand, with antonyms"),
        FIGURATIVE: _("Figurative use and definition"),
        LITERAL: _("Literal use and definition"),
        ADVERSARIAL: _("Figurative use and adversarial definition"),
        ANTONYM: _("Figurative use and definition with antonyms"),
    }
    return words.get(way, way)


def class_words(name: str) -> str:
    """A class of pairs, given as files name it ("lit_context_ne"), in the reader's language."""
    made = class_of(name)
    if made is None:
        return name
    text = _("%(way)s: entailed") if made.entailed else _("%(way)s: not entailed")
    return text % {"way": way_words(made.way)}


def rewrite_names() -> list[dict[str, str]]:
    """The texts of a rewriting, with what each has to be."""
    return [
        {
            "name": "paraphrase",
            "label": _("Literal paraphrase"),
            "help": _("It follows from the sentence, and nothing in it is figurative."),
        },
        {
            "name": "changed",
            "label": _("Does not follow"),
            "help": _("Keeps most words of the sentence, but does not follow from it. Optional."),
        },
        {
            "name": "opposite",
            "label": _("Opposite"),
            "help": _("The paraphrase with antonyms. It does not follow either. Optional."),
        },
    ]


def define_names() -> list[dict[str, str]]:
    """The definitions of an expression, with what each has to be."""
    return [
        {
            "name": "correct",
            "label": _("Literal definition"),
            "help": _("Must fit in place of the expression. Start an English verb with “to”."),
        },
        {
            "name": "adversarial",
            "label": _("Adversarial definition"),
            "help": _("A meaning that someone who has never heard it might guess. Optional."),
        },
        {
            "name": "antonym",
            "label": _("Definition with antonyms"),
            "help": _("The opposite of the literal definition. Optional."),
        },
    ]


def refusals() -> dict[str, str]:
    """Why a pair is not made by rule, in words."""
    return {
        Refusal.SPLIT.value: _("Other words interrupt the expression"),
        Refusal.INSIDE_PHRASE.value: _("The expression ends inside another phrase"),
        Refusal.PART_OF_SPEECH.value: _("Expression and definition begin with different parts of speech"),
        Refusal.VERB_FORM.value: _(
            "The definition's verb has no known form that fits, or an auxiliary or a negation is marked with the "
            "expression"
        ),
        Refusal.AGREEMENT.value: _("The definition does not agree in gender and number, or its agreement is unknown"),
        Refusal.VOICE.value: _("The expression is passive, but the definition's verb is not"),
        Refusal.UNCHANGED.value: _("Both sentences would be the same"),
        Refusal.DUPLICATE.value: _("The same pair already exists"),
    }


def messages() -> dict[str, str]:
    """The texts of the scripts of both kinds; gaps are written {name}."""
    return {
        "focus_name": _("Sentence with its figurative expression marked"),
        "focus_said": _("{text} Marked: {focus}."),
        "focus_unchanged": _("The marked expression is unchanged: “{focus}”."),
        "share_common": _("{share} of the sentence's words are kept"),
        "few_common": _("Only {share} of the sentence's words are kept. Keep most of them."),
        "same_sentence": _("This has the same words as the sentence."),
        "first_missing": _("Write the first text. The others are optional."),
        "words_new": _("Added: {words}"),
        "words_gone": _("Removed: {words}"),
        "pair_came_back": _("One of your pairs was sent back"),
        "pair_came_back_text": _(
            "The remarks are below the sentence they refer to. Revise it, or explain in the comment why you "
            "keep it. It will then be judged again."
        ),
        "pair_remarks": _("Remarks on this sentence"),
        "pair_suggested": _("Suggested: {text}"),
        "expression": _("Expression"),
        "occurs_in": _("It occurs in"),
        "occurs_more": _("… and in {n} more"),
        "bringing": _("In progress. New expressions so far: {n}. New pairs: {made}."),
        "brought": _("New expressions: {n}; new pairs: {made}; withdrawn: {withdrawn}."),
        "refused": _("Pairs not made: {n}"),
        "refused_for": _("{reason}: {n}"),
        "refused_more": _("… and {n} more"),
    }
