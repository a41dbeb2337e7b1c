"""How the values of an archive are spelt in a statement of the database."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.db import connection
from django.db.models import Field

from annotator.backup.actions.columns import Change
from annotator.backup.actions.references import Number


class DatabaseSpelling:
    """Of a database: what columns of an archive, as JSON has them, are in a statement."""

    def __init__(self) -> None:
        self._json = json.JSONEncoder().encode
        self._sqlite = connection.vendor == "sqlite"

    def time(self, value: str) -> str:
        if not self._sqlite:
            return value
        # As Django writes it: SQLite compares texts.
        return f"{value[:10]} {value[11 : 19 if value[19:26] == '.000000' else 26]}"

    def uuid(self, value: str) -> str:
        found = uuid.UUID(value)
        # SQLite keeps its 32 digits.
        return found.hex if self._sqlite else str(found)

    def json(self, value: Any) -> str:
        return "[]" if value == [] else self._json(value)

    def named_json(self, inside: Change, value: Any) -> str:
        return self._json(inside(value))

    def ids(self, number: Number, value: list[int]) -> str:
        return self._json([number(one) for one in value])

    def id(self, number: Number, value: int) -> int | None:
        return number(value)

    def plain(self, field: Field[Any, Any]) -> Change:
        return float if field.get_internal_type() == "FloatField" else _as_it_stands


def _as_it_stands(value: Any) -> Any:
    return value
