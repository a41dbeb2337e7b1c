"""What each row of a long table is written to."""

from __future__ import annotations

from itertools import permutations

import pytest
from django.db import connection, models

from annotator.core.database.statistics import GROWING
from annotator.models import JobChunk

LONG = (*GROWING, JobChunk)


@pytest.mark.django_db
@pytest.mark.parametrize("model", LONG)
def test_no_index_is_the_beginning_of_another_one(model: type[models.Model]) -> None:
    partial = {one.name for one in [*model._meta.indexes, *model._meta.constraints] if getattr(one, "condition", None)}
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    whole = {
        name: one["columns"]
        for name, one in found.items()
        if name not in partial and (one["index"] or one["unique"] or one["primary_key"])
    }
    assert whole
    assert [
        (name, other)
        for (name, columns), (other, more) in permutations(whole.items(), 2)
        if not found[name]["unique"] and not found[name]["primary_key"] and more[: len(columns)] == columns
    ] == []
