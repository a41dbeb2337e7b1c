from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0005_proposals"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="own_keys",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
    ]
