"""What becomes of a row's columns on the way into an archive, and on the way back.

Half a million rows go through here, so what is the same for all rows of a table is settled once, and values that need
not be understood stay text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from django.db.models import Field, JSONField, Model

from annotator.backup.actions.references import Number, named_detector, renamed
from annotator.backup.actions.tables import Table

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Names:
    """How rows and people are named on the other side: numbers in an archive, ids in a database."""

    rows: Mapping[type[Model], Number]
    people: Number

    def inside(self, value: Any) -> Any:
        """A JSON value with all that it names."""
        return renamed(value, self.rows, self.people)


class Spelling(Protocol):
    """How values are spelt on one side. None is never given."""

    def time(self, value: Any) -> Any: ...

    def uuid(self, value: Any) -> Any: ...

    def json(self, value: Any) -> Any:
        """Of JSON in which nothing is named by id."""

    def named_json(self, inside: Change, value: Any) -> Any:
        """Of JSON in which `inside` names everything otherwise."""

    def ids(self, number: Number, value: Any) -> Any:
        """Of a list of ids, which are given as a column of JSON."""

    def id(self, number: Number, value: int) -> Any:
        """Of one id."""

    def plain(self, field: Field[Any, Any]) -> Change:
        """Of all other columns: numbers, texts, truth values."""


def changes(table: Table, names: Names, spelling: Spelling) -> dict[str, Change]:
    """By column, what makes of its value the one on the other side. None stays what it is."""
    found: dict[str, Change] = {}
    references, people, takes_names = table.references(), table.people(), table.takes_names()
    for field in table.fields():
        column, kind = field.attname, field.get_internal_type()
        if column in references:
            ids = spelling.ids if isinstance(field, JSONField) else spelling.id
            found[column] = partial(ids, names.rows[references[column]])
        elif column in people:
            found[column] = partial(spelling.id, names.people)
        elif isinstance(field, JSONField):
            found[column] = partial(spelling.named_json, names.inside) if column in takes_names else spelling.json
        elif column in takes_names:
            found[column] = _then(named_detector, spelling.plain(field))
        elif kind == "DateTimeField":
            found[column] = spelling.time
        elif kind == "UUIDField":
            found[column] = spelling.uuid
        else:
            found[column] = spelling.plain(field)
    return found


def _then(first: Change, second: Change) -> Change:
    return lambda value: second(first(value))
