"""What actions raise. Each message is a sentence for the person who acted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from annotator.domain.said import SaidError, Sentence


def in_words(error: SaidError | Sentence) -> str:
    """What the domain refuses or says, in the language of whoever acts."""
    said = error.said if isinstance(error, SaidError) else error
    return said if isinstance(said, str) else said.translated(gettext)


class ActionError(Exception):
    """The action was refused; nothing was changed."""

    code = "refused"


class NotYoursError(ActionError):
    """The item is not among the person's work (HTTP 404)."""

    code = "not_found"


class ArchivedError(ActionError):
    """The project is archived: it is read, and nothing in it changes (HTTP 403)."""

    code = "archived"


class OverlapError(ActionError):
    """What was asked for spoils a blind overlap that could still be assigned; `without_overlap` is to be said first."""

    code = "blind_overlap"


class ConflictError(ActionError):
    """Somebody else wrote in between. `theirs` is what stands now, `mine` what was sent (HTTP 409)."""

    code = "conflict"

    def __init__(self, message: str, *, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
        super().__init__(message)
        self.theirs = theirs
        self.mine = mine
