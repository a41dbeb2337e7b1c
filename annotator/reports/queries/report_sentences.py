"""The sentences behind a value of a table, as the table was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.models import Project, Unit, User
from annotator.reports.queries.reports import Report
from annotator.search.queries.find import seen_by
from annotator.work.blind.queries.blind import shown_uids


@dataclass(frozen=True, slots=True)
class Behind:
    """A sentence behind a value: a unit, the line of its text that counts, and what the unit is called before the
    reader."""

    unit: Unit
    text: str
    uid: str


def places(report: Report, value: str, language: str = "") -> list[tuple[int, int]]:
    """The ids of units and the lines of their texts that have a value: in a language, or in all of them.

    Raises LookupError for a value or a language that the table does not have.
    """
    by_language = report.behind[value]
    return list(by_language[language]) if language else [one for some in by_language.values() for one in some]


def sentences(project: Project, reader: User, wanted: Sequence[tuple[int, int]], *, decides: bool) -> list[Behind]:
    """These sentences, without those that were replaced since the table was counted or that the reader must not see.

    `decides`: whether the reader may see what others answered. Reads a page's units by their ids.
    """
    rows = Unit.objects.published().filter(
        project=project, is_current=True, pk__in={unit for unit, _line in wanted if unit}
    )
    units = {unit.pk: unit for unit in seen_by(reader, project, rows.select_related("segment"))}
    uids = shown_uids(reader, project, units.values(), decides=decides)
    found = []
    for pk, line in wanted:
        if (unit := units.get(pk)) is not None:
            lines = unit.text.split("\n")
            found.append(Behind(unit, lines[line] if line < len(lines) else unit.text, uids[pk]))
    return found
