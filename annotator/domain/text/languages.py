"""What is known of languages by their tags (BCP 47): base language, script, direction, spaces, dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from annotator.domain.text.word_sets import word_set

Direction = Literal["ltr", "rtl"]


_RTL_SCRIPTS = word_set("Adlm Arab Aran Armi Hebr Mand Nkoo Phnx Rohg Samr Syrc Thaa")
# Languages that are written from right to left unless their tag names another script (CLDR, likely subtags).
_RTL_LANGUAGES = word_set(
    "aeb aii ajp apc apd ar arc arq ars ary arz azb bal bgn bqi ckb dv fa fay glk hac haz he iw khw ks lki lrc mzn nqo "
    "pes pnb prs ps rhg sam sd sdh skr syr ug ur uzs yi yid"
)
_UNSPACED_SCRIPTS = word_set("Hani Hans Hant Hira Jpan Kana Khmr Laoo Mymr Thai")
_UNSPACED_LANGUAGES = word_set("cdo cjy cmn gan hak hsn ja km lo lzh mnp my nan th wuu yue zh")


def base_language(language: str) -> str:
    """The language without its region, in lower case: "es" for "es-MX"."""
    return language.replace("_", "-").split("-")[0].lower()


def direction(language: str) -> Direction:
    """How the language is written: "rtl" for "ar", "fa" or "az-Arab", "ltr" for "es", "ar-Latn" and unknown ones."""
    return "rtl" if _written(language, _RTL_SCRIPTS, _RTL_LANGUAGES) else "ltr"


def is_spaced(language: str) -> bool:
    """Whether spaces stand between words: not in zh, ja, th and the like."""
    return not _written(language, _UNSPACED_SCRIPTS, _UNSPACED_LANGUAGES)


def dictionaries(
    language: str, overrides: Mapping[str, Sequence[Mapping[str, str]]] | None = None
) -> list[dict[str, str]]:
    """Dictionaries on the web, `{name, url}` each; the page fills {lemma} in, percent-encoded.

    `overrides` are a project's own, by language tag; the tag itself counts before the base language, and an empty list
    means none. Without them, those that this module knows.
    """
    for tag in (language, base_language(language)):
        if overrides and tag in overrides:
            return [dict(dictionary) for dictionary in overrides[tag]]
    return [{"name": name, "url": url} for name, url in _DICTIONARIES.get(base_language(language), ())]


def _written(language: str, scripts: frozenset[str], languages: frozenset[str]) -> bool:
    """By the script that the tag names; without one, by the language."""
    for part in language.replace("_", "-").split("-"):
        if len(part) == 1:  # private use and extensions follow
            break
        if len(part) == 4 and part.isalpha():
            return part.title() in scripts
    return base_language(language) in languages


# Addresses that search, where a page of its own needs what a lemma does not tell (capitals, the number of a homograph).
_DICTIONARIES: dict[str, tuple[tuple[str, str], ...]] = {
    "ca": (("DIEC2", "https://dlc.iec.cat/Results?DecEntradaText={lemma}"),),
    "de": (("DWDS", "https://www.dwds.de/?q={lemma}"),),
    "en": (
        ("Longman", "https://www.ldoceonline.com/dictionary/{lemma}"),
        ("Cambridge", "https://dictionary.cambridge.org/dictionary/english/{lemma}"),
    ),
    "es": (("DLE", "https://dle.rae.es/{lemma}"),),
    "eu": (("Elhuyar", "https://hiztegiak.elhuyar.eus/eu/{lemma}"),),
    "fr": (("CNRTL", "https://www.cnrtl.fr/definition/{lemma}"),),
    "gl": (("DRAG", "https://academia.gal/dicionario/-/termo/{lemma}"),),
    "it": (("Treccani", "https://www.treccani.it/vocabolario/ricerca/{lemma}/"),),
    "pt": (("Priberam", "https://dicionario.priberam.org/{lemma}"),),
}
