"""Forms of Spanish verbs: regular ones by their endings, common irregular ones from a list.

A form is a tense and a person ("preterite:2" is the third person singular), or "infinitive", "gerund", "participle".
Verbs in -ir and others that are not in the lists and end like irregular ones have their infinitive only: None is better
than a word that does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping

from annotator.domain.inflection.spanish_reflexives import is_reflexive
from annotator.domain.word_sets import word_set

INFINITIVE, GERUND, PARTICIPLE = "infinitive", "gerund", "participle"
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
    "past-subjunctive": {
        "ar": "ara aras ara áramos arais aran",
        "er": "iera ieras iera iéramos ierais ieran",
        "ir": "iera ieras iera iéramos ierais ieran",
    },
}
_ON_INFINITIVE = {"future": "é ás á emos éis án", "conditional": "ía ías ía íamos íais ían"}
TENSES = (*_ENDINGS, *_ON_INFINITIVE)
_STRONG = "e iste o imos isteis ieron"
# Present, stem of a strong preterite ("" for a regular one), stem of the future, participle, gerund.
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
    "andar": ("ando andas anda andamos andáis andan", "anduv", "andar", "andado", "andando"),
    "ser": ("soy eres es somos sois son", "fu", "ser", "sido", "siendo"),
    "ir": ("voy vas va vamos vais van", "fu", "ir", "ido", "yendo"),
}
# What else is not as the rules have it, word by word.
_OTHER: Mapping[str, Mapping[str, str]] = {
    "dar": {
        "present": "doy das da damos dais dan",
        "preterite": "di diste dio dimos disteis dieron",
        "subjunctive": "dé des dé demos deis den",
        "past-subjunctive": "diera dieras diera diéramos dierais dieran",
    },
    "ver": {
        "present": "veo ves ve vemos veis ven",
        "imperfect": "veía veías veía veíamos veíais veían",
        "preterite": "vi viste vio vimos visteis vieron",
        "subjunctive": "vea veas vea veamos veáis vean",
    },
    "hacer": {"preterite": "hice hiciste hizo hicimos hicisteis hicieron"},
    "decir": {"preterite": "dije dijiste dijo dijimos dijisteis dijeron"},
    "traer": {
        "imperfect": "traía traías traía traíamos traíais traían",
        "preterite": "traje trajiste trajo trajimos trajisteis trajeron",
    },
    "caer": {
        "imperfect": "caía caías caía caíamos caíais caían",
        "preterite": "caí caíste cayó caímos caísteis cayeron",
        "past-subjunctive": "cayera cayeras cayera cayéramos cayerais cayeran",
    },
    "estar": {"subjunctive": "esté estés esté estemos estéis estén"},
    "poder": {"subjunctive": "pueda puedas pueda podamos podáis puedan"},
    "querer": {"subjunctive": "quiera quieras quiera queramos queráis quieran"},
    "saber": {"subjunctive": "sepa sepas sepa sepamos sepáis sepan"},
    "ser": {
        "imperfect": "era eras era éramos erais eran",
        "preterite": "fui fuiste fue fuimos fuisteis fueron",
        "subjunctive": "sea seas sea seamos seáis sean",
    },
    "ir": {
        "imperfect": "iba ibas iba íbamos ibais iban",
        "preterite": "fui fuiste fue fuimos fuisteis fueron",
        "subjunctive": "vaya vayas vaya vayamos vayáis vayan",
    },
}
# After the stem of a strong preterite; after j and in "fuera" without i.
_STRONG_PAST_SUBJUNCTIVE = "iera ieras iera iéramos ierais ieran"
# Irregular verbs of which others are made with a prefix, and these.
_PREFIXED = {
    "tener": "con de man ob re sos entre", "poner": "com dis ex im o pos pro re su", "venir": "con inter pre",
    "traer": "a con dis ex", "hacer": "des", "salir": "sobre", "volver": "de en re des", "entender": "des",
    "caer": "de re", "quebrar": "res",
}  # fmt: skip
_MADE_OF = {prefix + verb: (prefix, verb) for verb, prefixes in _PREFIXED.items() for prefix in prefixes.split()}
_PARTICIPLES = {
    "abrir": "abierto", "cubrir": "cubierto", "descubrir": "descubierto", "escribir": "escrito", "romper": "roto",
    "ver": "visto", "volver": "vuelto", "resolver": "resuelto", "morir": "muerto",
}  # fmt: skip
# The stem where it is stressed, after the infinitive.
_STEM_LIST = """
acertar aciert acordar acuerd acostar acuest almorzar almuerz apostar apuest apretar apriet aprobar aprueb
ascender asciend atender atiend atravesar atravies calentar calient cerrar cierr colar cuel colgar cuelg
comenzar comienz comprobar comprueb confesar confies consolar consuel contar cuent costar cuest defender defiend
demostrar demuestr descender desciend despertar despiert doler duel empezar empiez encender enciend
encontrar encuentr entender entiend enterrar entierr esforzar esfuerz extender extiend
gobernar gobiern jugar jueg manifestar manifiest morder muerd mostrar muestr mover muev negar nieg pensar piens
perder pierd probar prueb quebrar quiebr recomendar recomiend recordar recuerd reforzar refuerz regar rieg
renovar renuev resolver resuelv rodar rued rogar rueg sembrar siembr sentar sient soltar suelt sonar suen soñar sueñ
temblar tiembl tender tiend tostar tuest tropezar tropiez verter viert volar vuel volcar vuelc volver vuelv
"""
_STEMS = dict(zip(_STEM_LIST.split()[::2], _STEM_LIST.split()[1::2], strict=True))
# Verbs in -ir: the stem where it is stressed, and where an i and another vowel follow.
_IR_STEM_LIST = """
advertir adviert advirt arrepentir arrepient arrepint conseguir consigu consigu consentir consient consint
convertir conviert convirt corregir corrig corrig desmentir desmient desmint despedir despid despid
divertir diviert divirt dormir duerm durm elegir elig elig herir hier hir impedir impid impid invertir inviert invirt
medir mid mid mentir mient mint morir muer mur pedir pid pid perseguir persigu persigu preferir prefier prefir
referir refier refir rendir rind rind repetir repit repit seguir sigu sigu sentir sient sint servir sirv sirv
sugerir sugier sugir vestir vist vist
"""
_IR_STEMS = dict(
    zip(
        _IR_STEM_LIST.split()[::3],
        zip(_IR_STEM_LIST.split()[1::3], _IR_STEM_LIST.split()[2::3], strict=True),
        strict=True,
    )
)
# Those that have no -zc-: "mezo".
_NO_ZC = word_set("mecer cocer recocer escocer torcer retorcer")
# Ends like irregular verbs, or like such whose accent changes ("leer", "conocer", "contener", "actuar", "enviar").
_DOUBTFUL = ("eer", "cer", "aer", "ner", "uar", "iar", "olver", "ender")
_REGULAR = word_set(
    "abandonar aliviar anunciar aprender cambiar comprender copiar depender estudiar iniciar limpiar ofender "
    "pronunciar suspender vencer vender"
)
# Of the verbs in -ir, those that are regular; the others may change their stem.
_REGULAR_IR = word_set(
    "abrir aburrir acudir admitir añadir aplaudir asistir asumir compartir confundir cubrir cumplir decidir descubrir "
    "dirigir discutir dividir escribir evadir exigir existir fingir hundir insistir interrumpir invadir ocurrir omitir "
    "partir percibir permitir persuadir presumir prohibir recibir resistir sobrevivir subir sufrir suprimir transmitir "
    "unir vivir"
)
_NEVER = word_set("haber caber oír reír oler valer errar asir satisfacer") | _NO_ZC


def _has_zc(verb: str) -> bool:
    """Whether it is made like "conocer", "conozco"."""
    return verb.endswith(("ecer", "ocer", "nacer")) and verb not in _NO_ZC


def _is_known(verb: str) -> bool:
    if verb in _NEVER or verb[-2:] not in ("ar", "er", "ir"):
        return False
    if verb in _IRREGULAR or verb in _OTHER or _has_zc(verb):
        return True
    if verb.endswith("ir"):
        return verb in _REGULAR_IR or verb in _IR_STEMS
    return len(verb) > 2 and (verb in _STEMS or verb in _REGULAR or not verb.endswith(_DOUBTFUL))


# By kind of verb: before these letters of an ending, the end of a stem is written otherwise.
_SPELLINGS = {
    "ar": ("eé", (("gu", "gü"), ("c", "qu"), ("g", "gu"), ("z", "c"))),
    "er": ("aáo", (("c", "z"), ("g", "j"))),
    "ir": ("aáo", (("gu", "g"), ("g", "j"))),
}


def _spelt(stem: str, ending: str, kind: str) -> str:
    """Stem and ending, with the spelling that keeps the sound."""
    before, changes = _SPELLINGS[kind]
    if ending[0] in before:
        for last, instead in changes:
            if stem.endswith(last):
                return stem.removesuffix(last) + instead + ending
    return stem + ending


def inflect(verb: str, form: str) -> str | None:
    """The verb, also a reflexive one ("quedarse": "se queda"), in a form; None where it is not known."""
    reflexive = is_reflexive(verb)
    bare = verb.removesuffix("se") if reflexive else verb
    if form == INFINITIVE:
        return verb if bare.endswith(("ar", "er", "ir", "ír")) else None
    prefix, of = _MADE_OF.get(bare, ("", bare))
    if not _is_known(of):
        return None
    if form in (GERUND, PARTICIPLE):
        return None if reflexive else prefix + _unfinite(of, form)
    tense, _colon, person = form.partition(":")
    found = prefix + _finite(of, tense, int(person))
    return f"{_PRONOUNS[int(person)]} {found}" if reflexive else found


def _unfinite(verb: str, form: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][4 if form == GERUND else 3]
    stem, kind = verb[:-2], verb[-2:]
    if form == GERUND:
        stem = _IR_STEMS[verb][1] if verb in _IR_STEMS else stem
        return f"{stem}{'ando' if kind == 'ar' else 'iendo'}"
    return _PARTICIPLES.get(verb, f"{stem}{'ado' if kind == 'ar' else 'ido'}")


def _finite(verb: str, tense: str, person: int) -> str:
    if tense in _OTHER.get(verb, {}):
        return _OTHER[verb][tense].split()[person]
    if tense in _ON_INFINITIVE:
        base = _IRREGULAR[verb][2] if verb in _IRREGULAR else verb
        return base + _ON_INFINITIVE[tense].split()[person]
    if verb in _IRREGULAR and (found := _irregular(verb, tense, person)):
        return found
    kind = verb[-2:]
    ending = _ENDINGS[tense][kind].split()[person]
    if _has_zc(verb) and ending[0] in "aáo":
        return f"{verb[:-3]}zc{ending}"
    return _spelt(_stem(verb, tense, person), ending, kind)


def _irregular(verb: str, tense: str, person: int) -> str:
    """The form of a verb of that list; "" where it is as the rules have it."""
    present, strong, *_rest = _IRREGULAR[verb]
    if tense == "present":
        return present.split()[person]
    if tense == "preterite" and strong:
        return strong + _STRONG.split()[person]
    if tense == "past-subjunctive" and strong:
        ending = _STRONG_PAST_SUBJUNCTIVE.split()[person]
        return strong + (ending.removeprefix("i") if strong.endswith(("j", "fu")) else ending)
    if tense == "subjunctive":
        return present.split()[0][:-1] + _ENDINGS[tense][verb[-2:]].split()[person]
    return ""


def _stem(verb: str, tense: str, person: int) -> str:
    """What stands before the ending."""
    is_stressed = tense in ("present", "subjunctive") and person in (0, 1, 2, 5)
    if verb in _IR_STEMS:
        stressed, weak = _IR_STEMS[verb]
        is_weak = tense in ("subjunctive", "past-subjunctive") or (tense == "preterite" and person in (2, 5))
        return stressed if is_stressed else weak if is_weak else verb[:-2]
    return _STEMS.get(verb, verb[:-2]) if is_stressed else verb[:-2]


def irregular_verb_of(word: str, lemma: str) -> str:
    """The irregular verb of which a word is a form, where the dictionary has another one: for "sale", "salar"."""
    # The dictionary does not know "caí".
    may_be = lemma.endswith(("ar", "er", "ir")) or (lemma == word and word.endswith("í"))
    is_verb = may_be and lemma not in _TABLED and lemma not in _MADE_OF
    return _FORMS_OF_TABLED.get(word, lemma) if is_verb else lemma


_TABLED = _IRREGULAR.keys() | _OTHER.keys()
_FORMS_OF_TABLED = {
    _finite(verb, tense, person): verb for verb in sorted(_TABLED) for tense in TENSES for person in PERSONS
}
