"""Labels on the tokens of sentences: correct what a detector suggests, or label from scratch."""

from annotator.core.kind import register
from annotator.kinds.labels.kind import Labels

register(Labels())
