"""Judging what other people wrote: accepted, rejected with a reason, or corrected. The majority decides."""

from django.utils.translation import pgettext_lazy

from annotator.kind import register, register_layer_names
from annotator.kinds.validate.kind import Validate
from annotator.kinds.validate.reports import REPORT
from annotator.queries.reports import register_report

register(Validate())
register_layer_names({"validity": pgettext_lazy("layer", "verdicts")})
register_report("validation", REPORT)
