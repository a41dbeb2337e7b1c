"""Archives: the whole project in one file. Writing, downloading and deleting them; restoring a project from one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.backup.actions.keeping import delete_archive
from annotator.backup.actions.uploads import give_up, start_restoring, take_archive
from annotator.backup.forms import ArchiveForm, RestoreForm, UploadArchiveForm
from annotator.backup.queries.archives import (
    Restoring,
    archive_to_download,
    archives_of,
    last_archive,
    upload_for,
    uploads_of,
)
from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.core.files.downloads import download
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission, may_restore_projects
from annotator.jobs.actions import start_job
from annotator.jobs.queries import active_jobs, worker_listening
from annotator.models import JobKind
from annotator.projects.actions.projects import free_slug
from annotator.web.bodies import takes_files
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest


@require_safe
def archives(request: PageRequest, slug: str) -> HttpResponse:
    """Those that are kept, and the form for a new one."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    context = {
        "archives": archives_of(access.project),
        "last": last_archive(access.project),
        "under_way": active_jobs(access.project).filter(kind=JobKind.ARCHIVE).first(),
        "no_worker": not worker_listening(JobKind.ARCHIVE.queue),
        "form": ArchiveForm(),
    }
    return project_page(request, access, "backup/archives.html", context, section="settings")


@require_POST
def archive_start(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = ArchiveForm(request.POST)
    form.is_valid()
    with refusal_as_message(request):
        job = start_job(project=access.project, kind=JobKind.ARCHIVE, params=form.cleaned_data, by=access.user)
        return redirect("job", slug, job.pk)
    return redirect("archives", slug)


@require_safe
def archive_download(request: PageRequest, slug: str, archive: int) -> HttpResponseBase:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = archive_to_download(access, archive)
    return download(found.stored, called=found.file_name)


@require_POST
def archive_delete(request: PageRequest, slug: str, archive: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    delete_archive(archive=get_object_or_404(archives_of(access.project), pk=archive), by=access.user)
    messages.success(request, _("The project backup was deleted."))
    return redirect("archives", slug)


def _archive_bytes(request: PageRequest) -> int:
    _check_restorer(request)
    check_room(by=request.user, more=size_of(request))
    return settings.LONG_BODY_BYTES + settings.ARCHIVE_MAX_BYTES


@takes_files(_archive_bytes)
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: PageRequest) -> HttpResponse:
    """Bring an archive; what it holds is shown before anything is written."""
    _check_restorer(request)
    form = UploadArchiveForm()
    status = 200
    if request.method == "POST":
        form = UploadArchiveForm(request.POST, request.FILES)
        status = 422
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                upload = take_archive(chunks=file.chunks(), name=file.name, by=request.user, now=timezone.now())
            except ActionError as error:
                form.add_error("file", str(error))
            else:
                return redirect("restore-upload", upload.key)
    context = {
        "form": form,
        "uploads": uploads_of(request.user),
        "most": filesizeformat(settings.ARCHIVE_MAX_BYTES),
    }
    return render(request, "backup/restore.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def restore_upload(request: PageRequest, key: UUID) -> HttpResponse:
    """What an archive holds (GET), and restoring it (POST); then how far that is, and what came of it."""
    _check_restorer(request)
    found = upload_for(request.user, key)
    form = RestoreForm(initial={"slug": free_slug(found.about["slug"])})
    status = 200
    if request.method == "POST":
        form = RestoreForm(request.POST)
        status = 422
        if form.is_valid():
            try:
                start_restoring(upload=found.upload, slug=form.cleaned_data["slug"], by=request.user)
            except ActionError as error:
                form.add_error("slug", str(error))
            else:
                return redirect("restore-upload", key)
    if request.htmx:
        response = render(request, "backup/restore_progress.html", {"restoring": found, "progress": found.progress})
        if found.state != "running":
            # The end changes the whole page.
            response.headers["HX-Refresh"] = "true"
        return response
    return render(request, "backup/restore_upload.html", {"form": form, **_shown(found)}, status=status)


@require_POST
def restore_cancel(request: PageRequest, key: UUID) -> HttpResponse:
    """Give an upload up; what was written of it is deleted."""
    found = upload_for(request.user, key)
    give_up(upload=found.upload, by=request.user)
    messages.success(request, _("The uploaded backup was discarded. Nothing of it is kept."))
    return redirect("projects")


def _shown(restoring: Restoring) -> dict[str, Any]:
    return {
        "restoring": restoring,
        "about": restoring.about,
        "progress": restoring.progress,
        "changed_at": parse_datetime(restoring.about["changed_at"]) if restoring.about["changed_at"] else None,
        "taken": free_slug(restoring.about["slug"]) != restoring.about["slug"],
        "no_worker": not worker_listening(JobKind.RESTORE.queue),
    }


def _check_restorer(request: PageRequest) -> None:
    if not may_restore_projects(request.user):
        raise PermissionDenied(_("You don't have permission to restore project backups. Ask a site administrator."))
