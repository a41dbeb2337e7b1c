"""How much of a property sentences have: rated one by one on a scale, or compared by tuples of four."""

from django.utils.translation import pgettext_lazy

from annotator.domain.best_worst import UNIT_KIND
from annotator.kind import register, register_layer_names, register_wording
from annotator.kinds.rating.kinds import BestWorstScaling, Rate
from annotator.kinds.rating.release import part
from annotator.kinds.rating.reports import BEST_WORST_REPORT, RATINGS_REPORT
from annotator.kinds.rating.start import BEST_WORST_START, RATING_START
from annotator.kinds.rating.tuples import wording
from annotator.presets import register_start
from annotator.queries.exports import register_part
from annotator.queries.reports import register_report

register(Rate())
register(BestWorstScaling())
register_layer_names(
    {"ratings": pgettext_lazy("layer", "ratings"), "best-worst": pgettext_lazy("layer", "best–worst scaling")}
)
register_wording(UNIT_KIND, wording)
register_part("ratings", part)
register_report("best-worst", BEST_WORST_REPORT)
register_report("ratings", RATINGS_REPORT)
register_start(RATING_START)
register_start(BEST_WORST_START)
