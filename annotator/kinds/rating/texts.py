"""The words of both kinds; a project's own stand as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def rating_scale(scheme: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, what the ends are called, and how many points there are."""
    return {
        "question": scheme.get("question") or _("How metaphorical is it?"),
        "low": scheme.get("low") or pgettext("scale", "Literal"),
        "high": scheme.get("high") or pgettext("scale", "Very metaphorical"),
        "points": scheme.get("points", 0),
    }


def best_worst_scale(scheme: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, and what both ends are called."""
    return {
        "question": scheme.get("question") or _("Which is the most metaphorical, and which the least?"),
        "high": scheme.get("high") or pgettext("scale", "Most"),
        "low": scheme.get("low") or pgettext("scale", "Least"),
    }


def messages() -> dict[str, str]:
    """The texts of the scripts; gaps are written {name}."""
    return {
        "rated": _("Rated: {value}"),
        "not_rated": _("Not rated"),
        "choose_rating": _("Choose a value on the scale first."),
        "key_rating": _("Rate {name}"),
        "about_marked": _("Rate only what is marked, as it is used here:"),
        "marked_said": _("{text} Marked: {focus}."),
        "about_each": _("Compare only what is marked in each sentence, as it is used there."),
        "about_sentence": _("Rate the whole sentence."),
        "sentence_number": _("Sentence {number}"),
        "chosen_end": _("{end}: sentence {number}"),
        "not_chosen": _("{end}: not chosen"),
        "choose_ends": _("Choose two sentences first: one for each end."),
        "key_end": "{name}",
    }


def messages_of_expressions() -> dict[str, str]:
    """Those of `messages` that are others where marked expressions are compared."""
    return {
        "sentence_number": _("Expression {number}"),
        "chosen_end": _("{end}: expression {number}"),
        "choose_ends": _("Choose two expressions first: one for each end."),
    }
