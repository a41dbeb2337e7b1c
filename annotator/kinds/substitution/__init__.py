"""Words for a marked one: substitutes by many, the best of them by votes, and inapt ones from its basic sense."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.domain.formats.base import register as register_format
from annotator.kind import register, register_layer_names
from annotator.kinds.substitution.kinds import ChooseBest, InaptWords, Substitute
from annotator.kinds.substitution.munch import Munch
from annotator.kinds.substitution.release import munch_part
from annotator.kinds.substitution.start import START
from annotator.kinds.substitution.tables import COLUMNS, repeated, samples, triples
from annotator.permissions import Permission
from annotator.presets import register_start
from annotator.queries.exports import register_part
from annotator.queries.reports import FurtherReport, register_report

register(Substitute())
register(ChooseBest())
register(InaptWords())
register_layer_names(
    {
        "substitutes": pgettext_lazy("layer", "substitutes"),
        "best": pgettext_lazy("layer", "best substitutes"),
        "inapt": pgettext_lazy("layer", "inapt words"),
    }
)
register_format(Munch())
register_part("munch", munch_part)
register_report(
    "samples",
    FurtherReport(_("Samples"), _("Marked sentences by genre, and the words that were written."), samples, COLUMNS),
)
register_report(
    "triples", FurtherReport(_("Triples"), _("Triples of the gold, by what their two words are."), triples, COLUMNS)
)
register_report(
    "repeated",
    FurtherReport(
        _("Repeated answers"),
        _("Substitutes, and how many of them others wrote, too."),
        repeated,
        COLUMNS,
        needs=Permission.ADJUDICATE,
    ),
)
register_start(START)
