"""Accepting answers into gold by a rule: the numbers first, then the act."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.errors import OverlapError
from annotator.core.permissions import Permission
from annotator.models import Layer, Project, Stage
from annotator.templatetags.words import decided_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, valid_or_messages
from annotator.work.gold.actions.agreed import AcceptSummary, accept_agreed
from annotator.work.gold.forms.agreed import RuleForm
from annotator.work.gold.queries.agreed import count_agreed
from annotator.work.queue.queries.progress import stage_progress


@require_safe
def accept_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules, and what the chosen one will do, by layer."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project, asked = access.project, bool(request.GET)
    form = RuleForm(request.GET if asked else None, project=project)
    rows = None
    if asked and form.is_valid():
        language = form.cleaned_data["language"]
        rows = [
            (capfirst(decided_name(layer.slug)), summary)
            for layer in project.layers.all()
            if any(vars(summary := count_agreed(project, layer, language, form.chosen, by=access.user)).values())
        ]
    context = {
        "form": form,
        "rows": rows,
        "accepted": sum(summary.accepted for _layer, summary in rows or ()),
        "asked": _sent(form, request.GET),
    }
    refused = asked and rows is None
    page = "dashboard/accept_rules.html"
    return project_page(request, access, page, context, section="project", status=422 if refused else 200)


@require_POST
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Make gold of what the rule decides, in every layer; without a rule, of what all agree on."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = RuleForm(request.POST, project=access.project)
    if not valid_or_messages(request, form):
        return redirect("project", slug)
    language = form.cleaned_data["language"]
    asked = {"project": access.project, "language": language, "by": access.user, "rule": form.chosen}
    with refusal_as_message(request):
        try:
            done = [
                (layer, accept_agreed(**asked, layer=layer, without_overlap="sure" in request.POST))
                for layer in access.project.layers.all()
            ]
        except OverlapError:
            return _confirm_accepting(request, access, form)
        messages.success(request, _accepted(access.project, language, done))
    return redirect("project", slug)


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
