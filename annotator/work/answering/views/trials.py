"""The trial item of a stage: who has not solved it is shown it before the workspace, and managers write it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission
from annotator.models import Stage
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest
from annotator.work.answering.actions.trials import answer_trial
from annotator.work.answering.queries.trials import pending_trial


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    found.project = access.project
    access.require_language(found.language)
    pending = pending_trial(found, access.user)
    if pending is None:
        return redirect("work", slug, stage)
    kind = kind_of(found)
    access.require(kind.needs)
    if kind.trial is None:
        raise Http404
    text, missed = "", "missed" in request.POST
    if request.method == "POST":
        try:
            if answer_trial(stage=found, content=kind.trial.content(request.POST), by=access.user):
                return redirect("work", slug, stage)
            text = pending.told if missed else pending.hint
            missed = True
        except ActionError as error:
            text = str(error)
    context = {
        "stage": found,
        "shown": pending.shown,
        "sent": request.POST,
        "said": text,
        "missed": missed,
        "trial_template": kind.trial.template,
    }
    return project_page(request, access, "work/workspaces/trial.html", context, section=found)


@require_http_methods(["GET", "HEAD", "POST"])
def trial_settings(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """The page on which managers write a trial item of their own."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(access.project.stages.select_related("layer").exclude(kind=Stage.ADJUDICATE), pk=stage)
    found.project = access.project
    spec = kind_of(found).trial
    if spec is None or spec.settings is None:
        raise Http404
    error_text = ""
    if request.method == "POST":
        try:
            spec.settings.save(found, request.POST.dict(), access.user)
        except ActionError as error:
            error_text = str(error)
        else:
            messages.success(request, _("The trial item is saved."))
            return redirect("settings-trial", slug, stage)
    context = {
        "stage": found,
        "sent": request.POST if error_text else spec.settings.initial(found),
        "said": error_text,
        "trial_template": spec.settings.template,
    }
    return project_page(request, access, "projects/settings_trial.html", context, section="settings")
