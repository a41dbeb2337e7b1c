"""What several pages of a project's settings share: the stages, and the page that asks for confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.kind import Kind, kind_named, kinds
from annotator.core.presets import StageSpec
from annotator.core.starts import workflow
from annotator.imports.reading.labels import category_layers
from annotator.models import Job, Layer, Project, Stage
from annotator.projects.forms.settings import AddStageForm, context_choices
from annotator.projects.queries.project_settings import unjudged
from annotator.templatetags.words import stage_name
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest


def stages_page(
    request: PageRequest, access: Access, *, status: int = 200, form: AddStageForm | None = None
) -> HttpResponse:
    """The stages of a project, and the form for another one; `form`: the one that was sent."""
    project = access.project
    stages = list(project.stages.select_related("layer"))
    for stage in stages:
        stage.project = project
    context = {
        "stages": stages,
        "with_trial": {
            row.pk
            for row in stages
            if not row.adjudicates and (trial := kind_named(row.kind).trial) is not None and trial.settings is not None
        },
        "unjudged": unjudged(stages),
        "contexts": context_choices(project),
        "stage_form": form or AddStageForm(project=project, works=stage_choices(project), prefix=""),
    }
    return project_page(request, access, "projects/settings_stages.html", context, section="settings", status=status)


def stage_choices(project: Project) -> list[tuple[str, str]]:
    """What another stage can be: a kind of work, or deciding on a layer."""
    layers, stages = list(project.layers.all()), list(project.stages.select_related("layer"))
    found = [(kind.slug, str(kind.title)) for kind in kinds() if kind.intake.standalone]
    for kind in kinds():
        found += _made_from(stages, kind, "", str(kind.title))
    for kind in kinds():
        for layer in layers if kind.layer.several else ():
            holds = (layer.content_type, layer.unit_kind)
            if holds != (kind.layer.content_type, kind.unit) or layer.slug == kind.layer.slug:
                continue
            name = f"{kind.title}: {layer.slug}"
            if kind.intake.standalone:
                found.append((f"{kind.slug}:{layer.slug}", name))
            found += _made_from(stages, kind, f":{layer.slug}", name)
    label_layers = [layer for layer in layers if layer.content_type == Layer.SPANS]
    label = workflow().label
    for layer in label_layers[1:]:
        found.append((f"{label}:{layer.slug}", f"{kind_named(label).title}: {layer.slug}"))
    categories = category_layers(project)
    for layer in layers:
        if layer in categories:
            # They are imported: there is nothing to decide on.
            continue
        stage = Stage(project=project, kind=Stage.ADJUDICATE, layer=layer, language="")
        found.append((f"{Stage.ADJUDICATE}:{layer.slug}", stage_name(stage).removesuffix(" ()")))
    return found


def _made_from(stages: Sequence[Stage], kind: Kind, layer: str, name: str) -> list[tuple[str, str]]:
    """The stages of a kind, on a layer of its own where one is given, by the stages that they can be made from."""
    taken = [stage for stage in stages if not stage.adjudicates and kind.intake.accepts(stage.layer)]
    return [
        (
            f"{kind.slug}{layer}<{before}",
            _("%(kind)s, made from: %(other)s") % {"kind": name, "other": kind_named(before).title},
        )
        for before in dict.fromkeys(stage.kind for stage in taken)
    ]


def unsaved_stage(project: Project, spec: StageSpec) -> Stage:
    """A stage to be, to be named."""
    layer = project.layers.filter(slug=spec.layer).first() if spec.layer else project.label_layer
    if spec.kind != Stage.ADJUDICATE and (kind := kind_named(spec.kind)).layer.several:
        layer = Layer(project=project, slug=spec.layer or kind.layer.slug, content_type=kind.layer.content_type)
    return Stage(project=project, kind=spec.kind, language=spec.language, layer=layer)


def say_done(request: PageRequest, done: str, job: Job | None) -> None:
    if job is not None:
        done = _("%(done)s A job will do the rest: %(job)s.") % {"done": done, "job": job}
    messages.success(request, done)


def confirm(
    request: PageRequest,
    access: Access,
    title: str,
    lines: list[str],
    *,
    button: str,
    values: dict[str, Any] | None = None,
    danger: bool = False,
    refused: str = "",
) -> HttpResponse:
    """The page that shows consequences; its button sends `values` to the same address."""
    context = {
        "title": title,
        "lines": lines,
        "button": button,
        "values": values or {},
        "danger": danger,
        "refused": refused,
    }
    return project_page(request, access, "projects/settings_confirm.html", context, section="settings")
