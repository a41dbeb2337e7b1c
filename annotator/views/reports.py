"""The tables of a project, on the page and as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.jobs import start_job
from annotator.models import JobKind, Project
from annotator.permissions import Permission
from annotator.queries.access import Access, project_for
from annotator.queries.figures import Counted, counted
from annotator.queries.reports import FIGURES, FURTHER, REPORTS, Report, permission_for, plain_report, report_named
from annotator.templatetags.pages import column_name, group_name
from annotator.views.pages import project_page
from annotator.views.refusals import refusal_as_message


@require_safe
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    texts = {
        "detection": (_("Labels"), _("Labelled tokens and sentences of the gold.")),
        "interpretation": (_("Pairs"), _("Gold tags of pairs, by inference label.")),
        "correction": (_("Corrections"), _("What people took away from the detector's labels, and what they added.")),
        "projection": (_("Projections"), _("What review took away from projected labels, and what it added.")),
    }
    tables = []
    for kind, compute in REPORTS.items():
        report = compute(access.project)
        title, text = texts[kind]
        headings = [(column, str(column_name(column))) for column in report.columns]
        tables.append({"report": report, "title": title, "text": text, "bars": _bars(report), "headings": headings})
    for further in _further(access):
        tables.insert(0, further)
    return project_page(request, access, "pages/reports.html", {"tables": tables}, section="reports")


def _further(access: Access) -> Iterator[dict[str, Any]]:
    """The tables of kinds: counted here, or made from the figures that a job counted."""
    figures: dict[str, Counted | None] = {}
    for kind, further in FURTHER.items():
        if not access.may(further.needs):
            continue
        about: dict[str, Any] = {"title": further.title, "text": further.text, "bars": []}
        if further.show is None:
            report = further.compute(access.project)
        else:
            name = further.figures
            if name not in figures:
                figures[name] = counted(access.project, name)
            found = figures[name]
            if found is None:
                continue
            report = further.show(found.figures) if found.figures is not None else plain_report(kind, (), ())
            about |= {"counted": found, "figures": name, "leads": _leads(kind, name)}
            if not report.rows and not about["leads"]:
                continue
        if report.rows or "counted" in about:
            headings = [(column, str(further.columns.get(column) or column_name(column))) for column in report.columns]
            yield {"report": report, "headings": headings, **about}


def _leads(kind: str, figures: str) -> bool:
    """Whether a table stands first of those that are made from the same figures: tables are shown last one first."""
    return kind == [other for other, one in FURTHER.items() if one.figures == figures][-1]


@require_POST
def report_count(request: HttpRequest, slug: str, figures: str) -> HttpResponse:
    """Have a job count what tables are made from."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if figures not in FIGURES:
        raise Http404
    with refusal_as_message(request):
        job = start_job(project=access.project, kind=JobKind.COUNT, params={"figures": figures}, by=access.user)
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
    found = counted(project, further.figures)
    if found is None or found.figures is None:
        raise Http404
    return further.show(found.figures)


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
                "label": f"{row['language']} · {row['dataset']} · {group_name(row['role'])}",
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
            "label": " · ".join([*([row["language"]] if "language" in row else []), row["dataset"], parts[part]]),
            "value": row[part],
            "text": str(row[part]),
            "series": number,
        }
        for row in report.rows
        if row[of] == "all"
        for number, part in enumerate(parts, start=1)
    ]
