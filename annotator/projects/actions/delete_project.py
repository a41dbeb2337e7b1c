"""Deleting a whole project: the one exception to the append-only event log.

Nobody finds the project from the moment it is asked for; a job then deletes row by row, in short transactions. What
remains is one event that says which project it was, and who deleted it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from graphlib import TopologicalSorter

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.pictures import pictures_of
from annotator.core.files.storage import site_files
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.states import JobState
from annotator.domain.verbs import Verb
from annotator.jobs.actions import ACTIVE, send_on_commit
from annotator.jobs.running import FREE, free
from annotator.models import Event, Job, JobChunk, JobKind, Project, User
from annotator.models.archive import archives_of
from annotator.models.job import exports_of
from annotator.models.release import releases_of
from annotator.models.split import splits_of
from annotator.models.stored_error import error_columns
from annotator.models.trained_detector import models_of

# Rows that one transaction deletes.
BATCH = 1000
# Deleted last, inside the transaction that ends the job.
_LAST = ("project", "job", "jobchunk")


@transaction.atomic
def delete_project(*, project: Project, name: str, by: User | None) -> Job:
    """Take a project away and start the job that deletes it. `name` is its name, typed by the person who deletes it.

    Raises ActionError when the name is not the project's.
    """
    row = Project.objects.select_for_update().get(pk=project.pk)
    if name.strip() != row.name:
        raise ActionError(message(_("This is not the name of the project. Nothing was deleted.")))
    for job in row.jobs.filter(state__in=ACTIVE):
        Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=timezone.now())
    row.deleting_at = timezone.now()
    row.save(update_fields=["deleting_at"])
    job = Job.objects.create(project=row, kind=JobKind.DELETE, params={}, created_by=by)
    send_on_commit(job)
    return job


@transaction.atomic
def delete_again(*, project: Project, by: User | None) -> Job:
    """Go on with a deletion whose job failed. Raises ActionError when none did."""
    row = Project.objects.select_for_update().get(pk=project.pk)
    job = row.jobs.filter(kind=JobKind.DELETE).order_by("-pk").first()
    if row.deleting_at is None or job is None or job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise ActionError(message(_("This project is already being deleted.")))
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, finished_at=None, **FREE, **error_columns())
    free(JobChunk.objects.filter(job=job))
    JobChunk.objects.filter(job=job).update(attempts=0)
    send_on_commit(job)
    return job


def rows_of(project: Project) -> int:
    """How many rows the project has: what the job counts to."""
    return sum(rows.count() for _model, rows in tables_of(project))


def delete_rows(project: Project, report: Callable[[int], None]) -> None:
    """Delete the project's files, and all of its rows but its own, in short transactions. May be started again."""
    _delete_files(project)
    done = 0
    for model, rows in tables_of(project):
        while pks := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
            with transaction.atomic():
                if model is Event:
                    _allow_events(project)
                batch: models.QuerySet[models.Model] = models.QuerySet(model).filter(pk__in=pks)
                batch._raw_delete(batch.db)
            done += len(pks)
            report(done)


def delete_last(project: Project, job: Job) -> None:
    """Delete the project's own row and the job that did it, and say so in the log: in the job's last transaction."""
    log(
        project=None,
        actor=job.created_by,
        verb=Verb.PROJECT_DELETE,
        subject=project,
        before={"slug": project.slug, "created_at": project.created_at.isoformat()},
    )
    JobChunk.objects.filter(job__project=project)._raw_delete(connection.alias)
    Job.objects.filter(project=project)._raw_delete(connection.alias)
    Project.objects.filter(pk=project.pk)._raw_delete(connection.alias)
    delete_placeholders(project.pk)


def delete_placeholders(project: int) -> None:
    """Delete those who stood for the people of the project's (id) backup, once its rows are gone."""
    with suppress(ProtectedError), transaction.atomic():
        User.objects.filter(placeholder_of=project).delete()


def tables_of(project: Project) -> Iterator[tuple[type[models.Model], models.QuerySet[models.Model]]]:
    """Every table with rows of the project and those rows, so that what points to others comes before them."""
    own = {model: path for model in _models() if (path := _path(model)) and model._meta.model_name not in _LAST}
    before: dict[type[models.Model], set[type[models.Model]]] = {model: set() for model in own}
    for model in own:
        for field in model._meta.concrete_fields:
            target = field.related_model
            if isinstance(target, type) and target in own and target is not model:
                before[target].add(model)
    for model in TopologicalSorter(before).static_order():
        yield model, models.QuerySet(model).filter(**{own[model]: project.pk})


def _models() -> list[type[models.Model]]:
    found = apps.get_app_config("annotator").get_models(include_auto_created=True)
    return [model for model in found if not model._meta.proxy]


def _path(model: type[models.Model], seen: tuple[type[models.Model], ...] = ()) -> str:
    """How a model leads to its project: "project", "job__project", …; "" where it does not."""
    if model in seen:
        return ""
    links = [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
    for field in links:
        if field.related_model is Project:
            return field.name
    paths = [
        f"{field.name}__{rest}"
        for field in links
        if not field.null
        and isinstance(field.related_model, type)
        and (rest := _path(field.related_model, (*seen, model)))
    ]
    return min(paths, key=len, default="")


def _allow_events(project: Project) -> None:
    """Let this transaction delete the project's events (see `migrations/_append_only.py`)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('translatio.deleting_project', %s, true)", [str(project.pk)])


def _delete_files(project: Project) -> None:
    pk = project.pk
    folders = (models_of(pk), releases_of(project), archives_of(pk), exports_of(pk), pictures_of(pk), splits_of(pk))
    for folder in folders:
        site_files().delete_folder(folder)
