"""Agreement of two annotators: the page, and computing what it shows.

Opening the page writes nothing. It computes the numbers of few items each time, so that they are never old and nobody
has to press a button. It shows the numbers of many items as a job stored them last. A button asks for numbers that are
to stay: it stores those of few items at once, and starts the job for many. Nobody who still answers blind in the
project sees any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.kind import value_title
from annotator.core.permissions import Permission
from annotator.domain.content import content_type
from annotator.domain.content.spans import ATTRIBUTES, SENTENCE, TOKENS
from annotator.domain.labels.schemes import OUTSIDE
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind, JobState, Layer, Project, Segment, Stage
from annotator.reports.actions import store_run
from annotator.reports.forms import DIMENSIONS, AgreementForm
from annotator.reports.queries.agreement import ALL, PAIRS, Agreement, Question, public_name, question
from annotator.reports.queries.agreement_runs import compute, is_small, newest_job, params_of, standing
from annotator.reports.queries.overlaps import CommonWork, annotators, common_work, comparable
from annotator.reports.queries.people_matrix import people_matrix
from annotator.reports.queries.report_lists import why_withheld
from annotator.templatetags.tables import row_name
from annotator.templatetags.words import compared_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, valid_or_messages


@require_safe
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """The agreement of two people, of those with most shared items where none are chosen; and of all in a matrix."""
    access = reader_of_answers(request, slug)
    project = access.project
    common = common_work(project)
    form, usual = agreement_form(project, _asked(request, common))
    context: dict[str, Any] = {
        "form": form,
        "common": common,
        # Anyone who follows a link with a choice is told what is wrong with it.
        "comparable": form.is_bound or comparable(project),
        "stages": project.stages.filter(kind=Stage.ADJUDICATE).select_related("layer"),
        "result": None,
    }
    chosen: Question | None = None
    if form.is_bound and form.is_valid():
        chosen = question(project, **form.cleaned_data)
        context |= _answer(chosen, usual) | {"choice": choice_of(form)}
        context |= _confusion(request, context["result"], context["choice"])
    context |= _everyone(access, common, chosen)
    return project_page(request, access, "reports/agreement.html", context, section="agreement")


def _asked(request: HttpRequest, common: CommonWork) -> Mapping[str, Any] | None:
    """The choice of the address. Without two people the first pair, of what is chosen: that with most blind work in
    common, of which kappa says something."""
    given = request.GET
    if given.get("a"):
        return given
    for row in common.rows:
        if not row.free and given.get("layer") in (None, row.layer) and given.get("language") in (None, row.language):
            return {"a": row.a.username, "b": row.b.username, "layer": row.layer, "language": row.language}
    return None


def _everyone(access: Access, common: CommonWork, chosen: Question | None) -> dict[str, Any]:
    """The matrix of the people who can be compared in the chosen layer and language, and tabs to the other ones."""
    parts = list(dict.fromkeys((row.layer, row.language) for row in common.rows))
    if not parts:
        return {}
    current = (chosen.layer, chosen.language) if chosen else parts[0]
    tabs = [
        {
            "label": f"{compared_name(layer)} ({language})",
            "url": f"?{urlencode({'layer': layer, 'language': language})}",
            "current": (layer, language) == current,
        }
        for layer, language in parts
    ]
    rows = [row for row in common.rows if (row.layer, row.language) == current]
    pair = (chosen.a, chosen.b) if chosen else ()
    matrix = people_matrix(access.project, rows, computed=common.whole, chosen=pair) if rows else None
    return {"tabs": tabs, "matrix": matrix, "matrix_of": current}


def _confusion(request: HttpRequest, result: Agreement | None, choice: Mapping[str, str]) -> dict[str, Any]:
    """One table at a time: of everything, or of one group of rows; with the addresses of the words behind its cells."""
    groups = [row for row in result.rows if row.kappa.n] if result else []
    if not groups:
        return {}
    asked = request.GET.get("group", ALL)
    row = next((row for row in groups if row.group == asked), groups[-1])
    tabs = [
        {
            "label": row_name(one),
            "url": f"?{urlencode({**choice, 'group': one.group})}#words",
            "current": one is row,
        }
        for one in groups
    ]
    return {
        "confusion": row,
        "groups": tabs if len(tabs) > 1 else [],
        "cell_query": urlencode({**choice, "group": row.group}),
    }


@require_POST
def agreement_compute(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the agreement of two people: at once for few items, by a job for many."""
    access = reader_of_answers(request, slug)
    form, _usual = agreement_form(access.project, request.POST)
    if not valid_or_messages(request, form):
        return redirect("agreement", slug)
    asked = question(access.project, **form.cleaned_data)
    with refusal_as_message(request):
        _compute(access, asked)
    return redirect(f"{reverse('agreement', args=[slug])}?{urlencode(choice_of(form))}")


def _compute(access: Access, asked: Question) -> None:
    if is_small(asked):
        store_run(computed=compute(asked, now=timezone.now()), by=access.user)
    else:
        start_job(project=access.project, kind=JobKind.AGREEMENT, params=params_of(asked), by=access.user)


def reader_of_answers(request: HttpRequest, slug: str) -> Access:
    """The user, who may see what others answered. Raises PermissionDenied, in words, for anyone who answers blind."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    if reason := why_withheld(access):
        raise PermissionDenied(reason)
    return access


def choice_of(form: AgreementForm) -> dict[str, str]:
    """The query string of the page's choices."""
    return {name: form.data.get(name, "") for name in form.fields}


def _answer(asked: Question, usual: Mapping[str, str]) -> dict[str, Any]:
    """The page's answer to a question: the numbers, their source, and the job that computes them."""
    found = standing(asked, now=timezone.now())
    result = found.agreement if found else None
    # Numbers computed in the request need no job.
    job = newest_job(asked) if found is None or found.since is not None else None
    under_way = job if job is not None and not job.finished else None
    is_stored = found is not None and found.run is not None and found.since is None
    return {
        "people": {"a": asked.a, "b": asked.b},
        "asked": asked,
        "found": found,
        "result": result,
        "course": found.course if found else [],
        "counted": DIMENSIONS.get(asked.dimension, "") if result and asked.layer in usual else "",
        "names": names_of(asked, [value for row in result.rows for value in row.kappa.labels]) if result else {},
        "storable": asked.found is not None and under_way is None and not is_stored,
        "job": under_way,
        "progress": progress_of(under_way) if under_way else None,
        "failed": job if job is not None and job.state == JobState.FAILED else None,
    }


def agreement_form(project: Project, asked: Mapping[str, Any] | None) -> tuple[AgreementForm, dict[str, str]]:
    """The form with a choice, if there is one; and of layers that can be counted in several ways, the usual one."""
    mappings, dimensions, usual = ways(project)
    form = AgreementForm(
        asked,
        people=annotators(project),
        languages=project.languages,
        layers=layers_of(project),
        mappings=mappings,
        dimensions=dimensions,
        usual=usual,
    )
    return form, usual


def ways(project: Project) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, str]]:
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


def names_of(asked: Question, values: Iterable[str]) -> dict[str, str]:
    """What the values that were compared are called, by their codes."""
    layer = asked.found
    if layer is None:
        return {}
    names = {value: value_title(layer.content_type, asked.dimension, value) for value in set(values)}
    return names | ({OUTSIDE: _("no label")} if layer.content_type == Layer.SPANS else {})


def layers_of(project: Project) -> list[str]:
    """What can be compared: what the project's stages work on. Under the name of tags, other layers cannot."""
    layers = project.layers.filter(stages__isnull=False).distinct()
    named = [(public_name(project, layer), layer) for layer in layers]
    return [name for name, layer in named if name != PAIRS or layer.unit_kind == Segment.PAIR]
