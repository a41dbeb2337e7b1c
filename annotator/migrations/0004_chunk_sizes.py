from django.db import migrations


def measure_chunks(apps, schema_editor):
    """Until now a part was as large as its items are many, and a finished one was done."""
    JobChunk = apps.get_model("annotator", "JobChunk")
    for chunk in JobChunk.objects.only("items", "state").iterator(chunk_size=500):
        size = len(chunk.items)
        JobChunk.objects.filter(pk=chunk.pk).update(size=size, done=size if chunk.state == "done" else 0)


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0003_learning'),
    ]

    operations = [
        migrations.RunPython(measure_chunks, migrations.RunPython.noop),
    ]
