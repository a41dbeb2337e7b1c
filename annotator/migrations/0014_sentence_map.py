"""Maps of sentences, and the job that draws them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0013_joberrors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('import', 'Import'), ('predict', 'Pre-label'), ('project', 'Project labels'), ('release', 'Release'), ('train', 'Train a detector'), ('revise', 'Fixed text'), ('fill', 'Fill a stage'), ('relabel', 'Change the labels'), ('words', 'Tell content words'), ('map', 'Draw a map'), ('delete', 'Delete the project'), ('copy', 'Copy the texts'), ('archive', 'Write an archive'), ('restore', 'Restore from an archive')], max_length=20),
        ),
        migrations.CreateModel(
            name='SentenceMap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.JSONField()),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='sentence_map', to='annotator.job')),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sentence_map', to='annotator.project')),
            ],
        ),
    ]
