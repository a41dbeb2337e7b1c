"""People's own numbers are without what they did on texts that were replaced, and so is what is decided."""

from django.db import migrations
from django.db.models import Count, Sum

NAMES = ("own_open", "own_done", "blind_open", "blind_done")


def recount(apps, schema_editor):
    """Counters had the answers to items that left their stage, and the decisions on units that were replaced."""
    counters = apps.get_model("annotator", "Counter").objects
    right = {}
    assignments = apps.get_model("annotator", "Assignment").objects
    held = assignments.filter(state__in=("open", "done")).exclude(item__state="void").order_by()
    for stage, user, mode, state, number in held.values_list("stage", "user", "mode", "state").annotate(Count("pk")):
        right.setdefault((stage, user), {})[f"{'blind' if mode == 'blind' else 'own'}_{state}"] = number
    golds = apps.get_model("annotator", "Gold").objects.filter(unit__is_current=True, reopened=False)
    decided = {}
    for layer, language, user, number in golds.order_by().values_list(
        "layer", "unit__language", "decided_by"
    ).annotate(Count("pk")):
        decided.setdefault((layer, language), {})[user] = number
    for stage in apps.get_model("annotator", "Stage").objects.filter(kind="adjudicate"):
        by = decided.get((stage.layer_id, stage.language), {})
        right |= {(stage.pk, user): {"own_done": number} for user, number in by.items() if user is not None}
        wrong = (counters.filter(stage=stage).aggregate(done=Sum("done"))["done"] or 0) - sum(by.values())
        if wrong:
            bulk, _created = counters.get_or_create(stage=stage, user=None, defaults={"project_id": stage.project_id})
            bulk.done -= wrong
            bulk.save(update_fields=["done"])
    for row in counters.filter(user__isnull=False).iterator():
        mine = right.get((row.stage_id, row.user_id), {})
        numbers = {name: mine.get(name, 0) for name in NAMES}
        if any(getattr(row, name) != number for name, number in numbers.items()):
            counters.filter(pk=row.pk).update(**numbers)


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0016_places_unchecked"),
    ]

    operations = [
        migrations.RunPython(recount, migrations.RunPython.noop),
    ]
