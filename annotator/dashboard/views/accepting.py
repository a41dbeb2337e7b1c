"""Accepting answers into gold by a rule: the numbers first, then the act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.errors import OverlapError
from annotator.core.permissions import Permission
from annotator.jobs.queries import progress_of
from annotator.models import Job, JobState, Layer, Project, Stage
from annotator.templatetags.words import decided_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, valid_or_messages
from annotator.work.blind.queries.blind import withheld_results
from annotator.work.gold.actions.accepting import Acceptance, Summaries, standing_count, summaries_of
from annotator.work.gold.actions.accepting import accept as accept_answers
from annotator.work.gold.actions.accepting import count as count_accepted
from annotator.work.gold.forms.agreed import RuleForm
from annotator.work.gold.queries.agreed import AcceptSummary
from annotator.work.queue.queries.progress import stage_progress


@require_safe
def accept_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules, and what the chosen one will do, by layer; of many answers, as a job counted it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    asked = bool(request.GET)
    form = RuleForm(request.GET if asked else None, project=access.project)
    page = "dashboard/accept_rules.html"
    context: dict[str, Any] = {"form": form, "asked": _sent(form, request.GET)}
    if not asked or not form.is_valid():
        return project_page(request, access, page, context, section="project", status=422 if asked else 200)
    found = standing_count(_acceptance(access, form))
    if isinstance(found, list):
        context["rows"] = accept_rows(found)
    elif found is None or found.state in (JobState.FAILED, JobState.CANCELLED):
        context["uncounted"] = True
    else:
        progress = progress_of(found, withheld=withheld_results(access.user, access.project))
        context |= {"job": found, "progress": progress}
        if found.finished:
            context |= {"rows": accept_rows(summaries_of(found, progress.result)), "withheld": progress.withheld}
    context["accepted"] = sum(summary.accepted for _layer, summary in context.get("rows", ()))
    return project_page(request, access, page, context, section="project")


@require_POST
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Make gold of what the rule decides, in every layer; without a rule, of what all agree on. With `count`, only
    count it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = RuleForm(request.POST, project=access.project)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    asked = _acceptance(access, form)
    with refusal_as_message(request):
        if "count" in request.POST:
            count_accepted(asked)
            return redirect(f"{reverse('accept-rules', args=[slug])}?{urlencode(_sent(form, request.POST))}")
        try:
            found = accept_answers(asked, without_overlap="sure" in request.POST)
        except OverlapError:
            return _confirm_accepting(request, access, form)
        if isinstance(found, Job):
            return redirect("job", slug, found.pk)
        messages.success(request, _accepted(access.project, asked.language, found))
    return redirect("project", slug)


def accept_rows(found: Summaries) -> list[tuple[str, AcceptSummary]]:
    """The layers in which there is something, by name."""
    return [(capfirst(decided_name(layer.slug)), summary) for layer, summary in found if any(vars(summary).values())]


def _acceptance(access: Access, form: RuleForm) -> Acceptance:
    project, language = access.project, form.cleaned_data["language"]
    return Acceptance(project, list(project.layers.all()), language, form.chosen, access.user)


def _accepted(project: Project, language: str, done: Sequence[tuple[Layer, AcceptSummary]]) -> str:
    """Accepted answers, by layer where it is not labels and tags alone; and what is left to adjudicators, which
    nobody does in layers such as that of substitutes."""
    published = {layer for layer in (project.label_layer, project.tag_layer) if layer is not None}
    stages = project.stages.filter(kind=Stage.ADJUDICATE, language=language)
    judged = {*stages.values_list("layer_id", flat=True), *(layer.pk for layer in published)}
    counted = [(layer, summary) for layer, summary in done if layer.pk in judged or summary.accepted]
    counts = {layer: summary.accepted for layer, summary in counted if summary.accepted}
    if not counts or not counts.keys() <= published:
        text = _(
            "Accepted as gold in %(language)s: %(accepted)s. Left for adjudication (disagreement or doubt): "
            "%(left)d. In progress: %(waiting)d."
        )
    elif project.tag_layer is None:
        text = _(
            "Gold in %(language)s: %(sentences)d sentences accepted. Left for adjudication (disagreement or "
            "doubt): %(left)d. In progress: %(waiting)d."
        )
    else:
        text = _(
            "Gold in %(language)s: %(sentences)d sentences and %(pairs)d pairs accepted. Left for adjudication "
            "(disagreement or doubt): %(left)d. In progress: %(waiting)d."
        )
    named = [
        with_counts(_("%(layer)s %(number)d"), layer=decided_name(layer.slug), number=number)
        for layer, number in counts.items()
    ]
    return with_counts(
        text,
        language=language,
        accepted=", ".join(named) or _("nothing"),
        sentences=counts.get(project.label_layer, 0),
        pairs=counts.get(project.tag_layer, 0) if project.tag_layer is not None else 0,
        left=sum(summary.differing + summary.doubtful + summary.uncertain + summary.own for _layer, summary in counted),
        waiting=sum(summary.waiting for _layer, summary in counted),
    )


def _confirm_accepting(request: HttpRequest, access: Access, form: RuleForm) -> HttpResponse:
    """The cost of accepting while nobody has labelled blind, with the way to draw the subset first."""
    project, language = access.project, form.cleaned_data["language"]
    judging = project.stages.filter(kind=Stage.ADJUDICATE, layer=project.label_layer, language=language).first()
    context = {
        "language": language,
        "finished": stage_progress(judging).open if judging else None,
        "asked": _sent(form, request.POST),
    }
    return project_page(request, access, "dashboard/accept_confirm.html", context, section="project")


def _sent(form: RuleForm, given: QueryDict) -> list[tuple[str, str]]:
    """The request, to be sent once more."""
    return [(name, str(given[name])) for name in form.fields if given.get(name)]
