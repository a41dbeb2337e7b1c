"""The texts of the scripts of these kinds, and the reasons why no word fits."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.domain.content.substitute import FOUND


def reasons() -> list[dict[str, str]]:
    """Why no word fits, as buttons show it: `{value, label}` each, in the language of the request."""
    words = {
        "literal": _("No other word says exactly that"),
        "fixed": _("It is part of a fixed expression"),
        "unclear": _("I don't understand the sentence"),
        "no_word": _("More than one word is needed"),
    }
    return [{"value": value, "label": label} for value, label in words.items()]


def substitute_value(dimension: str, value: str) -> str:
    """A word as it is, or why none fits, which agreement has in brackets; whether there is a word."""
    if dimension == FOUND:
        return {"word": _("A word"), "none": _("No word fits")}.get(value, value)
    known = {f"({one['value']})": one["label"] for one in reasons()}
    return known.get(value, value)


def best_value(_dimension: str, value: str) -> str:
    """The words as they are, or that none is good."""
    return _("None of them is good") if value == "(none)" else value


def inapt_value(dimension: str, value: str) -> str:
    """The words as they are, or that there is none; whether there is any."""
    if dimension == FOUND:
        return {"inapt": _("An inapt word"), "none": _("There is no inapt word here")}.get(value, value)
    return _("There is no inapt word here") if value == "(none)" else value


def why_votes_differ() -> list[str]:
    """Why no word has most votes, as adjudicators may say."""
    return [_("Equally good"), _("Closer in meaning"), _("More usual here"), _("Too little context")]


def messages() -> dict[str, str]:
    """Every message by its name, in the language of the request."""
    return {
        "options_written": _("Written: {n}"),
        "accept_proposed": _("Accept “{words}”, which most people wrote"),
        "key_accept_proposed": _("Accept the word that most people wrote"),
        "blank_name": _("The sentence with your word"),
        "one_word_help": _("One word that could replace it with the same meaning. Enter: done. Esc: reasons."),
        "reasons_name": _("Or choose why no word fits"),
        "reason_chosen": _("No word: {reason}"),
        "key_reason_number": _("No word fits: {name}"),
        "key_word": _("Go to the word field"),
        "more_words": _("Write one word, without spaces, commas or slashes."),
        "markup_word": _("Write only the word, without <, > or &."),
        "no_letter": _("This has no letters. Write a word."),
        "other_form": _(
            "This looks like a form of “{word}”. Write another word, or choose Done again if it is a different word."
        ),
        "same_word": _("That is the word in the sentence. Write a different one."),
        "written_word": _("Someone wrote “{word}” as a substitute. Choose Done again if it is inapt here."),
        "senses_title": _("Senses of “{word}”"),
        "senses_of": _("Search senses"),
        "senses_loading": _("Searching…"),
        "senses_number": _("Senses found: {n}"),
        "senses_none": _("WordNet does not have this word."),
        "senses_missing": _("No WordNet is installed for this language. Write the sense in your own words."),
        "part_n": _("noun"),
        "part_v": _("verb"),
        "part_a": _("adjective"),
        "part_s": _("adjective"),
        "part_r": _("adverb"),
        "senses_take": _("Use this sense"),
    }
