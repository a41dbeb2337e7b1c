"""What a project is called, and how it is worked in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.projects.actions.project_settings import change_settings
from annotator.projects.forms.settings import GeneralForm
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_in
from annotator.web.requests import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PageRequest, slug: str) -> HttpResponse:
    """The form, and saving it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = GeneralForm(request.POST) if request.method == "POST" else GeneralForm.of(access.project)
    if form.is_valid():
        with refusal_in(form, "name"):
            change_settings(project=access.project, changes=form.changes(), by=access.user)
            messages.success(request, _("The settings were saved."))
            return redirect("settings", slug)
    status = 422 if form.is_bound else 200
    return project_page(request, access, "projects/settings.html", {"form": form}, section="settings", status=status)
