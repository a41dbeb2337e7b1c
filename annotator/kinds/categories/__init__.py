"""Several categories of the project's list for each part of a unit."""

from annotator.kind import register
from annotator.kinds.categories.kind import Categories
from annotator.kinds.categories.reports import AGREEMENT, SHARES
from annotator.queries.reports import register_report

register(Categories())
register_report("category-agreement", AGREEMENT)
register_report("categories", SHARES)
