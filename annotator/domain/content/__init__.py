"""Content types: what a content of a layer looks like, when two are the same, and what agreement counts.

Each is one class that follows `base.ContentType`; those that ship are installed here. A new one needs no change here:
the `spec` module of the package that brings it lists it.
"""

from annotator.domain.content.base import (
    Content,
    ContentError,
    ContentType,
    Difference,
    content_type,
    content_types,
    install,
)
from annotator.domain.content.best import BEST
from annotator.domain.content.best_worst import BEST_WORST
from annotator.domain.content.categories import CATEGORIES
from annotator.domain.content.choice import CHOICE
from annotator.domain.content.commented import Commented
from annotator.domain.content.definitions import DEFINITIONS
from annotator.domain.content.figurative_pair import FIGURATIVE_PAIR
from annotator.domain.content.inapt import INAPT
from annotator.domain.content.rating import RATING
from annotator.domain.content.rewrite import REWRITE
from annotator.domain.content.spans import SPANS
from annotator.domain.content.substitute import SUBSTITUTE
from annotator.domain.content.verdict import VERDICT
from annotator.domain.content.written import Written

__all__ = [
    "BEST",
    "BEST_WORST",
    "CATEGORIES",
    "CHOICE",
    "DEFINITIONS",
    "FIGURATIVE_PAIR",
    "INAPT",
    "RATING",
    "REWRITE",
    "SPANS",
    "SUBSTITUTE",
    "VERDICT",
    "Commented",
    "Content",
    "ContentError",
    "ContentType",
    "Difference",
    "Written",
    "content_type",
    "content_types",
    "install",
]

install(
    (
        SPANS,
        CHOICE,
        FIGURATIVE_PAIR,
        VERDICT,
        CATEGORIES,
        SUBSTITUTE,
        BEST,
        INAPT,
        REWRITE,
        DEFINITIONS,
        RATING,
        BEST_WORST,
    )
)
