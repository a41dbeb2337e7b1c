"""Taking back what was made of the texts of an import, while nobody has answered it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.domain.states import AssignmentState
from annotator.models import Annotation, Assignment, Gold, Import, Segment, Unit
from annotator.queries.progress import held_in_advance

# Ids in one statement.
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class MadeOf:
    """Ids of the units that were made of an import's texts: those that go with them, and those that somebody has worked
    on, or that need other texts, too. What also stands in other texts, as an expression does, is in neither."""

    goes: list[int]
    stays: list[int]


def made_of(imported: Import) -> MadeOf:
    """What was made of the texts of an import, by answers, rules or labels, and what was made of that in turn."""
    links = Unit.parents.through.objects.filter(to_unit__imported=imported, from_unit__imported=None)
    repeats: dict[int, bool] = {}
    for pk, touches, segment in links.values_list("from_unit", "from_unit__touches", "to_unit__segment").iterator():
        repeats[pk] = repeats.get(pk, False) or segment in touches
    made = sorted(repeats)
    further, needed = _further(made)
    worked_on, elsewhere = needed, set[int]()
    for some in _units(made):
        worked_on.update(some.filter(_answered()).values_list("pk", flat=True))
        others = Unit.objects.filter(children=OuterRef("pk"), kind=Segment.SENTENCE).exclude(imported=imported)
        elsewhere.update(some.filter(Exists(others)).values_list("pk", flat=True))
    stays = [
        pk
        for pk in made
        if (pk in worked_on and (repeats[pk] or pk not in elsewhere)) or (repeats[pk] and pk in elsewhere)
    ]
    kept = {*stays, *elsewhere}
    goes = [pk for pk in made if pk not in kept]
    return MadeOf([*goes, *(pk for pk, parents in further.items() if kept.isdisjoint(parents))], stays)


def _further(made: Sequence[int]) -> tuple[dict[int, set[int]], set[int]]:
    """What was made of these units alone, such as tuples of expressions, and nobody has worked on: ids, each with what
    it was made of. Then those of the units that anything else was made of."""
    parents: dict[int, set[int]] = {}
    known, needed = set(made), set[int]()
    for some in _units(made):
        links = Unit.parents.through.objects.filter(to_unit__in=some)
        for pk, parent, came in links.values_list("from_unit", "to_unit", "from_unit__imported").iterator():
            if pk in known or came is not None:
                needed.add(parent)
            else:
                parents.setdefault(pk, set()).add(parent)
    kept = set[int]()
    for some in _units(sorted(parents)):
        kept.update(some.filter(_answered() | Q(children__isnull=False)).values_list("pk", flat=True))
        links = Unit.parents.through.objects.filter(from_unit__in=some)
        kept.update(pk for pk, parent in links.values_list("from_unit", "to_unit") if parent not in known)
    needed.update(parent for pk in kept for parent in parents[pk])
    return {pk: of for pk, of in parents.items() if pk not in kept}, needed


def _units(ids: Sequence[int]) -> Iterator[QuerySet[Unit]]:
    for start in range(0, len(ids), AT_ONCE):
        yield Unit.objects.filter(pk__in=ids[start : start + AT_ONCE])


def _answered() -> Q:
    """Condition: somebody has answered the unit, holds it, or has decided on it."""
    of_unit = {"unit": OuterRef("pk")}
    untouched = held_in_advance() | Q(state=AssignmentState.RETURNED)
    return (
        Q(Exists(Annotation.objects.filter(**of_unit)))
        | Q(Exists(Assignment.objects.filter(~untouched, **of_unit)))
        | Q(Exists(Gold.all_rows.filter(**of_unit)))
    )


def take_along(imported: Import, made: MadeOf) -> None:
    """What goes is the import's from here on, so that it is counted out and deleted with it."""
    for units in _units(made.goes):
        Segment.objects.filter(units__in=units.values("pk")).update(imported=imported)
        units.update(imported=imported)
