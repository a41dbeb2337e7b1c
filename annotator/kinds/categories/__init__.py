"""Several categories of the project's list for each part of a unit."""

from django.utils.translation import pgettext_lazy

from annotator.core.kind import register, register_layer_names
from annotator.domain.content import CATEGORIES
from annotator.kinds.categories.kind import Categories
from annotator.kinds.categories.reports import AGREEMENT, SHARES, with_words
from annotator.kinds.categories.texts import value_words
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import register_counted
from annotator.reports.value_words import register_value_words

register(Categories())
register_value_words(CATEGORIES.slug, value_words)
register_layer_names({"categories": pgettext_lazy("layer", "categories")})
register_counted("category-agreement", AGREEMENT, applies=has_answers(CATEGORIES.slug), show=with_words)
register_counted("categories", SHARES, applies=has_answers(CATEGORIES.slug))
