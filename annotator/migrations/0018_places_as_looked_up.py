"""The index of lemmas has words as they are looked up: composed, without what nobody sees and without vowel points."""

from django.db import migrations

from annotator.domain.text.looked_up import indexed

AT_ONCE = 5000


def spell(apps, schema_editor):
    """Looks at every place once, in batches by id; writes those alone that were spelt otherwise."""
    places = apps.get_model("annotator", "LemmaPlace").objects
    last = 0
    while rows := list(places.filter(pk__gt=last).order_by("pk").only("pk", "lemma", "form")[:AT_ONCE]):
        last = rows[-1].pk
        changed = [row for row in rows if (row.lemma, row.form) != (indexed(row.lemma), indexed(row.form))]
        for row in changed:
            row.lemma, row.form = indexed(row.lemma), indexed(row.form)
        places.bulk_update(changed, ["lemma", "form"], batch_size=500)


class Migration(migrations.Migration):
    # Each batch by itself: a large index is not locked meanwhile, and doing it again changes nothing.
    atomic = False

    dependencies = [
        ("annotator", "0017_own_numbers"),
    ]

    operations = [
        migrations.RunPython(spell, migrations.RunPython.noop),
    ]
