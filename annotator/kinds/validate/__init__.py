"""Judging what other people wrote: accepted, rejected with a reason, or corrected. The majority decides."""

from annotator.kind import register
from annotator.kinds.validate.kind import Validate
from annotator.kinds.validate.reports import REPORT
from annotator.queries.reports import register_report

register(Validate())
register_report("validation", REPORT)
