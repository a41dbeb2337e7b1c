"""The answers of a study, one unit after the other, however many there are."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import numpy as np
from django.db.models import Count, Max
from django.db.models.functions import Coalesce

from annotator.domain.agreement.anchoring import Seen
from annotator.domain.agreement.plan import WHOLE
from annotator.domain.agreement.tally import Answers
from annotator.domain.batches import batches
from annotator.domain.content import Content, content_type
from annotator.domain.content.spans import SPANS
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.domain.labels.translations import translations_of
from annotator.domain.mapping import mapped_content
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.outcomes import compared_outcomes, lost_of
from annotator.models import Suggestion, SuggestionKind, Unit
from annotator.reports.queries.studies.question import DOCUMENTS, OUTCOMES, StudyQuestion
from annotator.reports.queries.studies.strata import EXPERIENCE, FIRST, PART, PARTS, SUGGESTIONS

AT_ONCE = 1000
# What items bring by themselves: names of strata, and where the values are.
_STRATA = {
    "dataset": "segment__dataset",
    "role": "segment__role",
    "genre": "segment__genre",
    "document": "segment__group",
    "inference": "segment__pair__inference",
    "original": "segment__imported__original_language",
}


@dataclass(frozen=True, slots=True)
class Common:
    """The units (ids) that two of the people or more have done, and when the last of them was finished (timestamps)."""

    units: array[int]
    times: array[float]

    @property
    def first(self) -> float:
        """Until when the first items were finished."""
        return float(np.partition(np.array(self.times), FIRST - 1)[FIRST - 1]) if len(self.times) > FIRST else 0.0

    @property
    def ends(self) -> list[float]:
        """Until when each part but the last was finished; empty where there are too few items to part."""
        if len(self.times) < 2 * PARTS:
            return []
        return [float(end) for end in np.quantile(np.array(self.times), np.arange(1, PARTS) / PARTS)]


@dataclass(frozen=True, slots=True)
class Read:
    """A unit as it was read. `versions`: of each answer its id and version. `seen`, `unaided`: answers of those who saw
    a suggestion, and those of others. `words`: what its places are counted under, empty where they are no words."""

    unit: int
    answers: Answers
    versions: Sequence[tuple[int, int]]
    seen: Sequence[Seen] = ()
    unaided: Sequence[Sequence[str]] = ()
    words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    """A row of an annotation; `shown`: whether a suggestion was."""

    unit: int
    person: int
    pk: int
    version: int
    content: Content
    suggested: Content | None
    shown: bool
    suggestion: int | None
    kind: str | None
    source: str | None


def common_units(asked: StudyQuestion) -> Common:
    """One query; 16 bytes a unit."""
    rows = (
        asked.answers()
        .values("unit")
        .annotate(people=Count("pk"), at=Max(Coalesce("done_at", "updated_at")))
        .filter(people__gt=1)
        .order_by("unit")
        .values_list("unit", "at")
    )
    units, times = array("q"), array("d")
    for unit, at in rows.iterator(chunk_size=10 * AT_ONCE):
        units.append(unit)
        times.append(at.timestamp())
    return Common(units, times)


def read(asked: StudyQuestion, common: Common) -> Iterator[Read]:
    """The units in the order of their ids. Two queries for so many of them; of reviews of projections three."""
    number = {person.pk: at for at, person in enumerate(asked.people)}
    first, ends = common.first, common.ends
    when = zip(common.units, common.times, strict=True)
    for batch in batches(when, AT_ONCE):
        ids = [unit for unit, _at in batch]
        units = {row[0]: row for row in _units(ids)}
        answers = {unit: list(rows) for unit, rows in groupby(_answers(asked, ids, number), key=lambda one: one.unit)}
        outcomes = _outcomes(answers) if asked.dimension == OUTCOMES else {}
        for unit, at in batch:
            pk, tokens, content_words, lemmas, *about = units[unit]
            there = answers.get(unit, [])
            strata = [
                WHOLE,
                *((name, value) for name, value in zip(_STRATA, about, strict=True) if value),
                ("month", datetime.fromtimestamp(at, UTC).strftime("%Y-%m")),
                (SUGGESTIONS, _shown(there)),
            ]
            if first:
                strata.append((EXPERIENCE, "first" if at <= first else "later"))
            if ends:
                strata.append((PART, str(1 + int(np.searchsorted(ends, at)))))
            dataset, group = about[0], about[3]
            cluster = (dataset, group) if asked.drawing.cluster == DOCUMENTS and group else None
            if asked.dimension == OUTCOMES:
                given = _reviewed(asked, there, outcomes)
                yield Read(pk, Answers(given, strata=strata, cluster=cluster), _versions(there))
            else:
                content = content_words if asked.by_token and len(content_words) == len(tokens) else ()
                words = lemmas if len(lemmas) == len(tokens) else tokens
                yield _read(asked, pk, tokens, content, words if asked.by_token else (), there, strata, cluster)


def _read(
    asked: StudyQuestion,
    unit: int,
    tokens: Sequence[str],
    content: Sequence[bool],
    words: Sequence[str],
    answers: Sequence[_Answer],
    strata: Sequence[tuple[str, str]],
    cluster: tuple[str, str] | None,
) -> Read:
    kind, by_token, taken_for = content_type(asked.layer.content_type), asked.by_token, asked.taken_for
    given: list[Sequence[str] | None] = [None] * len(asked.people)
    spans: list[Sequence[Span] | None] = [None] * len(asked.people) if by_token else []
    seen, unaided = [], []

    def observed(contents: Content) -> list[str]:
        shown = mapped_content(contents, taken_for) if taken_for else contents
        return kind.observations(shown, tokens=tokens, dimension=asked.dimension)

    for one in answers:
        found = observed(one.content)
        given[one.person] = found
        if by_token:
            shown = mapped_content(one.content, taken_for) if taken_for else one.content
            spans[one.person] = SPANS.compared_spans(shown, dimension=asked.dimension)
        if one.suggested is not None:
            seen.append(Seen(one.person, observed(one.suggested), found))
        elif not one.shown:
            unaided.append(found)
    return Read(
        unit, Answers(given, content, spans, strata, cluster), _versions(answers), seen, unaided,
        [word.casefold() for word in words],
    )  # fmt: skip


def _versions(answers: Sequence[_Answer]) -> list[tuple[int, int]]:
    return [(one.pk, one.version) for one in answers]


def _units(ids: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    rows = Unit.objects.filter(pk__in=ids).order_by()
    return iter(rows.values_list("pk", "tokens", "content_words", "lemmas", *_STRATA.values()))


def _answers(asked: StudyQuestion, ids: Sequence[int], number: dict[int, int]) -> Iterator[_Answer]:
    rows = asked.answers().filter(unit__in=ids).order_by("unit_id", "user_id")
    fields = ("unit_id", "user_id", "pk", "version", "content", "suggested", "shown", "suggestion_id")
    for unit, user, pk, version, content, suggested, shown, suggestion, kind, source in rows.values_list(
        *fields, "suggestion__kind", "suggestion__source_language"
    ):
        began = suggested if suggestion is not None else None
        saw = bool(shown) or began is not None
        yield _Answer(unit, number[user], pk, version, content, began, saw, suggestion, kind, source)


def _shown(answers: Sequence[_Answer]) -> str:
    saw = [one.shown for one in answers]
    return "with" if all(saw) else "some" if any(saw) else "without"


# --- reviews of projections -------------------------------------------------------------------------------------------


def _outcomes(answers: dict[int, list[_Answer]]) -> dict[int, list[SourceOutcome]]:
    """By suggestion: what the machine did with the source spans of those that are reviewed."""
    reviews = [one for rows in answers.values() for one in rows if one.kind == SuggestionKind.PROJECTION.value]
    ids = {one.suggestion for one in reviews if one.suggestion is not None}
    rows = Suggestion.objects.filter(pk__in=ids).order_by().values_list("pk", "detail")
    return {pk: [SourceOutcome.from_json(one) for one in detail.get("outcomes", ())] for pk, detail in rows}


def _reviewed(
    asked: StudyQuestion, answers: Sequence[_Answer], outcomes: dict[int, list[SourceOutcome]]
) -> list[Sequence[str] | None]:
    """What became of the source spans by each person: of the projection that most of them reviewed."""
    given: list[Sequence[str] | None] = [None] * len(asked.people)
    reviews = [one for one in answers if one.suggestion in outcomes]
    if not reviews:
        return given
    counted = Counter(one.suggestion for one in reviews)
    suggestion = max(counted, key=lambda pk: (counted[pk], -(pk or 0)))
    of_sources = outcomes[suggestion or 0]
    same = [one for one in reviews if one.suggestion == suggestion]
    compared = compared_outcomes(of_sources, [_judged(one, of_sources) for one in same])
    for one, found in zip(same, compared, strict=True):
        given[one.person] = found
    return given


def _judged(one: _Answer, outcomes: Sequence[SourceOutcome]) -> tuple[list[Span], set[int]]:
    said = [each for each in translations_of(one.content) if each.language == one.source]
    return spans_from_json(one.content["spans"]), lost_of(outcomes, said)
