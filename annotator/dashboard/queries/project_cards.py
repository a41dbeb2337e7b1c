"""The cards of projects, from the counters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from annotator.core.access import projects_for
from annotator.core.kind import is_open_ended, kind_of
from annotator.domain.content import Written, content_type
from annotator.imports.queries.imports import units_by
from annotator.models import Counter, Import, Layer, Membership, Project, Stage, User
from annotator.reports.queries.agreement import PAIRS, TOKENS
from annotator.work.queue.queries.coverage import Coverage, gold_of_unjudged, reaches, sums_of
from annotator.work.queue.queries.progress import held_ahead

_DONE = F("own_done") + F("blind_done")
_OPEN = F("own_open") + F("blind_open")


@dataclass(frozen=True)
class Share:
    """Of the `units` of a layer in a language ("": in all), those that are done: decided, or answered where nobody
    decides. `more`: at least so many."""

    language: str
    done: int
    units: int
    more: bool = False


@dataclass(frozen=True)
class LayerShare:
    """A layer by the name that the agreement's pages use, in all and by language."""

    layer: str
    whole: Share
    languages: Sequence[Share]


@dataclass(frozen=True)
class ProjectCard:
    """A project of the user's: their role ("" for a site admin who is not a member), how far its layers are, their own
    work. `decided`: the shares are of gold; else, where no gold is or will be, of answers. `brought`: where there are
    no shares yet, by language and kind how many units were imported, "" for sentences."""

    project: Project
    role: str
    decided: bool
    shares: Sequence[LayerShare]
    own_open: int
    own_done: int
    brought: Mapping[str, Mapping[str, int]]


def project_cards(user: User) -> list[ProjectCard]:
    """The user's projects by name. Eight queries at most, however many."""
    projects = list(projects_for(user))
    roles = dict(Membership.objects.filter(user=user).values_list("project", "role"))
    own = {
        row["project"]: row
        for row in Counter.objects.filter(user=user, project__in=projects)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .order_by()
        .values("project")
        .annotate(open=Coalesce(Sum(_OPEN), 0), done=Coalesce(Sum(_DONE), 0))
    }
    stages: dict[int, list[Stage]] = defaultdict(list)
    by_id = {project.pk: project for project in projects}
    for stage in Stage.objects.filter(project__in=projects).select_related("layer"):
        stage.project = by_id[stage.project_id]
        stages[stage.project_id].append(stage)
    held = held_ahead([stage for some in stages.values() for stage in some])
    ahead = {project: sum(held[stage.pk].people.get(user.pk, 0) for stage in some) for project, some in stages.items()}
    sums = sums_of(Counter.objects.filter(project__in=projects))
    for stage in (stage for some in stages.values() for stage in some):
        if not stage.adjudicates and is_open_ended(kind_of(stage)) and stage.pk in sums:
            # An empty place is nothing of a layer.
            sums[stage.pk] = (sums[stage.pk][0] - held[stage.pk].items, sums[stage.pk][1])
    gold = gold_of_unjudged([stage for some in stages.values() for stage in some], sums)
    cards = []
    found_shares = {project: _shares(project, reaches(stages[project.pk], sums, gold)) for project in projects}
    brought = _brought([project for project, (_decided, shares) in found_shares.items() if not shares])
    for project, (decided, shares) in found_shares.items():
        mine = own.get(project.pk, {"open": 0, "done": 0})
        cards.append(
            ProjectCard(
                project=project,
                role=roles.get(project.pk, ""),
                decided=decided,
                shares=shares,
                own_open=mine["open"] - ahead.get(project.pk, 0),
                own_done=mine["done"],
                brought=brought.get(project, {}),
            )
        )
    return cards


def _brought(projects: Sequence[Project]) -> dict[Project, dict[str, dict[str, int]]]:
    """By project, language and kind, how many units were imported, as the imports counted them. One query at most."""
    found: dict[Project, dict[str, dict[str, int]]] = {}
    if not projects:
        return found
    for imported in Import.objects.filter(project__in=projects, published_at__isnull=False).select_related("project"):
        languages = found.setdefault(imported.project, {})
        for language, kinds in units_by(imported).items():
            numbers = languages.setdefault(language, {})
            for kind, number in kinds.items():
                numbers[kind] = numbers.get(kind, 0) + number
    return found


def _shares(project: Project, found: dict[tuple[int, str], Coverage]) -> tuple[bool, list[LayerShare]]:
    """Whether gold is told of, and the layers in order. Written texts have none, since others judge them: they are told
    of while there is nothing else."""
    filled = {key: reach for key, reach in found.items() if reach.units}
    there = {
        key: reach for key, reach in filled.items() if not isinstance(content_type(reach.layer.content_type), Written)
    } or filled
    with_gold = {reach.layer for reach in there.values() if reach.judged or reach.decided}
    layers = with_gold or {reach.layer for reach in there.values()}
    shares = []
    for layer in sorted(layers, key=lambda layer: (layer.position, layer.pk)):
        languages = [
            Share(language, reach.decided if with_gold else reach.answered, reach.units, reach.more)
            for language in project.languages
            if (reach := there.get((layer.pk, language))) is not None
        ]
        whole = Share(
            "",
            sum(one.done for one in languages),
            sum(one.units for one in languages),
            any(one.more for one in languages),
        )
        shares.append(LayerShare(_name(layer, found), whole, languages))
    return bool(with_gold), shares


def _name(layer: Layer, found: dict[tuple[int, str], Coverage]) -> str:
    if not any(reach.released for reach in found.values() if reach.layer == layer):
        return layer.slug
    return TOKENS if layer.content_type == Layer.SPANS else PAIRS
