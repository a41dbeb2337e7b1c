"""Comparisons: the list with its forms, one with its filters, and its rows as a file. Not for those who work blind."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from annotator.comparisons.files import FORMATS, MAX_IN_WORKBOOK, comparison_file
from annotator.comparisons.forms import LanguagesForm, VersionsForm
from annotator.comparisons.queries.shown import shown_rows
from annotator.comparisons.queries.stored import (
    NOT_REVIEWED,
    PER_PAGE,
    RowFilters,
    check_seen,
    chosen_rows,
    comparison_seen,
    comparisons_in,
    why_not_seen,
)
from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import active_jobs, worker_listening
from annotator.models import Comparison, ComparisonKind, JobKind
from annotator.templatetags.comparisons import FACETS, LABEL_STATES
from annotator.web.pages import project_page

_FORMS: dict[str, type[LanguagesForm] | type[VersionsForm]] = {
    ComparisonKind.LANGUAGES: LanguagesForm,
    ComparisonKind.VERSIONS: VersionsForm,
}


@require_http_methods(["GET", "HEAD", "POST"])
def comparisons(request: HttpRequest, slug: str) -> HttpResponse:
    """The stored ones, and the forms; what is sent starts the job."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    kind = request.POST.get("kind", "")
    if request.method != "POST" or kind not in _FORMS:
        return _list(request, access)
    check_seen(access)
    form = _FORMS[kind](request.POST, project=access.project, auto_id=f"{kind}-%s")
    if form.is_valid():
        try:
            job = start_job(project=access.project, kind=JobKind.COMPARE, params=form.params(), by=access.user)
        except ActionError as error:
            form.add_error(None, str(error))
        else:
            return redirect("job", slug, job.pk)
    return _list(request, access, {kind: form}, status=422)


def _list(
    request: HttpRequest, access: Access, bound: dict[str, Any] | None = None, *, status: int = 200
) -> HttpResponse:
    project = access.project
    forms = {kind: form(project=project, auto_id=f"{kind}-%s") for kind, form in _FORMS.items()} | (bound or {})
    context = {
        "comparisons": list(comparisons_in(project)),
        "hidden": why_not_seen(access),
        "languages_form": forms[ComparisonKind.LANGUAGES] if len(project.languages) > 1 else None,
        "versions_form": forms[ComparisonKind.VERSIONS],
        "under_way": active_jobs(project).filter(kind=JobKind.COMPARE).first(),
        "no_worker": not worker_listening(JobKind.COMPARE.queue),
    }
    return project_page(request, access, "comparisons/comparisons.html", context, section="reports", status=status)


@require_safe
def comparison(request: HttpRequest, slug: str, comparison: int) -> HttpResponse:
    """A page of rows under filters, with the counts of what they let through."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = comparison_seen(access, comparison)
    filters = RowFilters.from_query(request.GET.dict())
    chosen = chosen_rows(found, filters)
    page = Paginator(range(chosen.size), PER_PAGE).get_page(request.GET.get("page"))
    begin = (page.number - 1) * PER_PAGE
    address = urlencode({name: value for name, value in _asked(filters).items() if value})
    context = {
        "comparison": found,
        "filters": filters,
        "facets": facets(found),
        "groups": chosen.groups(),
        "labels": list(chosen.labels().items()) if found.kind == ComparisonKind.VERSIONS else (),
        "page": page,
        "rows": shown_rows(chosen, chosen.page(begin)),
        "pager": f"&{address}",
        "address": address,
        "names": FACETS,
        "label_states": LABEL_STATES,
        "formats": FORMATS.items(),
        "max_in_workbook": MAX_IN_WORKBOOK,
    }
    return project_page(request, access, "comparisons/comparison.html", context, section="reports")


def facets(comparison: Comparison) -> dict[str, list[str]]:
    """What rows can be filtered by."""
    cells = comparison.results["cells"]

    def values(*names: str) -> list[str]:
        return list(dict.fromkeys(cell[name] for cell in cells for name in names if cell[name]))

    outcomes = values("outcome")
    without = [NOT_REVIEWED] if outcomes and any(not cell["outcome"] for cell in cells) else []
    return {
        "states": values("state"),
        "outcomes": outcomes + without,
        "labels": sorted(values("label", "other_label")),
        "languages": values("language"),
        "datasets": sorted(values("dataset")),
    }


def _asked(filters: RowFilters) -> dict[str, str]:
    return {name: getattr(filters, name) for name in RowFilters.__dataclass_fields__}


@require_safe
def comparison_download(request: HttpRequest, slug: str, comparison: int, file_format: str) -> HttpResponseBase:
    """The rows under filters as a file."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    chosen = chosen_rows(comparison_seen(access, comparison), RowFilters.from_query(request.GET.dict()))
    return comparison_file(chosen, file_format)
