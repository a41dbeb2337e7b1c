"""Judging what other people wrote: accepted, rejected with a reason, or corrected. The majority decides."""

from django.utils.translation import pgettext_lazy

from annotator.core.kind import register, register_check, register_layer_names
from annotator.domain.content import VERDICT
from annotator.kinds.validate.corrections import fit_correction
from annotator.kinds.validate.kind import Validate
from annotator.kinds.validate.reports import REPORT
from annotator.kinds.validate.texts import value_words
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import register_counted
from annotator.reports.value_words import register_value_words

register(Validate())
register_check(VERDICT.slug, fit_correction)
register_value_words(VERDICT.slug, value_words)
register_layer_names({"validity": pgettext_lazy("layer", "verdicts")})
register_counted("validation", REPORT, applies=has_answers(VERDICT.slug))
