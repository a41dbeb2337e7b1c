"""Taking back what was made of the texts of an import, while nobody has answered it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

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
    """What was made of the texts of an import, by answers, rules or labels."""
    links = Unit.parents.through.objects.filter(to_unit__imported=imported, from_unit__imported=None)
    repeats: dict[int, bool] = {}
    for pk, touches, segment in links.values_list("from_unit", "from_unit__touches", "to_unit__segment").iterator():
        repeats[pk] = repeats.get(pk, False) or segment in touches
    made = sorted(repeats)
    worked_on, elsewhere = set[int](), set[int]()
    for start in range(0, len(made), AT_ONCE):
        some = Unit.objects.filter(pk__in=made[start : start + AT_ONCE])
        worked_on.update(some.filter(_worked_on()).values_list("pk", flat=True))
        others = Unit.objects.filter(children=OuterRef("pk"), kind=Segment.SENTENCE).exclude(imported=imported)
        elsewhere.update(some.filter(Exists(others)).values_list("pk", flat=True))
    stays = [
        pk
        for pk in made
        if (pk in worked_on and (repeats[pk] or pk not in elsewhere)) or (repeats[pk] and pk in elsewhere)
    ]
    kept = {*stays, *elsewhere}
    return MadeOf([pk for pk in made if pk not in kept], stays)


def _worked_on() -> Q:
    of_unit = {"unit": OuterRef("pk")}
    untouched = held_in_advance() | Q(state=AssignmentState.RETURNED)
    return (
        Q(Exists(Annotation.objects.filter(**of_unit)))
        | Q(Exists(Assignment.objects.filter(~untouched, **of_unit)))
        | Q(Exists(Gold.all_rows.filter(**of_unit)))
        | Q(Exists(Unit.objects.filter(parents=OuterRef("pk"))))
    )


def take_along(imported: Import, made: MadeOf) -> None:
    """What goes is the import's from here on, so that it is counted out and deleted with it."""
    for start in range(0, len(made.goes), AT_ONCE):
        units = Unit.objects.filter(pk__in=made.goes[start : start + AT_ONCE])
        Segment.objects.filter(units__in=units.values("pk")).update(imported=imported)
        units.update(imported=imported)
