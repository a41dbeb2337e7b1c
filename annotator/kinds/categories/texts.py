"""The words of categories; a project's own stand as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.domain.content.categories import NONE

CATEGORIES: Mapping[str, tuple[Any, Any]] = {
    "object": (pgettext_lazy("category", "Object"), gettext_lazy("Common knowledge about things, animals and plants.")),
    "visual": (pgettext_lazy("category", "Visual"), gettext_lazy("The look of something.")),
    "social": (
        pgettext_lazy("category", "Social"),
        gettext_lazy("The character of people, and how they treat each other."),
    ),
    "cultural": (
        pgettext_lazy("category", "Cultural"),
        gettext_lazy("Knowledge of one culture: its food, faith, customs, history."),
    ),
}


def values(codes: Sequence[str]) -> list[dict[str, str]]:
    """Categories with their words."""
    known = {code: CATEGORIES.get(code, (code, "")) for code in codes}
    return [{"value": code, "label": str(label), "definition": str(text)} for code, (label, text) in known.items()]


def value_words(_dimension: str, value: str) -> str:
    """The categories of a set, which stand with a plus between them, or that it has none."""
    if value == NONE:
        return _("None of these")
    return " + ".join(one["label"] for one in values(value.split("+")))


def messages() -> dict[str, str]:
    """The texts of its scripts; gaps are written {name}."""
    return {
        "categories_of": _("Categories of “{text}”"),
        "none_of_these": _("None of these"),
        "not_seen": _("Not seen yet"),
        "choose_categories": _("Choose categories for both sentences, or press 0 if none fits."),
        "means": _("means: {meaning}"),
        "same_for_both": _("The same for both"),
        "now_chosen": _("{text}: {categories}"),
        "key_half": _("Go to the other sentence"),
        "key_category": "{name}",
        "key_none": _("None of these"),
        "key_same": _("The same for both"),
    }
