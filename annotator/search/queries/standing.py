"""The state of sentences for one person in the work on labels: theirs, free, with others, or decided.

A list shows it in each row, and an act on many rows changes only those whose state is still the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from annotator.core.access import Access
from annotator.core.kind import kind_of
from annotator.domain.states import AssignmentState, ItemState
from annotator.models import Annotation, Assignment, Gold, Item, Stage

OWN, FREE, OTHERS, GOLD, CLOSED = "own", "free", "others", "gold", "closed"
# Of what is the person's own: finished, or held by their page in advance.
DONE, AHEAD = "done", "ahead"


@dataclass(frozen=True, slots=True)
class Standing:
    """`version`: of the person's answer, 0 where there is none. `stage`: where the item is worked on. `own`: how far
    the person is with it, DONE or AHEAD; empty otherwise."""

    state: str
    stage: Stage | None = None
    assignment: int | None = None
    version: int = 0
    own: str = ""

    @property
    def told(self) -> str:
        """The state as a reader is told it."""
        return self.own or self.state

    @property
    def seen(self) -> str:
        """What a row of a list carries of it, to be compared when somebody acts on the row."""
        return f"{self.state}-{self.version}" if self.state == OWN else self.state


def labelling_stages(access: Access) -> dict[int, Stage]:
    """The stages in which sentences are labelled and that the person may work in, by id, in order."""
    layer = access.project.label_layer
    rows = access.project.stages.filter(layer=layer).exclude(kind=Stage.ADJUDICATE).select_related("layer")
    found = {}
    for stage in rows:
        stage.project = access.project
        if access.may(kind_of(stage).needs):
            found[stage.pk] = stage
    return found


def standings(access: Access, units: Collection[int]) -> dict[int, Standing]:
    """By unit (id), how it stands. Five statements, however many."""
    layer = access.project.label_layer
    stages = labelling_stages(access)
    own = {
        row.unit_id: row
        for row in Assignment.objects.filter(unit__in=units, user=access.user, stage__in=stages)
        .exclude(state=AssignmentState.RETURNED)
        .order_by("pk")
    }
    answers = Annotation.objects.filter(unit__in=units, layer=layer, user=access.user)
    versions = dict(answers.values_list("unit_id", "version"))
    decided = set(Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", flat=True))
    items: dict[int, list[Item]] = {}
    for item in Item.objects.filter(unit__in=units, stage__in=stages).exclude(state=ItemState.VOID).order_by("pk"):
        items.setdefault(item.unit_id, []).append(item)
    return {unit: _standing(unit, own, versions, unit in decided, items.get(unit, []), stages) for unit in units}


def _standing(
    unit: int,
    own: Mapping[int, Assignment],
    versions: Mapping[int, int],
    decided: bool,
    items: list[Item],
    stages: Mapping[int, Stage],
) -> Standing:
    version = versions.get(unit, 0)
    if decided or any(item.state == ItemState.DECIDED for item in items):
        return Standing(GOLD)
    if unit in own:
        row = own[unit]
        return Standing(OWN, stages[row.stage_id], row.pk, version, _own(row))
    ordered = sorted(items, key=lambda item: list(stages).index(item.stage_id))
    free = next((item for item in ordered if item.state == ItemState.FREE), None)
    if free is not None:
        return Standing(FREE, stages[free.stage_id], None, version)
    if ordered:
        return Standing(OTHERS, stages[ordered[0].stage_id], None, version)
    return Standing(CLOSED)


def _own(row: Assignment) -> str:
    if row.state == AssignmentState.DONE:
        return DONE
    return AHEAD if row.expires_at is not None else ""
