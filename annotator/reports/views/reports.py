"""The tables of a project, on the page and as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.kind import dataset_title
from annotator.core.permissions import Permission
from annotator.domain.statistics import ALL
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.reports.queries.figures import Counted, counted, report_of
from annotator.reports.queries.report_lists import Listed, listed_reports, tells_answers, why_withheld
from annotator.reports.queries.report_sentences import places, sentences
from annotator.reports.queries.reports import Report
from annotator.reports.queries.tables import FURTHER, REPORTS, permission_for, report_named
from annotator.templatetags.pages import group_name
from annotator.templatetags.tables import column_name
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
    headings: Sequence[tuple[str, str]] = ()
    bars: Sequence[dict[str, Any]] = ()
    uncounted: bool = False

    @property
    def has_rows(self) -> bool:
        return self.report is not None and bool(self.report.rows)


@require_safe
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables that have rows, those that a job has to count first, and those that will come."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    listed = listed_reports(access.project)
    withheld = why_withheld(access)
    may_see = [one for one in listed if not (withheld and tells_answers(one.table.needs))]
    found = counted(access.project, {one.table.figures.name for one in may_see})
    tables = [table for one in may_see if (table := _table(one, found)).has_rows or table.uncounted or one.led_to]
    context = {
        "tables": [table for table in tables if table.has_rows],
        "uncounted": [table for table in tables if table.uncounted],
        "to_come": [table for table in tables if not table.has_rows and not table.uncounted],
        # What is counted for this very page needs neither a button nor the time of the last count.
        "counted": found if not found.at_once and (found.job or any(one.there for one in may_see)) else None,
        "progress": progress_of(found.under_way) if found.under_way else None,
        "withheld": withheld if len(may_see) < len(listed) else "",
    }
    return project_page(request, access, "reports/reports.html", context, section="reports")


def _reader(request: HttpRequest, slug: str, kind: str) -> Access:
    """The user in the project, who may read this table. Raises PermissionDenied, in words."""
    needs = permission_for(kind)
    access = project_for(request.user, slug, needs=needs)
    if tells_answers(needs) and (reason := why_withheld(access)):
        raise PermissionDenied(reason)
    return access


def _table(one: Listed, found: Counted) -> Table:
    announced = Table(one.kind, str(one.table.title), str(one.table.text))
    if one.table.figures.name not in found.figures:
        return replace(announced, uncounted=one.there)
    report = one.table.show(found.figures[one.table.figures.name])
    headings = [(column, str(one.table.columns.get(column) or column_name(column))) for column in report.columns]
    return replace(announced, report=report, headings=headings, bars=_bars(one.kind, report))


@require_POST
def report_count(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a job count what tables are made from."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        start_job(project=access.project, kind=JobKind.COUNT, params={}, by=access.user)
    return redirect("reports", slug)


@require_safe
def report_download(request: HttpRequest, slug: str, kind: str, format: str) -> HttpResponse:
    access = _reader(request, slug, kind)
    if kind not in REPORTS and kind not in FURTHER:
        raise Http404
    report = report_of(access.project, kind)
    if report is None:
        raise Http404
    if format == "json":
        body, content_type = json.dumps(report.rows, ensure_ascii=False, indent=2) + "\n", "application/json"
    else:
        body, content_type = _tsv(report), "text/tab-separated-values; charset=utf-8"
    response = HttpResponse(body, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{access.project.slug}-{kind}.{format}"'
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


def _tsv(report: Report) -> str:
    """The numbers of the JSON, one row a line; columns as they first turn up."""
    columns = list(dict.fromkeys(name for row in report.rows for name in row))
    lines = [columns, *([str(row.get(name, "")) for name in columns] for row in report.rows)]
    # Names come from imported files; a tab in one must not become a column.
    return "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in lines)


def _bars(kind: str, report: Report) -> list[dict[str, Any]]:
    """One bar a part that a table of the core adds up: shares of labelled tokens, tags, or removed and added tokens."""
    if kind == "detection":
        return [
            {
                "label": f"{row['language']} · {_dataset(row)} · {group_name(row['role'])}",
                "value": share,
                "text": f"{number_format(f'{share:.2f}')} %",
                "series": 1 if row["role"] == "all" else 4,
            }
            for row in report.rows
            for share in [100 * row["labelled_tokens"] / row["tokens"] if row["tokens"] else 0.0]
        ]
    if kind == "interpretation":
        names = {"relevant": _("Relevant"), "non_relevant": _("Non-relevant"), "no_metaphor": _("No metaphor")}
        parts, of = names, "inference"
    elif kind == "correction":
        parts, of = {"removed": pgettext("tokens", "removed"), "added": pgettext("tokens", "added")}, "role"
    elif kind == "projection":
        names = {"kept": pgettext("spans", "kept"), "shifted": pgettext("spans", "shifted")}
        parts, of = names | {"lost": pgettext("spans", "lost"), "gained": pgettext("spans", "gained")}, "role"
    else:
        return []
    return [
        {
            "label": " · ".join([*([row["language"]] if "language" in row else []), _dataset(row), parts[part]]),
            "value": row[part],
            "text": str(row[part]),
            "series": number,
        }
        for row in report.rows
        if row[of] == "all"
        for number, part in enumerate(parts, start=1)
    ]


def _dataset(row: dict[str, Any]) -> str:
    """What a row's dataset is called; "All" where it adds up several."""
    return group_name(ALL) if row["dataset"] == ALL else dataset_title(row["dataset"])
