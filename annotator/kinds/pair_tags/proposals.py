"""Pairs that are proposed as *no metaphor*: both sentences are decided or done, and nobody labelled anything there.

Left out: pairs that are tagged or reviewed by somebody else, and those on which the user is blind. Pairs are looked at
a page of the queue at a time, so that the cost does not grow with the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.kinds.pair_tags.sides import PairView, pair_views
from annotator.models import Assignment, Import, Item, Stage, User
from annotator.work.blind.queries.blind import blind_units

# Items that are looked at together, and how many such pages are read at most to find one with proposals.
PAGE = 200
PAGES = 5


def proposals(stage: Stage, user: User, *, after: int = 0) -> tuple[list[PairView], int | None]:
    """Proposed pairs among the next items behind the item `after` (0: from the beginning), in reading order, and the
    item to continue behind; None at the end."""
    found: list[PairView] = []
    last = Item.objects.filter(stage=stage, pk=after).first() if after else None
    for _page in range(PAGES):
        items = _candidates(stage, user, last)
        found = list(proposed(stage, items, user).values())
        last = items[-1] if len(items) == PAGE else None
        if found or last is None:
            break
    return found, last.pk if last is not None else None


def proposed(stage: Stage, items: Sequence[Item], user: User) -> dict[int, PairView]:
    """By item id, those of the stage's items that are proposed to the user right now. Items come with unit, segment."""
    own = set(
        Assignment.objects.filter(item__in=items, user=user, state=AssignmentState.OPEN, mode=Mode.REVIEW).values_list(
            "item_id", flat=True
        )
    )
    untouched = [
        item
        for item in items
        if item.state in (ItemState.FREE, ItemState.TAKEN)
        and item.answers_open == int(item.pk in own)
        and not item.answers_done
    ]
    hidden = blind_units(user, stage.project_id, [item.unit for item in untouched])
    visible = [item for item in untouched if item.unit_id not in hidden]
    views = pair_views(stage.project, [item.unit for item in visible], user)
    return {item.pk: views[item.unit_id] for item in visible if views[item.unit_id].without_label}


def _candidates(stage: Stage, user: User, last: Item | None) -> list[Item]:
    """The next page of the stage's items that are free, or that the user has open."""
    hidden = list(
        Import.objects.filter(project=stage.project_id, published_at__isnull=True).values_list("pk", flat=True)
    )
    rows = Item.objects.filter(stage=stage)
    if hidden:
        rows = rows.filter(Q(imported__isnull=True) | ~Q(imported__in=hidden))
    if last is not None:
        rows = rows.filter(reading__gte=last.reading).exclude(reading=last.reading, pk__lte=last.pk)
    rows = rows.select_related("unit__segment").order_by("reading", "pk")
    open_ = Assignment.objects.filter(stage=stage, user=user, state=AssignmentState.OPEN, mode=Mode.REVIEW)
    found = [
        *_first(rows.filter(state=ItemState.FREE)),
        *_first(rows.filter(state=ItemState.TAKEN, pk__in=open_.values("item"))),
    ]
    return sorted(found, key=lambda item: (item.reading, item.pk))[:PAGE]


def _first(rows: QuerySet[Item]) -> list[Item]:
    return list(rows[:PAGE])
