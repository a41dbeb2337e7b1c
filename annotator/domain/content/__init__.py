"""Content types: what a content of a layer looks like, when two are the same, and what agreement counts.

Each is one class that follows `base.ContentType`; the ones that ship are `spans` and `choice`. A new one needs no
change here: whoever brings it calls `register`.
"""

from annotator.domain.content.base import Content, ContentError, ContentType, content_type, register
from annotator.domain.content.choice import CHOICE
from annotator.domain.content.spans import SPANS

__all__ = ["CHOICE", "SPANS", "Content", "ContentError", "ContentType", "content_type", "register"]

register(SPANS)
register(CHOICE)
