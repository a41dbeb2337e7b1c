"""Several categories of the project's list for each part of a unit."""

from django.utils.translation import pgettext_lazy

from annotator.kind import register, register_layer_names
from annotator.kinds.categories.kind import Categories
from annotator.kinds.categories.reports import AGREEMENT, SHARES
from annotator.queries.reports import register_report

register(Categories())
register_layer_names({"categories": pgettext_lazy("layer", "categories")})
register_report("category-agreement", AGREEMENT)
register_report("categories", SHARES)
