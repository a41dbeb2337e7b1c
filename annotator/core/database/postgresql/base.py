"""PostgreSQL with statements planned once a connection.

Finding a few rows by key takes PostgreSQL a tenth of the time that planning a join for it does. Statements are prepared
on the server, as psycopg 3 does by itself and psycopg 2 does not.

A pooler that gives each transaction another connection (PgBouncer in transaction mode) loses prepared statements: with
Django's DISABLE_SERVER_SIDE_CURSORS, which such a pooler needs anyhow, nothing is prepared.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import count
from math import isfinite
from time import monotonic
from typing import Any
from uuid import UUID

from django.db.backends.postgresql import base
from psycopg2 import ProgrammingError, errors

from annotator.core.database.postgresql.watchdog import watchdog

# Statements with more parameters take longer to keep than to plan again.
MAX_PARAMETERS = 100
# Statements that a connection remembers, prepared or not.
REMEMBERED = 200

_PLACES = re.compile(r"%(?:[s%]|\((\w+)\)s)")
_PREPARED = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
# There, two places that hold one value must stay the same expression, and $1 and $2 are not.
_REPEATS = re.compile(r"\bDISTINCT\b|\bGROUP BY\b(?:(?!\bHAVING\b|\bORDER BY\b|\bLIMIT\b)[^%])*%")
_LARGEST_INTEGER = 2**31 - 1
# How long a connection that has answered is taken to be alive, in seconds.
ALIVE_FOR = 1.0


class Statements:
    """The statements that a connection has seen lately, and the names of those that the server has prepared."""

    def __init__(self) -> None:
        # The latest last; "" for those that the server cannot prepare.
        self._names: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self._made = 0
        self._is_stale = False

    def prepared(self, cursor: Any, sql: str, types: tuple[str, ...], names: Sequence[str] = ()) -> str | None:
        """The name under which the statement is prepared, now or before; None where it cannot be.

        `types` of the parameters, in order; `names` where they have names.
        """
        if self._is_stale:
            cursor.run("DEALLOCATE ALL")
            self._is_stale = False
        key = (sql, types)
        if key in self._names:
            self._names.move_to_end(key)
            return self._names[key] or None
        if len(self._names) >= REMEMBERED:
            self._forget(cursor)
        self._made += 1
        name = f"translatio_{self._made}"
        declared = f" ({', '.join(types)})" if types else ""
        self._names[key] = name if _tried(cursor, f"PREPARE {name}{declared} AS {_numbered(sql, names)}") else ""
        return self._names[key] or None

    def clear(self) -> None:
        """Forget all; the server does with the next statement, since this transaction has failed."""
        self._names.clear()
        self._is_stale = True

    def _forget(self, cursor: Any) -> None:
        _oldest, name = self._names.popitem(last=False)
        if name:
            cursor.run(f"DEALLOCATE {name}")


def _numbered(sql: str, names: Sequence[str]) -> str:
    """The statement with $1, $2, … in place of its parameters."""
    places = count(1)
    numbers = {name: next(places) for name in names}
    return _PLACES.sub(
        lambda found: "%" if found[0] == "%%" else f"${numbers[found[1]] if found[1] else next(places)}", sql
    )


def _tried(cursor: Any, sql: str) -> bool:
    """Whether a statement that may be refused was not; the transaction continues in either case."""
    in_transaction = not cursor.connection.autocommit
    try:
        # In one message: the first sentence that somebody saves waits for twenty of them.
        cursor.run(f"SAVEPOINT translatio_prepare; {sql}; RELEASE translatio_prepare" if in_transaction else sql)
    except ProgrammingError:
        # The type of a parameter does not follow from its place, as in "%s IS NULL".
        if in_transaction:
            cursor.run("ROLLBACK TO SAVEPOINT translatio_prepare")
        return False
    return True


class Cursor(base.Cursor):
    """A cursor that prepares what comes again."""

    statements: Statements | None = None

    def execute(self, sql: Any, params: Sequence[Any] | Mapping[str, Any] | None = None) -> None:
        if isinstance(params, Mapping):
            # The server cannot tell the type of one that the statement does not name.
            names = [name for name in params if f"%({name})s" in str(sql)]
            values = [params[name] for name in names]
        else:
            names, values = [], list(params or ())
        name = self._prepared(sql, values, names)
        if name is None:
            return self.run(sql, params)
        places = f"({', '.join(['%s'] * len(values))})" if values else ""
        try:
            return self.run(f"EXECUTE {name}{places}", values)
        except errors.FeatureNotSupported:
            # A column has changed its type since: the statement fails once, and is then prepared again.
            if self.statements:
                self.statements.clear()
            raise

    def run(self, sql: Any, params: Any = None) -> None:
        """Execute as psycopg2 does."""
        super().execute(sql, params)

    def _prepared(self, sql: Any, values: list[Any], names: list[str]) -> str | None:
        if self.statements is None or not isinstance(sql, str):
            return None
        if len(values) > MAX_PARAMETERS or not _can_be_prepared(sql):
            return None
        types = tuple(found for value in values if (found := _type(value)) is not None)
        return self.statements.prepared(self, sql, types, names) if len(types) == len(values) else None


@lru_cache(maxsize=1000)
def _can_be_prepared(sql: str) -> bool:
    return _PREPARED.match(sql) is not None and _REPEATS.search(sql) is None


def _type(value: Any) -> str | None:
    """The type that the server takes psycopg2's spelling of a value for; None where it is not as simple as that."""
    if value is None or isinstance(value, str):
        return "unknown"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER else "bigint"
    if isinstance(value, float):
        return "numeric" if isfinite(value) else "double precision"
    if isinstance(value, datetime):
        return "timestamptz" if value.tzinfo else "timestamp"
    return "uuid" if isinstance(value, UUID) else None


class DatabaseWrapper(base.DatabaseWrapper):
    _statements: Statements | None = None
    _answered = 0.0

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": Cursor}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._statements = None if self.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] else Statements()
        connection = watchdog.connect(lambda: super(DatabaseWrapper, self).get_new_connection(conn_params), conn_params)
        self._answered = monotonic()
        return connection

    def _close(self) -> None:
        if self.connection is not None:
            with self.wrap_database_errors:
                watchdog.close(self.connection)

    def close_if_health_check_failed(self) -> None:
        """As Django's, which asks the server at each request; not again when it has answered a moment ago."""
        if self.connection is not None and monotonic() - self._answered < ALIVE_FOR:
            # For this request: Django looks again when a transaction has ended, where asking would begin another.
            self.health_check_done = True
            return
        if not self.health_check_done:
            super().close_if_health_check_failed()
            self._answered = monotonic()

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = super().create_cursor(name)
        if name is None:
            cursor.statements = self._statements
        return cursor
