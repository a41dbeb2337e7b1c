"""Forms of Spanish verbs: regular ones by their endings, common irregular ones from a list.

A form is a tense and a person ("preterite:2" is the third person singular), or "infinitive", "gerund", "participle".
Verbs in -ir with an "e" or "o" that may change, and others that are not in the lists and end like irregular ones, have
their infinitive only: None is better than a word that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from annotator.domain.silver.inflection.spanish_reflexives import is_reflexive
from annotator.domain.silver.inflection.spanish_verbs import (
    DOUBTFUL,
    IR_STEMS,
    IRREGULAR,
    MADE_OF,
    NEVER,
    NO_ZC,
    OTHER,
    PARTICIPLES,
    REGULAR,
    REGULAR_IR,
    STEMS,
    STRESSED_I,
)
from annotator.domain.text.lemmas import lemma_of

INFINITIVE, GERUND, PARTICIPLE = "infinitive", "gerund", "participle"
PAST_SUBJUNCTIVE = "past-subjunctive"
PERSONS = range(6)
_PRONOUNS = ("me", "te", "se", "nos", "os", "se")
_ENDINGS: Mapping[str, Mapping[str, str]] = {
    "present": {"ar": "o as a amos áis an", "er": "o es e emos éis en", "ir": "o es e imos ís en"},
    "imperfect": {
        "ar": "aba abas aba ábamos abais aban",
        "er": "ía ías ía íamos íais ían",
        "ir": "ía ías ía íamos íais ían",
    },
    "preterite": {
        "ar": "é aste ó amos asteis aron",
        "er": "í iste ió imos isteis ieron",
        "ir": "í iste ió imos isteis ieron",
    },
    "subjunctive": {"ar": "e es e emos éis en", "er": "a as a amos áis an", "ir": "a as a amos áis an"},
    PAST_SUBJUNCTIVE: {
        "ar": "ara aras ara áramos arais aran",
        "er": "iera ieras iera iéramos ierais ieran",
        "ir": "iera ieras iera iéramos ierais ieran",
    },
}
_ON_INFINITIVE = {"future": "é ás á emos éis án", "conditional": "ía ías ía íamos íais ían"}
TENSES = (*_ENDINGS, *_ON_INFINITIVE)
_STRONG = "e iste o imos isteis ieron"
# After the stem of a strong preterite; after j and in "fuera" without i.
_STRONG_PAST_SUBJUNCTIVE = "iera ieras iera iéramos ierais ieran"


def _has_zc(verb: str) -> bool:
    """Whether it is made like "conocer", "conozco"."""
    return verb.endswith(("ecer", "ocer", "nacer", "placer", "ucir")) and verb not in NO_ZC


def _has_y(verb: str) -> bool:
    """Whether it is made like "construir", "construye"."""
    return verb.endswith("uir") and not verb.endswith(("guir", "quir"))


def _is_known(verb: str) -> bool:
    if verb in NEVER:
        return False
    if verb in IRREGULAR or verb in OTHER or _has_zc(verb):
        return True
    if verb[-2:] not in ("ar", "er", "ir"):
        return False
    if verb.endswith("ir"):
        vowels = [letter for letter in verb[:-2] if letter in "aeiou"]
        plain = bool(vowels) and (vowels[-1] not in "eo" or _has_y(verb)) and not verb.endswith("decir")
        return verb in REGULAR_IR or verb in IR_STEMS or plain or verb == "cumplir"
    return len(verb) > 2 and (verb in STEMS or verb in REGULAR or not verb.endswith(DOUBTFUL))


_IN_SE = re.compile(r"(\w+[aeáé])s(e|es|emos|eis|en)")
_ENDS_IN_RA = {"e": "", "es": "s", "emos": "mos", "eis": "is", "en": "n"}
# By kind of verb: before these letters of an ending, the end of a stem is written otherwise.
_SPELLINGS = {
    "ar": ("eé", (("gu", "gü"), ("c", "qu"), ("g", "gu"), ("z", "c"))),
    "er": ("aáo", (("c", "z"), ("g", "j"))),
    "ir": ("aáo", (("gu", "g"), ("g", "j"), ("c", "z"))),
}


def _spelt(stem: str, ending: str, kind: str) -> str:
    """Stem and ending, with the spelling that keeps the sound."""
    before, changes = _SPELLINGS[kind]
    if ending[0] in before:
        for last, instead in changes:
            if stem.endswith(last):
                return stem.removesuffix(last) + instead + ending
    if ending[:2] in ("ie", "ié", "ió") and kind != "ar":
        if stem.endswith(("ñ", "ll")):
            # "Gruñó"
            return stem + ending[1:]
        if stem.endswith(("e", "u")) and not stem.endswith(("gu", "qu")):
            # "Leyó", "construyó"
            return f"{stem}y{ending[1:]}"
    if stem.endswith("e") and kind == "er" and ending in ("iste", "imos", "isteis", "ido"):
        # "Leíste"
        return f"{stem}í{ending[1:]}"
    return stem + ending


def inflect(verb: str, form: str) -> str | None:
    """The verb, also a reflexive one ("quedarse": "se queda"), in a form; None where it is not known."""
    reflexive = is_reflexive(verb)
    bare = verb.removesuffix("se") if reflexive else verb
    if form == INFINITIVE:
        return verb if bare.endswith(("ar", "er", "ir", "ír")) else None
    prefix, of = MADE_OF.get(bare, ("", bare))
    if not _is_known(of):
        return None
    if form in (GERUND, PARTICIPLE):
        return None if reflexive else prefix + _unfinite(of, form)
    tense, _colon, person = form.partition(":")
    found = prefix + _finite(of, tense, int(person))
    if found == "sonrio":
        found = "sonrió"
    return f"{_PRONOUNS[int(person)]} {found}" if reflexive else found


def in_ra(word: str) -> str:
    """A past subjunctive in -se with the ending in -ra, which says the same; "" for other words.

    >>> in_ra("tirase"), in_ra("tuviésemos"), in_ra("tira")
    ('tirara', 'tuviéramos', '')
    """
    found = _IN_SE.fullmatch(word)
    return f"{found[1]}ra{_ENDS_IN_RA[found[2]]}" if found else ""


def _unfinite(verb: str, form: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb][4 if form == GERUND else 3]
    stem, kind = verb[:-2], verb[-2:]
    if form == GERUND:
        stem = IR_STEMS[verb][1] if verb in IR_STEMS else stem
        return _spelt(stem, "ando" if kind == "ar" else "iendo", kind)
    return PARTICIPLES.get(verb) or _spelt(stem, "ado" if kind == "ar" else "ido", "ar" if kind == "ar" else "er")


def _finite(verb: str, tense: str, person: int) -> str:
    if tense in OTHER.get(verb, {}):
        return OTHER[verb][tense].split()[person]
    if tense in _ON_INFINITIVE:
        base = IRREGULAR[verb][2] if verb in IRREGULAR else verb
        return base + _ON_INFINITIVE[tense].split()[person]
    if verb in IRREGULAR and (found := _irregular(verb, tense, person)):
        return found
    kind = verb[-2:]
    ending = _ENDINGS[tense][kind].split()[person]
    if _has_zc(verb) and ending[0] in "aáo":
        return f"{verb[:-3]}zc{ending}"
    if verb.endswith("ducir") and tense in ("preterite", PAST_SUBJUNCTIVE):
        return _strong(f"{verb[:-3]}j", tense, person)
    if _has_y(verb) and (ending[0] in "aáoe"):
        return f"{verb[:-2]}y{ending}"
    return _spelt(_stem(verb, tense, person), ending, kind)


def _irregular(verb: str, tense: str, person: int) -> str:
    """The form of a verb of that list; "" where it is as the rules have it."""
    present, strong, *_rest = IRREGULAR[verb]
    if tense == "present":
        return present.split()[person]
    if tense in ("preterite", PAST_SUBJUNCTIVE) and strong:
        return _strong(strong, tense, person)
    if tense == "subjunctive":
        return present.split()[0][:-1] + _ENDINGS[tense][verb[-2:]].split()[person]
    return ""


def _strong(stem: str, tense: str, person: int) -> str:
    """A past that is stressed on its stem: "tuvo", "tradujeron"."""
    ending = (_STRONG if tense == "preterite" else _STRONG_PAST_SUBJUNCTIVE).split()[person]
    return stem + (ending.removeprefix("i") if ending[:2] in ("ie", "ié") and stem.endswith(("j", "fu")) else ending)


def _stem(verb: str, tense: str, person: int) -> str:
    """What stands before the ending."""
    is_stressed = tense in ("present", "subjunctive") and person in (0, 1, 2, 5)
    if verb in IR_STEMS:
        stressed, weak = IR_STEMS[verb]
        is_weak = tense in ("subjunctive", PAST_SUBJUNCTIVE) or (tense == "preterite" and person in (2, 5))
        return stressed if is_stressed else weak if is_weak else verb[:-2]
    if not is_stressed:
        return verb[:-2]
    if verb in STRESSED_I:
        return f"{verb[:-3]}í"
    if verb.endswith("uar") and not verb.endswith(("guar", "cuar")):
        return f"{verb[:-3]}ú"
    return STEMS.get(verb, verb[:-2])


def verb_by_spelling(word: str) -> str:
    """The verb of which a word is a finite form, where the dictionary takes it for a noun ("tira", "pegas"); "" where
    none is found, or several are.

    >>> verb_by_spelling("tira"), verb_by_spelling("pegas"), verb_by_spelling("cara")
    ('tirar', 'pegar', '')
    """
    stems = [
        word.removesuffix(end) for end in ("o", "as", "a", "es", "e", "an", "en", "amos", "emos") if word.endswith(end)
    ]
    made = {f"{stem}{kind}" for stem in stems[:1] if len(stem) > 1 for kind in ("ar", "er", "ir")}
    known = [verb for verb in made if lemma_of(verb, "es") == verb == lemma_of(_regular_gerund(verb), "es")]
    found = [verb for verb in known if any(inflect(verb, f"present:{person}") == word for person in PERSONS)]
    return found[0] if len(found) == 1 else ""


def _regular_gerund(verb: str) -> str:
    return inflect(verb, GERUND) or ""


def verb_of_participle(word: str, lemma: str) -> str:
    """The verb of a participle in -o, which may be a word by itself for the dictionary; "" where none is found.

    >>> verb_of_participle("metido", "metido"), verb_of_participle("hecho", "hecho"), verb_of_participle("codo", "codo")
    ('meter', 'hacer', '')
    """
    stem = word[:-3]
    made = [_IRREGULAR_PARTICIPLES.get(word, ""), lemma, *(f"{stem}{end}" for end in ("ar", "er", "ir", "ír"))]
    known = [verb for verb in made if verb and lemma_of(verb, "es") == verb]
    return next((verb for verb in known if inflect(verb, PARTICIPLE) == word), "")


_IRREGULAR_PARTICIPLES = {
    "hecho": "hacer", "puesto": "poner", "roto": "romper", "visto": "ver", "dicho": "decir", "vuelto": "volver",
    "muerto": "morir", "escrito": "escribir", "abierto": "abrir", "cubierto": "cubrir", "resuelto": "resolver",
}  # fmt: skip


def irregular_verb_of(word: str, lemma: str) -> str:
    """The irregular verb of which a word is a form, where the dictionary has another one: for "sale", "salar"."""
    # The dictionary does not know "caí".
    may_be = lemma.endswith(("ar", "er", "ir")) or (lemma == word and word.endswith("í"))
    is_verb = may_be and lemma not in _TABLED and lemma not in MADE_OF
    return _FORMS_OF_TABLED.get(word, lemma) if is_verb else lemma


_TABLED = IRREGULAR.keys() | OTHER.keys()
_FORMS_OF_TABLED = {
    _finite(verb, tense, person): verb for verb in sorted(_TABLED) for tense in TENSES for person in PERSONS
}
