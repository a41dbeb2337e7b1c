"""Several source languages, projections with a score, gold offered again, content words told anew."""

from itertools import groupby

from django.db import migrations, models

from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.several_sources import projection_score, span_sources
from annotator.domain.labels.spans import spans_from_json


def score_projections(apps, schema_editor):
    """Projections that stand get their score, and say which languages their spans come from."""
    Suggestion = apps.get_model("annotator", "Suggestion")
    rows = Suggestion.objects.filter(kind="projection", is_current=True).select_related("alignment")
    ordered = rows.order_by("unit_id", "layer_id", "pk").iterator(chunk_size=500)
    changed = []
    for _place, together in groupby(ordered, key=lambda row: (row.unit_id, row.layer_id)):
        of_unit = sorted(together, key=lambda row: row.source_language)
        found = span_sources({row.source_language: spans_from_json(row.content["spans"]) for row in of_unit})
        for row in of_unit:
            outcomes = [SourceOutcome.from_json(outcome) for outcome in row.detail.get("outcomes", [])]
            row.score = projection_score(outcomes, row.alignment.links if row.alignment else [])
            row.span_sources = found[row.source_language]
            changed.append(row)
        if len(changed) >= 500:
            Suggestion.objects.bulk_update(changed, ["score", "span_sources"])
            changed = []
    Suggestion.objects.bulk_update(changed, ["score", "span_sources"])


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', "0008_archives"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='suggestion',
            name='suggestion_kind_known',
        ),
        migrations.AddField(
            model_name='project',
            name='sources',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='suggestion',
            name='score',
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name='suggestion',
            name='span_sources',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('import', 'Import'), ('predict', 'Pre-label'), ('project', 'Project labels'), ('release', 'Release'), ('train', 'Train a detector'), ('revise', 'Fixed text'), ('fill', 'Fill a stage'), ('relabel', 'Change the labels'), ('words', 'Tell content words'), ('delete', 'Delete the project'), ('copy', 'Copy the texts'), ('archive', 'Write an archive'), ('restore', 'Restore from an archive')], max_length=20),
        ),
        migrations.AlterField(
            model_name='suggestion',
            name='kind',
            field=models.CharField(choices=[('prediction', 'Prediction'), ('projection', 'Projection'), ('transfer', 'Transfer'), ('earlier-gold', 'Earlier Gold')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='suggestion',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['prediction', 'projection', 'transfer', 'earlier-gold'])), name='suggestion_kind_known'),
        ),
        # Last: on PostgreSQL no table can be changed after its rows were.
        migrations.RunPython(score_projections, migrations.RunPython.noop),
    ]
