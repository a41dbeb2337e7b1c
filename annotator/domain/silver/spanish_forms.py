"""Forms of Spanish verbs: regular by their endings, changes of stem as the dictionary has them, irregular ones by list.

A form is a tense and a person ("preterite:2" is the third person singular), or "infinitive", "gerund", "participle".
What is made by rule has to be in the dictionary: no form is better than a word that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import is_in_dictionary, lemma_of

INFINITIVE, GERUND, PARTICIPLE = "infinitive", "gerund", "participle"
PERSONS = range(6)
_ENDINGS: Mapping[str, Mapping[str, str]] = {
    "present": {"ar": "o as a amos áis an", "er": "o es e emos éis en", "ir": "o es e imos ís en"},
    "imperfect": {"ar": "aba abas aba ábamos abais aban", "er": "ía ías ía íamos íais ían"},
    "preterite": {"ar": "é aste ó amos asteis aron", "er": "í iste ió imos isteis ieron"},
    "subjunctive": {"ar": "e es e emos éis en", "er": "a as a amos áis an"},
    "past-subjunctive": {"ar": "ara aras ara áramos arais aran", "er": "iera ieras iera iéramos ierais ieran"},
}
_ON_INFINITIVE = {"future": "é ás á emos éis án", "conditional": "ía ías ía íamos íais ían"}
TENSES = (*_ENDINGS, *_ON_INFINITIVE)
FORMS = (INFINITIVE, GERUND, PARTICIPLE, *(f"{tense}:{person}" for tense in TENSES for person in PERSONS))
_STRONG = "e iste o imos isteis ieron"
# Present, stem of a strong preterite ("" for a regular one), stem of the future, participle, gerund; others are made
# with a prefix.
_IRREGULAR: Mapping[str, tuple[str, str, str, str, str]] = {
    "hacer": ("hago haces hace hacemos hacéis hacen", "hic", "har", "hecho", "haciendo"),
    "tener": ("tengo tienes tiene tenemos tenéis tienen", "tuv", "tendr", "tenido", "teniendo"),
    "poner": ("pongo pones pone ponemos ponéis ponen", "pus", "pondr", "puesto", "poniendo"),
    "venir": ("vengo vienes viene venimos venís vienen", "vin", "vendr", "venido", "viniendo"),
    "decir": ("digo dices dice decimos decís dicen", "dij", "dir", "dicho", "diciendo"),
    "traer": ("traigo traes trae traemos traéis traen", "traj", "traer", "traído", "trayendo"),
    "salir": ("salgo sales sale salimos salís salen", "", "saldr", "salido", "saliendo"),
    "estar": ("estoy estás está estamos estáis están", "estuv", "estar", "estado", "estando"),
    "poder": ("puedo puedes puede podemos podéis pueden", "pud", "podr", "podido", "pudiendo"),
    "querer": ("quiero quieres quiere queremos queréis quieren", "quis", "querr", "querido", "queriendo"),
    "saber": ("sé sabes sabe sabemos sabéis saben", "sup", "sabr", "sabido", "sabiendo"),
    "caer": ("caigo caes cae caemos caéis caen", "", "caer", "caído", "cayendo"),
    "oír": ("oigo oyes oye oímos oís oyen", "", "oir", "oído", "oyendo"),
    "reír": ("río ríes ríe reímos reís ríen", "", "reir", "reído", "riendo"),
    "caber": ("quepo cabes cabe cabemos cabéis caben", "cup", "cabr", "cabido", "cabiendo"),
    "valer": ("valgo vales vale valemos valéis valen", "", "valdr", "valido", "valiendo"),
    "andar": ("ando andas anda andamos andáis andan", "anduv", "andar", "andado", "andando"),
    "ducir": ("duzco duces duce ducimos ducís ducen", "duj", "ducir", "ducido", "duciendo"),
    "ver": ("veo ves ve vemos veis ven", "", "ver", "visto", "viendo"),
    "dar": ("doy das da damos dais dan", "", "dar", "dado", "dando"),
    "haber": ("he has ha hemos habéis han", "hub", "habr", "habido", "habiendo"),
    "ser": ("soy eres es somos sois son", "fu", "ser", "sido", "siendo"),
    "ir": ("voy vas va vamos vais van", "fu", "ir", "ido", "yendo"),
}
# What else is not as the rules have it.
_OTHER: Mapping[tuple[str, str], str] = {
    ("dar", "preterite"): "di diste dio dimos disteis dieron",
    ("dar", "subjunctive"): "dé des dé demos deis den",
    ("dar", "past-subjunctive"): "diera dieras diera diéramos dierais dieran",
    ("ver", "imperfect"): "veía veías veía veíamos veíais veían",
    ("ver", "preterite"): "vi viste vio vimos visteis vieron",
    ("hacer", "preterite"): "hice hiciste hizo hicimos hicisteis hicieron",
    ("caer", "preterite"): "caí caíste cayó caímos caísteis cayeron",
    ("caer", "past-subjunctive"): "cayera cayeras cayera cayéramos cayerais cayeran",
    ("oír", "preterite"): "oí oíste oyó oímos oísteis oyeron",
    ("oír", "past-subjunctive"): "oyera oyeras oyera oyéramos oyerais oyeran",
    ("reír", "preterite"): "reí reíste rio reímos reísteis rieron",
    ("reír", "past-subjunctive"): "riera rieras riera riéramos rierais rieran",
    ("reír", "subjunctive"): "ría rías ría riamos riáis rían",
    ("estar", "subjunctive"): "esté estés esté estemos estéis estén",
    ("poder", "subjunctive"): "pueda puedas pueda podamos podáis puedan",
    ("querer", "subjunctive"): "quiera quieras quiera queramos queráis quieran",
    ("saber", "subjunctive"): "sepa sepas sepa sepamos sepáis sepan",
    ("haber", "subjunctive"): "haya hayas haya hayamos hayáis hayan",
    ("ser", "imperfect"): "era eras era éramos erais eran",
    ("ser", "preterite"): "fui fuiste fue fuimos fuisteis fueron",
    ("ser", "subjunctive"): "sea seas sea seamos seáis sean",
    ("ir", "imperfect"): "iba ibas iba íbamos ibais iban",
    ("ir", "preterite"): "fui fuiste fue fuimos fuisteis fueron",
    ("ir", "subjunctive"): "vaya vayas vaya vayamos vayáis vayan",
}
_PARTICIPLES = {
    "abrir": "abierto", "cubrir": "cubierto", "scribir": "scrito", "romper": "roto", "solver": "suelto",
    "volver": "vuelto", "morir": "muerto", "imprimir": "impreso",
}  # fmt: skip
# They have other accents than the verb that they are made of, or none of these forms.
_NEVER = ("prever", "entrever")
_PRONOUNS = ("me", "te", "se", "nos", "os", "se")
# By kind of verb: before these letters of an ending, the end of a stem is written otherwise.
_SPELLINGS = {
    "ar": ("eé", (("gu", "gü"), ("c", "qu"), ("g", "gu"), ("z", "c"))),
    "er": ("aáo", (("c", "z"), ("g", "j"))),
    "ir": ("aáo", (("gu", "g"), ("g", "j"), ("c", "z"))),
}
# Back again: "toques" is of "tocar".
_SPELT = (("c", "qu"), ("g", "gu"), ("z", "c"), ("g", "j"), ("c", "z"), ("c", "zc"))
# By the last vowel of a stem what it may be where it is stressed.
_CHANGES = (("e", "ie"), ("o", "ue"), ("u", "ue"), ("u", "ú"), ("i", "í"), ("i", "ie"))


@lru_cache(maxsize=50_000)
def inflect(verb: str, form: str) -> str:
    """The verb, also a reflexive one ("quedarse": "se queda"), in a form; "" where it is not known.

    >>> inflect("jugar", "present:2"), inflect("quedarse", "preterite:0"), inflect("suponer", "participle")
    ('juega', 'me quedé', 'supuesto')
    """
    reflexive = is_reflexive(verb)
    bare = verb.removesuffix("se") if reflexive else verb
    if form == INFINITIVE:
        return verb if bare.endswith(("ar", "er", "ir", "ír")) else ""
    if not re.fullmatch(r"\w*[aeií]r", bare) or bare in _NEVER or (reflexive and ":" not in form):
        return ""
    made = _made(bare, form)
    if bare not in _IRREGULAR and not is_in_dictionary(made, "es"):
        return ""
    return f"{_PRONOUNS[int(form[-1])]} {made}" if reflexive else made


def is_reflexive(infinitive: str) -> bool:
    return infinitive.endswith(("arse", "erse", "irse", "írse"))


@lru_cache(maxsize=50_000)
def forms_of(word: str, verb: str) -> frozenset[str]:
    """The forms that a word may be of a verb."""
    found = frozenset(form for form in FORMS if inflect(verb, form) == word)
    return found if found or _in_ra(word) == word else forms_of(_in_ra(word), verb)


def _in_ra(word: str) -> str:
    """A past subjunctive in -se with the ending in -ra, which says the same: "tirase", "tirara"."""
    return re.sub(r"(?<=[aeáé])se(s|mos|is|n)?$", r"ra\1", word)


@lru_cache(maxsize=50_000)
def verb_of(word: str) -> str:
    """The verb of which a word in lower case may be a form, an irregular one first; "" for none.

    >>> verb_of("sale"), verb_of("tira"), verb_of("metido"), verb_of("cara")
    ('salir', 'tirar', 'meter', '')
    """
    if word in _FORMS_OF_IRREGULAR:
        return _FORMS_OF_IRREGULAR[word]
    if word in function_words("es"):
        return ""
    return next((verb for verb in _candidates(word) if forms_of(word, verb)), "")


def _candidates(word: str) -> Iterator[str]:
    """Infinitives in the dictionary of which a word may be a form."""
    word = _in_ra(word) if not is_in_dictionary(word, "es") or word.endswith("ésemos") else word
    yield lemma_of(word, "es")
    irregular = {made: verb for verb, made in _PARTICIPLES.items()}
    yield from (word.removesuffix(made) + verb for made, verb in irregular.items() if word.endswith(made))
    for kind in ("ar", "er", "ir"):
        endings = {end for tense in _ENDINGS.values() for end in tense.get(kind, tense["er"]).split()}
        for end in (*endings, "ado" if kind == "ar" else "ido"):
            stem = word.removesuffix(end)
            if stem != word and len(stem) > 1:
                spelt = {stem, *(re.sub(f"{new}$", old, stem) for old, new in _SPELT)}
                for plain in {
                    re.sub(rf"{new}(?=[^aeiou]*$)", old, one) for one in spelt for old, new in _CHANGES
                } | spelt:
                    if lemma_of(plain + kind, "es") == plain + kind and is_in_dictionary(plain + kind, "es"):
                        yield plain + kind


def _made(verb: str, form: str) -> str:
    prefix, base = _irregular(verb)
    if base:
        made = prefix + _of_irregular(base, form)
        return "sonrió" if made == "sonrio" else made
    stem, kind = verb[:-2], verb[-2:]
    if form == PARTICIPLE:
        known = next((one for one in _PARTICIPLES if verb.endswith(one)), "")
        ending = "ado" if kind == "ar" else "ido"
        return (
            verb.removesuffix(known) + _PARTICIPLES[known]
            if known
            else _spelt(stem, ending, kind if kind == "ar" else "er")
        )
    if form == GERUND:
        return _spelt(_weak(verb), "ando" if kind == "ar" else "iendo", kind)
    tense, _colon, person = form.partition(":")
    if tense in _ON_INFINITIVE:
        return verb + _ON_INFINITIVE[tense].split()[int(person)]
    ending = _ENDINGS[tense].get(kind, _ENDINGS[tense]["er"]).split()[int(person)]
    takes_zc = kind != "ar" and lemma_of(f"{stem[:-1]}zco", "es") == verb
    if takes_zc and ending[0] in "aáo" and tense in ("present", "subjunctive"):
        return f"{stem[:-1]}zc{ending}"
    if verb.endswith("uir") and not verb.endswith(("guir", "quir")) and ending[0] in "aáoe":
        return f"{stem}y{ending}"
    if tense in ("present", "subjunctive") and person in "0125":
        stem = _stressed(verb)
    elif tense in ("subjunctive", "past-subjunctive") or (tense == "preterite" and person in "25"):
        stem = _weak(verb)
    return _spelt(stem, ending, kind)


@lru_cache(maxsize=5_000)
def _irregular(verb: str) -> tuple[str, str]:
    """The prefix and the verb of that list of which a verb is made; both "" for another one."""
    for base, (present, strong, *_rest) in _IRREGULAR.items():
        prefix = verb.removesuffix(base)
        if verb == base or (
            prefix != verb
            and is_in_dictionary(first := prefix + present.split()[0], "es")
            and lemma_of(first, "es") == verb
            and (not strong or is_in_dictionary(f"{prefix}{strong}iste", "es"))
        ):
            return prefix, base
    return "", ""


def _of_irregular(verb: str, form: str) -> str:
    present, strong, future, participle, gerund = _IRREGULAR[verb]
    if form in (PARTICIPLE, GERUND):
        return participle if form == PARTICIPLE else gerund
    tense, _colon, person = form.partition(":")
    at = int(person)
    if (verb, tense) in _OTHER:
        return _OTHER[verb, tense].split()[at]
    if tense in _ON_INFINITIVE:
        return future + _ON_INFINITIVE[tense].split()[at]
    if tense == "present":
        return present.split()[at]
    if tense == "subjunctive":
        return present.split()[0][:-1] + _ENDINGS[tense]["ar" if verb.endswith("ar") else "er"].split()[at]
    if strong and tense != "imperfect":
        ending = (_STRONG if tense == "preterite" else _ENDINGS[tense]["er"]).split()[at]
        return strong + (
            ending.removeprefix("i") if ending[0] == "i" and ending[1] in "eé" and strong[-1] in "ju" else ending
        )
    return verb[:-2] + _ENDINGS[tense].get(verb[-2:], _ENDINGS[tense]["er"]).split()[at]


@lru_cache(maxsize=5_000)
def _stressed(verb: str) -> str:
    """The stem where it is stressed: the changed one, where the dictionary has some of its forms for this verb."""
    stem, kind, weak = verb[:-2], verb[-2:], _weak(verb)
    changed = [change(stem, old, new) for old, new in _CHANGES]
    if weak != stem and stem.endswith("gu"):
        return weak
    if weak != stem:
        # "Pide", but "siente": the dictionary may have it for another verb, "sentar".
        is_diphthong = (one for one in changed if one != stem and is_in_dictionary(_spelt(one, "e", kind), "es"))
        return next(is_diphthong, weak)
    ends = ("o as a an e es en" if kind == "ar" else "o es e en a as an").split()
    known = (one for one in changed if sum(lemma_of(_spelt(one, end, kind), "es") == verb for end in ends) > 2)
    return next((one for one in known if one != stem), stem)


@lru_cache(maxsize=5_000)
def _weak(verb: str) -> str:
    """The stem of a verb in -ir before an i and another vowel: "durmió"."""
    stem = verb[:-2]
    changed = change(change(stem, "e", "i"), "o", "u")
    known, plain = (is_in_dictionary(_spelt(one, "ieron", "ir"), "es") for one in (changed, stem))
    is_own = lemma_of(_spelt(changed, "ieron", "ir"), "es") == verb
    return changed if verb.endswith("ir") and known and (is_own or not plain) else stem


def change(stem: str, old: str, new: str) -> str:
    """A stem with its last vowel changed, where it is `old`; of "gu" and "qu", the u is none.

    >>> change("segu", "e", "i"), change("jug", "u", "ue"), change("avergonz", "o", "ue"), change("ol", "o", "ue")
    ('sigu', 'jueg', 'avergüenz', 'huel')
    """
    if old == "u" and stem.endswith(("gu", "qu")):
        return stem
    new = "hue" if new == "ue" and stem.startswith(old) else new
    new = "üe" if new == "ue" and re.search(rf"g{old}[^aeiou]*$", stem) else new
    return re.sub(rf"{old}((?:[^aeiouáéíóú]|(?<=[gq])u$)*)$", rf"{new}\1", stem)


def _spelt(stem: str, ending: str, kind: str) -> str:
    """Stem and ending, with the spelling that keeps the sound."""
    before, changes = _SPELLINGS[kind]
    if ending[0] in before:
        for last, instead in changes:
            if stem.endswith(last):
                return stem.removesuffix(last) + instead + ending
    if kind != "ar" and ending[:2] in ("ie", "ié", "ió"):
        if stem.endswith(("ñ", "ll")):
            return stem + ending[1:]
        if stem.endswith(("e", "u")) and not stem.endswith(("gu", "qu")):
            return f"{stem}y{ending[1:]}"
    if stem.endswith("e") and kind == "er" and ending in ("iste", "imos", "isteis", "ido"):
        return f"{stem}í{ending[1:]}"
    return stem + ending


_FORMS_OF_IRREGULAR = {
    made: verb
    for verb in sorted(_IRREGULAR.keys() - {"ducir"}, key=lambda verb: (verb == "ser", verb))
    for form in FORMS
    if (made := verb if form == INFINITIVE else _of_irregular(verb, form))
}
