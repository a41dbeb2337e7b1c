"""Kappa of every two people of a layer and language: computed at once for few shared items, otherwise as stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from django.db.models import Exists, Max, OuterRef, QuerySet

from annotator.domain.agreement.kappa import Kappa, cohen_kappa
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState
from annotator.models import AgreementRun, Annotation, Project, User
from annotator.reports.queries import agreement_runs
from annotator.reports.queries.agreement import Question, question
from annotator.reports.queries.finished_answers import finished_answers
from annotator.reports.queries.overlaps import Overlap
from annotator.reports.queries.stored_agreement import agreement_of_run

# Ids of two people, the lower one first.
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Kappa of two people over `units` common items. `kappa`: None where nothing was computed yet, or nothing may be
    shown. `at`: when it was stored, None where it was computed now."""

    units: int
    kappa: Kappa | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """What two people have in common. `found`: None where that is nothing.
    `current`: the page compares these two."""

    a: User
    b: User
    found: PairKappa | None
    current: bool

    @property
    def value(self) -> float | None:
        """Kappa, where there is one to show."""
        kappa = self.found.kappa if self.found else None
        return kappa.value if kappa else None


@dataclass(frozen=True, slots=True)
class PeopleMatrix:
    """The lower half of a matrix: each row has a person, and a cell for everyone before them in `columns`.
    `free`: people wrote free text, which has no kappa."""

    columns: Sequence[User]
    rows: Sequence[tuple[User, Sequence[MatrixCell]]]
    free: bool = False


def people_matrix(
    project: Project, rows: Sequence[Overlap], *, computed: bool, chosen: Collection[User] = ()
) -> PeopleMatrix:
    """The matrix of the people in `rows`, which are of one layer and language. `computed`: whether kappa may be
    computed now, if there is little to read."""
    first = rows[0]
    people = sorted({person for row in rows for person in (row.a, row.b)}, key=lambda person: person.username)
    asked = question(project, a=first.a, b=first.b, layer=first.layer, language=first.language)
    found = {_pair(row.a, row.b): PairKappa(row.units) for row in rows}
    if not first.free:
        found |= _kappas(asked, people, set(found)) if computed else _stored(asked, found)
    pair = _pair(*chosen) if len(set(chosen)) == 2 else None

    def cell(a: User, b: User) -> MatrixCell:
        key = _pair(a, b)
        return MatrixCell(a, b, found.get(key), key == pair)

    lower = [(person, [cell(other, person) for other in people[:at]]) for at, person in enumerate(people)]
    return PeopleMatrix(people[:-1], lower[1:], first.free)


def _pair(a: User, b: User) -> Pair:
    return (min(a.pk, b.pk), max(a.pk, b.pk))


def _kappas(asked: Question, people: Sequence[User], pairs: Collection[Pair]) -> Mapping[Pair, PairKappa]:
    """Kappa of the pairs, computed from all that any two of the people have done; as stored where they have more
    answers in common than the agreement of two people reads at once."""
    answers = _common_answers(asked, people)
    if _more(_done(asked, people), agreement_runs.MAX_READ) or _more(answers, 2 * agreement_runs.MAX_INLINE):
        return _stored(asked, pairs)
    layer = asked.found
    kind = content_type(layer.content_type) if layer else None
    given: defaultdict[int, dict[int, list[str]]] = defaultdict(dict)
    rows = answers.order_by("unit_id", "pk").values_list("unit_id", "user_id", "content", "unit__tokens")
    for unit, user, content, tokens in rows:
        if kind is not None:
            given[unit][user] = kind.observations(content, tokens=tokens, dimension=asked.dimension)
    first: defaultdict[Pair, list[str]] = defaultdict(list)
    second: defaultdict[Pair, list[str]] = defaultdict(list)
    units: defaultdict[Pair, int] = defaultdict(int)
    for by_person in given.values():
        for a, b in combinations(sorted(by_person), 2):
            units[a, b] += 1
            first[a, b] += by_person[a]
            second[a, b] += by_person[b]
    return {pair: PairKappa(units[pair], cohen_kappa(first[pair], second[pair], asked.values)) for pair in pairs}


def _more(rows: QuerySet[Annotation], most: int) -> bool:
    """Whether there are more rows than that. One statement, which reads at most one more."""
    return rows[: most + 1].count() > most


def _done(asked: Question, people: Iterable[User]) -> QuerySet[Annotation]:
    return Annotation.objects.order_by().filter(
        project=asked.project, layer=asked.found, user__in=people, state=AnnotationState.DONE
    )


def _common_answers(asked: Question, people: Sequence[User]) -> QuerySet[Annotation]:
    """The finished answers of these people to what another of them has finished, too. Which units count is as for two
    people (`both_done`)."""
    others = Annotation.objects.filter(
        layer=asked.found, unit=OuterRef("unit"), user__in=people, state=AnnotationState.DONE
    ).exclude(user=OuterRef("user"))
    if asked.found is None:
        return Annotation.objects.none()
    rows = finished_answers(asked.project, asked.found, asked.language, people, asked.judging)
    return rows.filter(Exists(others))


def _stored(asked: Question, pairs: Collection[Pair]) -> Mapping[Pair, PairKappa]:
    """The newest stored kappa of each pair that has one, in either order. Two statements."""
    runs = AgreementRun.objects.filter(
        project=asked.project, layer=asked.found, language=asked.language, dimension=asked.dimension, mapping=""
    )
    newest = runs.order_by().values("a", "b").annotate(newest=Max("pk"))
    wanted = [one["newest"] for one in newest if (min(one["a"], one["b"]), max(one["a"], one["b"])) in pairs]
    found: dict[Pair, PairKappa] = {}
    for run in AgreementRun.objects.filter(pk__in=wanted).select_related("a", "b").order_by("pk"):
        overall = agreement_of_run(run, asked.layer).overall
        found[_pair(run.a, run.b)] = PairKappa(run.units, overall.kappa, run.computed_at)
    return found
