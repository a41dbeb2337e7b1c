"""What tables hold, to be compared with what they hold later."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Model

Rows = list[tuple[Any, ...]]


def rows_of(*models: type[Model]) -> list[Rows]:
    """All rows of each, as the database has them: Django's own way to them took ten times as long as the rest."""
    found = []
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY id")  # noqa: S608 -- no name from outside
            found.append(cursor.fetchall())
    return found
