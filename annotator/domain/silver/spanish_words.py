"""Gender and number of Spanish words, as their form or a short list says: nouns, determiners, names, adjectives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import is_in_dictionary, lemma_of
from annotator.domain.text.word_sets import word_set


class Gender(StrEnum):
    MASCULINE = "masculine"
    FEMININE = "feminine"


_DETERMINERS: dict[tuple[Gender | None, bool], str] = {
    (Gender.MASCULINE, False): "un el del al este ese aquel otro algún ningún nuestro vuestro",
    (Gender.FEMININE, False): "una la esta esa aquella otra alguna ninguna nuestra vuestra",
    (Gender.MASCULINE, True): "unos los estos esos aquellos otros algunos nuestros vuestros",
    (Gender.FEMININE, True): "unas las estas esas aquellas otras algunas nuestras vuestras",
    (None, False): "mi tu su cada",
    (None, True): "mis tus sus",
}
# By determiner its gender, where it has one, and whether it is plural.
DETERMINERS = {word: said for said, words in _DETERMINERS.items() for word in words.split()}
_GENDERS: dict[str, Gender | None] = {
    word: gender
    for gender, words in {
        Gender.MASCULINE: "accidente ambiente animal buen chiste coche defecto desastre detalle error final fin golpe "
        "hombre incidente jefe lugar nombre padre papel plan primer tercer problema sistema tema",
        Gender.FEMININE: "base calle clase frase gente imagen ley luz madre mano mente muerte mujer noche nube parte "
        "razón señal suerte vez voz",
        # They end like others and are not, or are both.
        None: "día mapa planeta poeta idiota atleta pirata patriota guía policía cura colega camarada foto moto radio "
        "modelo testigo piloto soprano flor labor mayor menor mejor peor sofá nada poco mucho demasiado medio solo "
        "sólo tanto cuanto luego pronto dentro cerca fuera nunca ahora todavía quizá cero cuatro cinco ocho",
    }.items()
    for word in words.split()
}
_ENDINGS: tuple[tuple[Gender | None, re.Pattern[str]], ...] = (
    (None, re.compile(r"\w*(?:ma|ista|cida|ndo|ior)")),
    (Gender.FEMININE, re.compile(r"\w+(?:[cstxg]ión|dad|tad|tud|umbre|a)")),
    (Gender.MASCULINE, re.compile(r"\w+(?:o|aje|or)")),
)
_PLURAL = re.compile(r"\w{2,}[aeo]s")
_NO_PLURALS = word_set(
    "lunes martes miércoles jueves viernes paraguas caos cosmos atlas menos antes lejos apenas entonces cumpleaños"
)


def is_plural(word: str) -> bool:
    """Whether a noun or adjective, in lower case, is plural as its ending says."""
    return _PLURAL.fullmatch(word) is not None and word not in _NO_PLURALS


def gender_of(word: str) -> Gender | None:
    """The gender of a noun or adjective in lower case; None where its form does not say."""
    if is_plural(word):
        long = {"iones": "ión", "dades": "dad", "tades": "tad", "tudes": "tud", "ores": "or"}
        ending = next((ending for ending in long if word.endswith(ending)), "s")
        word = word.removesuffix(ending) + long.get(ending, "")
    if word in _GENDERS:
        return _GENDERS[word]
    return next((gender for gender, ending in _ENDINGS if ending.fullmatch(word)), None)


_WOMEN = word_set(
    "carmen isabel pilar mercedes dolores rosario consuelo amparo socorro beatriz inés raquel esther ester ruth luz "
    "nieves ángeles soledad montserrat itziar miren leire maite irene noemí belén concepción asunción encarnación "
    "remedios lourdes milagros paz judit edurne ane matilde clotilde marisol maribel mariluz loli mari"
)
_MEN = word_set(
    "juan josé manuel ángel miguel rafael daniel david carlos luis jesús javier andrés tomás joaquín martín agustín "
    "ramón fermín víctor héctor iker mikel jon xabier gorka unai ander asier julen borja luca nicolás lucas matías "
    "elías jonás garikoitz aitor raúl vicente felipe jaime enrique jorge félix óscar césar iván adrián sebastián "
    "julián germán gaspar samuel gabriel joel abel israel ismael chema josema"
)


def gender_of_name(word: str) -> Gender | None:
    """The gender of a first name, or of a place: by a short list, else by its end."""
    word = word.lower()
    if word in _WOMEN or word in _MEN:
        return Gender.FEMININE if word in _WOMEN else Gender.MASCULINE
    return {"a": Gender.FEMININE, "o": Gender.MASCULINE}.get(word[-1:])


# The dictionary has other words for the feminine of these ("limpia" may be of "limpiar"), or none.
_ADJECTIVES = word_set(
    "abierto alto amigo enemigo contrario amplio ancho anciano astuto bajo barato blanco bonito breve bueno caduco "
    "caro cierto ciego claro complejo completo concreto contento corto crudo cuerdo cubierto deshecho despierto digno "
    "directo dispuesto distinto duro enfermo enorme escaso escrito exacto experto extraño falso feo fijo firme flaco "
    "frío frito gordo grato grueso guapo harto hecho hondo imprevisto injusto inmenso inseguro intacto junto justo "
    "largo lento limpio listo llano lleno loco malo manso muerto mudo negro nervioso nuevo oculto opuesto oscuro "
    "pleno preciso previsto propio público puesto puro quieto raro recto resuelto rico rojo roto sabio sano santo "
    "satisfecho seco seguro serio severo sincero solo sólo sordo sucio suelto terco tieso tímido tonto torpe "
    "tranquilo tuerto único vacío viejo vivo vago vuelto"
)
# Nouns, though the dictionary has a feminine of them, or they end like participles.
_NOUNS = word_set(
    "abogado agrado bocado caso cuidado estado ganado helado lado mandado mercado partido pecado pedido pescado prado "
    "puñado recado recorrido resultado ruido tejido "
    "sentido significado soldado tejado vestido nido oído marido fluido grado asunto bolsillo engaño fracaso "
    "comida salida entrada llegada vida medida bebida partida herida parada mirada jugada llamada nada subida bajada "
    "temporada jornada cascada pesadilla corrida huida caída cosa casa idea"
)
# In -a with either gender.
_BOTH = word_set("agrícola belga hipócrita idiota indígena cosmopolita suicida homicida cretense pirata majareta")
_NEVER_AGREE = word_set(
    "mal bien así mucho demasiado poco tanto bastante cerca lejos aparte fuera dentro arriba abajo delante detrás "
    "encima debajo tarde temprano pronto mejor peor gratis aún hoy ayer nunca siempre jamás además apenas adelante "
    "atrás alerta ojo muchísimo muchísima muchísimos muchísimas poquísimo poquísima poquísimos poquísimas tantísimo "
    "tantísima tantísimos tantísimas"
)
_ACUTE = dict(zip("áéíóú", "aeiou", strict=True))
# By the end of a regular participle, those of infinitives.
_ENDS_OF_PARTICIPLES = {"ado": ("ar",), "ido": ("er", "ir"), "ído": ("er", "ír")}
_STRESSED_BEFORE = {"joven": "jóvenes", "origen": "orígenes", "examen": "exámenes", "virgen": "vírgenes"}


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective by its forms. `feminine` is the same as `masculine` where it has one form for both, and "" where it
    is not known."""

    masculine: str
    feminine: str

    @property
    def has_gender(self) -> bool:
        return self.masculine != self.feminine

    def form(self, gender: Gender | None, *, plural: bool) -> str:
        """
        >>> adjective("fácil").form(None, plural=True), adjective("callado").form(Gender.FEMININE, plural=True)
        ('fáciles', 'calladas')
        """
        word = self.feminine if gender is Gender.FEMININE else self.masculine
        return _plural(word) if plural and word else word


def adjective(word: str) -> Adjective | None:
    """What an adjective, in lower case and in any form, is; None for a noun, an adverb or a function word.

    A word that ends on "e" or a consonant is taken for an adjective unless a list has it for a noun.
    """
    if word in _NOUNS or word in _NEVER_AGREE or not word.isalpha() or word.endswith("mente"):
        return None
    base = _base_in_o(word)
    if base:
        return None if base in _NOUNS else Adjective(base, f"{base[:-1]}a")
    one = _singular(word)
    if one in function_words("es") or one in _NOUNS or _GENDERS.get(one) or one in _NEVER_AGREE:
        return None
    if one.endswith(("dor", "dora", "doras")):
        stem = one.removesuffix("s").removesuffix("a")
        return Adjective(stem, f"{stem}a")
    if one.removesuffix("s").endswith(("ista", "ísta")) or one in _BOTH:
        one = one.removesuffix("s")
        return Adjective(one, one)
    is_noun = one.endswith(
        ("ión", "dad", "tad", "tud", "umbre", "aje", "ndo", "ar", "er", "ir", "arse", "erse", "irse")
    )
    if one.endswith(("és", "án", "ón", "ín")) and one not in ("cortés", "descortés", "marrón"):
        # "Inglés" and "holgazán" have a feminine, "jardín" has none.
        return None if is_noun else Adjective(one, "")
    return Adjective(one, one) if one[-1:] in ("e", "l", "n", "r", "s", "z") and not is_noun else None


def _base_in_o(word: str) -> str:
    """The masculine singular of a word that has four forms, "o", "a", "os", "as"; "" of another one."""
    stem = next((word.removesuffix(end) for end in ("os", "as", "o", "a") if word.endswith(end)), "")
    base = f"{stem}o"
    if len(stem) < 2 or word in _NO_PLURALS:
        return ""
    if base in _ADJECTIVES or base.endswith("ísimo"):
        return base
    feminine = f"{stem}a"
    lemma = lemma_of(feminine, "es")
    participle = re.fullmatch(r"\w+[aií]d|\w+(?:ch|st|rt|elt)", stem) is not None
    made = lemma == base or (participle and lemma != feminine and (lemma_of(base, "es") in (base, lemma)))
    return base if made or _is_participle(base) or _has_adverb(feminine) else ""


def _is_participle(word: str) -> bool:
    """Whether a word is the regular participle of a verb in the dictionary, which may know it for another word, too:
    "mojado", "casado"."""
    ending = next((ending for ending in _ENDS_OF_PARTICIPLES if word.endswith(ending)), "")
    stem = word.removesuffix(ending)
    return any(is_in_dictionary(f"{stem}{end}", "es") for end in _ENDS_OF_PARTICIPLES.get(ending, ()))


def _has_adverb(feminine: str) -> bool:
    """Whether an adverb is made of a feminine, as of "atenta", which the dictionary knows for a form of "atentar"."""
    return is_in_dictionary(f"{feminine}mente", "es")


def _singular(word: str) -> str:
    """
    >>> _singular("felices"), _singular("fáciles"), _singular("tristes"), _singular("gris")
    ('feliz', 'fácil', 'triste', 'gris')
    """
    if not word.endswith("es") or len(word) < 5:
        return word
    stem = word.removesuffix("es")
    back = {plural: one for one, plural in _STRESSED_BEFORE.items()}
    if word in back:
        return back[word]
    if stem.endswith("c"):
        return f"{stem[:-1]}z"
    # "Fáciles" is of "fácil", "tristes" of "triste", "grises" of "gris".
    return stem if stem.endswith(("l", "r", "n", "gris", "dor")) and not word.endswith(("bles", "tres")) else f"{stem}e"


def _plural(word: str) -> str:
    if word in _STRESSED_BEFORE:
        return _STRESSED_BEFORE[word]
    if word.endswith("z"):
        return f"{word[:-1]}ces"
    if word[-1] in "aeioué":
        return f"{word}s"
    if word.endswith("s") and word[-2:-1] not in _ACUTE and sum(letter in "aeiouáéíóú" for letter in word) > 1:
        return word
    if word[-1] in "ns" and word[-2:-1] in _ACUTE:
        word = f"{word[:-2]}{_ACUTE[word[-2]]}{word[-1]}"
    return f"{word}es"
