"""Statistics of the tables, by which a database plans its queries."""

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


# With fewer units SQLite is fast whatever it reads, and a table of a few rows would be read as a whole.
LARGE = 2000


def refresh_statistics() -> None:
    """Count again how many rows share a value. Without that a database uses an index by which it finds most of a table,
    and a save or a look-up takes a second, not milliseconds. On SQLite from LARGE units on."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            if (Unit.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) < LARGE:
                return
            # So many rows of each index are looked at: milliseconds, however long the table is.
            cursor.execute("PRAGMA analysis_limit = 1000")
        for model in GROWING:
            columns = ""
            if connection.vendor == "postgresql":
                # Nothing is looked up by JSON, and comparing it takes longer than all the others.
                fields = [field for field in model._meta.concrete_fields if not isinstance(field, JSONField)]
                columns = f" ({', '.join(quote(str(field.column)) for field in fields)})"
            cursor.execute(f"ANALYZE {quote(model._meta.db_table)}{columns}")
