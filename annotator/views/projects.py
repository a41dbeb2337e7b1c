"""The projects of the signed-in user, and making a new one."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.actions.errors import ActionError
from annotator.actions.projects import create_project
from annotator.forms.projects import CreateProjectForm
from annotator.queries.dashboard import project_cards
from annotator.views.requests import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def projects(request: PageRequest) -> HttpResponse:
    """The list; site admins also send the form for a new project here."""
    form = CreateProjectForm(request.POST or None) if request.user.is_superuser else None
    status = 200
    if request.method == "POST":
        if form is None:
            raise PermissionDenied(_("Only site administrators can create projects."))
        if form.is_valid():
            try:
                project = create_project(by=request.user, **form.cleaned_data)
            except ActionError as error:
                form.add_error("slug", str(error))
            else:
                return redirect("project", project.slug)
        status = 422
    context = {"cards": project_cards(request.user), "form": form}
    return render(request, "pages/projects.html", context, status=status)
