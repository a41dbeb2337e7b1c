"""Projections and transfers say whether what stands on their source is still what they were made from."""

from django.db import migrations, models

from annotator.domain.content import content_type
from annotator.domain.projection.source_change import has_changed
from annotator.domain.standing import Answer, Stands

AT_ONCE = 500


def count(apps, schema_editor):
    """Looks at every current one once, in batches by id. As `work/derivation/actions/sources.py` does."""
    suggestions = apps.get_model("annotator", "Suggestion").objects.select_related("source", "layer")
    rows = suggestions.filter(kind__in=("projection", "transfer"), is_current=True, source__isnull=False)
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        last = some[-1].pk
        newest = _newest(apps, some)
        changed = [row.pk for row in some if _is_changed(apps, row, newest[row.source.segment_id, row.source.language])]
        suggestions.filter(pk__in=changed).update(source_changed=True)


def _newest(apps, some):
    units = apps.get_model("annotator", "Unit").objects.filter(segment__in={row.source.segment_id for row in some})
    return {(unit.segment_id, unit.language): unit for unit in units.order_by("revision")}


def _is_changed(apps, row, source):
    of_source = {"unit": source.pk, "layer": row.layer_id}
    gold = apps.get_model("annotator", "Gold")._base_manager.filter(**of_source, reopened=False).first()
    done = apps.get_model("annotator", "Annotation").objects.filter(**of_source, state="done").order_by("pk")
    stands = Stands(gold and gold.content, [Answer(one.mode, one.content) for one in done])
    is_projection = row.kind == "projection"
    was = {"spans": row.detail.get("source_spans", [])} if is_projection else row.content
    is_gold = is_projection and row.detail.get("labels") == "gold"
    now = stands.content(gold_only=is_gold, reviewed_only=not is_projection)
    kind = content_type(row.layer.content_type)
    return has_changed(kind, was, now, before=row.source.tokens, after=source.tokens)


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0024_backups_of_strangers"),
    ]

    operations = [
        migrations.AddField("suggestion", "reviewed_from", models.JSONField(null=True)),
        migrations.AddField("suggestion", "source_changed", models.BooleanField(default=False)),
        migrations.AddIndex(
            "suggestion",
            models.Index(
                condition=models.Q(("is_current", True), ("source_changed", True)),
                fields=["project", "layer", "unit"],
                name="suggestion_source_changed",
            ),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
