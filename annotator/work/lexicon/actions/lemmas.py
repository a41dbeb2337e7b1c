"""The index from lemmas and forms to places, and which of them the standing labels cover."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress, count
from types import MappingProxyType
from typing import Any

from annotator.core.database.bulk import Insert
from annotator.core.prepared import execute
from annotator.domain.content import Content, content_type
from annotator.domain.effective_content import Answer, effective_answer
from annotator.domain.text.lemmas import tells
from annotator.domain.text.lookup import indexed, lookup_key
from annotator.domain.text.tokens import word_of
from annotator.models import Layer, LemmaPlace, Unit

# The columns of a place.
PLACE = ("project_id", "language", "lemma", "form", "unit_id", "index", "labelled")


def index_places(units: Iterable[Unit]) -> None:
    """Write the places of the content words of new units, from the lemmas that are stored with them."""
    places(units).run()


def places(units: Iterable[Unit], covered: Mapping[int, Collection[int]] = MappingProxyType({})) -> Insert:
    """The places of new units, still to be written. `covered`: by unit with gold, the tokens that it labels."""
    rows: list[tuple[Any, ...]] = []
    for unit in units:
        project, language, pk = unit.project_id, unit.language, unit.pk
        labelled = covered.get(pk)
        for index in compress(count(), unit.content_words):
            lemma, form = indexed(unit.lemmas[index].lower()), indexed(unit.tokens[index].lower())
            rows.append((project, language, lemma, form, pk, index, None if labelled is None else index in labelled))
    return Insert(LemmaPlace, PLACE, rows)


def lemmas_known(
    tokens: Sequence[str], *, project: int, language: str, segments: Collection[int] = ()
) -> dict[str, str]:
    """The lemmas of these words as far as the project knows them, by `word_of`.

    `segments`: those that the text was made from: a word of them, function words too, has the lemma that it has there.
    Elsewhere in the project only lemmas count that say something (`tells`). Two statements.
    """
    wanted = {form for token in tokens for form in (lookup_key(token.lower()), word_of(token)) if form}
    places = LemmaPlace.objects.filter(project=project, language=language, form__in=wanted)
    pairs = [(word_of(form), lemma) for form, lemma in places.order_by().values_list("form", "lemma").distinct()]
    found = {word: lemma for word, lemma in pairs if tells(word, lemma)}
    units = Unit.objects.filter(segment__in=segments, language=language, is_current=True) if segments else ()
    for unit in units:
        # Of some units no lemmas are kept, and those of expressions are of marked words alone.
        if len(unit.lemmas) == len(unit.tokens):
            found |= {word_of(token): lemma.lower() for token, lemma in zip(unit.tokens, unit.lemmas, strict=True)}
    return found


def mark_decided(covered: Mapping[int, Collection[int]]) -> None:
    """Say of the places of many units whether their gold covers them: by unit, the tokens that it labels."""
    LemmaPlace.objects.filter(unit__in=list(covered)).update(labelled=False)
    for unit, tokens in covered.items():
        if tokens:
            LemmaPlace.objects.filter(unit=unit, index__in=tokens).update(labelled=True)


def mark_places(unit: Unit, layer: Layer, answers: Sequence[Answer], gold: Content | None = None) -> None:
    """Say of the places of a unit whether the labels that stand now cover them. One statement; none without tokens.

    The index tells of the project's labels (`Project.label_layer`); contents of other layers change nothing.
    """
    if not unit.tokens or layer.content_type != Layer.SPANS:
        return
    if gold is None:
        found = effective_answer(answers)
        gold = found.content if found else None
    covered = content_type(layer.content_type).places(gold) if gold is not None else frozenset()
    labelled = "NULL" if gold is None else "FALSE"
    if covered:
        labelled = f"""CASE WHEN "index" IN ({", ".join(["%s"] * len(covered))}) THEN TRUE ELSE FALSE END"""
    # Written by hand: it belongs to every save. It asks, too, whether the layer is the one that the index tells of.
    execute(
        f"""
        UPDATE annotator_lemmaplace SET labelled = {labelled}
        WHERE unit_id = %s AND NOT EXISTS (
            SELECT 1 FROM annotator_layer earlier
            WHERE earlier.project_id = %s AND earlier.content_type = 'spans'
                AND (earlier.position < %s OR (earlier.position = %s AND earlier.id < %s))
        )""",  # noqa: S608 -- names of our own
        [*sorted(covered), unit.pk, layer.project_id, layer.position, layer.position, layer.pk],
    )
