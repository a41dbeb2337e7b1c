from django.db import migrations, models
from django.db.models import Q

KINDS = ["prediction", "projection", "transfer", "earlier-gold", "proposal"]


class Migration(migrations.Migration):
    dependencies = [("annotator", "0004_agreement_runs")]

    operations = [
        migrations.RemoveConstraint(model_name="suggestion", name="suggestion_kind_known"),
        migrations.AlterField(
            model_name="suggestion",
            name="kind",
            field=models.CharField(
                choices=[
                    ("prediction", "Prediction"),
                    ("projection", "Projection"),
                    ("transfer", "Transfer"),
                    ("earlier-gold", "Earlier Gold"),
                    ("proposal", "Proposal"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="suggestion",
            constraint=models.CheckConstraint(condition=Q(kind__in=KINDS), name="suggestion_kind_known"),
        ),
        # Words are looked for by how they begin, too. These classes serve equality as well.
        migrations.RemoveIndex(model_name="lemmaplace", name="lemma_place_form"),
        migrations.AddIndex(
            model_name="lemmaplace",
            index=models.Index(
                fields=["project", "language", "form"],
                name="lemma_place_form",
                opclasses=["int8_ops", "varchar_ops", "varchar_pattern_ops"],
            ),
        ),
    ]
