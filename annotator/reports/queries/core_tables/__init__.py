"""The tables of labels, tags, corrections and projections, which a project may have whatever kinds are installed."""

from __future__ import annotations

from annotator.reports.queries.core_tables import (
    artifacts,
    correction,
    decision_reasons,
    detection,
    detector_words,
    interpretation,
    projection,
    projection_methods,
    translations,
)

# In the order in which the page has them.
CORE_TABLES = (detection.TABLE, interpretation.TABLE, correction.TABLE, projection.TABLE, translations.TABLE)
# Of decisions, and of machines against them. Releases have the last one in a form of their own.
EVALUATIONS = (decision_reasons.TABLE, detector_words.TABLE, projection_methods.TABLE, artifacts.TABLE)
