"""Whether this version can work with the database."""

from __future__ import annotations

from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

SILENT = "The database does not answer"
TOO_OLD = "The database is too old for this version. Run translatio migrate in the previous version first."


def database_trouble() -> str | None:
    """Why no command can work with the database: it does not answer, or its tables are not those of this version."""
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        return f"{SILENT}: {str(error).strip()}"
    if is_too_old(executor.loader):
        return TOO_OLD
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database is not prepared for this version. Prepare it with: translatio migrate"
    return None


def is_too_old(loader: MigrationLoader) -> bool:
    """Whether the database has only some of the migrations that one of ours replaces.

    Django then ignores the one that replaces them, and finds nothing to do.
    """
    replaced = [ours.replaces for (app, _name), ours in loader.replacements.items() if app == "annotator"]
    return any(0 < len(loader.applied_migrations.keys() & set(names)) < len(names) for names in replaced)
