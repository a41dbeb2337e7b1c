"""Interpretation tags on premise–hypothesis pairs: does the inference rest on the metaphor?"""

from annotator.core.kind import register
from annotator.domain.content import CHOICE
from annotator.kinds.pair_tags.kind import PairTags
from annotator.kinds.pair_tags.texts import value_words
from annotator.reports.value_words import register_value_words

register(PairTags())
register_value_words(CHOICE.slug, value_words)
