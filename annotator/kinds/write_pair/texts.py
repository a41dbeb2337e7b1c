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
        "prompt": _("Write from this"),
        "beginning": _("Both begin: {beginning}"),
        "no_beginning": _("They do not begin alike yet."),
        "same_words": _("Both sentences have the same words. The second one has to mean the opposite."),
        "same_meaning": _("Both meanings are the same. The second one has to be the opposite."),
        "like_meaning": _("Sentence {n} and its meaning are the same. Say in plain words what it means."),
        "similar_title": _("Somebody wrote something like it"),
        "written_before": _("You have written this before"),
        "part_missing": _("This is still empty."),
        "missing_parts": _("Write both sentences, and what each of them means."),
        "nothing_written": _("A pair without words"),
        "kept_beside": _("You wrote another pair in its place in another window. {name} is kept as one of its own."),
        "came_back": _("This pair came back"),
        "came_back_text": _("Change it, or say in the comment why it stays; then it is judged once more."),
        "unchanged": _(
            "Nothing was changed since it came back. Change it, or say in the comment why it stays as it is."
        ),
        "suggested_texts": _("Suggested"),
        "take_suggestion": _("Take the suggestion"),
        "took_suggestion": _("The suggestion is in the fields now."),
        "written_so_far": _("Written by you: {mine}"),
        "written_of": _("Written by you: {mine} of {target}"),
        "target_reached": _("You have written as many pairs as were asked of you. Thank you."),
    }
