"""How much of a property sentences have: rated one by one on a scale, or compared by tuples of four."""

from django.utils.translation import ngettext_lazy, pgettext_lazy

from annotator.domain.best_worst import UNIT_KIND
from annotator.domain.content import BEST_WORST, RATING
from annotator.kind import register, register_layer_names, register_unit_names, register_wording
from annotator.kinds.rating.kinds import BestWorstScaling, Rate
from annotator.kinds.rating.release import part
from annotator.kinds.rating.reports import BEST_WORST_REPORT, RATINGS_REPORT, with_titles
from annotator.kinds.rating.start import BEST_WORST_START, RATING_START
from annotator.kinds.rating.tuples import wording
from annotator.presets import register_start
from annotator.queries.release_parts import register_part
from annotator.queries.report_lists import has_answers
from annotator.queries.reports import register_counted

register(Rate())
register(BestWorstScaling())
register_layer_names(
    {"ratings": pgettext_lazy("layer", "ratings"), "best-worst": pgettext_lazy("layer", "best–worst scaling")}
)
register_unit_names({UNIT_KIND: ngettext_lazy("%(shown)s tuple", "%(shown)s tuples", "number")})
register_wording(UNIT_KIND, wording)
register_part("ratings", part)
register_counted("best-worst", BEST_WORST_REPORT, applies=has_answers(BEST_WORST.slug), show=with_titles)
register_counted("ratings", RATINGS_REPORT, applies=has_answers(RATING.slug), show=with_titles)
register_start(RATING_START)
register_start(BEST_WORST_START)
