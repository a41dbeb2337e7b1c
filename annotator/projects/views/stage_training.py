"""The training of a stage in the settings: what it asks for, and who is let in."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.models import Stage
from annotator.projects.forms.training import TrainingForm
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest
from annotator.work.answering.actions.repeats import set_again
from annotator.work.answering.actions.training import let_in, let_out, set_training
from annotator.work.answering.queries.training import trainees


@require_http_methods(["GET", "HEAD", "POST"])
def stage_training(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """The form, and the people with their scores."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    form = TrainingForm(request.POST if request.method == "POST" else None, initial=TrainingForm.initial_of(found))
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, None):
            with transaction.atomic():
                set_training(stage=found, training=form.training, by=access.user)
                set_again(stage=found, again=form.cleaned_data["again"] or 0, by=access.user)
            messages.success(request, _("The settings were saved."))
            return redirect("settings-training", slug, stage)
    context = {"stage": found, "form": form, "people": trainees(found) if found.training else []}
    status = 422 if form.errors else 200
    return project_page(request, access, "projects/settings_training.html", context, section="settings", status=status)


@require_POST
def training_people(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """Let one person in or out: `user`, and `to`, `in` or `out`."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    user = next((user for user, _try, _in in trainees(found) if str(user.pk) == request.POST.get("user")), None)
    if user is not None:
        change = let_in if request.POST.get("to") == "in" else let_out
        with refusal_as_message(request):
            change(stage=found, user=user, by=access.user)
    return redirect("settings-training", slug, stage)


def _stage(access: Access, stage: int) -> Stage:
    rows = access.project.stages.select_related("layer").exclude(kind=Stage.ADJUDICATE)
    found = get_object_or_404(rows, pk=stage)
    found.project = access.project
    return found
