"""Figurative sentences and what follows from them: rewritten by people, or made by rule from definitions (IMPLI)."""

from django.utils.translation import ngettext_lazy, pgettext_lazy

from annotator.core.kind import (
    register,
    register_check,
    register_layer_names,
    register_marking,
    register_parts,
    register_shuffled,
    register_unit_names,
    register_wording,
    register_writers,
)
from annotator.core.presets import register_start
from annotator.domain.content import DEFINITIONS
from annotator.domain.pairs.inference_pairs import UNIT_KIND
from annotator.formats.common.protocol import register as register_format
from annotator.kinds.impli.dictionary import Dictionary
from annotator.kinds.impli.kinds import Define, Rewrite, fit_definitions
from annotator.kinds.impli.pair_files import Impli
from annotator.kinds.impli.release import part, undecided
from annotator.kinds.impli.reports import CLASSES, SILVER, VALID, with_classes, with_note, with_ways
from annotator.kinds.impli.start import START
from annotator.kinds.impli.texts import PARTS
from annotator.kinds.impli.units import EXPRESSION, FOCUS, focus_wording
from annotator.kinds.impli.writers import wrote
from annotator.releases.queries.release_parts import register_part
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import register_counted

register(Rewrite())
register(Define())
register_layer_names(
    {
        "rewrites": pgettext_lazy("layer", "rewritings"),
        "definitions": pgettext_lazy("layer", "definitions"),
        "validity-inference-pair": pgettext_lazy("layer", "verdicts on pairs for inference"),
    }
)
register_unit_names(
    {
        UNIT_KIND: ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
        EXPRESSION: ngettext_lazy("%(shown)s expression", "%(shown)s expressions", "number"),
        FOCUS: ngettext_lazy("%(shown)s marked sentence", "%(shown)s marked sentences", "number"),
    }
)
register_parts(UNIT_KIND, PARTS)
register_writers(UNIT_KIND, wrote)
register_wording(FOCUS, focus_wording)
register_marking(FOCUS)
# Files hold a class each, and rules and people write one class after the other.
register_shuffled(UNIT_KIND)
register_check(DEFINITIONS.slug, fit_definitions)
register_format(Impli())
register_format(Dictionary())
register_part("impli", part, undecided)
register_counted("pair-classes", CLASSES, applies=has_units(UNIT_KIND), show=with_ways)
register_counted("valid-pairs", VALID, applies=has_units(UNIT_KIND), show=with_classes)
# The rules are run for every expression, which takes 15 ms of each.
register_counted("silver-pairs", SILVER, applies=has_answers(DEFINITIONS.slug), show=with_note, slow=True)
register_start(START)
