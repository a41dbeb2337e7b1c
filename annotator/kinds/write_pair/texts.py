"""The words of the workspace in which pairs are written."""

from __future__ import annotations

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.content import Content

PARTS = (
    gettext_lazy("Figurative sentence 1"),
    gettext_lazy("Figurative sentence 2"),
    gettext_lazy("Meaning of 1"),
    gettext_lazy("Meaning of 2"),
    gettext_lazy("Wrong meaning for 1, as published"),
    gettext_lazy("Wrong meaning for 2, as published"),
)


# So many characters of a pair name it in lists.
SHOWN = 160


def beginning(content: Content) -> str:
    """How a pair begins, as lists name it; empty while nothing is written."""
    lines = [line for line in content["figurative"] if line] or [line for line in content["literal"] if line]
    return Truncator(" / ".join(lines)).chars(SHOWN)


def messages() -> dict[str, str]:
    """The texts of its scripts; gaps are written {name}."""
    return {
        "prompt": _("Prompt"),
        "beginning": _("Both start with: {beginning}"),
        "no_beginning": _("They don't start with the same words yet."),
        "same_words": _("Both sentences have the same words. The second one must mean the opposite."),
        "same_meaning": _("Both meanings are the same. The second one must be the opposite."),
        "like_meaning": _("Sentence {n} and its meaning are the same. Say in plain words what it means."),
        "similar_title": _("Someone wrote something similar"),
        "written_before": _("You have written this before"),
        "part_missing": _("This is still empty."),
        "missing_parts": _("Write both sentences, and what each of them means."),
        "nothing_written": _("Empty pair"),
        "kept_beside": _("You wrote another pair here in another window. {name} is kept as a separate pair."),
        "came_back": _("This pair was sent back"),
        "came_back_text": _("Revise it, or explain in the comment why you keep it. It will then be judged again."),
        "unchanged": _(
            "Nothing has changed since it was sent back. Revise it, or explain in the comment why you keep it."
        ),
        "suggested_texts": _("Suggested"),
        "take_suggestion": _("Use the suggestion"),
        "took_suggestion": _("The suggestion is in the fields now."),
        "written_so_far": _("Written by you: {mine}"),
        "written_of": _("Written by you: {mine} of {target}"),
        "target_reached": _("You have written as many pairs as you were asked for. Thank you."),
    }
