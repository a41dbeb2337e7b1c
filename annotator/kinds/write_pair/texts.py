"""The words of the workspace in which pairs are written."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

PARTS = (
    gettext_lazy("Figurative sentence 1"),
    gettext_lazy("Figurative sentence 2"),
    gettext_lazy("Meaning of 1"),
    gettext_lazy("Meaning of 2"),
    gettext_lazy("Wrong meaning for 1, as published"),
    gettext_lazy("Wrong meaning for 2, as published"),
)


def messages() -> dict[str, str]:
    """The texts of its scripts; gaps are written {name}."""
    return {
        "prompt": _("Write from this"),
        "beginning": _("Both begin: {beginning}"),
        "no_beginning": _("They do not begin alike yet."),
        "same_words": _("Both sentences have the same words. The second one has to mean the opposite."),
        "same_meaning": _("Both meanings are the same. The second one has to be the opposite."),
        "like_meaning": _("Sentence {n} and its meaning are the same. Say in plain words what it means."),
        "similar_title": _("Somebody wrote something like it"),
        "written_before": _("You have written this before"),
        "came_back": _("This pair came back"),
        "came_back_text": _("Change it, or say in the comment why it stays; then it is judged once more."),
        "suggested_texts": _("Suggested"),
        "take_suggestion": _("Take the suggestion"),
        "took_suggestion": _("The suggestion is in the fields now."),
        "written_so_far": _("Written by you: {mine}"),
        "written_of": _("Written by you: {mine} of {target}"),
        "target_reached": _("You have written as many pairs as were asked of you. Thank you."),
    }
