"""Who can be compared with whom: the people of a project who have done the same units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest, Least

from annotator.core.intake import Holds
from annotator.core.kind import judges_texts, kind_of
from annotator.domain.content import content_type
from annotator.domain.content.free_text import FreeText
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.models import Assignment, BlindMark, Counter, Layer, Mode, Project, Segment, Stage, Unit, User
from annotator.reports.queries.agreement import public_name
from annotator.reports.queries.agreement_runs import compared_before

# Answers to items that several people may answer, of which a page counts who shares what. Of 20,000 it took 50 ms on
# one core with SQLite.
MAX_SHARED = 20_000


@dataclass(frozen=True)
class Overlap:
    """How many units two people have both done in a layer and language.

    `layer` is the name that the agreement's pages use: `tokens`, `pairs`, or another layer's slug. `blind`: how many
    of the units both did without suggestions. `free`: they wrote as they liked, so kappa says nothing.
    """

    a: User
    b: User
    layer: str
    language: str
    units: int
    blind: int
    free: bool


@dataclass(frozen=True)
class CommonWork:
    """Who can be compared with whom. `whole`: these are all; else too much is shared to be counted while somebody
    waits, and these are the comparisons that were stored, the newest first."""

    rows: Sequence[Overlap]
    whole: bool


def common_work(project: Project) -> CommonWork:
    """The work that people of a project have in common, as far as it can be listed at once."""
    stages = _stages(project)
    if all(answers[: MAX_SHARED + 1].count() <= MAX_SHARED for answers in _shared_answers(project, stages)):
        return CommonWork(overlaps(project, stages), whole=True)
    rows = [
        Overlap(run.a, run.b, public_name(project, run.layer), run.language, run.units, run.blind, _free(run.layer))
        for run in compared_before(project)
    ]
    return CommonWork(rows, whole=False)


def overlaps(project: Project, stages: Sequence[Stage] | None = None) -> list[Overlap]:
    """Every two people with work in common: those with most blind work first, since only that is independent.

    Two people answer one unit where one of them was asked to do so blind, or where a stage wants several answers. Only
    those answers are read, so this costs what the overlap is, not what the project is.
    """
    stages = _stages(project) if stages is None else stages
    # Not an OR, for which PostgreSQL would read everybody's work.
    shared = reduce(QuerySet.union, _shared_answers(project, stages))
    judging = [stage for stage in stages if judges_texts(kind_of(stage))]
    aside = Unit.objects.filter(segment=OuterRef("unit__segment"), set_aside_with__isnull=False)
    rows = (
        Assignment.objects.filter(pk__in=shared, project=project, state=AssignmentState.DONE)
        .filter(Q(unit__is_current=True) | (Q(stage__in=judging) & Q(~Exists(aside))))
        .filter(unit__annotations__layer=F("stage__layer"), unit__annotations__state=AnnotationState.DONE)
        .order_by()
        .values(
            "stage__layer",
            "unit__language",
            low=Least("user", "unit__annotations__user"),
            high=Greatest("user", "unit__annotations__user"),
        )
        .annotate(
            units=Count("unit", distinct=True),
            blind=Count("unit", distinct=True, filter=Q(mode=Mode.BLIND, unit__annotations__mode=Mode.BLIND)),
        )
        .values_list("stage__layer", "unit__language", "low", "high", "units", "blind")
    )
    # One's own annotation is among those of the unit.
    common = [row for row in rows if row[2] != row[3]]
    users = User.objects.in_bulk({person for row in common for person in row[2:4]})
    layers = {layer.pk: layer for layer in project.layers.all()}
    # Spares every later look at it a query.
    project.tag_layer = next((layer for layer in layers.values() if layer.unit_kind == Segment.PAIR), None)
    free = {pk: _free(layer) for pk, layer in layers.items()}
    found = [
        Overlap(users[a], users[b], public_name(project, layers[layer]), language, units, blind, free[layer])
        for layer, language, a, b, units, blind in common
    ]
    order = [public_name(project, layer) for layer in layers.values()]
    return sorted(
        found,
        key=lambda row: (-row.blind, -row.units, order.index(row.layer), row.language, row.a.pk, row.b.pk),
    )


def _free(layer: Layer) -> bool:
    return isinstance(content_type(layer.content_type), FreeText)


def _stages(project: Project) -> list[Stage]:
    stages = list(project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer"))
    for stage in stages:
        stage.project = project
    return stages


def _shared_answers(project: Project, stages: Sequence[Stage]) -> list[QuerySet[Any, Any]]:
    """The ids of assignments to items that two people may answer: those of blind samples, and of stages that want
    several answers."""
    found: list[QuerySet[Any, Any]] = [BlindMark.objects.order_by().filter(project=project).values("assignment")]
    if several := _several_answers(stages):
        found.append(Assignment.objects.order_by().filter(stage__in=several).values("pk"))
    return found


def _several_answers(stages: Sequence[Stage]) -> list[Stage]:
    """Stages whose units get several answers: in the stage itself, or in another of the layer that holds them too."""
    held: dict[tuple[int, str, Holds], list[Stage]] = defaultdict(list)
    for stage in stages:
        holds = kind_of(stage).intake.holds(stage)
        # What a projection reached and what none reached make up the whole.
        for part in (Holds.PROJECTED, Holds.UNPROJECTED) if holds == Holds.ALL else (holds,):
            held[stage.layer_id, stage.language, part].append(stage)
    crowded = {stage.pk for together in held.values() if len(together) > 1 for stage in together}
    return [stage for stage in stages if stage.answers_wanted > 1 or stage.pk in crowded]


def comparable(project: Project) -> bool:
    """Whether two people have finished something in one layer and language, so that they can be compared. One query,
    from the counters."""
    worked = Counter.objects.filter(Q(own_done__gt=0) | Q(blind_done__gt=0), project=project, user__isnull=False)
    people = worked.exclude(stage__kind=Stage.ADJUDICATE).order_by().values("stage__layer", "stage__language")
    return people.annotate(people=Count("user", distinct=True)).filter(people__gt=1).exists()


def annotators(project: Project) -> QuerySet[User]:
    """Members, and those who left but whose work stays."""
    worked = Counter.objects.filter(Q(own_done__gt=0) | Q(blind_done__gt=0), project=project, user__isnull=False)
    ids = set(project.memberships.values_list("user_id", flat=True))
    ids |= set(worked.values_list("user_id", flat=True))
    return User.objects.filter(pk__in=ids).order_by("username")
