"""Queries whose SQL is made once and then run with other parameters.

Django builds the SQL of a query each time, which takes several times longer than a database needs for a few rows
found by key. The calls that every key press makes build theirs once, from the same querysets: models and columns are
named in one place, and rows become the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

_M = TypeVar("_M", bound=Model)

LARGEST = 2**63 - 1
# Stand for parameters while the SQL is made; no id and no text is like that.
_NUMBER = -(8 * 10**17)
_TEXT = "\ue000parameter\ue000"


Given = int | str | Collection[int]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a parameter stands in the statement: for a list, each of its members has a place."""

    name: str
    member: int = 0


@dataclass(frozen=True)
class _Compiled:
    sql: str
    # Each is a fixed value, or the parameter that takes its place.
    params: list[Any]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    compiler: Any


class _Query:
    """A queryset with parameters, named with their types: numbers, texts, and lists of numbers for `__in`.

    `build` is called once for each kind of database, and for each length of its lists (powers of two, filled up with
    their last member), with a marker for each parameter; the markers must reach the SQL as they are. Lists must not be
    empty: nothing is in them.
    """

    def __init__(
        self, build: Callable[..., QuerySet[Any, Any]], **parameters: type[int] | type[str] | type[list[int]]
    ) -> None:
        self._build = build
        self._parameters = parameters
        self._compiled: dict[tuple[str, tuple[int, ...]], _Compiled] = {}

    def _run(self, given: dict[str, Given]) -> tuple[_Compiled, list[list[Any]]]:
        """The rows with values as Django's fields have them."""
        values = {name: _members(value) for name, value in given.items()}
        sizes = tuple(len(values[name]) for name in self._parameters)
        found = self._compiled.get((connection.vendor, sizes)) or self._compile(sizes)
        params = [values[value.name][value.member] if isinstance(value, _Place) else value for value in found.params]
        with connection.cursor() as cursor:
            cursor.execute(found.sql, params)
            rows = [list(row) for row in cursor.fetchall()]
        for place, converters, expression in found.converters:
            for convert in converters:
                for row in rows:
                    row[place] = convert(row[place], expression, connection)
        return found, rows

    def _compile(self, sizes: tuple[int, ...]) -> _Compiled:
        places: dict[int | str, _Place] = {}
        markers: dict[str, Any] = {}
        for (name, kind), size in zip(self._parameters.items(), sizes, strict=True):
            members: list[int | str] = (
                [f"{_TEXT}{name}"] if kind is str else [_NUMBER - len(places) - member for member in range(size)]
            )
            places |= {marker: _Place(name, member) for member, marker in enumerate(members)}
            markers[name] = members[0] if kind in (int, str) else members
        compiler = self._build(**markers).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        placed = [places.get(param, param) if isinstance(param, int | str) else param for param in params]
        if missing := sorted(self._parameters.keys() - {param.name for param in placed if isinstance(param, _Place)}):
            raise ValueError(f"The query does not use its parameters {', '.join(missing)}.")
        converters = compiler.get_converters([column[0] for column in compiler.select])
        found = _Compiled(
            sql,
            placed,
            [(place, functions, expression) for place, (functions, expression) in converters.items()],
            compiler,
        )
        self._compiled[connection.vendor, sizes] = found
        return found


def _members(value: Given) -> list[Any]:
    if isinstance(value, str):
        return [value]
    return [_stored(value)] if isinstance(value, int) else _filled(value)


def _stored(value: int) -> int:
    """A number that somebody sent, or one that no row has where it is larger than the database can compare with."""
    return value if abs(value) <= LARGEST else -1


def _filled(values: Collection[int]) -> list[int]:
    """The values, filled up with the last one to a power of two, so that there are few statements."""
    found = list(map(_stored, values))
    return found + found[-1:] * ((1 << (len(found) - 1).bit_length()) - len(found))


class PreparedRows(_Query):
    """A query of `values_list`."""

    def rows(self, **given: Given) -> list[list[Any]]:
        """The rows, in the queryset's order."""
        return self._run(given)[1]


class Prepared(_Query, Generic[_M]):
    """A query of model objects. `select_related`, `annotate` and `select_for_update` work as usual,
    `prefetch_related` does not."""

    def rows(self, **given: Given) -> list[_M]:
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

    def first(self, **given: Given) -> _M | None:
        """The first of the objects; None where there is none."""
        rows = self.rows(**given)
        return rows[0] if rows else None


def execute(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> int:
    """Run a statement of our own tables; how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return int(cursor.rowcount)


def run_listed(sql: str, params: Sequence[Any], ids: Collection[int]) -> int:
    """Run a statement that ends with a list of ids, named IDS in it; how many rows it changed. Of nothing, none."""
    if not ids:
        return 0
    given = _filled(ids)
    return execute(sql.removesuffix("IDS") + f"({', '.join(['%s'] * len(given))})", [*params, *given])


def fetch(sql: str, params: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a query of our own tables, as the database gives them."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
