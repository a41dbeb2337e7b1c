"""What the migrations from 0001 to 0013 leave, in one: a new database is there after a second instead of six.

A database that stands between them still goes step by step. `tests/database/test_squashed.py` holds that both ways end
alike, but for a check of SQLite's that 0011 left there: that the project of a place in the index of lemmas exists.
"""

from importlib import import_module

import annotator.domain.states
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

SQLITE = """
CREATE TRIGGER annotator_event_no_update BEFORE UPDATE ON annotator_event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

# SQLite has no DELETE trigger (0002 says why); the exception is explained in 0005.
POSTGRESQL = """
CREATE FUNCTION annotator_event_append_only() RETURNS trigger AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('translatio.deleting_project', true) = OLD.project_id::text THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only';
END $$ LANGUAGE plpgsql;
CREATE TRIGGER annotator_event_append_only BEFORE UPDATE OR DELETE ON annotator_event
FOR EACH ROW EXECUTE FUNCTION annotator_event_append_only();
"""


def append_only(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    schema_editor.connection.cursor().execute(SQLITE if vendor == "sqlite" else POSTGRESQL)


def backwards(apps, schema_editor):
    import_module("annotator.migrations.0002_event_append_only").backwards(apps, schema_editor)


class Migration(migrations.Migration):

    replaces = [('annotator', '0001_initial'), ('annotator', '0002_event_append_only'), ('annotator', '0003_revise_job'), ('annotator', '0004_terms'), ('annotator', '0005_project_life'), ('annotator', '0006_import_drafts'), ('annotator', '0007_people'), ('annotator', '0008_archives'), ('annotator', '0009_sources'), ('annotator', '0010_publishable'), ('annotator', '0011_place_project'), ('annotator', '0012_fewer_indexes'), ('annotator', '0013_joberrors')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True, verbose_name='short name')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('preset', models.CharField(blank=True, max_length=50)),
                ('languages', models.JSONField(default=list, verbose_name='languages')),
                ('roles', models.JSONField(default=list)),
                ('inferences', models.JSONField(default=list)),
                ('rules_data', models.JSONField(default=dict)),
                ('guidelines', models.JSONField(blank=True, default=dict, verbose_name='guidelines')),
                ('guidelines_version', models.PositiveIntegerField(default=1)),
                ('adjudicate_own', models.BooleanField(default=True, verbose_name='adjudicators may decide on their own items')),
                ('train_every', models.PositiveSmallIntegerField(default=2, verbose_name='train after every … hundred finished sentences')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('deleting_at', models.DateTimeField(blank=True, null=True)),
                ('descriptions', models.JSONField(blank=True, default=dict, verbose_name='description')),
                ('dictionaries', models.JSONField(blank=True, default=dict)),
                ('function_words', models.JSONField(blank=True, default=dict)),
                ('texts', models.CharField(blank=True, max_length=20)),
                ('sources', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Layer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField()),
                ('content_type', models.CharField(max_length=50)),
                ('unit_kind', models.CharField(max_length=20)),
                ('scheme_data', models.JSONField(default=dict)),
                ('scheme_version', models.PositiveIntegerField(default=1)),
                ('shows', models.JSONField(default=list)),
                ('position', models.PositiveIntegerField(default=1)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='layers', to='annotator.project')),
            ],
            options={
                'ordering': ['position', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('project', 'slug'), name='layer_slug_once')],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=50)),
                ('language', models.CharField(max_length=20)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('position', models.PositiveIntegerField()),
                ('mode', models.CharField(default=annotator.domain.states.Mode['REVIEW'], max_length=10)),
                ('answers_wanted', models.PositiveSmallIntegerField(default=1)),
                ('order', models.CharField(choices=[('reading', 'Reading'), ('uncertain', 'Uncertain'), ('labelled', 'Labelled')], default='reading', max_length=20)),
                ('layer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='annotator.layer')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='annotator.project')),
                ('made_from', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='makes', to='annotator.stage')),
            ],
            options={
                'ordering': ['position', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['review', 'blind'])), name='stage_mode_known'), models.CheckConstraint(condition=models.Q(('answers_wanted__gte', 1)), name='stage_wants_an_answer')],
            },
        ),
        migrations.CreateModel(
            name='Term',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('attribute', models.CharField(max_length=100)),
                ('text', models.CharField(max_length=200)),
                ('uses', models.IntegerField(default=0)),
                ('layer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='annotator.layer')),
            ],
            options={
                'ordering': ['-uses', 'text'],
                'constraints': [models.UniqueConstraint(fields=('layer', 'attribute', 'text'), name='term_once')],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('creates_projects', models.BooleanField(default=False, verbose_name='may create projects')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ArchiveUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('size', models.PositiveBigIntegerField()),
                ('about', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('project_id', models.BigIntegerField(null=True)),
                ('job_id', models.BigIntegerField(null=True)),
                ('new_people', models.JSONField(default=list)),
                ('error', models.TextField(blank=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('error_said', models.JSONField(null=True)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['expires_at'], name='annotator_a_expires_2b37a7_idx')],
            },
        ),
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('total', models.IntegerField(default=0)),
                ('done', models.IntegerField(default=0)),
                ('open', models.IntegerField(default=0)),
                ('own_done', models.IntegerField(default=0)),
                ('own_open', models.IntegerField(default=0)),
                ('blind_done', models.IntegerField(default=0)),
                ('blind_open', models.IntegerField(default=0)),
                ('cursor', models.BigIntegerField(default=0)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='counters', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='counters', to='annotator.project')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='counters', to='annotator.stage')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('stage', 'user'), name='counter_once_per_person'), models.UniqueConstraint(condition=models.Q(('user__isnull', True)), fields=('stage',), name='counter_one_for_bulk')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=50)),
                ('subject_type', models.CharField(max_length=50)),
                ('subject_id', models.BigIntegerField()),
                ('operation', models.UUIDField(null=True)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='annotator.project')),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['subject_type', 'subject_id', 'id'], name='annotator_e_subject_f4236f_idx'), models.Index(fields=['project', 'id'], name='annotator_e_project_20e54d_idx'), models.Index(condition=models.Q(('operation__isnull', False)), fields=['operation'], name='event_operation'), models.Index(fields=['project', 'actor', 'verb', 'id'], name='event_of_person')],
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_id', models.BigIntegerField(null=True)),
                ('dataset', models.CharField(max_length=100)),
                ('labels', models.CharField(max_length=20)),
                ('summary', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('holder', models.UUIDField(default=uuid.uuid4)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('published_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='annotator.project')),
                ('files', models.JSONField(default=list)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('publishable', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('published_at__isnull', True)), fields=('project',), name='import_one_under_way')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('adjudicator', 'Adjudicator'), ('manager', 'Manager')], default='annotator', max_length=20)),
                ('languages', models.JSONField(default=list)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(null=True)),
                ('accepted_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotator.project')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'adjudicator', 'manager'])), name='invitation_role_known'), models.CheckConstraint(condition=models.Q(models.Q(('accepted_at__isnull', True), ('accepted_by__isnull', True)), models.Q(('accepted_at__isnull', False), ('accepted_by__isnull', False), ('revoked_at__isnull', True)), _connector='OR'), name='invitation_accepted_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('import', 'Import'), ('predict', 'Pre-label'), ('project', 'Project labels'), ('release', 'Release'), ('train', 'Train a detector'), ('revise', 'Fixed text'), ('fill', 'Fill a stage'), ('relabel', 'Change the labels'), ('words', 'Tell content words'), ('delete', 'Delete the project'), ('copy', 'Copy the texts'), ('archive', 'Write an archive'), ('restore', 'Restore from an archive')], max_length=20)),
                ('params', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('queued', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default=annotator.domain.states.JobState['QUEUED'], max_length=20)),
                ('planned', models.BooleanField(default=False)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('result', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='annotator.project')),
                ('error_said', models.JSONField(null=True)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['project', 'state'], name='annotator_j_project_a402dc_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='job_state_known')],
            },
        ),
        migrations.CreateModel(
            name='Archive',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pseudonyms', models.BooleanField(default=False)),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('last_event', models.BigIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='archive', to='annotator.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='archives', to='annotator.project')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ImportDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('files', models.JSONField(default=list)),
                ('format', models.CharField(blank=True, max_length=50)),
                ('options', models.JSONField(default=dict)),
                ('chosen', models.JSONField(default=list)),
                ('dataset', models.CharField(max_length=100)),
                ('labels_as', models.CharField(choices=[('none', 'Leave them out'), ('gold', 'Gold'), ('person', "A person's annotations"), ('model', "A model's suggestions"), ('file', 'As the files say')], default='none', max_length=10)),
                ('labels_name', models.CharField(blank=True, max_length=200)),
                ('labels_revision', models.CharField(blank=True, max_length=100)),
                ('people', models.JSONField(default=dict)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('preview', models.JSONField(default=dict)),
                ('preview_of', models.CharField(blank=True, max_length=64)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotator.import')),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotator.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='import_drafts', to='annotator.project')),
                ('publishable', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['expires_at'], name='annotator_i_expires_7816b1_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('labels_as__in', ['none', 'gold', 'person', 'model', 'file'])), name='import_draft_labels_known')],
            },
        ),
        migrations.CreateModel(
            name='JobChunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('items', models.JSONField()),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('done', 'Done')], default='pending', max_length=10)),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('size', models.PositiveIntegerField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='annotator.job')),
            ],
            options={
                'ordering': ['index'],
                'indexes': [models.Index(fields=['job', 'state'], name='annotator_j_job_id_c648a2_idx')],
                'constraints': [models.UniqueConstraint(fields=('job', 'index'), name='job_chunk_once')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('adjudicator', 'Adjudicator'), ('manager', 'Manager')], default='annotator', max_length=20, verbose_name='role')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotator.project')),
                ('languages', models.JSONField(default=list)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='membership_once_per_project'), models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'adjudicator', 'manager'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('file_name', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('manifest', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='releases', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='release', to='annotator.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='annotator.project')),
            ],
            options={
                'ordering': ['-number'],
                'constraints': [models.UniqueConstraint(fields=('project', 'number'), name='release_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Segment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(default='sentence', max_length=20)),
                ('uid', models.CharField(max_length=200)),
                ('role', models.CharField(blank=True, max_length=20)),
                ('dataset', models.CharField(max_length=100)),
                ('genre', models.CharField(blank=True, max_length=100)),
                ('group', models.CharField(blank=True, max_length=200)),
                ('position', models.PositiveIntegerField()),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='segments', to='annotator.import')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='annotator.project')),
            ],
            options={
                'ordering': ['position', 'pk'],
                'indexes': [models.Index(fields=['project', 'kind', 'position'], name='annotator_s_project_ae09cd_idx'), models.Index(fields=['project', 'dataset', 'group'], name='annotator_s_project_3ebc34_idx')],
                'constraints': [models.UniqueConstraint(fields=('project', 'uid'), name='segment_uid_once')],
            },
        ),
        migrations.CreateModel(
            name='Pair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pair_id', models.CharField(max_length=200)),
                ('dataset', models.CharField(max_length=100)),
                ('source_dataset', models.CharField(blank=True, max_length=100)),
                ('genre', models.CharField(blank=True, max_length=100)),
                ('inference', models.CharField(max_length=20)),
                ('position', models.PositiveIntegerField()),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='annotator.import')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='annotator.project')),
                ('hypothesis', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs_as_hypothesis', to='annotator.segment')),
                ('premise', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs_as_premise', to='annotator.segment')),
                ('segment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pair', to='annotator.segment')),
            ],
            options={
                'ordering': ['position', 'pk'],
                'indexes': [models.Index(fields=['project', 'position'], name='annotator_p_project_e38cbb_idx')],
                'constraints': [models.UniqueConstraint(fields=('project', 'dataset', 'pair_id'), name='pair_id_once')],
            },
        ),
        migrations.CreateModel(
            name='TrainedDetector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=20)),
                ('engine', models.CharField(max_length=300)),
                ('label', models.CharField(max_length=100)),
                ('revision', models.CharField(max_length=100)),
                ('folder', models.CharField(max_length=200)),
                ('sentences', models.PositiveIntegerField()),
                ('labelled_tokens', models.PositiveIntegerField()),
                ('held_out_sentences', models.PositiveIntegerField()),
                ('held_out_labelled_tokens', models.PositiveIntegerField()),
                ('precision', models.FloatField()),
                ('recall', models.FloatField()),
                ('f1', models.FloatField()),
                ('baseline', models.CharField(blank=True, max_length=300)),
                ('baseline_revision', models.CharField(blank=True, max_length=100)),
                ('baseline_precision', models.FloatField(null=True)),
                ('baseline_recall', models.FloatField(null=True)),
                ('baseline_f1', models.FloatField(null=True)),
                ('active', models.BooleanField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='trained_detector', to='annotator.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trained_detectors', to='annotator.project')),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['project', 'language'], name='annotator_t_project_c72684_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('baseline', ''), ('baseline_f1__isnull', True), ('baseline_precision__isnull', True), ('baseline_recall__isnull', True), ('baseline_revision', '')), models.Q(models.Q(('baseline', ''), _negated=True), ('baseline_f1__isnull', False), ('baseline_precision__isnull', False), ('baseline_recall__isnull', False)), _connector='OR'), name='trained_detector_baseline_measured')],
            },
        ),
        migrations.CreateModel(
            name='Unit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(default='sentence', max_length=20)),
                ('language', models.CharField(max_length=20)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('is_current', models.BooleanField(default=True)),
                ('tokens', models.JSONField(default=list)),
                ('spaces', models.JSONField(default=list)),
                ('token_count', models.PositiveIntegerField(default=0)),
                ('lemmas', models.JSONField(default=list)),
                ('content_words', models.JSONField(default=list)),
                ('touches', models.JSONField(default=list)),
                ('rule', models.CharField(blank=True, max_length=50)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='units', to=settings.AUTH_USER_MODEL)),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='units', to='annotator.import')),
                ('parents', models.ManyToManyField(related_name='children', to='annotator.unit')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='units', to='annotator.project')),
                ('segment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='units', to='annotator.segment')),
                ('origin_file', models.PositiveSmallIntegerField(null=True)),
                ('origin_line', models.PositiveIntegerField(null=True)),
                ('parts_of_speech', models.JSONField(default=list)),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'kind', 'language', 'is_current'], name='annotator_u_project_671905_idx')],
                'constraints': [models.UniqueConstraint(fields=('segment', 'language', 'revision'), name='unit_revision_once'), models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('segment', 'language'), name='unit_one_current_revision')],
            },
        ),
        migrations.CreateModel(
            name='Alignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('aligner', models.CharField(max_length=200)),
                ('revision', models.CharField(max_length=100)),
                ('links', models.JSONField()),
                ('is_current', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='alignments', to='annotator.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignments', to='annotator.project')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignments_as_source', to='annotator.unit')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignments_as_target', to='annotator.unit')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('job', 'source', 'target'), name='alignment_once_per_job'), models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('source', 'target'), name='alignment_one_current')],
            },
        ),
        migrations.CreateModel(
            name='Gold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField()),
                ('reopened', models.BooleanField(default=False)),
                ('source', models.CharField(choices=[('imported', 'Imported'), ('agreed', 'Agreed'), ('adjudicated', 'Adjudicated')], max_length=20)),
                ('reason', models.TextField(blank=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='golds', to=settings.AUTH_USER_MODEL)),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='annotator.import')),
                ('layer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='golds', to='annotator.layer')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='golds', to='annotator.project')),
                ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='golds', to='annotator.unit')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'layer', 'reopened'], name='gold_in_layer')],
                'constraints': [models.UniqueConstraint(fields=('unit', 'layer'), name='gold_once'), models.CheckConstraint(condition=models.Q(('source__in', ['imported', 'agreed', 'adjudicated'])), name='gold_source_known')],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(default=annotator.domain.states.ItemState['FREE'], max_length=10)),
                ('answers_wanted', models.PositiveSmallIntegerField(default=1)),
                ('answers_open', models.PositiveSmallIntegerField(default=0)),
                ('answers_done', models.PositiveSmallIntegerField(default=0)),
                ('extra_open', models.PositiveSmallIntegerField(default=0)),
                ('extra_done', models.PositiveSmallIntegerField(default=0)),
                ('reading', models.BigIntegerField()),
                ('uncertainty', models.FloatField(default=1.0)),
                ('unlabelled', models.PositiveSmallIntegerField(default=1)),
                ('suggested', models.BooleanField(default=False)),
                ('doubtful', models.BooleanField(default=False)),
                ('commented', models.BooleanField(default=False)),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotator.import')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotator.project')),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotator.stage')),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotator.unit')),
            ],
            options={
                'indexes': [models.Index(fields=['stage', 'state', 'reading'], name='item_reading'), models.Index(fields=['stage', 'state', 'uncertainty', 'reading'], name='item_uncertain'), models.Index(fields=['stage', 'state', 'unlabelled', 'reading'], name='item_labelled')],
                'constraints': [models.UniqueConstraint(fields=('stage', 'unit'), name='item_once_per_stage'), models.CheckConstraint(condition=models.Q(('state__in', ['free', 'taken', 'done', 'decided', 'void'])), name='item_state_known'), models.CheckConstraint(condition=models.Q(('answers_wanted__gte', django.db.models.expressions.CombinedExpression(models.F('answers_open'), '+', models.F('answers_done')))), name='item_answers_in_bounds')],
            },
        ),
        migrations.CreateModel(
            name='LemmaPlace',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('language', models.CharField(max_length=20)),
                ('lemma', models.CharField(max_length=200)),
                ('form', models.CharField(max_length=200)),
                ('index', models.PositiveIntegerField()),
                ('labelled', models.BooleanField(null=True)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.project')),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lemma_places', to='annotator.unit')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'language', 'lemma', 'labelled'], name='lemma_place_lemma'), models.Index(fields=['project', 'language', 'form'], name='lemma_place_form')],
            },
        ),
        migrations.CreateModel(
            name='Sentence',
            fields=[
            ],
            options={
                'proxy': True,
            },
            bases=('annotator.unit',),
        ),
        migrations.CreateModel(
            name='Suggestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('prediction', 'Prediction'), ('projection', 'Projection'), ('transfer', 'Transfer'), ('earlier-gold', 'Earlier Gold')], max_length=20)),
                ('source_language', models.CharField(blank=True, max_length=20)),
                ('content', models.JSONField()),
                ('name', models.CharField(blank=True, max_length=200)),
                ('revision', models.CharField(blank=True, max_length=100)),
                ('threshold', models.FloatField(null=True)),
                ('probabilities', models.JSONField(default=list)),
                ('detail', models.JSONField(default=dict)),
                ('is_current', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('alignment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='annotator.alignment')),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='suggestions', to='annotator.job')),
                ('layer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='annotator.layer')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='annotator.project')),
                ('source', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='suggests', to='annotator.unit')),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='annotator.unit')),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='suggestions', to='annotator.import')),
                ('score', models.FloatField(null=True)),
                ('span_sources', models.JSONField(blank=True, default=list)),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'layer', 'kind', 'is_current'], name='suggestion_current')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('unit', 'layer', 'kind', 'source_language'), name='suggestion_one_current'), models.UniqueConstraint(condition=models.Q(('job__isnull', False)), fields=('job', 'unit', 'layer', 'kind', 'source_language'), name='suggestion_once_per_job'), models.CheckConstraint(condition=models.Q(('kind__in', ['prediction', 'projection', 'transfer', 'earlier-gold'])), name='suggestion_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='Annotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(default=annotator.domain.states.Mode['REVIEW'], max_length=10)),
                ('state', models.CharField(default=annotator.domain.states.AnnotationState['OPEN'], max_length=10)),
                ('version', models.PositiveIntegerField(default=1)),
                ('content', models.JSONField()),
                ('suggested', models.JSONField(null=True)),
                ('shown', models.JSONField(default=list)),
                ('scheme_version', models.PositiveIntegerField(default=1)),
                ('guidelines_version', models.PositiveIntegerField(default=1)),
                ('seconds', models.FloatField(default=0)),
                ('doubt', models.BooleanField(default=False)),
                ('comment', models.TextField(blank=True)),
                ('undo_event', models.BigIntegerField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('done_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to=settings.AUTH_USER_MODEL)),
                ('layer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotations', to='annotator.layer')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='annotations', to='annotator.project')),
                ('stage', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='annotations', to='annotator.stage')),
                ('suggestion', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotator.suggestion')),
                ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='annotations', to='annotator.unit')),
                ('imported', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotator.import')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'layer', 'state'], name='annotation_in_layer'), models.Index(fields=['user', 'layer', 'state'], name='annotation_of_person'), models.Index(condition=models.Q(('doubt', True), ('comment__gt', ''), _connector='OR'), fields=['project', 'user', 'id'], name='annotation_remarked')],
                'constraints': [models.UniqueConstraint(fields=('unit', 'layer', 'user'), name='annotation_once_per_person'), models.CheckConstraint(condition=models.Q(('mode', annotator.domain.states.Mode['REVIEW']), ('suggestion', None), _connector='OR'), name='annotation_blind_has_no_suggestion'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'done'])), name='annotation_state_known')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(default=annotator.domain.states.Mode['REVIEW'], max_length=10)),
                ('state', models.CharField(default=annotator.domain.states.AssignmentState['OPEN'], max_length=10)),
                ('reading', models.BigIntegerField()),
                ('doubtful', models.BooleanField(default=False)),
                ('shown', models.JSONField(default=list)),
                ('expires_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('done_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotator.item')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotator.project')),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotator.stage')),
                ('suggestion', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotator.suggestion')),
                ('unit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotator.unit')),
            ],
            options={
                'ordering': ['reading', 'pk'],
                'indexes': [models.Index(fields=['stage', 'user', 'state', 'reading'], name='assignment_own'), models.Index(fields=['unit', 'state'], name='assignment_of_unit'), models.Index(condition=models.Q(('expires_at__isnull', False)), fields=['stage', 'expires_at'], name='assignment_expiring')],
                'constraints': [models.UniqueConstraint(fields=('item', 'user'), name='assignment_once_per_person'), models.CheckConstraint(condition=models.Q(('mode__in', ['review', 'blind'])), name='assignment_mode_known'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'done', 'returned'])), name='assignment_state_known')],
            },
        ),
        migrations.CreateModel(
            name='BlindMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('live', models.BooleanField(default=True)),
                ('assignment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='blind_marks', to='annotator.assignment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blind_marks', to=settings.AUTH_USER_MODEL)),
                ('layer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blind_marks', to='annotator.layer')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blind_marks', to='annotator.project')),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blind_marks', to='annotator.segment')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('live', True)), fields=['project', 'user', 'segment'], name='blind_mark_live')],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'segment'), name='blind_mark_once')],
            },
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('queues', models.JSONField(default=list)),
                ('started_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.RunPython(append_only, backwards),
    ]
