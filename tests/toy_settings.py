"""The product's settings with the toy kinds installed."""

from annotator.settings import *  # noqa: F403
from annotator.settings import KINDS as SHIPPED
from annotator.settings import STATICFILES_DIRS, TEMPLATES, folders_of_kinds

_OWN = ["tests.toy_kinds"]
KINDS = [*SHIPPED, *_OWN]
TEMPLATES[0]["DIRS"] += folders_of_kinds("templates", _OWN)
STATICFILES_DIRS += folders_of_kinds("static", _OWN)
