"""Files that people upload: how many and how much, and what is wrong with one."""

from __future__ import annotations

from django.conf import settings

from annotator.core.errors import ActionError
from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _

MAX_FILES = 10_000


class UploadError(ActionError):
    """A file that cannot be imported. The message says what is wrong with it."""


def too_large(name: str) -> Message:
    """Why a file is refused that would be more than IMPORT_MAX_BYTES."""
    return message(
        _("%(name)s: more than %(most)d MB in total. Split the corpus, or raise IMPORT_MAX_BYTES in the settings."),
        name=name,
        most=settings.IMPORT_MAX_BYTES // (1024 * 1024),
    )
