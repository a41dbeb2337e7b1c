"""Projections against their review, by aligner and source language."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.core.permissions import Permission
from annotator.domain.statistics import ProjectionCount
from annotator.models import Project
from annotator.reports.queries.core_tables import projection
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, plain_report, share

NAME = "projection-methods"
_COUNTED = ("source", "projected", "kept", "shifted", "lost", "gained", "target")
_COLUMNS = ("language", "source_language", "aligner", "sentences", *_COUNTED, "precision", "recall", "f1")


def count(project: Project) -> Json:
    """Spans of sentences whose review began from a projection, as the table of projections counts them."""
    found: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for language in project.target_languages:
        for began, one in projection.projection_counts(project, language):
            if began is not None:
                found[language, began.source_language, began.name].update(_sums(one))
    return {"rows": [_row(*key, sums) for key, sums in sorted(found.items())]}


def _sums(one: ProjectionCount) -> dict[str, int]:
    source = one.projected + one.unaligned + one.dropped
    return {
        "sentences": 1,
        "source": source,
        "projected": one.projected,
        "kept": one.kept,
        "shifted": one.shifted,
        "lost": one.lost,
        "gained": one.gained,
        "target": source - one.lost + one.gained,
    }


def _row(language: str, source: str, aligner: str, sums: Counter[str]) -> dict[str, Any]:
    kept, projected, target = sums["kept"], sums["projected"], sums["target"]
    return {
        "language": language,
        "source_language": source,
        "aligner": aligner,
        **{name: sums[name] for name in ("sentences", *_COUNTED)},
        "precision": share(kept, projected),
        "recall": share(kept, target),
        "f1": share(2 * kept, projected + target),
    }


def show(figures: Json) -> Report:
    """The table."""
    return plain_report(_COLUMNS, figures["rows"])


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, projection.projected, count),
    show=show,
    title=gettext_lazy("Projections by aligner"),
    text=gettext_lazy(
        "Precision is the share of projected spans that were kept, recall the share of the target's spans that are "
        "kept ones, in %."
    ),
    columns={
        "aligner": gettext_lazy("Aligner"),
        "precision": gettext_lazy("Precision, %"),
        "recall": gettext_lazy("Recall, %"),
        "f1": gettext_lazy("F1, %"),
    },
    needs=Permission.ADJUDICATE,
)
