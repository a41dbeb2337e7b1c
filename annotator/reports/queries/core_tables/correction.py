"""What people did to the detector's labels."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q
from django.utils.translation import gettext_lazy

from annotator.domain.labels.origins import token_origins
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.statistics import CorrectionCount, correction_rows
from annotator.models import Mode, Project, Stage, SuggestionKind
from annotator.reports.queries.core_tables.sentences import has_reviewed, reviewed, works_on
from annotator.reports.queries.headlines import percentage
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, plain_report

NAME = "correction"
_COLUMNS = ("language", "dataset", "role", "predicted", "removed", "added", "revised")


def count(project: Project) -> Json:
    """Done annotations in review mode that began from the detector's labels, or from nothing.

    What began from a projection, or from gold on an earlier text, is no correction of a detector.
    """
    counts = []
    for language in project.languages:
        # Not `exclude`, which would leave out what began from nothing as well.
        done = reviewed(project, language).filter(
            Q(suggestion__isnull=True) | Q(suggestion__kind=SuggestionKind.PREDICTION)
        )
        for dataset, role, suggested, content, length in done.values_list(
            "unit__segment__dataset", "unit__segment__role", "suggested", "content", "unit__token_count"
        ).iterator():
            before = spans_from_json(suggested["spans"]) if suggested else ()
            counts.append(
                CorrectionCount(
                    language, dataset, role, token_origins(before, spans_from_json(content["spans"]), length)
                )
            )
    return {"rows": [row.to_json() for row in correction_rows(counts, project.roles)]}


def show(figures: Json) -> Report:
    """The table."""
    return plain_report(_COLUMNS, figures["rows"])


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    return any(stage.mode == Mode.REVIEW for stage in works_on(project.label_layer, stages))


TABLE = ReportSpec(
    name=NAME,
    counts_answers=True,
    figures=Figures(NAME, has_reviewed, count),
    show=show,
    title=gettext_lazy("Corrections"),
    text=gettext_lazy("Labels that people removed from the detector's suggestions, and labels that they added."),
    led_to=_led_to,
    headline=percentage(
        "removed", "predicted", gettext_lazy("of the suggested tokens were removed: %(part)s of %(whole)s.")
    ),
)
