import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0013_training"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("import", "Import"),
                    ("predict", "Pre-label"),
                    ("project", "Label projection"),
                    ("release", "Release"),
                    ("train", "Train a detector"),
                    ("revise", "Edit a text"),
                    ("fill", "Fill a stage"),
                    ("relabel", "Change the labels"),
                    ("words", "Mark content words"),
                    ("map", "Draw a map"),
                    ("delete", "Delete the project"),
                    ("copy", "Copy the texts"),
                    ("archive", "Back up the project"),
                    ("restore", "Restore a project backup"),
                    ("count", "Compute a table"),
                    ("export", "Export labels"),
                    ("agreement", "Compute agreement"),
                    ("split", "Split the corpus"),
                    ("study", "Compare several people"),
                    ("compare", "Compare labels"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("languages", "Languages"), ("versions", "Versions")], max_length=20),
                ),
                ("params", models.JSONField()),
                ("results", models.JSONField()),
                ("size", models.PositiveIntegerField()),
                ("last_event", models.BigIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("published_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="comparison",
                        to="annotator.job",
                    ),
                ),
                (
                    "layer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comparisons", to="annotator.layer"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comparisons",
                        to="annotator.project",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="ComparisonRow",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("lemma", models.CharField(max_length=200)),
                ("other_lemma", models.CharField(max_length=200)),
                ("content", models.JSONField()),
                (
                    "comparison",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="annotator.comparison",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="comparison",
            index=models.Index(fields=["project", "id"], name="comparison_newest"),
        ),
        migrations.AddConstraint(
            model_name="comparison",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["languages", "versions"])), name="comparison_kind_known"
            ),
        ),
        migrations.AddIndex(
            model_name="comparisonrow",
            index=models.Index(fields=["comparison", "lemma", "number"], name="comparison_lemma"),
        ),
        migrations.AddIndex(
            model_name="comparisonrow",
            index=models.Index(fields=["comparison", "other_lemma", "number"], name="comparison_other_lemma"),
        ),
        migrations.AddConstraint(
            model_name="comparisonrow",
            constraint=models.UniqueConstraint(fields=("comparison", "number"), name="comparison_row_once"),
        ),
    ]
