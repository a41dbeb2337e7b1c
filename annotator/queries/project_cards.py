"""The cards of projects, from the counters."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce

from annotator.models import Assignment, Counter, Membership, Project, Segment, Stage, User
from annotator.queries.access import projects_for
from annotator.queries.progress import held_in_advance
from annotator.queries.reach import reaches, sums_of

_DONE = F("own_done") + F("blind_done")
_OPEN = F("own_open") + F("blind_open")


@dataclass(frozen=True)
class ProjectCard:
    """A project of the user's: their role ("" for a site admin who is no member), its gold, their own work."""

    project: Project
    role: str
    sentence_count: int
    gold_count: int
    own_open: int
    own_done: int


def project_cards(user: User) -> list[ProjectCard]:
    """The user's projects by name. Six queries, however many."""
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
    cards = []
    for project in projects:
        rows = reaches(stages[project.pk], sums).values()
        sentences = [reach for reach in rows if reach.released and reach.unit_kind == Segment.SENTENCE]
        mine = own.get(project.pk, {"open": 0, "done": 0})
        cards.append(
            ProjectCard(
                project=project,
                role=roles.get(project.pk, ""),
                sentence_count=sum(reach.units for reach in sentences),
                gold_count=sum(reach.decided for reach in sentences),
                own_open=mine["open"] - ahead.get(project.pk, 0),
                own_done=mine["done"],
            )
        )
    return cards
