"""Why a job or a restoring failed, in parts that are put together in the reader's language; old rows have the text."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0012_fewer_indexes")]

    operations = [
        migrations.AddField("job", "error_said", models.JSONField(null=True)),
        migrations.AddField("archiveupload", "error_said", models.JSONField(null=True)),
    ]
