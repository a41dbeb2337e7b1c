from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0009_sources")]

    operations = [
        migrations.AlterField(
            model_name="importdraft",
            name="publishable",
            field=models.BooleanField(default=False),
        ),
    ]
