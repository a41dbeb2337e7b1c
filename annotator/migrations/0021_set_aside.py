"""Sentences that should not be in the corpus can be set aside."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0020_gold_chosen"),
    ]

    operations = [
        migrations.AddField("segment", "set_aside_reason", models.CharField(blank=True, max_length=200)),
        migrations.AddField(
            "segment",
            "set_aside_by",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "unit",
            "set_aside_with",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="units_aside",
                to="annotator.segment",
            ),
        ),
        migrations.AddIndex(
            "segment",
            models.Index(
                condition=models.Q(("set_aside_reason", ""), _negated=True),
                fields=["project", "position"],
                name="segment_aside",
            ),
        ),
    ]
