import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0012_api"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="training",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name="Training",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("items", models.JSONField(default=list)),
                ("done_at", models.DateTimeField(null=True)),
                ("score", models.FloatField(null=True)),
                ("let_in", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trainings",
                        to="annotator.project",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trainings",
                        to="annotator.stage",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trainings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["project", "user"], name="training_of_person")],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "user", "number"), name="training_once_per_try")
                ],
            },
        ),
    ]
