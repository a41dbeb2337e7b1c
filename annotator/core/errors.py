"""What actions raise. Each message is a sentence for the person who acted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from annotator.domain.messages import InvalidError, Message, Quoted, Sentence, UserError
from annotator.formats.common.errors import quote


def translate(error: InvalidError | Sentence) -> str:
    """An error or message of the domain in the language of the person who acts."""
    sentence = error.message if isinstance(error, InvalidError) else error
    return sentence.translated(gettext) if isinstance(sentence, Message | Quoted) else str(sentence)


def quoted(text: str, limit: int = 300) -> str:
    """`quote`, in the language of the person who acts."""
    return translate(quote(text, limit))


class ActionError(UserError):
    """The action was refused; nothing was changed.

    As text it is in the language of the person who acts. A job raises a `Message`, which others read, too.
    """

    code = "refused"

    def __str__(self) -> str:
        return translate(self.message)


class NotYoursError(ActionError):
    """The item is not among the person's work (HTTP 404)."""

    code = "not_found"


class ArchivedError(ActionError):
    """The project is archived: it is read, and nothing in it changes (HTTP 403)."""

    code = "archived"


class OtherUserError(ActionError):
    """The page or call was made for another person than the one who is signed in by now (HTTP 403)."""

    code = "other_user"


class OverlapError(ActionError):
    """What was asked for spoils a blind sample that could still be assigned; `without_overlap` must be given first."""

    code = "blind_overlap"


class ConflictError(ActionError):
    """Somebody else wrote in between. `theirs` is the current state, `mine` what was sent (HTTP 409)."""

    code = "conflict"

    def __init__(self, message: Sentence, *, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
        super().__init__(message)
        self.theirs = theirs
        self.mine = mine
