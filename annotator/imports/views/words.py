"""How pages call what an import brings: sentences, or the units of another kind that a format's records are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from annotator.core.counts import grouped
from annotator.core.kind import counted_units
from annotator.formats.common.protocol import formats
from annotator.templatetags.imports import language_names


@dataclass(frozen=True)
class Words:
    """What pages say.

    `counted` is the word under which `in_words` knows their number.
    """

    counted: str
    heading: Any
    every: Any
    first: Any
    several: Any
    bring: Any
    bring_about: Any
    bring_each: Any
    known: Any
    all_known: Any
    missing: Any
    none: Any

    def first_ones(self, number: int) -> str:
        """The title of the first ones."""
        return str(self.first % {"number": number})

    def button(self, number: int, languages: str) -> str:
        """What the button says that imports so many of them."""
        shown = grouped(number)
        return str(self.bring % {"count": number, "number": shown, "languages": languages})

    def number(self, number: int) -> str:
        """So many of them."""
        return str(self.several % {"number": number, "shown": grouped(number)})


SENTENCES = Words(
    counted="sentences",
    heading=gettext_lazy("Sentences"),
    every=gettext_lazy("All sentences"),
    first=ngettext_lazy(
        "%(number)s sentence, as it will appear", "The first %(number)s sentences, as they will appear", "number"
    ),
    several=ngettext_lazy("%(shown)s sentence", "%(shown)s sentences", "number"),
    bring=ngettext_lazy(
        "Import %(number)s sentence in %(languages)s", "Import %(number)s sentences in %(languages)s", "count"
    ),
    bring_about=gettext_lazy("Import about %(number)s sentences in %(languages)s"),
    bring_each=gettext_lazy("Import sentences: %(numbers)s"),
    known=ngettext_lazy(
        "%(number)d sentence is in the project already, and stays as it is.",
        "%(number)d sentences are in the project already, and stay as they are.",
        "number",
    ),
    all_known=gettext_lazy("All of these sentences are in the project already. Importing them adds only what is new."),
    missing=gettext_lazy("The files hold no sentences in %(languages)s. They can be added later, by another import."),
    none=gettext_lazy("No sentence was found in the files. Try another format under “How the files are read”."),
)
PAIRS = Words(
    counted="pairs",
    heading=gettext_lazy("Pairs"),
    every=gettext_lazy("All pairs"),
    first=ngettext_lazy(
        "%(number)s pair, as it will appear", "The first %(number)s pairs, as they will appear", "number"
    ),
    several=ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
    bring=ngettext_lazy("Import %(number)s pair in %(languages)s", "Import %(number)s pairs in %(languages)s", "count"),
    bring_about=gettext_lazy("Import about %(number)s pairs in %(languages)s"),
    bring_each=gettext_lazy("Import pairs: %(numbers)s"),
    known=ngettext_lazy(
        "%(number)d pair is in the project already, and stays as it is.",
        "%(number)d pairs are in the project already, and stay as they are.",
        "number",
    ),
    all_known=gettext_lazy("All of these pairs are in the project already. Importing them adds only what is new."),
    missing=gettext_lazy("The files hold no pairs in %(languages)s. They can be added later, by another import."),
    none=gettext_lazy("No pair was found in the files. Try another format under “How the files are read”."),
)
EXPRESSIONS = Words(
    counted="expressions",
    heading=gettext_lazy("Expressions"),
    every=gettext_lazy("All expressions"),
    first=ngettext_lazy(
        "%(number)s expression, as it will appear", "The first %(number)s expressions, as they will appear", "number"
    ),
    several=ngettext_lazy("%(shown)s expression", "%(shown)s expressions", "number"),
    bring=ngettext_lazy(
        "Import %(number)s expression in %(languages)s", "Import %(number)s expressions in %(languages)s", "count"
    ),
    bring_about=gettext_lazy("Import about %(number)s expressions in %(languages)s"),
    bring_each=gettext_lazy("Import expressions: %(numbers)s"),
    known=ngettext_lazy(
        "%(number)d expression is in the project already, and stays as it is.",
        "%(number)d expressions are in the project already, and stay as they are.",
        "number",
    ),
    all_known=gettext_lazy(
        "All of these expressions are in the project already. Importing them adds only what is new."
    ),
    missing=gettext_lazy("The files hold no expressions in %(languages)s. They can be added later, by another import."),
    none=gettext_lazy("No expression was found in the files. Try another format under “How the files are read”."),
)
UNITS = Words(
    counted="units",
    heading=gettext_lazy("Units"),
    every=gettext_lazy("All units"),
    first=ngettext_lazy(
        "%(number)s unit, as it will appear", "The first %(number)s units, as they will appear", "number"
    ),
    several=ngettext_lazy("%(shown)s unit", "%(shown)s units", "number"),
    bring=ngettext_lazy("Import %(number)s unit in %(languages)s", "Import %(number)s units in %(languages)s", "count"),
    bring_about=gettext_lazy("Import about %(number)s units in %(languages)s"),
    bring_each=gettext_lazy("Import units: %(numbers)s"),
    known=ngettext_lazy(
        "%(number)d unit is in the project already, and stays as it is.",
        "%(number)d units are in the project already, and stay as they are.",
        "number",
    ),
    all_known=gettext_lazy("All of these units are in the project already. Importing them adds only what is new."),
    missing=gettext_lazy("The files hold no units in %(languages)s. They can be added later, by another import."),
    none=gettext_lazy("No unit was found in the files. Try another format under “How the files are read”."),
)
_WORDS: Mapping[str, Words] = {"pairs": PAIRS, "expressions": EXPRESSIONS, "units": UNITS}


def numbers_of(kinds: Mapping[str, int], words: Words = SENTENCES) -> str:
    """How many units of each kind: "6 marked sentences and 6 lists of answers"; those of the kind "" by `words`."""
    each = [counted_units(kind, number) if kind else words.number(number) for kind, number in kinds.items()]
    return language_names(each)


def words_of(slug: str) -> Words:
    """The words for what a format brings; those for sentences where it does not say."""
    return _WORDS.get(getattr(formats().get(slug), "brings", ""), SENTENCES)
