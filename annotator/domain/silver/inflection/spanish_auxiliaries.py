"""What a Spanish expression has before its own verb: "quiso tirar la toalla", "ha metido la pata", "no dio pie".

A definition says nothing of it. Where nothing follows the infinitive, both are the expression ("fue a parar").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.silver.inflection.spanish_reflexives import OBJECTS, is_reflexive
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.domain.text.word_sets import word_set

HABER = word_set(
    "he has ha hemos habéis han había habías habíamos habíais habían hubo hubieron habré habrás habrá habremos habréis "
    "habrán habría habrías habríamos habríais habrían haya hayas hayamos hayáis hayan hubiera hubieras hubiéramos "
    "hubierais hubieran hubiese hubieses hubiésemos hubieseis hubiesen haber habiendo"
)
# By a pronoun, the forms before which it is reflexive.
OWN_HABER = {
    "me": word_set("he había habré habría haya hubiera hubiese"),
    "te": word_set("has habías habrás habrías hayas hubieras hubieses"),
    "se": word_set(
        "ha han había habían habrá habrán habría habrían haya hayan hubo hubieron hubiera hubieran hubiese hubiesen"
    ),
    "nos": word_set("hemos habíamos habremos habríamos hayamos hubiéramos hubiésemos"),
    "os": word_set("habéis habíais habréis habríais hayáis hubierais hubieseis"),
}
PARTICIPLE_ENDS = ("ado", "ido", "ído", "cho", "sto", "rto", "elto", "oto", "ito")
_BEFORE_INFINITIVE = word_set(
    "querer poder deber soler ir haber tener acabar empezar comenzar volver dejar lograr conseguir intentar tratar "
    "pensar decidir necesitar parecer llegar estar preferir evitar esperar"
)
_BEFORE_GERUND = word_set("estar seguir ir andar continuar llevar")
# Expressions by themselves, whatever follows: "quiere decir", "tiene que ver", "fue a parar".
_ONE_VERB = frozenset(
    {
        ("querer", "decir"),
        ("tener", "ver"),
        ("ir", "parar"),
        ("dejar", "caer"),
        ("dejar", "correr"),
        ("volver", "nacer"),
    }
)
_BETWEEN = word_set("a de que por ya no nunca siempre casi aún todavía también")
_NEGATIONS = word_set("no nunca jamás")
_FORMS_OF_IR = word_set(
    "voy vas va vamos vais van iba ibas íbamos ibais iban fui fuiste fue fuimos fuisteis fueron vaya "
    "vayas vayamos vayan"
)

FORMS_OF_SER = word_set(
    "soy eres es somos sois son era eras éramos erais eran fui fuiste fue fuimos fuisteis fueron seré serás será "
    "seremos seréis serán sería serías seríamos seríais serían sea seas seamos seáis sean fuera fueras fuéramos "
    "fuerais fueran fuese fueses fuésemos fueseis fuesen ser sido siendo"
)
_PARTICIPLE = re.compile(rf"\w+(?:{'|'.join(end[:-1] for end in PARTICIPLE_ENDS)})[oa]s?")
# They take no object, so that they have no passive.
_WITHOUT_OBJECT = word_set(
    "actuar arruinarse caer callar comparecer crecer dormir existir fallar fracasar huir llegar llorar mentir morir "
    "nacer parecer quedar reír salir ser estar sobrevivir sufrir trabajar triunfar venir vivir volver"
)


def is_passive(marked: Sequence[str]) -> bool:
    """Whether an expression begins with a form of "ser" and a participle: "fue tomada por tonta"."""
    words = [word_of(token) for token in marked]
    return len(words) > 1 and words[0] in FORMS_OF_SER and _PARTICIPLE.fullmatch(words[1]) is not None


def stands_for_passive(verb: str, rest: Sequence[str]) -> bool:
    """Whether a definition's verb may stand in the place of a passive as it is, since it has an object, or can have
    none."""
    has_object = bool(rest) and word_of(rest[0]) not in _PREPOSITIONS and not word_of(rest[0]).endswith("mente")
    return has_object or is_reflexive(verb) or verb in _WITHOUT_OBJECT


_PREPOSITIONS = word_set("a al con contra de del en por para sin sobre mal bien mucho muy")


def left_out(tokens: Sequence[str], begin: int, end: int) -> str:
    """What stands there before the expression's own verb; "" where nothing does."""
    words = [word_of(token) for token in tokens[begin:end]]
    if words[0] in _NEGATIONS and len(words) > 1:
        return words[0]
    while len(words) > 1 and words[0] in OBJECTS:
        words = words[1:]
    first = words[0]
    lemma = "ir" if first in _FORMS_OF_IR else lemma_of(first, "es")
    at = 1
    while at < len(words) and words[at] in _BETWEEN:
        at += 1
    if at == len(words):
        return ""
    word = words[at]
    if first in HABER and word.endswith(PARTICIPLE_ENDS):
        return first
    if lemma in _BEFORE_GERUND and word.endswith("ndo") and lemma_of(word, "es").endswith(("ar", "er", "ir", "ír")):
        return first
    is_infinitive = lemma_of(word, "es").endswith(("ar", "er", "ir", "ír")) and word.startswith(lemma_of(word, "es"))
    is_before = (lemma in _BEFORE_INFINITIVE and (lemma, word) not in _ONE_VERB) or first in HABER
    return first if is_before and is_infinitive and at + 1 < len(words) else ""
