"""Ratings and best–worst scores in numbers: how many, how spread, how reliable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.core.kind import layer_title
from annotator.core.permissions import Permission
from annotator.domain.agreement.best_worst import UNIT_KIND as TUPLE
from annotator.domain.agreement.best_worst import scores
from annotator.domain.agreement.ratings import interval_alpha, mean_and_spread, ordinal_alpha
from annotator.domain.content import BEST_WORST, RATING
from annotator.kinds.rating.answers import layers, picked, ratings
from annotator.kinds.rating.expressions import TUPLE_KIND as MARKED_TUPLE
from annotator.kinds.rating.expressions import UNIT_KIND as MARKED
from annotator.models import Layer, Project, Segment
from annotator.reports.queries.headlines import first
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import Json, Report, ReportSpec, plain_report, table_figures, table_of

# Any will do; the same one gives the same figures.
SEED = 0


def rating_report(project: Project) -> Report:
    """By language: rated sentences, ratings, their mean, the mean spread within a sentence, and alpha."""
    return _ratings("sentences", project, layers(project, RATING.slug, Segment.SENTENCE))


def expression_report(project: Project) -> Report:
    """The same of marked expressions, each by itself."""
    return _ratings("expressions", project, layers(project, RATING.slug, MARKED))


def _ratings(rated: str, project: Project, scales: Sequence[Layer]) -> Report:
    rows: list[dict[str, Any]] = []
    for layer in scales:
        for language in project.languages:
            units = list(ratings(layer, language).values())
            if not units:
                continue
            each = [mean_and_spread(values) for values in units]
            spreads = [spread for _mean, spread in each if spread is not None]
            rows.append(
                {
                    **_named(layer, scales),
                    "language": language,
                    rated: len(units),
                    "ratings": sum(map(len, units)),
                    "mean": shown(mean(value for value, _spread in each)),
                    "spread": shown(mean(spreads) if spreads else None),
                    "interval_alpha": shown(interval_alpha(units)),
                    "ordinal_alpha": shown(ordinal_alpha(units)),
                }
            )
    columns = ("language", rated, "ratings", "mean", "spread", "interval_alpha", "ordinal_alpha")
    return plain_report((*_named(None, scales), *columns), rows)


def best_worst_report(project: Project) -> Report:
    """By language: sentences with a score, tuples, answers, and split-half reliability, as it is and corrected."""
    return _scaled("sentences", project, layers(project, BEST_WORST.slug, TUPLE))


def expression_best_worst_report(project: Project) -> Report:
    """The same of marked expressions, each by itself."""
    return _scaled("expressions", project, layers(project, BEST_WORST.slug, MARKED_TUPLE))


def _scaled(scored: str, project: Project, scales: Sequence[Layer]) -> Report:
    # It loads NumPy, which the pages do without.
    from annotator.domain.agreement.split_half import split_half

    rows: list[dict[str, Any]] = []
    for layer in scales:
        for language in project.languages:
            tuples = picked(layer, language)
            if not tuples:
                continue
            found = split_half(tuples, seed=SEED)
            rows.append(
                {
                    **_named(layer, scales),
                    "language": language,
                    scored: len(scores(answer for answers in tuples for answer in answers)),
                    "tuples": len(tuples),
                    "answers": sum(map(len, tuples)),
                    "spearman": shown(found.spearman if found else None),
                    "pearson": shown(found.pearson if found else None),
                    "corrected_spearman": shown(found.corrected_spearman if found else None),
                    "corrected_pearson": shown(found.corrected_pearson if found else None),
                }
            )
    columns = (
        "language", scored, "tuples", "answers",
        "spearman", "pearson", "corrected_spearman", "corrected_pearson",
    )  # fmt: skip
    return plain_report((*_named(None, scales), *columns), rows)


def _named(layer: Layer | None, scales: Sequence[Layer]) -> dict[str, str]:
    """The column that says which scale it is, where there are several."""
    return {"name": layer.slug if layer else ""} if len(scales) > 1 else {}


def with_titles(figures: Json) -> Report:
    """A table with what its scales are called in the reader's language."""
    report = table_of(figures)
    if "name" not in report.columns:
        return report
    at = report.columns.index("name")
    cells = tuple((*row[:at], layer_title(row[at]), *row[at + 1 :]) for row in report.cells)
    return replace(report, cells=cells)


def shown(value: float | None) -> str:
    """Two decimals, or a dash where there is no value."""
    return "–" if value is None else f"{value:.2f}"


_COLUMNS = {
    "name": gettext_lazy("Scale"),
    "ratings": gettext_lazy("Ratings"),
    "mean": gettext_lazy("Mean"),
    "spread": gettext_lazy("Spread"),
    "interval_alpha": gettext_lazy("Alpha, interval"),
    "ordinal_alpha": gettext_lazy("Alpha, ordinal"),
}
RATINGS_REPORT = ReportSpec(
    name="ratings",
    title=gettext_lazy("Ratings"),
    text=gettext_lazy(
        "Spread is the mean standard deviation of the ratings of a sentence. Alpha treats the steps of the "
        "scale as equal (interval), or uses only their order (ordinal). Releases contain the figures for "
        "each sentence."
    ),
    figures=table_figures("ratings", rating_report, has_answers(RATING.slug, Segment.SENTENCE)),
    show=with_titles,
    columns={**_COLUMNS, "sentences": gettext_lazy("Sentences")},
    needs=Permission.ADJUDICATE,
    layers=(RATING.slug,),
    unit_kind=Segment.SENTENCE,
    headline=first("ordinal_alpha", gettext_lazy("is the ordinal alpha of %(ratings)s ratings in %(language)s.")),
)
EXPRESSIONS_REPORT = ReportSpec(
    name="expression-ratings",
    title=gettext_lazy("Ratings of marked expressions"),
    text=gettext_lazy(
        "Each marked expression counts separately. Spread is the mean standard deviation of the ratings of "
        "an expression. Alpha treats the steps of the scale as equal (interval), or uses only their order "
        "(ordinal). Releases contain the figures for each expression."
    ),
    figures=table_figures("expression-ratings", expression_report, has_answers(RATING.slug, MARKED)),
    show=with_titles,
    columns={**_COLUMNS, "expressions": gettext_lazy("Expressions")},
    needs=Permission.ADJUDICATE,
    layers=(RATING.slug,),
    unit_kind=MARKED,
    headline=first("ordinal_alpha", gettext_lazy("is the ordinal alpha of %(ratings)s ratings in %(language)s.")),
)
_SCALED_COLUMNS = {
    "name": gettext_lazy("Scale"),
    "tuples": gettext_lazy("Tuples"),
    "answers": gettext_lazy("Answers"),
    "spearman": gettext_lazy("Spearman"),
    "pearson": gettext_lazy("Pearson"),
    "corrected_spearman": gettext_lazy("Spearman, corrected"),
    "corrected_pearson": gettext_lazy("Pearson, corrected"),
}
BEST_WORST_REPORT = ReportSpec(
    name="best-worst",
    title=gettext_lazy("Best–worst scaling"),
    text=gettext_lazy(
        "Split-half reliability: the mean correlation between the scores from two random halves of the "
        "answers over 100 splits, corrected for the full number of answers (Spearman–Brown). Releases "
        "contain the scores."
    ),
    figures=table_figures("best-worst", best_worst_report, has_answers(BEST_WORST.slug, TUPLE)),
    show=with_titles,
    columns={**_SCALED_COLUMNS, "sentences": gettext_lazy("Sentences")},
    needs=Permission.ADJUDICATE,
    layers=(BEST_WORST.slug,),
    unit_kind=TUPLE,
    headline=first(
        "corrected_spearman",
        gettext_lazy("is the corrected Spearman correlation of two halves of %(answers)s answers in %(language)s."),
    ),
)
BEST_WORST_MARKED_REPORT = ReportSpec(
    name="expression-best-worst",
    title=gettext_lazy("Best–worst scaling of marked expressions"),
    text=gettext_lazy(
        "Each marked expression counts separately. Split-half reliability: the mean correlation between "
        "the scores from two random halves of the answers over 100 splits, corrected for the full number "
        "of answers (Spearman–Brown). Releases contain the scores."
    ),
    figures=table_figures(
        "expression-best-worst", expression_best_worst_report, has_answers(BEST_WORST.slug, MARKED_TUPLE)
    ),
    show=with_titles,
    columns={**_SCALED_COLUMNS, "expressions": gettext_lazy("Expressions")},
    needs=Permission.ADJUDICATE,
    layers=(BEST_WORST.slug,),
    unit_kind=MARKED_TUPLE,
    headline=first(
        "corrected_spearman",
        gettext_lazy("is the corrected Spearman correlation of two halves of %(answers)s answers in %(language)s."),
    ),
)
