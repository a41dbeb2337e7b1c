"""Writing rows of a project backup, and saying which of them the database refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.db import DatabaseError, OperationalError, transaction
from django.db.models import Model, UniqueConstraint

from annotator.backup.actions.looking import ArchiveError, misfit
from annotator.backup.actions.shapes import Misfit
from annotator.core.database.bulk import Insert
from annotator.core.database.numbered import Ids
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message


def insert(name: str, first: int, ids: Ids, inserts: Sequence[Insert]) -> None:
    """Write rows of a file, from its line `first` on, and what belongs to them, in a transaction. `ids`: the table's.

    Raises ArchiveError that says which line cannot be written, and which one has the same row.
    """
    try:
        with transaction.atomic():
            for one in inserts:
                one.run()
    except OperationalError:
        # The database's fault, and no sign of a damaged archive.
        raise
    except (DatabaseError, UnicodeError) as error:
        raise _refused(name, first, ids, inserts[0]) from error


def _refused(name: str, first: int, ids: Ids, rows: Insert) -> ArchiveError:
    """What is said of the first row that the database refuses. Nothing is written."""
    with transaction.atomic():
        try:
            for line, row in enumerate(rows.rows, start=first):
                same = _same_as(rows, row, ids)
                if same is not None:
                    problem = message(_("is a duplicate: line %(line)d has the same row"), line=same)
                    return misfit(name, Misfit(problem), line)
                try:
                    with transaction.atomic():
                        Insert(rows.model, rows.columns, [row]).run()
                except (DatabaseError, UnicodeError):
                    return misfit(name, Misfit(message(_("cannot be stored"))), line)
        finally:
            transaction.set_rollback(True)
    return misfit(name, Misfit(message(_("cannot be stored"))), first)


def _same_as(rows: Insert, row: Sequence[object], ids: Ids) -> int | None:
    """The line with a row that is there and that this one may not be beside."""
    model: type[Model] = rows.model
    values = dict(zip(rows.columns, row, strict=True))
    for fields in _once(model, values):
        found = model._base_manager.filter(**fields).values_list("pk", flat=True).first()
        if found is not None and (line := ids.number(found)) is not None:
            return line
    return None


def _once(model: type[Model], values: dict[str, object]) -> list[dict[str, object]]:
    """Of a row's values, those that no other row has."""
    alone = [one.attname for one in model._meta.concrete_fields if one.unique and not one.primary_key]
    found = [{name: values[name]} for name in alone if values.get(name) is not None]
    fields_by = {one.name: one for one in model._meta.concrete_fields}
    for one in model._meta.constraints:
        if not isinstance(one, UniqueConstraint):
            continue
        names = [str(fields_by[name].attname) for name in one.fields]
        # What holds of some rows only is asked of columns of the same name.
        some: dict[str, Any] = dict(cast("Any", one.condition.children)) if one.condition is not None else {}
        fields = {name: values.get(name) for name in names}
        if None not in fields.values() and all(_holds(values, name, wanted) for name, wanted in some.items()):
            found.append({**fields, **some})
    return found


def _holds(values: dict[str, object], name: str, wanted: object) -> bool:
    column, _dot, look = name.partition("__")
    value = values.get(column, values.get(f"{column}_id"))
    return (value is None) == wanted if look == "isnull" else value == wanted
