"""Words for a marked one: substitutes by many, the best of them by votes or as most wrote, and inapt ones from its
basic sense."""

from django.utils.translation import ngettext_lazy, pgettext_lazy

from annotator.core.kind import (
    register,
    register_bound,
    register_check,
    register_layer_names,
    register_marking,
    register_unit_names,
    register_unit_titles,
    register_wording,
)
from annotator.core.presets import register_start
from annotator.domain.content import BEST, INAPT, SUBSTITUTE
from annotator.formats.common.protocol import register as register_format
from annotator.kinds.substitution.corpus import undecided
from annotator.kinds.substitution.fitting import fit_inapt, fit_substitute
from annotator.kinds.substitution.kinds import ChooseBest, InaptWords, Substitute, VerifyBest
from annotator.kinds.substitution.munch import Munch
from annotator.kinds.substitution.release import munch_part
from annotator.kinds.substitution.start import MUNCH_START, START
from annotator.kinds.substitution.tables import BOTH, REPEATED, SAMPLES, TRIPLES
from annotator.kinds.substitution.texts import best_value, inapt_value, substitute_value
from annotator.kinds.substitution.units import MARKED, WORDS, marked_wording, position_of, words_wording
from annotator.releases.queries.release_parts import register_part
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import register_counted
from annotator.reports.value_words import register_value_words

register(Substitute())
register(ChooseBest())
register(VerifyBest())
register(InaptWords())
register_value_words(SUBSTITUTE.slug, substitute_value)
register_value_words(BEST.slug, best_value)
register_value_words(INAPT.slug, inapt_value)
register_check("substitute", fit_substitute)
register_check("inapt", fit_inapt)
register_layer_names(
    {
        "substitutes": pgettext_lazy("layer", "substitutes"),
        "best": pgettext_lazy("layer", "best substitutes"),
        "inapt": pgettext_lazy("layer", "inapt words"),
    }
)
register_unit_names(
    {
        MARKED: ngettext_lazy("%(shown)s marked sentence", "%(shown)s marked sentences", "number"),
        WORDS: ngettext_lazy("%(shown)s list of answers", "%(shown)s lists of answers", "number"),
    }
)
register_unit_titles(
    {MARKED: pgettext_lazy("unit", "Marked sentence"), WORDS: pgettext_lazy("unit", "List of answers")}
)
register_wording(MARKED, marked_wording)
register_wording(WORDS, words_wording)
register_bound(WORDS)
register_marking(MARKED, marks=lambda unit: (position_of(unit.segment.uid),))
register_format(Munch())
register_part("munch", munch_part, undecided)
register_counted("samples", SAMPLES, applies=has_units(MARKED))
register_counted("triples", TRIPLES, applies=has_units(MARKED))
register_counted("both", BOTH, applies=has_units(MARKED))
register_counted("repeated", REPEATED, applies=has_answers(SUBSTITUTE.slug))
register_start(START)
register_start(MUNCH_START)
