"""The texts of the projection review's scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.projection.carry import NotCarried

NOT_CARRIED: Mapping[NotCarried, Any] = {
    NotCarried.PUNCTUATION: gettext_lazy("punctuation"),
    NotCarried.FUNCTION_WORD: gettext_lazy("function word"),
    NotCarried.FRAGMENT: gettext_lazy("smaller fragment"),
    NotCarried.OVERLAP: gettext_lazy("covered by another label"),
    NotCarried.UNLINKED: gettext_lazy("not linked with any word"),
}


def messages() -> dict[str, str]:
    """Every message by its name, in the language of the request."""
    return {
        "source_awaited": _("The text was edited. Its labels are being projected again."),
        "no_source": _("This sentence has no projection."),
        "outcomes_title": _("What happened to each label"),
        "outcomes_none": _("The source has no labels."),
        "outcome_projected": _("projected"),
        "outcome_unaligned": _("unaligned"),
        "outcome_dropped": _("dropped: {reason}"),
        "left_out": _("left out: {words}"),
        **{f"reason_{code.replace(' ', '_')}": str(word) for code, word in NOT_CARRIED.items()},
        "fate_kept": _("kept"),
        "fate_confirmed": _("✓ kept"),
        "fate_lost": _("− lost"),
        "fate_shifted": _("↔ shifted"),
        "fate_gained": _("+ gained"),
        "fate_other": _("not suggested"),
        "kept_said": _("{text}: kept"),
        "lost_said": _("{text}: lost"),
        "no_suggestion_here": _("This word has no projected label. Press S to go to the next one."),
        "no_label_here": _("This word has no label."),
        "already_labelled": _("This word is already labelled."),
    }
