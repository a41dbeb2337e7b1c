"""The texts of the projection review's scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from annotator.domain.projection.carry import NotCarried
from annotator.work.answering.translation_words import ANSWERS, QUESTIONS

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
        "source_no_label": _("no label"),
        "source_open": _("not decided yet"),
        "source_labelled": _("labelled, but not projected"),
        "source_edited": _("links edited"),
        "outcomes_title": _("Outcome of each label"),
        "outcomes_none": _("The source has no labels."),
        "outcome_unaligned": _("unaligned"),
        "outcome_dropped": _("dropped: {reason}"),
        "left_out": _("left out: {words}"),
        **{f"question_{name}": str(word) for name, word in QUESTIONS.items()},
        **{f"answer_{value}": str(word) for value, word in ANSWERS.items()},
        **{f"reason_{code.replace(' ', '_')}": str(word) for code, word in NOT_CARRIED.items()},
        "row_name": _("Source span {n}: {text}"),
        "link_score": _("link {score}"),
        "act_keep": pgettext("projection", "Keep"),
        "act_lost": pgettext("projection", "Lost"),
        "act_shift": pgettext("projection", "Shift"),
        "act_links": pgettext("projection", "Edit links"),
        "fate_open": _("undecided"),
        "fate_kept": _("✓ kept"),
        "fate_lost": _("− lost"),
        "fate_shifted": _("↔ shifted"),
        "fate_gained": _("+ gained"),
        "kept_said": _("{text}: kept"),
        "lost_said": _("{text}: lost"),
        "gained_remove": _("Remove"),
        "gained_remove_of": _("Remove the label on {text}"),
        "gained_removed": _("Label removed"),
        "done_next": _("Done and next"),
        "spans_left_one": _("1 span left"),
        "spans_left_several": _("{n} spans left"),
        "decide_spans": _("Decide on each span: K keep, L lost, H shift."),
        "decide_first": _("Decide first: K keep, L lost or H shift."),
        "option_said": _("“{text}”: {name} {value}"),
        "nothing_to_keep": _("Nothing was projected here. Press L for lost, or H to label its words."),
        "no_suggestion_here": _("This word has no projected label. Press Esc to go to the source spans."),
        "already_labelled": _("This word is already labelled."),
        "shift_hint": _(
            "Shift “{text}”: move the span with , and . or its edges with Shift and the arrows, or label other words. "
            "Esc goes back."
        ),
        "gain_hint": _("Go to the word that gained a label and press J again. Esc goes back."),
        "linking_hint": _(
            "Links of “{word}”: Space or a click links or unlinks a word. ↑ and ↓ go to another source word. Esc ends."
        ),
        "link_set": _("“{source}” is linked with “{target}”. The labels were projected again."),
        "link_removed": _("“{source}” is no longer linked with “{target}”. The labels were projected again."),
        "take_projection": _("Use a whole projection:"),
        "take_projection_of": _("Use the projection from {language}"),
        "take_projections": _("All"),
        "took_projection": _("The projection from {language} is used"),
        "took_projections": _("All projected labels are used"),
    }
