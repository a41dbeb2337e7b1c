"""Triggers by which the database itself refuses to change an event."""

from __future__ import annotations

from typing import Any

# SQLite has no DELETE trigger: `manage.py flush` empties tables by DELETE there, and by TRUNCATE on PostgreSQL.
SQLITE = """
CREATE TRIGGER annotator_event_no_update BEFORE UPDATE ON annotator_event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

# The one exception: a transaction that names a project may delete that project's events.
POSTGRESQL = """
CREATE FUNCTION annotator_event_append_only() RETURNS trigger AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('translatio.deleting_project', true) = OLD.project_id::text THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only';
END $$ LANGUAGE plpgsql;
CREATE TRIGGER annotator_event_append_only BEFORE UPDATE OR DELETE ON annotator_event
FOR EACH ROW EXECUTE FUNCTION annotator_event_append_only();
"""

DROP_ON_SQLITE = "DROP TRIGGER annotator_event_no_update"
DROP_ON_POSTGRESQL = """
DROP TRIGGER annotator_event_append_only ON annotator_event;
DROP FUNCTION annotator_event_append_only();
"""


def create_triggers(apps: Any, schema_editor: Any) -> None:
    """Make events append-only."""
    _execute(schema_editor, SQLITE, POSTGRESQL)


def drop_triggers(apps: Any, schema_editor: Any) -> None:
    """Undo `create_triggers`."""
    _execute(schema_editor, DROP_ON_SQLITE, DROP_ON_POSTGRESQL)


def _execute(schema_editor: Any, sqlite: str, postgresql: str) -> None:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute(sqlite if connection.vendor == "sqlite" else postgresql)
