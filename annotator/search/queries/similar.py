"""Sentences that are like one: they share rare content words with it. By the index of lemmas alone.

What is found are texts, as with a search (`find.py`): nothing that anybody answered. So it holds for whoever is blind,
too. The other side of a pair is often the most alike: it is not named to anyone who must not see it (`contexts.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotator.core.prepared import fetch
from annotator.domain.sampling.likeness import MAX_SENTENCES, likeness, telling, weight_of
from annotator.domain.text.lookup import lookup_key
from annotator.models import LemmaPlace, Project, Segment, Unit, User
from annotator.work.answering.queries.contexts import kept_apart

SHOWN = 10
# Texts of a language that are compared: those that share most.
COMPARED = 60
SHARED_SHOWN = 6

_Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Similar:
    """A sentence like another one: its text in the language in which it is most like it, and the lemmas that both have
    there, the rarest first. `likeness` is the sum over the languages."""

    unit: Unit
    shared: Sequence[str]
    likeness: float


def similar(project: Project, units: Sequence[Unit], reader: User) -> list[Similar]:
    """The sentences that are most like one, which is given by its current texts with their segment; the most alike
    first.

    A few statements, whatever the project holds: of each lemma some places are looked at, in the order of the index,
    which is none.
    """
    places = _places(project, _lemmas(units))
    weights = {
        language: {lemma: weight_of(len(found)) for lemma, found in by_lemma.items()}
        for language, by_lemma in places.items()
    }
    found: defaultdict[int, list[tuple[float, Unit]]] = defaultdict(list)
    candidates = list(_candidates(units, places, weights))
    apart = kept_apart(reader, project, units[0].segment, [one.segment for one in candidates]) if units else set()
    for unit in candidates:
        if unit.segment_id in apart:
            continue
        if alike := likeness(weights[unit.language], _content(unit.lemmas, unit.content_words)):
            found[unit.segment_id].append((alike, unit))
    order = {language: number for number, language in enumerate(project.languages)}
    ranked = []
    for rows in found.values():
        _alike, best = max(rows, key=lambda row: (row[0], -order.get(row[1].language, len(order))))
        ranked.append((-sum(alike for alike, _unit in rows), best.segment.position, best.segment_id, best))
    return [
        Similar(unit, _shared(unit, weights[unit.language]), -negative)
        for negative, _position, _segment, unit in sorted(ranked, key=lambda row: row[:3])[:SHOWN]
    ]


def _lemmas(units: Iterable[Unit]) -> dict[str, list[str]]:
    """By language, the lemmas to look up."""
    rows = LemmaPlace.objects.filter(unit__in=[unit.pk for unit in units]).values_list("language", "lemma")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for language, lemma in rows:
        found[language].append(lemma)
    return {language: telling(lemmas) for language, lemmas in found.items()}


def _places(project: Project, lemmas: Mapping[str, Sequence[str]]) -> dict[str, dict[str, set[int]]]:
    """By language and lemma, the units that have it: of each, as many places as are looked at."""
    wanted = [(language, lemma) for language, some in lemmas.items() for lemma in some]
    found: dict[str, dict[str, set[int]]] = {language: {} for language in lemmas}
    if not wanted:
        return found
    # Written by hand: Django limits no part of a union on SQLite, and a statement a lemma would be some dozen.
    part = """SELECT * FROM (
        SELECT language, lemma, unit_id FROM annotator_lemmaplace
        WHERE project_id = %s AND language = %s AND lemma = %s LIMIT %s
    ) AS part"""
    params = [value for one in wanted for value in (project.pk, *one, MAX_SENTENCES)]
    for language, lemma, unit in fetch(" UNION ALL ".join([part] * len(wanted)), params):
        found[language].setdefault(lemma, set()).add(unit)
    return found


def _candidates(
    units: Sequence[Unit], places: Mapping[str, Mapping[str, set[int]]], weights: Mapping[str, _Weights]
) -> Iterable[Unit]:
    """The current sentences that share most, of all languages; those of the same segment are not among them."""
    chosen: list[int] = []
    for language, by_lemma in places.items():
        shared: defaultdict[int, float] = defaultdict(float)
        for lemma, found in by_lemma.items():
            for unit in found:
                shared[unit] += weights[language][lemma]
        chosen += sorted(shared, key=lambda unit: (-shared[unit], unit))[:COMPARED]
    rows = Unit.objects.published().filter(pk__in=chosen, kind=Segment.SENTENCE, is_current=True)
    return rows.exclude(segment__in={unit.segment_id for unit in units}).select_related("segment")


def _content(lemmas: Sequence[str], content_words: Sequence[bool]) -> set[str]:
    return {lookup_key(lemma.lower()) for lemma, is_content in zip(lemmas, content_words, strict=False) if is_content}


def _shared(unit: Unit, weights: _Weights) -> list[str]:
    both = _content(unit.lemmas, unit.content_words) & weights.keys()
    return sorted(both, key=lambda lemma: (-weights[lemma], lemma))[:SHARED_SHOWN]
