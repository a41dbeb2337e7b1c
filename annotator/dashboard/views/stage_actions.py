"""What managers run from the dashboard. Each view is one form and one action."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.html import conditional_escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission
from annotator.dashboard.forms import (
    BlindForm,
    FreeForm,
    PredictForm,
    ProjectLabelsForm,
    TrainEveryForm,
    TrainForm,
    TransferForm,
)
from annotator.jobs.actions import start_job
from annotator.machines.actions.training import set_train_every
from annotator.machines.actions.transfers import transfer_tags
from annotator.machines.queries.training import HUNDRED
from annotator.models import JobKind, Stage
from annotator.templatetags.words import stage_name
from annotator.web.refusals import refusal_as_message, valid_or_messages
from annotator.work.blind.actions.blind import BlindSummary
from annotator.work.blind.actions.blind_items import assign_blind_items
from annotator.work.blind.queries.blind_pool import Pool, pool
from annotator.work.blind.queries.blind_subset import sentence_stage
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.queries.own_items import has_open


@require_POST
def predict(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return _start(request, access, JobKind.PREDICT, PredictForm(request.POST, project=access.project))


@require_POST
def train(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return _start(request, access, JobKind.TRAIN, TrainForm(request.POST, project=access.project))


@require_POST
def train_every(request: HttpRequest, slug: str) -> HttpResponse:
    """Set after how many finished sentences a detector is trained by itself."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = TrainEveryForm(request.POST, hundreds=access.project.train_every)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    with refusal_as_message(request):
        project = set_train_every(project=access.project, by=access.user, **form.cleaned_data)
        if project.train_every:
            text = _("A detector will be trained after every %(sentences)d sentences done in a language.")
            messages.success(request, text % {"sentences": project.train_every * HUNDRED})
        else:
            messages.success(request, _("Detectors will only be trained manually."))
    return redirect("project", slug)


@require_POST
def project_labels(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return _start(request, access, JobKind.PROJECT, ProjectLabelsForm(request.POST, project=access.project))


@require_POST
def transfer(request: HttpRequest, slug: str) -> HttpResponse:
    """Carry pair tags over to another language as silver."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = TransferForm(request.POST, project=access.project)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    with refusal_as_message(request):
        done = transfer_tags(project=access.project, by=access.user, **form.cleaned_data)
        messages.success(
            request,
            with_counts(
                _(
                    "Tags carried over: %(created)d new, %(updated)d changed, %(unchanged)d as before. Not carried "
                    "over: %(reviewed)d already tagged there, %(untagged)d without a tag in %(source)s, "
                    "%(without_text)d without text."
                ),
                created=done.created,
                updated=done.updated,
                unchanged=done.unchanged,
                reviewed=done.reviewed,
                untagged=done.untagged,
                without_text=done.without_text,
                source=form.cleaned_data["source"],
            ),
        )
    return redirect("project", slug)


@require_POST
def blind(request: HttpRequest, slug: str) -> HttpResponse:
    """Give people the same sample of a stage to answer without seeing anybody's answers."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    stages = list(access.project.stages.select_related("layer", "project"))
    form = BlindForm(request.POST, project=access.project, stages=stages)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    wanted = {**form.cleaned_data, "users": list(form.cleaned_data["users"])}
    with refusal_as_message(request):
        for done in assign_blind_items(by=access.user, **wanted):
            messages.success(request, _handed_out(done, wanted["stage"], stages))
    return redirect("project", slug)


@require_safe
def blind_pool(request: HttpRequest, slug: str) -> HttpResponse:
    """How many items a blind sample can be drawn from, for the stage and the people that are chosen in its form."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    stages = list(access.project.stages.select_related("layer", "project"))
    form = BlindForm(request.GET, project=access.project, stages=stages)
    form.is_valid()
    if "stage" not in form.cleaned_data:
        return HttpResponse("")
    stage, users = form.cleaned_data["stage"], list(form.cleaned_data.get("users", ()))
    return HttpResponse(conditional_escape(_can_be_drawn(pool(stage, users))))


def _can_be_drawn(found: Pool) -> str:
    """What there is to draw from, and why not the rest."""
    text = with_counts(_("%(free)d of %(total)d can be drawn."), free=found.free, total=found.total)
    reasons = [
        (found.given, _("%d of these already assigned to all of them")),
        (found.decided, _("%d left out, already decided or in the next stage")),
        (found.seen, _("%d left out, already seen with suggestions")),
        (found.own, _("%d left out, written by them or with labels that they mark blind")),
    ]
    left_out = "; ".join(reason % count for count, reason in reasons if count)
    return f"{text} ({left_out})" if left_out else text


def _handed_out(done: BlindSummary, stage: Stage, stages: Sequence[Stage]) -> str:
    """What somebody was given of a sample, and what was left out."""
    if stage != sentence_stage(stages, stage.language):
        text = ngettext(
            "%(user)s: %(items)d item in the blind sample.",
            "%(user)s: %(items)d items in the blind sample.",
            done.items,
        )
        seen = _("%d left out, already seen with suggestions")
        decided = _("%d left out, already decided or in the next stage")
    elif stage.project.tag_layer is None:
        text = ngettext(
            "%(user)s: %(sentences)d sentence in the blind sample.",
            "%(user)s: %(sentences)d sentences in the blind sample.",
            done.sentences,
        )
        seen = _("%d sentences left out, already seen with suggestions")
        decided = _("%d sentences left out, gold is decided")
    else:
        text = ngettext(
            "%(user)s: %(pairs)d pair and %(sentences)d sentences in the blind sample.",
            "%(user)s: %(pairs)d pairs and %(sentences)d sentences in the blind sample.",
            done.pairs,
        )
        seen = _("%d pairs left out, already seen with suggestions")
        decided = _("%d pairs left out, gold is decided")
    text = with_counts(text, user=done.user, pairs=done.pairs, sentences=done.sentences, items=done.items)
    own = _("%d left out, written by them or with labels that they mark blind")
    reasons = [(done.already, _("%d assigned before")), (done.seen, seen), (done.own, own), (done.decided, decided)]
    left_out = "; ".join(reason % count for count, reason in reasons if count)
    return f"{text} ({left_out})" if left_out else text


@require_POST
def free(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Take a person's open items of a stage away, so that others can have them."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(access.project.stages, pk=stage)
    form = FreeForm(request.POST, stage=found)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    user = form.cleaned_data["user"]
    had = has_open(found, user, form.cleaned_data["mode"])
    # What a page held in advance goes back with it, and is not told.
    freed = min(free_open(stage=found, by=access.user, **form.cleaned_data), had)
    text = ngettext(
        "%(count)d open item of %(user)s was returned to the queue: %(stage)s. Saved work is kept on record.",
        "%(count)d open items of %(user)s were returned to the queue: %(stage)s. Saved work is kept on record.",
        freed,
    )
    messages.success(request, with_counts(text, count=freed, user=user, stage=stage_name(found)))
    return redirect("project", slug)


def _start(request: HttpRequest, access: Access, kind: JobKind, form: forms.Form) -> HttpResponse:
    if not valid_or_messages(request, form):
        return redirect("project", access.project.slug)
    with refusal_as_message(request):
        job = start_job(project=access.project, kind=kind, params=form.cleaned_data, by=access.user)
        return redirect("job", access.project.slug, job.pk)
    return redirect("project", access.project.slug)
