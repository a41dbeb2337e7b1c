import re
from typing import Any

from django.db import models
from django.utils.translation import gettext

from annotator.domain.messages import Message, Sentence

# What no database of ours takes in a text.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class StoredError(models.Model):
    """What keeps why it failed, for readers in whatever language. `error_columns` writes it, `error_shown` says it."""

    # In English, for logs; of rows that are older than the other column, and of foreign messages, all there is.
    error = models.TextField(blank=True)
    # As `Message.to_json`.
    error_said = models.JSONField(null=True)

    class Meta:
        abstract = True

    @property
    def error_kept(self) -> Sentence:
        """Why it failed, to be translated where that can be; "" when it did not."""
        try:
            return Message.from_json(self.error_said) if self.error_said else self.error
        except ValueError:
            return self.error

    @property
    def error_shown(self) -> str:
        """Why it failed, in the reader's language; "" when it did not."""
        said = self.error_kept
        return said.translated(gettext) if isinstance(said, Message) else said


def error_columns(message: Sentence = "") -> dict[str, Any]:
    """The columns of a row that says so."""
    return {
        "error": _storable(str(message)),
        "error_said": _storable(message.to_json()) if isinstance(message, Message) else None,
    }


def _storable(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _storable(one) for name, one in value.items()}
    return _UNSTORABLE.sub("�", value) if isinstance(value, str) else value
