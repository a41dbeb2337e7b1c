"""What becomes of a row's columns on the way into an archive, and on the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Model

from annotator.actions.archive.references import Number, named_detector, renamed
from annotator.actions.archive.tables import Table
from annotator.models import TrainedDetector

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Names:
    """How rows and people are named on the other side: numbers in an archive, ids in a database."""

    rows: Mapping[type[Model], Number]
    people: Number


def changes(
    table: Table, names: Names, *, times: Change, uuids: Change, lists: Callable[[Number, list[int]], Any]
) -> dict[str, Change]:
    """By column, what makes of its value the one on the other side. Values of None stay as they are.

    `times` and `uuids` are for such columns, `lists` for those with a list of ids.
    """
    by_type = {"DateTimeField": times, "UUIDField": uuids}
    found = {one.attname: by_type[kind] for one in table.fields() if (kind := one.get_internal_type()) in by_type}
    in_lists = table.lists()
    for column, model in table.references().items():
        number = names.rows[model]
        found[column] = partial(lists, number) if column in in_lists else number
    found |= dict.fromkeys(table.people(), names.people)
    trained = names.rows[TrainedDetector]
    for column in table.takes_names():
        if column in table.contents():
            found[column] = partial(renamed, rows=names.rows, people=names.people, trained=trained)
        else:
            found[column] = partial(named_detector, trained=trained)
    return found
