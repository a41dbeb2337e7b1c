"""Interpretation tags on premise–hypothesis pairs: does the inference rest on the metaphor?"""

from annotator.kind import register
from annotator.kinds.pair_tags.kind import PairTags

register(PairTags())
