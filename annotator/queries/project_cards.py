"""The cards of projects, from the counters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce

from annotator.domain.content import Written, content_type
from annotator.models import Assignment, Counter, Layer, Membership, Project, Stage, User
from annotator.queries.access import projects_for
from annotator.queries.agreement import PAIRS, TOKENS
from annotator.queries.progress import held_in_advance
from annotator.queries.reach import Reach, gold_of_unjudged, reaches, sums_of

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
    """A project of the user's: their role ("" for a site admin who is no member), how far its layers are, their own
    work. `decided`: the shares are of gold; else, where no gold is or will be, of answers."""

    project: Project
    role: str
    decided: bool
    shares: Sequence[LayerShare]
    own_open: int
    own_done: int


def project_cards(user: User) -> list[ProjectCard]:
    """The user's projects by name. Seven queries at most, however many."""
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
    held = Assignment.objects.filter(held_in_advance(), user=user, project__in=projects).order_by().values("project")
    ahead = dict(held.annotate(n=Count("pk")).values_list("project", "n"))
    stages: dict[int, list[Stage]] = defaultdict(list)
    by_id = {project.pk: project for project in projects}
    for stage in Stage.objects.filter(project__in=projects).select_related("layer"):
        stage.project = by_id[stage.project_id]
        stages[stage.project_id].append(stage)
    sums = sums_of(Counter.objects.filter(project__in=projects))
    gold = gold_of_unjudged([stage for some in stages.values() for stage in some], sums)
    cards = []
    for project in projects:
        found = reaches(stages[project.pk], sums, gold)
        decided, shares = _shares(project, found)
        mine = own.get(project.pk, {"open": 0, "done": 0})
        cards.append(
            ProjectCard(
                project=project,
                role=roles.get(project.pk, ""),
                decided=decided,
                shares=shares,
                own_open=mine["open"] - ahead.get(project.pk, 0),
                own_done=mine["done"],
            )
        )
    return cards


def _shares(project: Project, found: dict[tuple[int, str], Reach]) -> tuple[bool, list[LayerShare]]:
    """Whether gold is told of, and the layers in order. Written texts have none: others judge them."""
    there = {
        key: reach
        for key, reach in found.items()
        if reach.units and not isinstance(content_type(reach.layer.content_type), Written)
    }
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


def _name(layer: Layer, found: dict[tuple[int, str], Reach]) -> str:
    if not any(reach.released for reach in found.values() if reach.layer == layer):
        return layer.slug
    return TOKENS if layer.content_type == Layer.SPANS else PAIRS
