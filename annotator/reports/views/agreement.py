"""Agreement of two annotators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotator.core.access import project_for
from annotator.core.kind import value_title
from annotator.core.permissions import Permission
from annotator.domain.content import content_type
from annotator.domain.content.spans import ATTRIBUTES, SENTENCE, TOKENS
from annotator.models import Layer, Project, Segment, Stage
from annotator.reports.forms import DIMENSIONS, AgreementForm
from annotator.reports.queries.agreement import PAIRS, Agreement, layer_named, public_name
from annotator.reports.queries.agreement import agreement as compute
from annotator.reports.queries.agreement_course import agreement_course
from annotator.reports.queries.overlaps import annotators, comparable, overlaps
from annotator.web.pages import project_page
from annotator.work.blind.queries.blind import agreement_hidden


@require_safe
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    project = access.project
    people = annotators(project)
    common = overlaps(project)
    # Without a choice, the first pair: that with most blind work in common, of which kappa says something.
    asked: Mapping[str, Any] | None = request.GET if request.GET.get("a") else None
    first = next((row for row in common if not row.free), None)
    if asked is None and first is not None:
        asked = {"a": first.a.username, "b": first.b.username, "layer": first.layer, "language": first.language}
    mappings, dimensions, usual = _ways(project)
    form = AgreementForm(
        asked,
        people=people,
        languages=project.languages,
        layers=_layers(project),
        mappings=mappings,
        dimensions=dimensions,
        usual=usual,
    )
    result = None
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data
        language = chosen["language"] or project.source_language
        if agreement_hidden(access.user, project, language, (chosen["a"], chosen["b"])):
            messages.info(request, _("You still answer blind here; your own agreement is shown when you are done."))
        else:
            result = compute(project, **chosen)
    context = {
        "form": form,
        "overlaps": common,
        # Anyone who follows a link with a choice is told what is wrong with it.
        "comparable": form.is_bound or comparable(project),
        "result": result,
        "counted": DIMENSIONS.get(result.dimension, "") if result and result.layer in usual else "",
        "names": _names(project, result) if result else {},
        "people": form.cleaned_data if result else {},
        "course": agreement_course(project, **form.cleaned_data) if result else [],
        "stages": project.stages.filter(kind=Stage.ADJUDICATE).select_related("layer"),
    }
    return project_page(request, access, "reports/agreement.html", context, section="agreement")


def _ways(project: Project) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, str]]:
    """The mappings of the project's schemes, and what can be counted beside what usually is: each with the layers that
    have it. Of these layers, what is counted without a choice."""
    mappings: dict[str, list[str]] = {}
    dimensions: dict[str, list[str]] = {}
    usual: dict[str, str] = {}
    for layer in project.layers.exclude(content_type=Layer.SPANS):
        first, *others = content_type(layer.content_type).dimensions
        for dimension in others:
            if dimension == "second" and not layer.scheme_data.get("second"):
                # No second question is asked there.
                continue
            dimensions.setdefault(dimension, []).append(public_name(project, layer))
            usual[public_name(project, layer)] = first
    for layer in project.layers.filter(content_type=Layer.SPANS):
        name, scheme = public_name(project, layer), layer.scheme
        for mapping in scheme.mappings:
            mappings.setdefault(mapping, []).append(name)
        for dimension, there in ((SENTENCE, scheme.tokenless), (ATTRIBUTES, scheme.attributes)):
            if there:
                dimensions.setdefault(dimension, []).append(name)
                usual[name] = TOKENS
    return mappings, dimensions, usual


def _names(project: Project, result: Agreement) -> dict[str, str]:
    """What the values that were compared are called, by their codes."""
    layer = layer_named(project, result.layer)
    values = {value for row in result.rows for value in row.kappa.labels}
    return {value: value_title(layer.content_type, result.dimension, value) for value in values} if layer else {}


def _layers(project: Project) -> list[str]:
    """What can be compared: what the project's stages work on. Under the name of tags, other layers cannot."""
    layers = project.layers.filter(stages__isnull=False).distinct()
    named = [(public_name(project, layer), layer) for layer in layers]
    return [name for name, layer in named if name != PAIRS or layer.unit_kind == Segment.PAIR]
