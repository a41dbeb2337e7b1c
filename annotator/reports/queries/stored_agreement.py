"""An agreement and its course as JSON, and back: the numbers of a stored run are those that were computed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from annotator.domain.agreement.kappa import Kappa, Undefined
from annotator.domain.agreement.spans import SpanAgreement
from annotator.models import AgreementRun
from annotator.reports.queries.agreement import Agreement, AgreementRow
from annotator.reports.queries.agreement_course import CoursePoint
from annotator.reports.queries.agreement_places import Places, stored_places

Json = dict[str, Any]


def stored(found: Agreement, course: Sequence[CoursePoint], places: Places) -> Json:
    """The `results` of a run. Tables as their cells that are not 0: they grow with the square of the values."""
    return {
        "mapping": [list(pair) for pair in found.mapping.items()],
        "rows": [_stored_row(row) for row in found.rows],
        "course": [[point.units, point.kappa, point.at.isoformat()] for point in course],
        "places": stored_places(places),
    }


def agreement_of_run(run: AgreementRun, layer: str) -> Agreement:
    """The agreement that a run stored; it comes with its people. `layer`: what the layer is called in agreement."""
    return Agreement(
        a=run.a.username,
        b=run.b.username,
        layer=layer,
        language=run.language,
        dimension=run.dimension,
        rows=tuple(_row(row) for row in run.results["rows"]),
        mapping=dict(run.results["mapping"]),
    )


def course_of_run(run: AgreementRun) -> list[CoursePoint]:
    """The course that a run stored."""
    return [CoursePoint(units, kappa, datetime.fromisoformat(at)) for units, kappa, at in run.results["course"]]


def _stored_row(row: AgreementRow) -> Json:
    kappa = row.kappa
    return {
        "role": row.role,
        "inference": row.inference,
        "units": row.units,
        "blind": row.blind,
        "ac1": row.ac1,
        "spans": [row.spans.first, row.spans.second, row.spans.exact, row.spans.overlapping] if row.spans else None,
        "kappa": {
            "value": kappa.value,
            "reason": kappa.reason or "",
            "observed": kappa.observed,
            "expected": kappa.expected,
            "labels": list(kappa.labels),
            "cells": [[*labels, number] for labels, number in sorted(kappa.cells.items())],
            "n": kappa.n,
            "specific": list(kappa.specific),
        },
    }


def _row(row: Json) -> AgreementRow:
    kappa = row["kappa"]
    return AgreementRow(
        role=row["role"],
        inference=row["inference"],
        kappa=Kappa(
            value=kappa["value"],
            reason=Undefined(kappa["reason"]) if kappa["reason"] else None,
            observed=kappa["observed"],
            expected=kappa["expected"],
            labels=tuple(kappa["labels"]),
            cells={(first, second): number for first, second, number in kappa["cells"]},
            n=kappa["n"],
            specific=tuple(kappa["specific"]),
        ),
        units=row["units"],
        blind=row["blind"],
        ac1=row["ac1"],
        spans=SpanAgreement(*row["spans"]) if row["spans"] is not None else None,
    )
