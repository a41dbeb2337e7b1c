"""Languages by their BCP 47 tags: found by name, and named in the language of the page.

The data is CLDR's and the IANA registry's, through `langcodes`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import langcodes
from langcodes import Language
from langcodes.tag_parser import LanguageTagError

# A tag in brackets after a name, as the list of languages writes it: "català (ca)".
_TAG_AT_END = re.compile(r"\(([A-Za-z0-9-]{2,35})\)\s*$")
_WELL_FORMED = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
# `Project.languages` and `Unit.language` hold so many characters.
MAX_CHARACTERS = 20


class UnknownLanguageError(ValueError):
    """No language is called so; `text` is what was asked for."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """A language of the list: its tag, its own name, and its names in the languages of the interface."""

    tag: str
    own_name: str
    names: tuple[str, ...]


# Names that are in daily use and not among those of the Unicode consortium.
_ALSO_CALLED = {
    "castellano": "es",
    "castellà": "es",
    "castelán": "es",
    "gaztelania": "es",
    "valencià": "ca",
    "valenciano": "ca",
    "valencian": "ca",
}


def find_language(text: str) -> str:
    """The tag, in its usual spelling, of a language given by tag or by name: "ca", "Catalan", "catalán", "català (ca)".

    Names are known in English, in Spanish, in the language itself and in many others; those of the list in English,
    in Spanish and in themselves also without accents. Raises UnknownLanguageError.

    >>> find_language("catalán"), find_language("PT_br"), find_language("euskara (eu)"), find_language("catala")
    ('ca', 'pt-BR', 'eu', 'ca')
    """
    wanted = text.strip()
    at_end = _TAG_AT_END.search(wanted)
    for candidate in ([at_end.group(1)] if at_end else []) + [wanted]:
        tag = _as_tag(candidate)
        if tag is not None:
            return tag
    if wanted.casefold() in _ALSO_CALLED:
        return _ALSO_CALLED[wanted.casefold()]
    try:
        found = str(langcodes.find(wanted))
    except LookupError:
        plain = _without_accents()
        if (bare := _bare(wanted)) not in plain:
            raise UnknownLanguageError(wanted) from None
        return plain[bare]
    return found


def _bare(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@cache
def _without_accents() -> dict[str, str]:
    """Tags by names without accents; a name that two languages would share is none of them."""
    found: dict[str, set[str]] = {}
    for choice in known_languages(("en", "es")):
        for name in (choice.own_name, *choice.names):
            found.setdefault(_bare(name), set()).add(choice.tag)
    for name, tag in _ALSO_CALLED.items():
        found.setdefault(_bare(name), set()).add(tag)
    return {name: tags.pop() for name, tags in found.items() if len(tags) == 1}


def _as_tag(text: str) -> str | None:
    given = text.replace("_", "-")
    if not _WELL_FORMED.fullmatch(given) or len(given) > MAX_CHARACTERS or not langcodes.tag_is_valid(given):
        return None
    try:
        return str(langcodes.standardize_tag(given))
    except LanguageTagError:
        return None


def language_name(tag: str, language: str) -> str:
    """What a language is called in another one; the tag where no name is known."""
    try:
        name = str(Language.get(tag).display_name(language))
    except LanguageTagError:
        return tag
    return tag if name.startswith("Unknown language") else name


def own_name(tag: str) -> str:
    """What a language is called in itself; the tag where no name is known."""
    return language_name(tag, tag)


@cache
def known_languages(languages: Sequence[str]) -> tuple[LanguageChoice, ...]:
    """Languages that are named in all `languages` of the interface, by own name: those that people choose from.

    Every other one can be given by its tag.
    """
    from language_data.population_data import LANGUAGE_SPEAKING_POPULATION

    found = []
    for tag in LANGUAGE_SPEAKING_POPULATION:
        if "-" in tag:
            continue
        names = tuple(language_name(tag, language) for language in languages)
        if any(name == tag for name in names):
            continue
        own = own_name(tag)
        found.append(LanguageChoice(tag, own, names))
    return tuple(sorted(found, key=lambda choice: (choice.own_name.casefold(), choice.tag)))
