"""Numbers that are kept beside what they count: of stages, of people, of items."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from annotator.core.counters import OWN, recounted, recounted_decisions, recounted_people
from annotator.core.kind import is_beside
from annotator.domain.states import AssignmentState, ItemState, Mode, item_state
from annotator.integrity.findings import WHOLE, Finding
from annotator.models import Assignment, Gold, Import, Item, Stage

STAGE_NUMBERS = ("total", "done", "open")
OWN_NUMBERS = tuple(f"{own}_{state}" for own in OWN.values() for state in ("open", "done"))


def check_counters() -> Iterator[Finding]:
    """The counters of stages and people against a recount, and each item against its assignments and its gold."""
    # Rows of an import are counted when it is published.
    under_way = Import.objects.filter(published_at=None).values("project")
    stages = Stage.objects.filter(WHOLE).exclude(project__in=under_way)
    for stage in stages.select_related("project", "layer").order_by("pk"):
        yield from _stage(stage)
        yield from _people(stage)
        if not stage.adjudicates:
            yield from _items(stage)


def _stage(stage: Stage) -> Iterator[Finding]:
    sums = {name: Coalesce(Sum(name), 0) for name in STAGE_NUMBERS}
    kept = stage.counters.aggregate(**sums)
    right = {"done": recounted_decisions(stage)} if stage.adjudicates else recounted(stage)
    for name, number in right.items():
        if kept[name] != number:
            yield _wrong(stage, f"its counters say {kept[name]} {name}, but its items say {number}.")


def _people(stage: Stage) -> Iterator[Finding]:
    right = recounted_people(stage)
    kept = {row.user_id: row for row in stage.counters.filter(user__isnull=False)}
    for user in sorted({*right, *kept}, key=lambda one: one or 0):
        for name in OWN_NUMBERS:
            says = getattr(kept[user], name) if user in kept else 0
            number = right.get(user or 0, {}).get(name, 0)
            if says != number:
                yield _wrong(stage, f"the counter of user {user} says {says} {name}, but their work says {number}.")


def _items(stage: Stage) -> Iterator[Finding]:
    modes = {
        # Without modes nothing is counted; a filter by an empty list would not do that.
        name: [mode.value for mode in Mode if is_beside(stage, mode) is beside] or [""]
        for name, beside in (("own", False), ("beside", True))
    }
    counted = {
        f"{name}_{state}": Count("assignments", filter=Q(assignments__state=state, assignments__mode__in=of_name))
        for name, of_name in modes.items()
        for state in (AssignmentState.OPEN.value, AssignmentState.DONE.value)
    }
    same = Q(
        answers_open=F("own_open"),
        answers_done=F("own_done"),
        extra_open=F("beside_open"),
        extra_done=F("beside_done"),
    )
    items = Item.objects.filter(stage=stage).order_by("pk")
    for item in items.annotate(**counted).exclude(same).iterator(chunk_size=2000):
        yield Finding(
            f"item {item.pk} in {stage.project.slug}",
            f"says {item.answers_open} open and {item.answers_done} done answers ({item.extra_open} and "
            f"{item.extra_done} blind ones beside them), but its assignments differ.",
        )
    decided = Exists(Gold.objects.filter(unit=OuterRef("unit"), layer=stage.layer_id))
    names = ("pk", "state", "answers_wanted", "answers_open", "answers_done", "is_decided")
    rows = items.exclude(state=ItemState.VOID).annotate(is_decided=decided).values_list(*names)
    for pk, state, wanted, open_, done, is_decided in rows.iterator(chunk_size=2000):
        right = item_state(wanted=wanted, open_=open_, done=done, decided=is_decided)
        if state != right:
            yield Finding(
                f"item {pk} in {stage.project.slug}", f'is "{state}", but should be "{right}" by its answers and gold.'
            )


def check_assigned_once() -> Iterator[Finding]:
    """Nobody has two answers to a unit in a layer at once."""
    held = Assignment.objects.filter(WHOLE).exclude(state=AssignmentState.RETURNED).order_by()
    of_layer = held.values_list("unit", "stage__layer", "user").annotate(number=Count("pk")).filter(number__gt=1)
    for unit, layer, user, number in of_layer.iterator(chunk_size=2000):
        yield Finding(f"unit {unit} in layer {layer}", f"is assigned {number} times to user {user}.")


def _wrong(stage: Stage, problem: str) -> Finding:
    slug = stage.project.slug
    again = (
        'Count again: translatio shell -c "from annotator.core.counters import recount; '
        f"from annotator.models import Project; recount(Project.objects.get(slug='{slug}'))\""
    )
    return Finding(f"stage {stage.pk} in {slug}", problem, again)
