"""Stages say what they show around a sentence, and answers what was shown."""

from django.db import migrations, models

LEVELS = ["nothing", "neighbours", "other-side", "inference"]


def as_it_was(apps, schema_editor):
    """Until now everything was shown around sentences, with the inference labels: so it was where answers were given.
    Of the projects of the reference workflow, which shows nothing, stages do so from here on."""
    stages = apps.get_model("annotator", "Stage").objects
    stages.filter(project__preset="meta4xnli-es-en").update(context="nothing")
    answers = apps.get_model("annotator", "Annotation").objects
    answers.filter(layer__content_type="spans", stage__isnull=False, imported__isnull=True).update(context="inference")


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0018_places_as_looked_up"),
    ]

    operations = [
        migrations.AddField("annotation", "context", models.CharField(blank=True, max_length=20)),
        migrations.AddField("assignment", "context", models.CharField(blank=True, max_length=20)),
        migrations.AddField("stage", "context", models.CharField(default="neighbours", max_length=20)),
        migrations.AddConstraint(
            "stage", models.CheckConstraint(condition=models.Q(context__in=LEVELS), name="stage_context_known")
        ),
        migrations.RunPython(as_it_was, migrations.RunPython.noop),
    ]
