"""Language codes, and where the words of a language are looked up."""

from __future__ import annotations


def base_language(language: str) -> str:
    """The language without its region, in lower case: "es" for "es-MX"."""
    return language.replace("_", "-").split("-")[0].lower()


def dictionaries(language: str) -> list[dict[str, str]]:
    """Dictionaries on the web, `{name, url}` each; the page fills {lemma} in."""
    return _DICTIONARIES.get(base_language(language), [])


_DICTIONARIES = {
    "es": [{"name": "DLE", "url": "https://dle.rae.es/{lemma}"}],
    "en": [
        {"name": "Longman", "url": "https://www.ldoceonline.com/dictionary/{lemma}"},
        {"name": "Cambridge", "url": "https://dictionary.cambridge.org/dictionary/english/{lemma}"},
    ],
}
