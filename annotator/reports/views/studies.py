"""Agreement of several people: choosing them, the stored studies, and one of them in its parts.

Opening a page computes nothing: it shows what was stored. The button computes a few items at once, and starts a job for
many. Nobody who still answers blind in the project sees any of it.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access
from annotator.core.errors import translate
from annotator.domain.content import content_type
from annotator.domain.messages import InvalidError
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import AgreementStudy, JobKind, JobState, Project
from annotator.reports.actions import store_study
from annotator.reports.files import FORMAT_NAMES, FORMATS
from annotator.reports.forms import DIMENSIONS, StudyForm
from annotator.reports.queries.agreement import TOKENS, layer_named, public_name
from annotator.reports.queries.overlaps import annotators, comparable
from annotator.reports.queries.studies.question import OUTCOMES, StudyQuestion, has_outcomes, study_question
from annotator.reports.queries.studies.stored import compute_study, is_small
from annotator.reports.views.agreement import layers_of, reader_of_answers, ways
from annotator.reports.views.study_files import study_file
from annotator.reports.views.study_paragraph import paragraphs
from annotator.reports.views.study_tables import (
    Found,
    Table,
    coefficient_tables,
    consistency_tables,
    matrix,
    pair_table,
    stratum_tables,
    suggestion_tables,
    word_tables,
)
from annotator.templatetags.words import compared_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, valid_or_messages

# Studies that the page lists.
MAX_LISTED = 50
COEFFICIENTS, PEOPLE, STRATA, SUGGESTIONS, CONSISTENCY, WORDS = (
    "coefficients", "people", "strata", "suggestions", "consistency", "words",
)  # fmt: skip


@require_safe
def studies(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and what is stored."""
    access = reader_of_answers(request, slug)
    project = access.project
    jobs = project.jobs.filter(kind=JobKind.STUDY).order_by("-pk")
    newest = jobs.first()
    under_way = newest if newest is not None and not newest.finished else None
    rows = AgreementStudy.objects.filter(project=project).defer("results").select_related("layer")
    context = {
        "form": study_form(project, None),
        "comparable": comparable(project),
        "stored": [_named(project, row) for row in rows.prefetch_related("people__user")[:MAX_LISTED]],
        "job": under_way,
        "progress": progress_of(under_way) if under_way else None,
        "failed": newest if newest is not None and newest.state == JobState.FAILED else None,
    }
    return project_page(request, access, "reports/studies.html", context, section="agreement")


@require_POST
def study_compute(request: HttpRequest, slug: str) -> HttpResponse:
    """Compute and store a study of few items; start a job for one of many."""
    access = reader_of_answers(request, slug)
    form = study_form(access.project, request.POST)
    if not valid_or_messages(request, form):
        return redirect("studies", slug)
    try:
        asked = study_question(access.project, **form.cleaned_data)
    except InvalidError as error:
        messages.error(request, translate(error))
        return redirect("studies", slug)
    with refusal_as_message(request):
        if is_small(asked):
            found = store_study(computed=compute_study(asked, now=timezone.now()), by=access.user)
            return redirect("study", slug, found.pk)
        _start(access, asked)
        messages.info(request, _("A job compares these people. The result will be listed below."))
    return redirect("studies", slug)


def _start(access: Access, asked: StudyQuestion) -> None:
    start_job(project=access.project, kind=JobKind.STUDY, params=asked.params(), by=access.user)


@require_safe
def study_page(request: HttpRequest, slug: str, study: int) -> HttpResponse:
    """One part of a study at a time."""
    access = reader_of_answers(request, slug)
    row = _study(access, study)
    found = Found(row)
    named = _named(access.project, row)
    parts: dict[str, tuple[str, list[Table]]] = {
        COEFFICIENTS: (_("Coefficients"), coefficient_tables(found)),
        PEOPLE: (_("People"), [pair_table(found, named["layer"])]),
        STRATA: (_("Groups"), stratum_tables(found)),
        SUGGESTIONS: (_("Suggestions"), suggestion_tables(found)),
        CONSISTENCY: (_("Consistency"), consistency_tables(found)),
        WORDS: (_("Words"), word_tables(found)),
    }
    chosen = request.GET.get("part", "")
    part = chosen if chosen in parts else COEFFICIENTS
    context = {
        **named,
        "part": part,
        "tables": parts[part][1],
        "matrix": matrix(found) if part == PEOPLE else [],
        "names": found.names(),
        "tabs": [
            {"label": label, "url": f"?part={name}", "current": name == part} for name, (label, _some) in parts.items()
        ],
        "base": {PEOPLE: reverse("agreement", args=[slug]), WORDS: reverse("find", args=[slug])}.get(part, ""),
        "paragraphs": paragraphs(found).items() if part == COEFFICIENTS else (),
        "formats": [(f"study-{ending}", name) for ending, name in FORMAT_NAMES.items()],
    }
    return project_page(request, access, "reports/study.html", context, section="agreement")


@require_safe
def study_download(request: HttpRequest, slug: str, study: int, file_format: str) -> HttpResponse:
    access = reader_of_answers(request, slug)
    row = _study(access, study)
    response = HttpResponse(study_file(row, file_format), content_type=FORMATS[file_format])
    response["Content-Disposition"] = f'attachment; filename="{access.project.slug}-agreement-{row.pk}.{file_format}"'
    return response


def _study(access: Access, pk: int) -> AgreementStudy:
    rows = AgreementStudy.objects.select_related("layer", "project")
    return get_object_or_404(rows, project=access.project, pk=pk)


def _named(project: Project, row: AgreementStudy) -> dict[str, Any]:
    """A study with what its settings are called."""
    layer, usual = public_name(project, row.layer), content_type(row.layer.content_type).dimensions[0]
    return {
        "study": row,
        "layer": layer,
        "layer_name": compared_name(layer),
        "who": ", ".join(str(person.user) for person in row.people.all()),
        "counted": DIMENSIONS.get(row.dimension, "") if row.dimension != usual else "",
    }


def study_form(project: Project, asked: Any) -> StudyForm:
    """The form, with everything that can be compared in the project."""
    mappings, dimensions, usual = ways(project)
    names = layers_of(project)
    for name in names:
        layer = layer_named(project, name)
        if layer is not None and has_outcomes(layer):
            dimensions.setdefault(OUTCOMES, []).append(name)
            usual.setdefault(name, TOKENS)
    return StudyForm(
        asked,
        people=annotators(project),
        languages=project.languages,
        layers=names,
        mappings=mappings,
        dimensions=dimensions,
        usual=usual,
    )
