"""Comparisons: started, listed, looked into. Nobody who works blind sees any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.comparisons.files import comparison_file
from annotator.comparisons.queries.stored import (
    RowFilters,
    check_seen,
    chosen_rows,
    comparison_seen,
    comparisons_in,
)
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.reports.queries.overlaps import annotators
from api.v1.answers import JobAnswer
from api.v1.comparison_shapes import (
    ComparisonDetailAnswer,
    ComparisonRequest,
    ComparisonsAnswer,
    FileQuery,
    RowsAnswer,
    RowsQuery,
)
from api.v1.schema import TABLE_OR_JSON, answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class ComparisonsView(ProjectView):
    """The project's comparisons, newest first."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="comparisons", responses=answers(ComparisonsAnswer))
    def get(self, request: Request, slug: str) -> Response:
        check_seen(self.access)
        return send(ComparisonsAnswer, {"comparisons": comparisons_in(self.access.project)})

    @extend_schema(operation_id="compare", request=ComparisonRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts the job that compares; also in a project that is read-only."""
        check_seen(self.access)
        data = self.checked(ComparisonRequest, request.data)
        sides = {name: self._side(name, data[name]) for name in ("left", "right")}
        params = {"kind": data["kind"], "layer": self.layer(data["layer"]).pk, **sides}
        job = start_job(project=self.access.project, kind=JobKind.COMPARE, params=params, by=self.user)
        return send(JobAnswer, progress_of(job))

    def _side(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """A side as the job has it. Raises ValidationError for a person who is not there."""
        side = dict(given)
        if "at" in side:
            side["at"] = side["at"].isoformat()
        if "person" in side:
            person = annotators(self.access.project).filter(username=side["person"]).first()
            if person is None:
                raise ValidationError(
                    {name: {"person": [_("“%(name)s” has no work in this project.") % {"name": side["person"]}]}}
                )
            side["person"] = person.pk
        return side


class ComparisonView(ProjectView):
    """One comparison with its counts."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="comparison", responses=answers(ComparisonDetailAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(ComparisonDetailAnswer, comparison_seen(self.access, pk))


class ComparisonRowsView(ProjectView):
    """The rows of a comparison."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="comparison_rows", parameters=[RowsQuery], responses=answers(RowsAnswer, 400))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        asked = self.asked(RowsQuery)
        after, size = asked.pop("after"), asked.pop("page_size")
        chosen = chosen_rows(comparison_seen(self.access, pk), RowFilters.from_query(asked))
        found = chosen.page(after, size)
        end = after + len(found)
        rows = [{"by": "", **chosen.cell_of(row), **row.content} for row in found]
        return send(RowsAnswer, {"count": chosen.size, "next": end if end < chosen.size else None, "rows": rows})


class ComparisonFileView(ProjectView):
    """The rows of a comparison as a file."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="comparison_file", parameters=[FileQuery], responses=TABLE_OR_JSON)
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        asked = self.asked(FileQuery)
        file_format = asked.pop("file_format")
        return comparison_file(chosen_rows(comparison_seen(self.access, pk), RowFilters.from_query(asked)), file_format)
