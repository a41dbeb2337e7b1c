"""Projects and drafts say how much they take on the disk, and projects whose quota they count in."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def weigh(apps, schema_editor):
    """What came in so far, by the files that are on record."""
    projects = apps.get_model("annotator", "Project").objects
    sizes = {}
    imports = apps.get_model("annotator", "Import").objects.filter(published_at__isnull=False)
    for project, files in imports.values_list("project", "files").iterator():
        sizes[project] = sizes.get(project, 0) + sum(max(0, one.get("size", 0)) for one in files)
    for project, size in sizes.items():
        projects.filter(pk=project).update(size=size)
    for draft in apps.get_model("annotator", "ImportDraft").objects.filter(imported=None).iterator():
        draft.size = sum(max(0, one.get("size", 0)) for one in draft.files)
        draft.save(update_fields=["size"])
    created = apps.get_model("annotator", "Event").objects.filter(
        verb__in=("project.create", "project.copy"), subject_type="project", actor__isnull=False
    )
    for project, actor in created.values_list("subject_id", "actor"):
        projects.filter(pk=project).update(created_by=actor)


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0021_set_aside"),
    ]

    operations = [
        migrations.AddField(
            "project",
            "created_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("project", "size", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("importdraft", "size", models.PositiveBigIntegerField(default=0)),
        migrations.RunPython(weigh, migrations.RunPython.noop),
    ]
