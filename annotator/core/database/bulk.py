"""Writing many rows fast: what is slow is prepared first, so that the transaction only has to insert.

`bulk_create` spends ten times longer on building statements than the database on the rows, and on SQLite a save
waits for the transaction. Defaults and signals of models are not looked at; constraints are the database's and hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, lru_cache
from io import StringIO
from operator import itemgetter
from types import NoneType
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import DateTimeField, Field, JSONField, Model, UUIDField
from django.db.models.base import ModelState
from django.utils import timezone

from annotator.core.database.sqlite.log import synced_beside

_M = TypeVar("_M", bound=Model)

# Ids that are fetched at once.
RESERVED = 2000
# In one statement: SQLite spends a third of a row's time on its statement. It takes 32,766 values.
PAGE = 500
MAX_VALUES = 30_000
# Rows whose ids are asked for, in one statement.
SOME = 100
# What ends a value or a row of COPY, or begins an escape, and how it is written. The backslash first.
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_NULL = "\\N"
# Bytes.
READ_BY_COPY = 65_536


@dataclass(frozen=True)
class Insert:
    """Rows of one table, as the database takes them."""

    model: type[Model]
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]

    def run(self) -> None:
        """Insert them. Call it inside a transaction."""
        if not self.rows:
            return
        if connection.vendor == "postgresql":
            self._copy()
        else:
            (self._without_nulls() or self)._insert()

    def _insert(self) -> None:
        most = min(PAGE, MAX_VALUES // len(self.columns))
        for start in range(0, len(self.rows), most):
            page = self.rows[start : start + most]
            values = [value for row in page for value in row]
            # Past Django, which would look for its own marks in a statement of ten thousand characters.
            with connection.wrap_database_errors:
                connection.connection.execute(_statement(self.model, self.columns, len(page)), _plain(values))

    def _without_nulls(self) -> Insert | None:
        """Without the columns that are null in all rows; None where there is no such column.

        SQLite's driver spends longer on a null than the database on a number and its index.
        """
        nulls = [place for place, value in enumerate(self.rows[0]) if value is None]
        nulls = [place for place in nulls if all(row[place] is None for row in self.rows)]
        used = [place for place in range(len(self.columns)) if place not in nulls]
        if not nulls or len(used) < 2:
            return None
        chosen = itemgetter(*used)
        return Insert(self.model, chosen(self.columns), list(map(chosen, self.rows)))

    def _copy(self) -> None:
        """As PostgreSQL reads them: a statement with a value of each takes both sides several times longer."""
        quote = connection.ops.quote_name
        names = ", ".join(map(quote, self.columns))
        columns = [_for_copy(column) for column in zip(*self.rows, strict=True)]
        lines = StringIO("".join(["\t".join(row) + "\n" for row in zip(*columns, strict=True)]))
        with connection.cursor() as cursor, connection.wrap_database_errors:
            raw: Any = cursor
            raw.copy_expert(f"COPY {quote(self.model._meta.db_table)} ({names}) FROM STDIN", lines, READ_BY_COPY)


@lru_cache(maxsize=200)
def _statement(model: type[Model], columns: tuple[str, ...], rows: int) -> str:
    quote = connection.ops.quote_name
    one = f"({', '.join(['?'] * len(columns))})"
    # SQLite copies each page that a statement changes, in case it has to be undone alone; ours are undone with their
    # transaction.
    return (
        f"INSERT OR FAIL INTO {quote(model._meta.db_table)} ({', '.join(map(quote, columns))}) "  # noqa: S608 -- names of our own
        f"VALUES {', '.join([one] * rows)}"
    )


def _plain(values: list[Any]) -> list[Any]:
    """Truth values as numbers, which is what they are in SQLite; its driver spends ten times longer on the others."""
    return [int(value) if value is True or value is False else value for value in values]


def _for_copy(values: Sequence[Any]) -> Iterable[str]:
    """The values of a column as COPY reads them: numbers, texts, truth values, times, UUIDs and None."""
    kinds = set(map(type, values))
    if kinds == {NoneType}:
        return [_NULL] * len(values)
    texts = list(map(str, values))
    if str in kinds:
        # Looked for in all at once: hardly ever is there one.
        together = "".join(texts)
        for character, escape in _ESCAPES.items():
            if character in together:
                texts = [text.replace(character, escape) for text in texts]
    if NoneType in kinds:
        return [_NULL if value is None else text for value, text in zip(values, texts, strict=True)]
    return texts


def prepared(model: type[Model], rows: Iterable[Model]) -> Insert:
    """The insert of unsaved instances. Those that have an id keep it; the database gives the others theirs."""
    given = list(rows)
    if not given:
        return Insert(model, (), ())
    fields, values = _fields(model, given[0].pk is not None)
    time = timezone.now()
    now = connection.ops.adapt_datetimefield_value(time)
    for field in fields:
        if isinstance(field, DateTimeField) and (field.auto_now or field.auto_now_add):
            for row in given:
                setattr(row, field.attname, time)
    columns = list(zip(*[values(row.__dict__) for row in given], strict=True))
    for place, field in enumerate(fields):
        if (convert := _converter(field, now)) is not None:
            columns[place] = tuple(map(convert, columns[place]))
    return Insert(model, tuple(str(field.column) for field in fields), list(zip(*columns, strict=True)))


@cache
def _fields(model: type[Model], with_id: bool) -> tuple[list[Field[Any, Any]], Callable[[Any], tuple[Any, ...]]]:
    """The fields that are written, and what takes their values from an instance's."""
    found: list[Field[Any, Any]] = [field for field in model._meta.concrete_fields if with_id or not field.primary_key]
    return found, itemgetter(*(field.attname for field in found))


def like(row: _M, **changes: Any) -> _M:
    """Another unsaved instance with the values of `row` but for `changes`, by name of a field, or its id's for a
    foreign key. A tenth of the time that making one takes. What is not given is shared: give new lists.
    """
    made = type(row).__new__(type(row))
    state = ModelState()
    state.fields_cache = dict(row._state.fields_cache)
    values = made.__dict__
    values.update(row.__dict__, **changes)
    values["_state"] = state
    for name in _links(type(row)) & changes.keys():
        linked = state.fields_cache[name] = values.pop(name)
        values[f"{name}_id"] = linked.pk
    return made


@cache
def _links(model: type[Model]) -> frozenset[str]:
    """The names of the fields that lead to other rows."""
    return frozenset(field.name for field in model._meta.concrete_fields if field.is_relation)


def update_rows(model: type[Model], rows: Sequence[Model], names: Sequence[str]) -> None:
    """Write the fields `names` of stored instances, as `bulk_update` does. Call it inside a transaction."""
    if not rows:
        return
    found: list[Field[Any, Any]] = list(model._meta.concrete_fields)
    fields = [field for field in found if field.name in names] + [field for field in found if field.primary_key]
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    columns = []
    for field in fields:
        convert = _converter(field, now)
        values = [getattr(row, field.attname) for row in rows]
        columns.append(values if convert is None else list(map(convert, values)))
    quote = connection.ops.quote_name
    table, quoted = quote(model._meta.db_table), [quote(str(field.column)) for field in fields]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            sets = ", ".join(f"{column} = %s" for column in quoted[:-1])
            cursor.executemany(f"UPDATE {table} SET {sets} WHERE id = %s", list(zip(*columns, strict=True)))  # noqa: S608 -- names of our own
            return
        sets = ", ".join(f"{column} = new.{column}" for column in quoted[:-1])
        lists = ", ".join(f"%s::{field.rel_db_type(connection)}[]" for field in fields)
        cursor.execute(
            f"UPDATE {table} SET {sets} FROM unnest({lists}) AS new ({', '.join(quoted)}) WHERE {table}.id = new.id",  # noqa: S608 -- names of our own
            columns,
        )


def insert_one(row: _M) -> _M:
    """Insert an unsaved instance and give it its id, a third of the time that `save` takes. Signals are not sent."""
    [inserted] = insert_some([row])
    return inserted


def insert_some(rows: Sequence[_M]) -> Sequence[_M]:
    """Insert unsaved instances of one model and give them their ids. Call it inside a transaction."""
    for start in range(0, len(rows), SOME):
        _insert_page(rows[start : start + SOME])
    return rows


def _insert_page(rows: Sequence[Model]) -> None:
    insert = prepared(type(rows[0]), rows)
    quote = connection.ops.quote_name
    names, table = ", ".join(map(quote, insert.columns)), quote(insert.model._meta.db_table)
    one = f"({', '.join(['%s'] * len(insert.columns))})"
    values = [value for row in insert.rows for value in row]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) VALUES {', '.join([one] * len(rows))} RETURNING id",  # noqa: S608 -- names of our own
            values,
        )
        # In the order of the rows, which Django relies on, too.
        for row, (pk,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = pk
            row._state.adding = False


def _converter(field: Field[Any, Any], now: Any) -> Callable[[Any], Any] | None:
    if isinstance(field, JSONField):
        return _json
    if isinstance(field, UUIDField):
        return lambda value: field.get_db_prep_value(value, connection)
    if isinstance(field, DateTimeField):
        if field.auto_now or field.auto_now_add:
            return lambda _value: now
        return connection.ops.adapt_datetimefield_value
    return None


def _json(value: Any) -> str:
    return "[]" if value == [] else json.dumps(value)


_SYNCED_LATER = {
    "sqlite": (
        ("PRAGMA synchronous = NORMAL", "PRAGMA cache_size = -32000"),
        ("PRAGMA synchronous = FULL", "PRAGMA cache_size = -2000"),
    ),
    "postgresql": (("SET SESSION synchronous_commit = off",), ("SET SESSION synchronous_commit = on",)),
}


@contextmanager
def synced_later() -> Iterator[None]:
    """Transactions inside do not wait for the disk; the first one after them does, and brings them there, too.
    SQLite keeps more pages of the indexes that all of them change, and its log goes to the disk beside them.

    For many rows that nobody sees until a last transaction publishes them. Call it outside of a transaction.
    """
    if connection.in_atomic_block:
        # In tests that run in one.
        yield
        return
    before, after = _SYNCED_LATER[connection.vendor]
    with connection.cursor() as cursor:
        for statement in before:
            cursor.execute(statement)
    try:
        with synced_beside(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else nullcontext():
            yield
    finally:
        with connection.cursor() as cursor:
            for statement in after:
                cursor.execute(statement)


class Ids:
    """Ids of a table for rows that are still to be inserted; nobody else gets them."""

    def __init__(self, model: type[Model]) -> None:
        self._table = model._meta.db_table
        self._left: list[int] = []

    def next(self) -> int:
        """One more id. Now and then it is a transaction of its own."""
        if not self._left:
            self._left = list(reversed(_reserve(self._table, RESERVED)))
        return self._left.pop()


def reserved(model: type[Model], count: int) -> Sequence[int]:
    """So many ids of a table, ascending, that nobody else gets."""
    return _reserve(model._meta.db_table, count) if count else []


@transaction.atomic
def _reserve(table: str, count: int) -> Sequence[int]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # In a query of its own the sequence is looked up once, and not for each id, which takes five times as long.
            cursor.execute(
                "SELECT nextval((SELECT pg_get_serial_sequence(%s, 'id')::regclass)) FROM generate_series(1, %s)",
                [table, count],
            )
            return [row[0] for row in cursor.fetchall()]
        # Where SQLite keeps the largest id that a table ever had.
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        if not cursor.rowcount:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = cursor.fetchone()[0]
    return range(last - count + 1, last + 1)
