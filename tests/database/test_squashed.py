"""A new database, made in one step, is the one that all migrations in turn would leave."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.site import Site

STEP_BY_STEP = """
import json
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

executor = MigrationExecutor(connection)
executor.loader.replace_migrations = False
executor.loader.build_graph()
leaves = executor.loader.graph.leaf_nodes("annotator")
executor.migrate([leaf for leaf in leaves if "squashed" not in leaf[1]])
print(json.dumps(sorted(name for app, name in executor.recorder.applied_migrations() if app == "annotator")))
"""

# A check that 0011 left on SQLite, since it would have had to write the whole table again.
LEFT_ON_SQLITE = re.compile(
    r'(CREATE TABLE "annotator_lemmaplace" .*"project_id" bigint NOT NULL)'
    r' REFERENCES "annotator_project" \("id"\) DEFERRABLE INITIALLY DEFERRED'
)


def statements(database: Path) -> set[str]:
    """What made the tables, indexes and triggers."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE 'annotator%'")
        return {_in_any_order(LEFT_ON_SQLITE.sub(r"\1", sql)) for [sql] in rows}


def _in_any_order(sql: str) -> str:
    """A statement with what a table has in one order: a column that came later stands elsewhere, and is the same."""
    name, begins, columns = sql.partition(" (")
    return name + begins + ", ".join(sorted(columns.split(", "))) if sql.startswith("CREATE TABLE") else sql


@pytest.mark.slow
@pytest.mark.processes
def test_all_migrations_in_turn_leave_the_same(tmp_path: Path, migrated_file: Path) -> None:
    site = Site(tmp_path / "site")

    applied = site.python(STEP_BY_STEP)

    assert {"0001_initial", "0007_people", "0013_joberrors"} <= set(applied)
    assert statements(site.folder / "db.sqlite3") == statements(migrated_file)
