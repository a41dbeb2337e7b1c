"""How pages call what an import brings: sentences, or the units of another kind that a format's records are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from annotator.core.counts import grouped
from annotator.core.unit_kinds import counted_units
from annotator.formats.registry import formats
from annotator.templatetags.imports import language_names


@dataclass(frozen=True)
class Words:
    """The noun that pages use. `slug` is the word under which `in_words` knows it."""

    slug: str
    every: Any
    counted: Any

    def number(self, number: int) -> str:
        """So many of them."""
        return str(self.counted % {"number": number, "shown": grouped(number)})


SENTENCES = Words(
    "sentences", gettext_lazy("All sentences"), ngettext_lazy("%(shown)s sentence", "%(shown)s sentences", "number")
)
_WORDS: Mapping[str, Words] = {
    "pairs": Words("pairs", gettext_lazy("All pairs"), ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number")),
    "expressions": Words(
        "expressions",
        gettext_lazy("All expressions"),
        ngettext_lazy("%(shown)s expression", "%(shown)s expressions", "number"),
    ),
    "units": Words("units", gettext_lazy("All items"), ngettext_lazy("%(shown)s unit", "%(shown)s units", "number")),
}


def numbers_of(kinds: Mapping[str, int], words: Words = SENTENCES) -> str:
    """How many units of each kind: "6 marked sentences and 6 lists of answers"; those of the kind "" by `words`."""
    each = [counted_units(kind, number) if kind else words.number(number) for kind, number in kinds.items()]
    return language_names(each)


def words_of(slug: str) -> Words:
    """The words for what a format brings; those for sentences where it does not say."""
    return _WORDS.get(getattr(formats().get(slug), "brings", ""), SENTENCES)
