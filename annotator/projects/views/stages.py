"""The stages of a project, and the layers they work on: adding, ordering, removing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission
from annotator.core.presets import StageSpec
from annotator.core.unit_kinds import counted_units
from annotator.domain.context import Context
from annotator.domain.text.storable import whole_number
from annotator.imports.reading.labels import category_layers
from annotator.models import Layer
from annotator.projects.actions.project_settings import add_layer
from annotator.projects.actions.stages import add_stages, change_context, order_stages, remove_stage
from annotator.projects.forms.settings import AddLayerForm, AddStageForm
from annotator.projects.queries.project_settings import stage_consequences, units_for_stage
from annotator.projects.views.settings_page import confirm, say_done, stage_choices, stages_page, unsaved_stage
from annotator.templatetags.words import stage_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest


@require_safe
def stages(request: PageRequest, slug: str) -> HttpResponse:
    """The stages, and the form for another one."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return stages_page(request, access)


@require_http_methods(["GET", "HEAD", "POST"])
def stage_add(request: PageRequest, slug: str) -> HttpResponse:
    """What another stage would hold (GET), and adding it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    data = request.POST if request.method == "POST" else request.GET
    if request.method != "POST" and not data:
        return redirect(f"{reverse('settings-stages', args=[slug])}#add-stage")
    form = AddStageForm(data, project=access.project, works=stage_choices(access.project))
    if not form.is_valid():
        # The form is far down its page.
        form.fields[next(iter(form.errors))].widget.attrs["autofocus"] = True
        return stages_page(request, access, status=422, form=form)
    spec = _spec(form.cleaned_data)
    if request.method == "POST":
        with refusal_as_message(request):
            job = add_stages(project=access.project, specs=[spec], by=access.user)
            say_done(request, _("The stage was added."), job)
        return redirect("settings-stages", slug)
    kind, number = units_for_stage(access.project, spec)
    about = ngettext(
        "This language has %(units)s. The stage will contain those that fit its kind of work.",
        "This language has %(units)s. The stage will contain those that fit its kind of work.",
        number,
    )
    lines = [
        about % {"units": counted_units(kind, number)},
        _("Existing work will not change."),
    ]
    name = stage_name(unsaved_stage(access.project, spec))
    title = _("Add the stage %(stage)s?") % {"stage": name}
    return confirm(request, access, title, lines, button=_("Add the stage"), values=form.cleaned_data)


@require_POST
def stage_order(request: PageRequest, slug: str) -> HttpResponse:
    """Move one stage up or down: `stage` and `to`."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    order = list(access.project.stages.order_by("position", "pk").values_list("pk", flat=True))
    moved = whole_number(request.POST.get("stage", ""))
    if moved in order:
        place = order.index(moved)
        beside = place - 1 if request.POST.get("to") == "up" else place + 1
        if 0 <= beside < len(order):
            order[place], order[beside] = order[beside], order[place]
            with refusal_as_message(request):
                order_stages(project=access.project, stages=order, by=access.user)
    return redirect("settings-stages", slug)


@require_POST
def stage_context(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """What a stage shows around its sentences."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    row.project = access.project
    with refusal_as_message(request):
        change_context(stage=row, context=request.POST.get("context", ""), by=access.user)
        messages.success(request, _("The settings were saved."))
    return redirect("settings-stages", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def stage_remove(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """What hangs on a stage (GET), and taking it out (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    row.project = access.project
    if request.method == "POST":
        with refusal_as_message(request):
            remove_stage(stage=row, by=access.user)
            messages.success(request, _("The stage was removed."))
        return redirect("settings-stages", slug)
    numbers = stage_consequences(row)
    done = numbers.answers + numbers.decisions
    lines = [
        with_counts(
            ngettext(
                "%(number)d item will be removed from the stage.",
                "%(number)d items will be removed from the stage.",
                numbers.items,
            ),
            number=numbers.items,
        ),
        with_counts(
            ngettext(
                "%(number)d open answer will be returned to the queue. Saved work is kept on record.",
                "%(number)d open answers will be returned to the queue. Saved work is kept on record.",
                numbers.open,
            ),
            number=numbers.open,
        ),
        with_counts(
            ngettext("%(number)d finished answer or decision.", "%(number)d finished answers and decisions.", done),
            number=done,
        ),
    ]
    refused = _("A stage with finished answers cannot be removed.") if done else ""
    title = _("Remove the stage %(stage)s?") % {"stage": stage_name(row)}
    return confirm(request, access, title, lines, button=_("Remove the stage"), danger=True, refused=refused)


@require_http_methods(["GET", "HEAD", "POST"])
def layer_add(request: PageRequest, slug: str) -> HttpResponse:
    """The layers (GET), and another one (POST); nothing that is there changes."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = AddLayerForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusal_in(form, "slug"):
            layer = add_layer(project=access.project, by=access.user, **form.cleaned_data)
            if layer.content_type == Layer.SPANS:
                text = _("The layer %(layer)s was added. Now add a stage for it.")
            else:
                text = _("The layer %(layer)s was added. Imported files can fill it.")
            messages.success(request, text % {"layer": layer.slug})
            return redirect("settings-stages" if layer.content_type == Layer.SPANS else "settings-layer-add", slug)
    context = {
        "layer_form": form,
        "layers": access.project.layers.filter(content_type=Layer.SPANS),
        "categories": category_layers(access.project),
    }
    status = 422 if form.is_bound else 200
    return project_page(request, access, "projects/settings_layers.html", context, section="settings", status=status)


def _spec(data: dict[str, Any]) -> StageSpec:
    work, _sign, before = data["what"].partition("<")
    kind, _colon, layer = work.partition(":")
    return StageSpec(
        kind,
        data["language"],
        layer=layer or data["scale"],
        mode=data["mode"] or "review",
        order=data["order"] or "reading",
        answers_wanted=data["answers_wanted"],
        context=data["context"] or Context.NEIGHBOURS.value,
        made_from=before,
    )
