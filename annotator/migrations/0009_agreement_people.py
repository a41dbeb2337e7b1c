import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_KINDS = [
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
]


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0008_splits"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(choices=_KINDS, max_length=20),
        ),
        migrations.CreateModel(
            name="AgreementStudy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=20)),
                ("dimension", models.CharField(max_length=50)),
                ("mapping", models.CharField(blank=True, max_length=50)),
                ("cluster", models.CharField(max_length=20)),
                ("seed", models.PositiveIntegerField()),
                ("resamples", models.PositiveIntegerField()),
                ("units", models.PositiveIntegerField()),
                ("scheme_version", models.PositiveIntegerField()),
                ("last_event", models.BigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("results", models.JSONField()),
                ("computed_at", models.DateTimeField()),
                (
                    "computed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "layer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreement_studies",
                        to="annotator.layer",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreement_studies",
                        to="annotator.project",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["project", "sha256"], name="agreement_study_same")],
            },
        ),
        migrations.CreateModel(
            name="AgreementPerson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "study",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="people",
                        to="annotator.agreementstudy",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="agreement_studies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("study", "number"), name="agreement_person_number_once")
                ],
            },
        ),
    ]
