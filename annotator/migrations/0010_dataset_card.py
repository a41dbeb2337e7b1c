import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0009_agreement_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="dataset_card",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name="Pseudonym",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pseudonyms",
                        to="annotator.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pseudonyms",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "user"), name="pseudonym_once_per_person"),
                    models.UniqueConstraint(fields=("project", "number"), name="pseudonym_number_once"),
                ],
            },
        ),
    ]
