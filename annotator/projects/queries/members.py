"""The members of a project, and what each of them did, from the counters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotator.domain.verbs import Verb
from annotator.models import Counter, Event, Membership, Project, Stage, User
from annotator.work.queue.queries.progress import held_ahead


@dataclass(frozen=True)
class MemberRow:
    """A membership, and what the person did. `done`: a stage of each name and how many items they did in all stages of
    that name, in working order; `open`: what they have before them, without what a page merely holds in advance."""

    membership: Membership
    done: Sequence[tuple[Stage, int]]
    open: int


def resettable(project: Project, people: Collection[int]) -> set[int]:
    """Those whose account was created here by a manager and gives access to nothing else: their managers may set a new
    password. Two statements. What a backup says about accounts does not count."""
    made = Event.objects.filter(
        project=project, verb=Verb.USER_CREATE, subject_type="user", subject_id__in=people, restored_at=None
    )
    found = User.objects.filter(
        pk__in=made.values("subject_id"),
        is_active=True,
        is_staff=False,
        is_superuser=False,
        creates_projects=False,
        restores_projects=False,
    )
    elsewhere = Membership.objects.filter(user__in=people).exclude(project=project).values_list("user", flat=True)
    return set(found.values_list("pk", flat=True)) - set(elsewhere)


def member_rows(project: Project) -> list[MemberRow]:
    """The memberships by name, each with what the person did. Three queries, from the counters."""
    memberships = list(project.memberships.select_related("user").order_by("user__username"))
    counters = Counter.objects.filter(project=project, user__in=[one.user_id for one in memberships])
    rows = list(counters.select_related("stage__layer").order_by("stage__position", "stage"))
    held = held_ahead(list({row.stage_id: row.stage for row in rows}.values()))
    done: dict[int, dict[Sequence[object], tuple[Stage, int]]] = defaultdict(dict)
    open_: dict[int, int] = defaultdict(int)
    for row in rows:
        stage, person = row.stage, row.user_id or 0
        if number := row.own_done + row.blind_done:
            # The same work in several languages counts together.
            name = stage.title, stage.kind, stage.layer_id
            first, before = done[person].get(name, (stage, 0))
            done[person][name] = first, before + number
        if not stage.adjudicates:
            open_[person] += row.own_open + row.blind_open - held[row.stage_id].people.get(person, 0)
    return [MemberRow(one, list(done[one.user_id].values()), open_[one.user_id]) for one in memberships]
