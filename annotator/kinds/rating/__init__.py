"""How much of a property sentences, or marked expressions of them, have: rated one by one on a scale, or compared."""

from django.utils.translation import ngettext_lazy, pgettext_lazy

from annotator.core.kind import register, register_layer_names, register_marking, register_unit_names, register_wording
from annotator.core.presets import register_start
from annotator.domain.agreement.best_worst import UNIT_KIND
from annotator.domain.content import BEST_WORST, RATING
from annotator.kinds.rating import expressions
from annotator.kinds.rating.kinds import BestWorstMarked, BestWorstScaling, Rate, RateMarked
from annotator.kinds.rating.release import part
from annotator.kinds.rating.reports import (
    BEST_WORST_MARKED_REPORT,
    BEST_WORST_REPORT,
    EXPRESSIONS_REPORT,
    RATINGS_REPORT,
    with_titles,
)
from annotator.kinds.rating.start import BEST_WORST_MARKED_START, BEST_WORST_START, RATING_MARKED_START, RATING_START
from annotator.kinds.rating.tuples import wording
from annotator.releases.queries.release_parts import register_part
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import register_counted

register(Rate())
register(RateMarked())
register(BestWorstScaling())
register(BestWorstMarked())
register_layer_names(
    {
        "ratings": pgettext_lazy("layer", "ratings"),
        "expression-ratings": pgettext_lazy("layer", "ratings of marked expressions"),
        "best-worst": pgettext_lazy("layer", "best–worst scaling"),
        "expression-best-worst": pgettext_lazy("layer", "best–worst scaling of marked expressions"),
    }
)
register_unit_names(
    {
        UNIT_KIND: ngettext_lazy("%(shown)s tuple", "%(shown)s tuples", "number"),
        expressions.TUPLE_KIND: ngettext_lazy(
            "%(shown)s tuple of marked expressions", "%(shown)s tuples of marked expressions", "number"
        ),
        expressions.UNIT_KIND: ngettext_lazy("%(shown)s marked expression", "%(shown)s marked expressions", "number"),
    }
)
register_wording(UNIT_KIND, wording)
register_wording(expressions.TUPLE_KIND, wording)
register_wording(expressions.UNIT_KIND, expressions.wording)
register_marking(expressions.UNIT_KIND)
register_marking(expressions.TUPLE_KIND)
register_part("ratings", part)
for name, table in (("expression-best-worst", BEST_WORST_MARKED_REPORT), ("best-worst", BEST_WORST_REPORT)):
    register_counted(name, table, applies=has_answers(BEST_WORST.slug, table.unit_kind), show=with_titles)
for name, table in (("ratings", RATINGS_REPORT), ("expression-ratings", EXPRESSIONS_REPORT)):
    register_counted(name, table, applies=has_answers(RATING.slug, table.unit_kind), show=with_titles)
register_start(RATING_START)
register_start(RATING_MARKED_START)
register_start(BEST_WORST_START)
register_start(BEST_WORST_MARKED_START)
