"""Which version of an answer a request may write over."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ConflictError
from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb
from annotator.models import Annotation
from annotator.work.queue.queries.returned import versions_by_verdicts


def version_to_replace(current: Annotation | None, seen: int, *, theirs: dict[str, Any], mine: dict[str, Any]) -> int:
    """The newest version, where the person who saw the earlier one `seen` may write over it all the same.

    A text that was sent back may have been judged again while its writer had it open, and sent back again: it is what
    they saw, and their work is taken. Raises ConflictError for everything else, with both sides.
    """
    by_verdicts = versions_by_verdicts(current) if current else {}
    since = set(range(seen + 1, current.version + 1)) if current and seen else set()
    if current is None or not since or not since <= by_verdicts.keys():
        reason = _("This item was saved in another window after you opened it. Nothing was overwritten.")
    elif current.state == AnnotationState.DONE:
        reason = _(
            "The verdict that sent this text back was changed after you opened it, so the earlier text is "
            "kept. Nothing was overwritten."
        )
    elif by_verdicts.get(seen) == Verb.ANNOTATION_RETURNED:
        return current.version
    else:
        reason = _(
            "This text was sent back after you opened it, so nothing was overwritten. Read why before you continue."
        )
    raise ConflictError(reason, theirs=theirs, mine=mine)
