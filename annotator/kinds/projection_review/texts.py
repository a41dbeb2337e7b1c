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
    NotCarried.UNLINKED: gettext_lazy("linked with nothing"),
}


def messages() -> dict[str, str]:
    """Every message by its name, in the language of the request."""
    return {
        "source_awaited": _("The text was fixed; the labels are being projected onto it."),
        "no_source": _("No projection belongs to this sentence."),
        "outcomes_title": _("What became of every label"),
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
        "no_suggestion_here": _("There is no projected label on this word; S goes to the next one."),
        "no_label_here": _("There is no label on this word."),
        "already_labelled": _("This word is labelled already."),
    }
