"""The tables of a project, on the page and as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.jobs import start_job
from annotator.kind import dataset_title
from annotator.models import JobKind, Project
from annotator.permissions import Permission
from annotator.queries.access import project_for
from annotator.queries.figures import Counted, counted
from annotator.queries.report_lists import layers_worked_on, reports_of
from annotator.queries.reports import FURTHER, REPORTS, FurtherReport, Report, permission_for, report_named
from annotator.templatetags.pages import column_name, group_name
from annotator.views.pages import project_page
from annotator.views.refusals import refusal_as_message


@dataclass(frozen=True, slots=True)
class Table:
    """A table on the page. `report`: None while a job has still to count it, or there is nothing to count."""

    kind: str
    title: str
    text: str
    report: Report | None = None
    headings: Sequence[tuple[str, str]] = ()
    bars: Sequence[dict[str, Any]] = ()
    by_job: bool = False
    uncounted: bool = False

    @property
    def has_rows(self) -> bool:
        return self.report is not None and bool(self.report.rows)


@require_safe
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables that have rows, those that a job has to count first, and those that will come."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found, worked_on = counted(access.project), layers_worked_on(access.project)
    further = [
        (kind, one)
        for kind, one in reversed(FURTHER.items())
        if len(access.project.languages) >= one.languages
        and (worked_on & set(one.layers) or one.figures in found.names or one.show is None)
    ]
    may_see = [(kind, one) for kind, one in further if access.may(one.needs)]
    tables = [table for kind, one in may_see if (table := _further(access.project, kind, one, found, worked_on))]
    tables += _core(access.project)
    shown = [table for table in tables if table.has_rows]
    context = {
        "tables": shown,
        # Then each says how it was counted; otherwise what is said at the top holds for all.
        "mixed": len({table.by_job for table in shown}) > 1,
        "uncounted": [table for table in tables if table.uncounted],
        "to_come": [table for table in tables if not table.has_rows and not table.uncounted],
        "counted": found if any(one.figures in found.names for _kind, one in may_see) else None,
        "withheld": len(may_see) < len(further),
    }
    return project_page(request, access, "pages/reports.html", context, section="reports")


def _further(
    project: Project, kind: str, one: FurtherReport, found: Counted, worked_on: frozenset[str]
) -> Table | None:
    """A table of a kind: counted here, or made from the figures that a job counted. None where it is no table of this
    project."""
    announced = Table(kind, str(one.title), str(one.text), by_job=one.show is not None)
    if one.show is None:
        report = one.compute(project)
    elif one.figures not in found.names:
        return announced
    elif one.figures not in found.figures:
        return replace(announced, uncounted=True)
    else:
        report = one.show(found.figures[one.figures])
    if not report.rows and not worked_on & set(one.layers):
        return None
    headings = [(column, str(one.columns.get(column) or column_name(column))) for column in report.columns]
    return replace(announced, report=report, headings=headings)


def _core(project: Project) -> list[Table]:
    texts = {
        "detection": (_("Labels"), _("Labelled tokens and sentences of the gold.")),
        "interpretation": (_("Pairs"), _("Gold tags of pairs, by inference label.")),
        "correction": (_("Corrections"), _("What people took away from the detector's labels, and what they added.")),
        "projection": (_("Projections"), _("What review took away from projected labels, and what it added.")),
    }
    tables = []
    for kind in reports_of(project):
        report = REPORTS[kind](project)
        headings = [(column, str(column_name(column))) for column in report.columns]
        tables.append(Table(kind, *texts[kind], report, headings, _bars(report)))
    return tables


@require_POST
def report_count(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a job count what tables are made from."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        job = start_job(project=access.project, kind=JobKind.COUNT, params={}, by=access.user)
        return redirect("job", slug, job.pk)
    return redirect("reports", slug)


@require_safe
def report_download(request: HttpRequest, slug: str, kind: str, format: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=permission_for(kind))
    if kind not in REPORTS and kind not in FURTHER:
        raise Http404
    report = _report(access.project, kind)
    if format == "json":
        body, content_type = json.dumps(report.rows, ensure_ascii=False, indent=2) + "\n", "application/json"
    else:
        body, content_type = _tsv(report), "text/tab-separated-values; charset=utf-8"
    response = HttpResponse(body, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{access.project.slug}-{kind}.{format}"'
    return response


def _report(project: Project, kind: str) -> Report:
    """A table counted now, or as its figures were last counted. Http404 where a job has not counted them yet."""
    further = FURTHER.get(kind)
    if further is None or further.show is None:
        return report_named(kind)(project)
    figures = counted(project).figures.get(further.figures)
    if figures is None:
        raise Http404
    return further.show(figures)


def _tsv(report: Report) -> str:
    """The numbers of the JSON, one row a line; columns as they first turn up."""
    columns = list(dict.fromkeys(name for row in report.rows for name in row))
    lines = [columns, *([str(row.get(name, "")) for name in columns] for row in report.rows)]
    # Names come from imported files; a tab in one must not become a column.
    return "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in lines)


def _bars(report: Report) -> list[dict[str, Any]]:
    """One bar a part that the report adds up: shares of labelled tokens, tags, or removed and added tokens."""
    if report.kind == "detection":
        return [
            {
                "label": f"{row['language']} · {dataset_title(row['dataset'])} · {group_name(row['role'])}",
                "value": share,
                "text": f"{number_format(f'{share:.2f}')} %",
                "series": 1 if row["role"] == "all" else 4,
            }
            for row in report.rows
            for share in [100 * row["labelled_tokens"] / row["tokens"] if row["tokens"] else 0.0]
        ]
    if report.kind == "interpretation":
        names = {"relevant": _("Relevant"), "non_relevant": _("Non-relevant"), "no_metaphor": _("No metaphor")}
        parts, of = names, "inference"
    elif report.kind == "correction":
        parts, of = {"removed": pgettext("tokens", "removed"), "added": pgettext("tokens", "added")}, "role"
    else:
        parts, of = {"lost": pgettext("tokens", "lost"), "gained": pgettext("tokens", "gained")}, "role"
    return [
        {
            "label": " · ".join(
                [*([row["language"]] if "language" in row else []), dataset_title(row["dataset"]), parts[part]]
            ),
            "value": row[part],
            "text": str(row[part]),
            "series": number,
        }
        for row in report.rows
        if row[of] == "all"
        for number, part in enumerate(parts, start=1)
    ]
