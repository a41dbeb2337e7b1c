"""Queries whose SQL is made once and then run with other parameters.

Django builds the SQL of a query anew each time, which takes several times longer than a database needs for a few rows
found by key. The calls that every key press makes build theirs once, from the same querysets: models and columns are
named in one place, and rows become the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

_M = TypeVar("_M", bound=Model)

# Stand for parameters while the SQL is made; no id and no text is like that.
_NUMBER = -(8 * 10**17)
_TEXT = "\ue000parameter\ue000"


@dataclass(frozen=True)
class _Compiled:
    sql: str
    # Each is a fixed value, or the name of the parameter that takes its place.
    params: list[tuple[bool, Any]]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    compiler: Any


class _Query:
    """A queryset with parameters: numbers and texts, named with their types.

    `build` is called once for each kind of database, with a marker for each parameter; the markers must reach the SQL
    as they are.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], **parameters: type[int] | type[str]) -> None:
        self._build = build
        self._parameters = parameters
        self._compiled: dict[str, _Compiled] = {}

    def _run(self, given: dict[str, int | str]) -> tuple[_Compiled, list[list[Any]]]:
        """The rows with values as Django's fields have them."""
        found = self._compiled.get(connection.vendor) or self._compile()
        with connection.cursor() as cursor:
            cursor.execute(found.sql, [given[value] if is_named else value for is_named, value in found.params])
            rows = [list(row) for row in cursor.fetchall()]
        for place, converters, expression in found.converters:
            for convert in converters:
                for row in rows:
                    row[place] = convert(row[place], expression, connection)
        return found, rows

    def _compile(self) -> _Compiled:
        markers: dict[str, int | str] = {
            name: _NUMBER - number if kind is int else f"{_TEXT}{name}"
            for number, (name, kind) in enumerate(self._parameters.items())
        }
        names = {marker: name for name, marker in markers.items()}
        compiler = self._build(**markers).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        named = [isinstance(param, int | str) and param in names for param in params]
        used = {names[param] for param, is_named in zip(params, named, strict=True) if is_named}
        if missing := sorted(markers.keys() - used):
            raise ValueError(f"The query does not use its parameters {', '.join(missing)}.")
        converters = compiler.get_converters([column[0] for column in compiler.select])
        found = _Compiled(
            sql,
            [(is_named, names[param] if is_named else param) for param, is_named in zip(params, named, strict=True)],
            [(place, functions, expression) for place, (functions, expression) in converters.items()],
            compiler,
        )
        self._compiled[connection.vendor] = found
        return found


class PreparedRows(_Query):
    """A query of `values_list`."""

    def rows(self, **given: int | str) -> list[list[Any]]:
        """The rows, in the queryset's order."""
        return self._run(given)[1]


class Prepared(_Query, Generic[_M]):
    """A query of model objects. `select_related`, `annotate` and `select_for_update` work as usual,
    `prefetch_related` does not."""

    def rows(self, **given: int | str) -> list[_M]:
        """The objects, in the queryset's order."""
        found, rows = self._run(given)
        info = found.compiler.klass_info
        select = found.compiler.select
        first, last = info["select_fields"][0], info["select_fields"][-1]
        names = [column[0].target.attname for column in select[first : last + 1]]
        # The stubs are those of a later Django.
        populators = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]
        objects = []
        for row in rows:
            made = info["model"].from_db(connection.alias, names, row[first : last + 1])
            for populator in populators:
                populator.populate(row, made)
            for name, place in (found.compiler.annotation_col_map or {}).items():
                setattr(made, name, row[place])
            objects.append(made)
        return objects

    def first(self, **given: int | str) -> _M | None:
        """The first of the objects; None where there is none."""
        rows = self.rows(**given)
        return rows[0] if rows else None


def execute(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> int:
    """Run a statement of our own tables; how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return int(cursor.rowcount)


def fetch(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a query of our own tables, as the database gives them."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
