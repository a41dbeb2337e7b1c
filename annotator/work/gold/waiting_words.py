"""For whom decisions wait, and why not for the reader, in words. The workspace has the same in its messages."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.counts import with_counts
from annotator.work.gold.queries.adjudication import Waits


def barred_words(found: Waits) -> str:
    """How many wait for somebody else, and the reasons with their numbers."""
    others = ngettext("%(n)d is waiting for someone else.", "%(n)d are waiting for someone else.", found.others)
    texts = [
        (found.others, others),
        (found.blind, _("You labelled them blind: %(n)d.")),
        (found.own, _("You wrote them: %(n)d.")),
        (found.answered, _("You labelled them, and in this project someone else must decide: %(n)d.")),
    ]
    words = [with_counts(text, n=count) for count, text in texts if count]
    if found.nobody:
        words.append(_("Nobody else can decide on them yet. A manager must make someone else an adjudicator."))
    return " ".join(words)
