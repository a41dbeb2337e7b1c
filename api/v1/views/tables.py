"""Tables of a project: how far people are, and the reports."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.reports.queries.figures import report_of
from annotator.reports.queries.report_lists import why_withheld
from annotator.reports.queries.tables import is_report, permission_for, report_named
from annotator.work.queue.queries.progress_table import Numbers, progress_table
from api.v1 import assign_shapes as a
from api.v1.schema import answers
from api.v1.sending import send, shown_as
from api.v1.views.base import ProjectView


class ProgressView(ProjectView):
    """How far people are, as the page of progress shows it."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="progress", responses=answers(a.ProgressTableAnswer))
    def get(self, request: Request, slug: str) -> Response:
        table = progress_table(self.access.project, now=timezone.now())
        found = {
            "stages": [
                {
                    **_numbers(line.numbers),
                    "stage": line.stage.pk,
                    "people": [{**_numbers(one), "user": user.username} for user, one in line.people],
                }
                for line in table.stages
            ],
            "languages": [{**_numbers(one), "language": language} for language, one in table.languages.items()],
            "people": [{**_numbers(one), "user": user.username} for user, one in table.people.items()],
            "days": [{"day": day, "done": done} for day, done in table.days],
        }
        return send(a.ProgressTableAnswer, found)


def _numbers(numbers: Numbers) -> dict[str, Any]:
    return shown_as(a.NumbersAnswer, numbers)


class ReportView(ProjectView):
    """A table of the reports page. In a large project a job of the kind `count` computes it."""

    @extend_schema(operation_id="report", responses=answers(a.ReportAnswer))
    def get(self, request: Request, slug: str, kind: str) -> Response:
        if not is_report(kind):
            raise Http404(_("There is no such table."))
        self.access.require(permission_for(kind))
        if reason := why_withheld(self.access, report_named(kind)):
            raise PermissionDenied(reason)
        report = report_of(self.access.project, kind)
        if report is None:
            raise Http404(_("This table has not been computed yet. Start a job of the kind “count”."))
        return send(a.ReportAnswer, {"kind": kind, "rows": report.rows, "notes": report.notes})
