"""The database itself refuses to change an event, whoever asks."""

from django.db import migrations

SQLITE = """
CREATE TRIGGER annotator_event_no_update BEFORE UPDATE ON annotator_event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

# No DELETE trigger on SQLite: emptying the database there (manage.py flush) is a DELETE; on PostgreSQL it is TRUNCATE.
POSTGRESQL = """
CREATE FUNCTION annotator_event_append_only() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'events are append-only'; END $$ LANGUAGE plpgsql;
CREATE TRIGGER annotator_event_append_only BEFORE UPDATE OR DELETE ON annotator_event
FOR EACH ROW EXECUTE FUNCTION annotator_event_append_only();
"""


def forwards(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    schema_editor.connection.cursor().execute(SQLITE if vendor == "sqlite" else POSTGRESQL)


def backwards(apps, schema_editor):
    cursor = schema_editor.connection.cursor()
    if schema_editor.connection.vendor == "sqlite":
        cursor.execute("DROP TRIGGER annotator_event_no_update")
    else:
        cursor.execute("DROP TRIGGER annotator_event_append_only ON annotator_event")
        cursor.execute("DROP FUNCTION annotator_event_append_only")


class Migration(migrations.Migration):
    dependencies = [("annotator", "0001_initial")]
    operations = [migrations.RunPython(forwards, backwards)]
