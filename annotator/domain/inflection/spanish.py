"""Forms of Spanish verbs: regular ones by their endings, common irregular ones from a list.

A form is a tense and a person ("preterite:2" is the third person singular), or "infinitive", "gerund", "participle".
Verbs in -ir whose stem changes, and others that are not in the lists and end like irregular ones, have their infinitive
only: None is better than a word that does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


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
}
# What else is not as the rules have it, word by word.
_OTHER: Mapping[str, Mapping[str, str]] = {
    "dar": {"present": "doy das da damos dais dan", "preterite": "di diste dio dimos disteis dieron"},
    "ver": {
        "present": "veo ves ve vemos veis ven",
        "imperfect": "veía veías veía veíamos veíais veían",
        "preterite": "vi viste vio vimos visteis vieron",
    },
    "hacer": {"preterite": "hice hiciste hizo hicimos hicisteis hicieron"},
    "decir": {"preterite": "dije dijiste dijo dijimos dijisteis dijeron"},
    "traer": {"preterite": "traje trajiste trajo trajimos trajisteis trajeron"},
    "estar": {"subjunctive": "esté estés esté estemos estéis estén"},
}
_UNKNOWN: Mapping[str, frozenset[str]] = {
    "dar": frozenset({"subjunctive", "past-subjunctive"}),
    "ver": frozenset({"subjunctive", "past-subjunctive"}),
    **dict.fromkeys(_IRREGULAR, frozenset({"past-subjunctive"})),
    "poder": frozenset({"subjunctive", "past-subjunctive"}),
    "querer": frozenset({"subjunctive", "past-subjunctive"}),
}
_PARTICIPLES = {
    "abrir": "abierto", "cubrir": "cubierto", "descubrir": "descubierto", "escribir": "escrito", "romper": "roto",
    "ver": "visto", "volver": "vuelto", "devolver": "devuelto", "resolver": "resuelto", "envolver": "envuelto",
}  # fmt: skip
# The stem where it is stressed, after the infinitive.
_STEM_LIST = """
acertar aciert acordar acuerd acostar acuest almorzar almuerz apostar apuest apretar apriet aprobar aprueb
ascender asciend atender atiend atravesar atravies calentar calient cerrar cierr colar cuel colgar cuelg
comenzar comienz comprobar comprueb confesar confies consolar consuel contar cuent costar cuest defender defiend
demostrar demuestr descender desciend despertar despiert devolver devuelv doler duel empezar empiez encender enciend
encontrar encuentr entender entiend enterrar entierr envolver envuelv esforzar esfuerz extender extiend
gobernar gobiern jugar jueg manifestar manifiest morder muerd mostrar muestr mover muev negar nieg pensar piens
perder pierd probar prueb quebrar quiebr recomendar recomiend recordar recuerd reforzar refuerz regar rieg
renovar renuev resolver resuelv rodar rued rogar rueg sembrar siembr sentar sient soltar suelt sonar suen soñar sueñ
temblar tiembl tender tiend tostar tuest tropezar tropiez verter viert volar vuel volcar vuelc volver vuelv
"""
_STEMS = dict(zip(_STEM_LIST.split()[::2], _STEM_LIST.split()[1::2], strict=True))
# Ends like irregular verbs, or like such whose accent changes ("leer", "conocer", "contener", "actuar", "enviar").
_DOUBTFUL = ("eer", "cer", "aer", "ner", "uar", "iar", "ger", "olver", "ender")
_REGULAR = _words(
    "abandonar aliviar anunciar aprender cambiar comprender copiar depender estudiar iniciar limpiar ofender "
    "pronunciar suspender vencer vender"
)
# Of the verbs in -ir, those that are regular; the others may change their stem.
_REGULAR_IR = _words(
    "abrir aburrir acudir admitir añadir aplaudir asistir compartir confundir cubrir cumplir decidir descubrir "
    "discutir dividir escribir evadir existir hundir insistir interrumpir invadir ocurrir omitir partir "
    "percibir permitir persuadir presumir prohibir recibir resistir sobrevivir subir sufrir suprimir transmitir "
    "unir vivir"
)
_NEVER = _words("ser ir haber saber caber caer oír reír oler valer andar errar asir satisfacer")


def _is_known(verb: str) -> bool:
    if verb in _NEVER or verb[-2:] not in ("ar", "er", "ir") or len(verb) < 3:
        return False
    if verb in _IRREGULAR or verb in _OTHER:
        return True
    if verb.endswith("ir"):
        return verb in _REGULAR_IR
    return verb in _STEMS or verb in _REGULAR or not verb.endswith(_DOUBTFUL)


def _spelt(stem: str, ending: str, kind: str) -> str:
    """Stem and ending, with the spelling that keeps the sound."""
    if kind == "ar" and ending[0] in "eé":
        for last, before_e in (("gu", "gü"), ("c", "qu"), ("g", "gu"), ("z", "c")):
            if stem.endswith(last):
                stem = stem.removesuffix(last) + before_e
                break
    elif kind == "er" and ending[0] in "aáo" and stem.endswith("c"):
        stem = stem.removesuffix("c") + "z"
    return stem + ending


class Spanish:
    """Spanish verbs, reflexive ones too ("quedarse": "se queda")."""

    def inflect(self, verb: str, form: str) -> str | None:
        reflexive = verb.endswith(("arse", "erse", "irse"))
        bare = verb.removesuffix("se") if reflexive else verb
        if form == INFINITIVE:
            return verb
        if not _is_known(bare) or (bare in _UNKNOWN and form.partition(":")[0] in _UNKNOWN[bare]):
            return None
        if form in (GERUND, PARTICIPLE):
            return None if reflexive else self._unfinite(bare, form)
        tense, _colon, person = form.partition(":")
        found = self._finite(bare, tense, int(person))
        return f"{_PRONOUNS[int(person)]} {found}" if reflexive else found

    def forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        finite = [f"{tense}:{person}" for tense in TENSES for person in PERSONS]
        return frozenset(
            form for form in (INFINITIVE, GERUND, PARTICIPLE, *finite) if self.inflect(lemma, form) == word
        )

    def _unfinite(self, verb: str, form: str) -> str:
        if verb in _IRREGULAR:
            return _IRREGULAR[verb][4 if form == GERUND else 3]
        stem, kind = verb[:-2], verb[-2:]
        if form == GERUND:
            return f"{stem}{'ando' if kind == 'ar' else 'iendo'}"
        return _PARTICIPLES.get(verb, f"{stem}{'ado' if kind == 'ar' else 'ido'}")

    def _finite(self, verb: str, tense: str, person: int) -> str:
        stem, kind = verb[:-2], verb[-2:]
        if tense in _OTHER.get(verb, {}):
            return _OTHER[verb][tense].split()[person]
        if tense in _ON_INFINITIVE:
            base = _IRREGULAR[verb][2] if verb in _IRREGULAR else verb
            return base + _ON_INFINITIVE[tense].split()[person]
        if verb in _IRREGULAR:
            present, strong, *_rest = _IRREGULAR[verb]
            if tense == "present":
                return present.split()[person]
            if tense == "preterite" and strong:
                return strong + _STRONG.split()[person]
            if tense == "subjunctive":
                return present.split()[0][:-1] + _ENDINGS[tense][kind].split()[person]
        ending = _ENDINGS[tense][kind].split()[person]
        if tense in ("present", "subjunctive") and person in (0, 1, 2, 5):
            stem = _STEMS.get(verb, stem)
        return _spelt(stem, ending, kind)


SPANISH = Spanish()
