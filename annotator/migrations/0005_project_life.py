"""Descriptions by language, settings of languages, archived and deleted projects, and who may create them.

The event log gets its one exception: a transaction that names a project may delete the events of that project
(projects/actions/delete_project.py).
"""

from django.db import migrations, models

POSTGRESQL = """
CREATE OR REPLACE FUNCTION annotator_event_append_only() RETURNS trigger AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('translatio.deleting_project', true) = OLD.project_id::text THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only';
END $$ LANGUAGE plpgsql;
"""

BEFORE = """
CREATE OR REPLACE FUNCTION annotator_event_append_only() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'events are append-only'; END $$ LANGUAGE plpgsql;
"""


def replaced(sql):
    def run(apps, schema_editor):
        # SQLite has no DELETE trigger (0002 says why).
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.connection.cursor().execute(sql)

    return run


def by_language(apps, schema_editor):
    Project = apps.get_model("annotator", "Project")
    for project in Project.objects.exclude(description=""):
        project.descriptions = {"en": project.description}
        project.save(update_fields=["descriptions"])


def in_one(apps, schema_editor):
    Project = apps.get_model("annotator", "Project")
    for project in Project.objects.exclude(descriptions={}):
        project.description = project.descriptions.get("en", "")
        project.save(update_fields=["description"])


class Migration(migrations.Migration):
    dependencies = [("annotator", "0004_terms")]

    operations = [
        migrations.AddField("project", "archived_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("project", "deleting_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "project", "descriptions", models.JSONField(blank=True, default=dict, verbose_name="description")
        ),
        migrations.AddField("project", "dictionaries", models.JSONField(blank=True, default=dict)),
        migrations.AddField("project", "function_words", models.JSONField(blank=True, default=dict)),
        migrations.AddField("project", "texts", models.CharField(blank=True, max_length=20)),
        migrations.AddField(
            "user", "creates_projects", models.BooleanField(default=False, verbose_name="may create projects")
        ),
        migrations.AlterField(
            "job",
            "kind",
            models.CharField(
                choices=[
                    ("import", "Import"),
                    ("predict", "Pre-label"),
                    ("project", "Project labels"),
                    ("release", "Release"),
                    ("train", "Train a detector"),
                    ("revise", "Fixed text"),
                    ("fill", "Fill a stage"),
                    ("relabel", "Change the labels"),
                    ("delete", "Delete the project"),
                ],
                max_length=20,
            ),
        ),
        migrations.RunPython(by_language, in_one),
        migrations.RemoveField("project", "description"),
        migrations.RunPython(replaced(POSTGRESQL), replaced(BEFORE)),
    ]
