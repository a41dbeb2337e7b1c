"""The tables of a project, on the page and as files."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from annotator.permissions import Permission
from annotator.queries.access import project_for
from annotator.queries.reports import FURTHER, REPORTS, Report, permission_for, report_named
from annotator.templatetags.pages import column_name, group_name
from annotator.views.pages import project_page


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
    for further in FURTHER.values():
        if not access.may(further.needs):
            continue
        report = further.compute(access.project)
        if report.rows:
            headings = [(column, str(further.columns.get(column) or column_name(column))) for column in report.columns]
            about = {"title": further.title, "text": further.text, "bars": [], "headings": headings}
            tables.insert(0, {"report": report, **about})
    return project_page(request, access, "pages/reports.html", {"tables": tables}, section="reports")


@require_safe
def report_download(request: HttpRequest, slug: str, kind: str, format: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=permission_for(kind))
    if kind not in REPORTS and kind not in FURTHER:
        raise Http404
    report = report_named(kind)(access.project)
    if format == "json":
        body, content_type = json.dumps(report.rows, ensure_ascii=False, indent=2) + "\n", "application/json"
    else:
        body, content_type = _tsv(report), "text/tab-separated-values; charset=utf-8"
    response = HttpResponse(body, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{access.project.slug}-{kind}.{format}"'
    return response


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
