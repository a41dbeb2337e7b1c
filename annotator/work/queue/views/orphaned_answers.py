"""Texts that wait for somebody who left: managers hand them over, or discard them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.models import Stage
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.work.queue.actions import orphaned_answers
from annotator.work.queue.forms.orphaned_answers import HandOverForm
from annotator.work.queue.queries.orphaned_answers import left_shown


@require_safe
def left(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    context = {
        "stage": found,
        "rows": left_shown(found),
        "form": HandOverForm(stage=found, auto_id=False),
        "longest_reason": orphaned_answers.MAX_REASON,
    }
    return project_page(request, access, "work/orphaned_answers.html", context, section=found)


@require_POST
def hand_over(request: HttpRequest, slug: str, stage: int, answer: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    form = HandOverForm(request.POST, stage=found)
    if not form.is_valid():
        messages.error(request, _("Choose who should revise it."))
        return redirect("left-texts", slug, stage)
    to = form.cleaned_data["to"]
    with refusal_as_message(request):
        orphaned_answers.hand_over(stage=found, answer=answer, to=to, by=access.user)
        messages.success(request, _("Handed over to %(name)s, who continues from the existing text.") % {"name": to})
    return redirect("left-texts", slug, stage)


@require_POST
def give_up(request: HttpRequest, slug: str, stage: int, answer: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        reason = request.POST.get("reason", "")
        orphaned_answers.give_up(stage=_stage(access, stage), answer=answer, reason=reason, by=access.user)
        messages.success(request, _("Discarded. Releases leave it out and list it."))
    return redirect("left-texts", slug, stage)


def _stage(access: Access, pk: int) -> Stage:
    found = get_object_or_404(access.project.stages.select_related("layer").exclude(kind=Stage.ADJUDICATE), pk=pk)
    found.project = access.project
    return found
