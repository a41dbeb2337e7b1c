"""Taking back what was made of the texts of an import, while nobody has answered it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.domain.states import AssignmentState
from annotator.models import Annotation, Assignment, Gold, Import, Item, Segment, Unit
from annotator.work.queue.queries.progress import held_in_advance

# Ids in one statement.
CHUNK_SIZE = 500


@dataclass(frozen=True, slots=True)
class MadeOf:
    """Ids of the units that were made of an import's texts: those that go with them, and those that stay, since
    somebody has worked on them. What also stands in other texts, as an expression does, is in neither. What also needs
    other texts, as a tuple does, goes: it is made again of those that are left."""

    goes: list[int]
    stays: list[int]


def made_of(imported: Import) -> MadeOf:
    """What was made of the texts of an import, by answers, rules or labels, and what was made of that in turn."""
    links = Unit.parents.through.objects.filter(to_unit__imported=imported, from_unit__imported=None)
    repeats: dict[int, bool] = {}
    for pk, touches, segment in links.values_list("from_unit", "from_unit__touches", "to_unit__segment").iterator():
        repeats[pk] = repeats.get(pk, False) or segment in touches
    made = sorted(repeats)
    worked_on, elsewhere = set[int](), set[int]()
    for some in _units(made):
        worked_on.update(some.filter(_answered()).values_list("pk", flat=True))
        others = Unit.objects.filter(children=OuterRef("pk"), kind=Segment.SENTENCE).exclude(imported=imported)
        elsewhere.update(some.filter(Exists(others)).values_list("pk", flat=True))
    elsewhere = {pk for pk in elsewhere if not repeats[pk]}
    further, needed = _further(made)
    stays = (worked_on | needed.keys()) - elsewhere
    goes = [pk for pk in made if pk not in stays and pk not in elsewhere]
    staying = stays | elsewhere
    return MadeOf(
        [*goes, *(pk for pk, parents in further.items() if staying.isdisjoint(parents))],
        sorted((worked_on & stays).union(*(needed[pk] for pk in needed.keys() & stays))),
    )


def _further(made: Sequence[int]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """What was made of these units, such as tuples of expressions, and nobody has worked on: ids, each with those of
    them that it was made of. Then, by those of the units that anything else was made of, what that is."""
    parents: dict[int, set[int]] = {}
    needed: defaultdict[int, set[int]] = defaultdict(set)
    known = set(made)
    for some in _units(made):
        links = Unit.parents.through.objects.filter(to_unit__in=some)
        for pk, parent, imported_by in links.values_list("from_unit", "to_unit", "from_unit__imported").iterator():
            if pk in known or imported_by is not None:
                needed[parent].add(pk)
            else:
                parents.setdefault(pk, set()).add(parent)
    staying = set[int]()
    for some in _units(sorted(parents)):
        staying.update(some.filter(_answered() | Q(children__isnull=False)).values_list("pk", flat=True))
    for pk in staying:
        for parent in parents[pk]:
            needed[parent].add(pk)
    return {pk: of for pk, of in parents.items() if pk not in staying}, needed


def _units(ids: Sequence[int]) -> Iterator[QuerySet[Unit]]:
    for start in range(0, len(ids), CHUNK_SIZE):
        yield Unit.objects.filter(pk__in=ids[start : start + CHUNK_SIZE])


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
        # Nobody claims them while they are being deleted.
        Item.objects.filter(unit__in=units.values("pk")).update(imported=imported)
        units.update(imported=imported)
