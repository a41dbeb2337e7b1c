"""The vocabulary of a layer, as people are offered it and as managers tidy it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.labels.schemes import Attribute
from annotator.domain.terms import near_duplicates, terms_of, vocabularies
from annotator.models import Annotation, Layer, Project, Term

# More than anybody looks through; fields of a browser slow down from there.
MAX_TERMS = 1000


@dataclass(frozen=True)
class Vocabulary:
    """The terms of one attribute, the most used first; `alike`: groups that look like one term each."""

    code: str
    attribute: Attribute
    terms: Sequence[Term]
    alike: Sequence[Sequence[Term]]


def offered(layer: Layer, attribute: str, unit: int | None = None) -> list[Term]:
    """The terms of an attribute, the most used first. Raises LookupError, in words, where it has no vocabulary.

    `unit`: the item at hand (id): how it is answered does not count, and a term that is used there alone is not told.
    """
    known = vocabularies(layer.scheme_data)
    if attribute not in known:
        raise LookupError(
            f'The layer "{layer}" has no vocabulary "{attribute}"; there are: {", ".join(known) or "none"}.'
        )
    terms = list(Term.objects.filter(layer=layer, attribute=attribute)[:MAX_TERMS])
    there = _uses_in(layer, attribute, unit) if unit is not None else {}
    if not there:
        return terms
    elsewhere = []
    for term in terms:
        used = there.get(term.text, 0)
        if used and term.uses <= used:
            continue
        term.uses -= used
        elsewhere.append(term)
    return sorted(elsewhere, key=lambda term: (-term.uses, term.text))


def _uses_in(layer: Layer, attribute: str, unit: int) -> dict[str, int]:
    """How often people's answers to a unit use each term. One query."""
    found: Counter[str] = Counter()
    rows = Annotation.objects.filter(project=layer.project_id, layer=layer, unit=unit)
    for content in rows.values_list("content", flat=True):
        for (name, text), uses in terms_of(content, [attribute]).items():
            found[text] += uses if name == attribute else 0
    return found


def vocabularies_of(layer: Layer) -> list[Vocabulary]:
    """Every vocabulary of a layer, in the scheme's order."""
    found = []
    for code in vocabularies(layer.scheme_data):
        terms = offered(layer, code)
        by_text = {term.text: term for term in terms}
        alike = [[by_text[text] for text in group] for group in near_duplicates(by_text)]
        found.append(Vocabulary(code, layer.scheme.attributes[code], terms, alike))
    return found


def layers_with_terms(project: Project) -> list[Layer]:
    """The layers whose scheme has a vocabulary."""
    return [layer for layer in project.layers.all() if vocabularies(layer.scheme_data)]
