"""Update the table statistics that a database uses to plan queries."""

from __future__ import annotations

from django.db import connection
from django.db.models import JSONField, Model

from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Event,
    Gold,
    Item,
    LemmaPlace,
    Pair,
    Segment,
    Suggestion,
    Unit,
)

# Tables that grow with the corpus, or with what is done to it.
GROWING: tuple[type[Model], ...] = (
    *(Segment, Unit, Pair, Gold, Item, LemmaPlace, Suggestion, Alignment),
    *(Annotation, Assignment, BlindMark, Event),
)


# With fewer units SQLite is fast with any plan, and would scan tables of a few rows.
LARGE = 2000


def refresh_statistics() -> None:
    """Count again how many rows share a value. Without this, a database uses an index that matches most of a table,
    and a save or a search takes a second instead of milliseconds. On SQLite from LARGE units on."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # Not the newest ID: after deletions it does not tell how many rows there are.
            if Unit.objects.order_by()[:LARGE].count() < LARGE:
                return
            # Rows read per index: milliseconds for any length of the table.
            cursor.execute("PRAGMA analysis_limit = 1000")
        for model in GROWING:
            columns = ""
            if connection.vendor == "postgresql":
                # No query searches JSON, and comparing it takes longer than all other columns.
                fields = [field for field in model._meta.concrete_fields if not isinstance(field, JSONField)]
                columns = f" ({', '.join(quote(str(field.column)) for field in fields)})"
            cursor.execute(f"ANALYZE {quote(model._meta.db_table)}{columns}")
