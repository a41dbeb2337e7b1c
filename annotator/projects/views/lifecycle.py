"""Making a project read-only, bringing it back, copying it, deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.backup.queries.archives import last_archive
from annotator.core.access import project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission, may_create_projects
from annotator.models import JobKind
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.project_settings import archive_project, restore_project
from annotator.projects.actions.projects import free_slug
from annotator.projects.forms.projects import CopyForm, DeleteForm
from annotator.projects.queries.project_settings import archive_consequences
from annotator.projects.views.settings_page import confirm
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest


@require_safe
def lifecycle(request: PageRequest, slug: str) -> HttpResponse:
    """What can be done with the project as a whole."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    context = {"may_copy": may_create_projects(access.user)}
    return project_page(request, access, "projects/settings_lifecycle.html", context, section="settings")


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: PageRequest, slug: str) -> HttpResponse:
    """What making a project read-only means (GET), and doing it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if request.method == "POST":
        with refusal_as_message(request):
            archive_project(project=access.project, by=access.user)
            messages.success(
                request,
                _("The project is now archived and read-only. A manager can restore it in its settings at any time."),
            )
        return redirect("settings", slug)
    numbers = archive_consequences(access.project)
    open_ = (
        with_counts(
            ngettext(
                "%(number)d person has open work in it, which will be kept as it is.",
                "%(number)d people have open work in it, which will be kept as it is.",
                numbers.people,
            ),
            number=numbers.people,
        )
        if numbers.people
        else _("Nobody has open work in it.")
    )
    lines = [
        _(
            "Everyone will still be able to read it and download its releases. Nobody will be able to label, "
            "decide, import or release."
        ),
        open_,
        _("It will be listed with the archived projects."),
        _("To undo this, restore the project here in its settings. Work will continue where it stopped."),
    ]
    job = numbers.job
    refused = (
        _("%(job)s is running. Wait until it ends or cancel it, then archive the project.") % {"job": job}
        if job
        else ""
    )
    title = _("Archive %(name)s?") % {"name": access.project.name}
    return confirm(request, access, title, lines, button=_("Archive the project"), refused=refused)


@require_POST
def restore(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    restore_project(project=access.project, by=access.user)
    messages.success(request, _("The project is no longer archived. Work continues where it stopped."))
    return redirect("settings", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    name = _("Copy of %(name)s") % {"name": access.project.name}
    form = CopyForm(request.POST if request.method == "POST" else None, initial={"name": name[:200]})
    if not may_create_projects(access.user):
        messages.error(request, _("Only selected people can create projects on this site. Ask a site administrator."))
        return redirect("settings", slug)
    if form.is_valid():
        data = form.cleaned_data
        data["slug"] = data["slug"] or free_slug(data["name"])
        with refusal_in(form, "slug"):
            made = copy_project(project=access.project, by=access.user, **data)
            messages.success(request, _("The project has been copied. You manage the copy."))
            job = made.jobs.filter(kind=JobKind.COPY).first()
            return redirect("job", made.slug, job.pk) if job else redirect("project", made.slug)
    status = 422 if form.is_bound else 200
    return project_page(
        request, access, "projects/settings_copy.html", {"form": form}, section="settings", status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, slug: str) -> HttpResponse:
    """What would be gone, with the archive offered first (GET); deleting, the name typed (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    form = DeleteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusal_in(form, "name"):
            delete_project(project=project, by=access.user, **form.cleaned_data)
            messages.success(request, _("%(name)s is being deleted.") % {"name": project.name})
            return redirect("projects")
    status = 422 if form.is_bound else 200
    context = {
        "form": form,
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "golds": project.golds.count(),
        "releases": project.releases.count(),
        "members": project.memberships.count(),
        "last_archive": last_archive(project),
    }
    return project_page(request, access, "projects/settings_delete.html", context, section="settings", status=status)
