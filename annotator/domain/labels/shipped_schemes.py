"""Schemes that ship: full MIPVU, and conceptual domains. What people read is in English or Spanish.

MIPVU: Steen, G. J., Dorst, A. G., Herrmann, J. B., Kaal, A. A., Krennmayr, T., & Pasma, T. (2010). A Method for
Linguistic Metaphor Identification: From MIP to MIPVU. John Benjamins.
"""

from __future__ import annotations

from annotator.domain.labels.schemes import Attribute, Label, Scheme

METAPHOR = "METAPHOR"
# The name under which a scheme says what its labels are where only metaphor or not is asked.
BINARY = "metaphor"

_RELATED = ("INDIRECT", "DIRECT", "IMPLICIT")
# What is asked of each span of a source where projections are reviewed.
HOW_TRANSLATED = {
    "translation": Attribute(
        name="How was it translated?",
        values=("same image", "other image", "simile", "plain", "omitted"),
        translation=True,
    )
}
_LABELS = {
    "INDIRECT": ("violet", ("Indirect", "Indirecta")),
    "DIRECT": ("blue", ("Direct", "Directa")),
    "IMPLICIT": ("teal", ("Implicit", "Implícita")),
    "MFLAG": ("amber", ("Signal (MFlag)", "Señal (MFlag)")),
    "DFMA": ("slate", ("Discarded (DFMA)", "Descartada (DFMA)")),
}
_DESCRIPTIONS = {
    "INDIRECT": (
        "The contextual meaning differs from a more basic one and is understood by comparison with it.",
        "El significado contextual difiere de otro más básico y se entiende por comparación con él.",
    ),
    "DIRECT": (
        "The word is used literally, as part of a comparison: similes, analogies.",
        "La palabra se usa en su sentido propio dentro de una comparación: símiles, analogías.",
    ),
    "IMPLICIT": (
        "A pronoun or an ellipsis stands for a metaphor. If there is no word for it, label the sentence.",
        "Un pronombre o una elipsis sustituye a una metáfora. Si ninguna palabra la lleva, etiquete la oración.",
    ),
    "MFLAG": (
        "The word signals a metaphor: like, as if.",
        "La palabra señala una metáfora: como, como si.",
    ),
    "DFMA": (
        "Left out of the analysis: the word cannot be understood well enough.",
        "Queda fuera del análisis: la palabra no se entiende lo suficiente.",
    ),
}
_BORDERLINE = (
    ("Borderline", "Dudosa"),
    ("WIDLII: when in doubt, leave it in.", "WIDLII: en caso de duda, se deja."),
)
_PERSONIFICATION = (
    ("Personification", "Personificación"),
    ("Possible personification (PP).", "Posible personificación (PP)."),
)
_MAPPING = (
    ("Conceptual metaphor", "Metáfora conceptual"),
    ("One domain is understood in terms of another.", "Un dominio se entiende en términos de otro."),
)
_SOURCE = (
    ("Source domain", "Dominio fuente"),
    ("The domain that the other one is described as.", "El dominio con el que se describe el otro."),
)
_TARGET = (("Target domain", "Dominio meta"), ("The domain that is described.", "El dominio que se describe."))


def mipvu(language: str = "en") -> Scheme:
    """Full MIPVU, described in a language of the interface ("en", "es").

    Under the mapping `metaphor` words that are indirectly, directly or implicitly related to metaphor are METAPHOR,
    borderline ones included, as in the VU Amsterdam Metaphor Corpus; signals and discarded words are nothing.
    """
    at = _place(language)
    related = {
        "borderline": _attribute(_BORDERLINE, at, values=("WIDLII",), labels=_RELATED, key="w"),
        "personification": _attribute(_PERSONIFICATION, at, values=("PP",), labels=_RELATED, key="o"),
    }
    return Scheme(
        labels=tuple(_LABELS),
        attributes=related,
        details={
            code: Label(
                name=names[at], colour=colour, description=_DESCRIPTIONS[code][at], tokenless=code == "IMPLICIT"
            )
            for code, (colour, names) in _LABELS.items()
        },
        mappings={BINARY: {code: METAPHOR if code in _RELATED else "" for code in _LABELS}},
    )


def conceptual_domains(language: str = "en") -> Scheme:
    """Source and target domain, in words of a vocabulary that grows with the project. Units may overlap."""
    at = _place(language)
    (name, description) = (_MAPPING[0][at], _MAPPING[1][at])
    return Scheme(
        labels=("CONCEPTUAL",),
        overlaps=True,
        attributes={
            "source": _attribute(_SOURCE, at, vocabulary=True),
            "target": _attribute(_TARGET, at, vocabulary=True),
        },
        details={"CONCEPTUAL": Label(name=name, description=description, tokenless=True)},
        mappings={BINARY: {"CONCEPTUAL": METAPHOR}},
    )


def _place(language: str) -> int:
    return 1 if language.partition("-")[0] == "es" else 0


def _attribute(
    words: tuple[tuple[str, str], tuple[str, str]],
    at: int,
    *,
    values: tuple[str, ...] = (),
    labels: tuple[str, ...] = (),
    key: str = "",
    vocabulary: bool = False,
) -> Attribute:
    return Attribute(
        values=values, labels=labels, name=words[0][at], key=key, description=words[1][at], vocabulary=vocabulary
    )


MIPVU = mipvu()
