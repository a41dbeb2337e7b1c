"""The tables of a project, on the page and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.reports.files import FORMAT_NAMES, FORMATS, report_file
from annotator.reports.queries.figures import Counted, counted, report_of
from annotator.reports.queries.headlines import Headline
from annotator.reports.queries.report_lists import Listed, listed_reports, tells_answers, why_withheld
from annotator.reports.queries.report_sentences import places, sentences
from annotator.reports.queries.reports import Report, ReportSpec
from annotator.reports.queries.tables import is_report, permission_for, report_named
from annotator.reports.views.report_charts import report_chart
from annotator.search.queries.filters import reader_of
from annotator.templatetags.tables import column_name, shown_cells
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message

# Sentences behind a value on one page.
SENTENCES = 50


@dataclass(frozen=True, slots=True)
class Table:
    """A table on the page. `report`: None while a job has still to count it, or there is nothing to count."""

    kind: str
    title: str
    text: str
    report: Report | None = None
    headline: Headline | None = None
    headings: Sequence[tuple[str, str]] = ()
    chart: Mapping[str, Any] | None = None
    uncounted: bool = False

    @property
    def has_rows(self) -> bool:
        return self.report is not None and bool(self.report.rows)


@require_safe
def reports(request: HttpRequest, slug: str, kind: str = "") -> HttpResponse:
    """One table at a time, with tabs to those that have rows: the first one, or that of `kind`. Below, those that a job
    has to count first, and those that will come."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    listed = listed_reports(access.project)
    # Asked once of those that are alike.
    alike = {(access.may(one.table.needs), tells_answers(one.table)): one.table for one in listed}
    withheld = {key: why_withheld(access, table) for key, table in alike.items()}
    if kind:
        _reader(request, slug, kind)
    may_see = [one for one in listed if not withheld[access.may(one.table.needs), tells_answers(one.table)]]
    found = counted(access.project, {one.table.figures.name for one in may_see})
    tables = [table for one in may_see if (table := _table(one, found)).has_rows or table.uncounted or one.led_to]
    with_rows = [table for table in tables if table.has_rows]
    shown = next((table for table in with_rows if kind in ("", table.kind)), None)
    if kind and kind not in {table.kind for table in tables}:
        raise Http404
    context = {
        "table": shown,
        "tabs": [
            {"label": table.title, "url": reverse("report", args=[slug, table.kind]), "current": table is shown}
            for table in with_rows
        ],
        "uncounted": [table for table in tables if table.uncounted],
        "to_come": [table for table in tables if not table.has_rows and not table.uncounted],
        # What is counted for this very page needs neither a button nor the time of the last count.
        "counted": found if not found.at_once and (found.job or any(one.there for one in may_see)) else None,
        "progress": progress_of(found.under_way) if found.under_way else None,
        "may_compare": access.may(Permission.ADJUDICATE),
        "withheld": sorted(set(filter(None, withheld.values()))),
        "reader": reader_of(access) if shown is not None and shown.report is not None and shown.report.listed else None,
        "formats": [(f"report-{ending}", name) for ending, name in FORMAT_NAMES.items()],
    }
    return project_page(request, access, "reports/reports.html", context, section="reports")


def _reader(request: HttpRequest, slug: str, kind: str) -> Access:
    """The user in the project, who may read this table. Raises PermissionDenied, in words."""
    access = project_for(request.user, slug, needs=permission_for(kind))
    if is_report(kind) and (reason := why_withheld(access, report_named(kind))):
        raise PermissionDenied(reason)
    return access


def _table(one: Listed, found: Counted) -> Table:
    announced = Table(one.kind, str(one.table.title), str(one.table.text))
    if one.table.figures.name not in found.figures:
        return replace(announced, uncounted=one.there)
    figures = found.figures[one.table.figures.name]
    report = one.table.show(figures)
    return replace(
        announced,
        report=report,
        headline=one.table.headline(figures) if report.rows else None,
        headings=_headings(one.table, report),
        chart=report_chart(one.kind, report),
    )


def _headings(table: ReportSpec, report: Report) -> list[tuple[str, str]]:
    """The columns of a table with their headings in the reader's language."""
    return [(column, str(table.columns.get(column) or column_name(column))) for column in report.columns]


@require_POST
def report_count(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a job count what tables are made from."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        start_job(project=access.project, kind=JobKind.COUNT, params={}, by=access.user)
    return redirect("reports", slug)


@require_safe
def report_download(request: HttpRequest, slug: str, kind: str, file_format: str) -> HttpResponse:
    access = _reader(request, slug, kind)
    if not is_report(kind):
        raise Http404
    report = report_of(access.project, kind)
    if report is None:
        raise Http404
    headings = [heading for _column, heading in _headings(report_named(kind), report)]
    response = HttpResponse(
        report_file(report, file_format, headings, shown_cells(report)), content_type=FORMATS[file_format]
    )
    response["Content-Disposition"] = f'attachment; filename="{access.project.slug}-{kind}.{file_format}"'
    return response


@require_safe
def report_sentences(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The sentences behind a value of a table: `?value=`, in all languages or in that of `?language=`."""
    access = _reader(request, slug, kind)
    value, language = request.GET.get("value", ""), request.GET.get("language", "")
    try:
        table = report_named(kind)
        report = report_of(access.project, kind)
        if report is None:
            raise LookupError(kind)
        found = places(report, value, language)
    except LookupError as error:
        raise Http404 from error
    page = Paginator(found, SENTENCES).get_page(request.GET.get("page"))
    rows = sentences(access.project, access.user, list(page), decides=access.may(Permission.ADJUDICATE))
    context = {
        "kind": kind,
        "title": table.title,
        "value": value,
        "language": language,
        "languages": [(one, len(some)) for one, some in report.behind[value].items()],
        "page": page,
        "rows": rows,
        "gone": len(page) - len(rows),
        "filters": "&" + urlencode({"value": value} | ({"language": language} if language else {})),
    }
    return project_page(request, access, "reports/report_sentences.html", context, section="reports")
