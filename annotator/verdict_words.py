"""The words of verdicts on what people wrote: for those who judge, and for those who get it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy, pgettext_lazy

VERDICTS: Mapping[str, Any] = {
    "accept": pgettext_lazy("verdict", "Accept"),
    "reject": pgettext_lazy("verdict", "Reject"),
    "correct": pgettext_lazy("verdict", "Suggest a correction"),
}
REASONS: Mapping[str, tuple[Any, Any]] = {
    "incoherent": (gettext_lazy("Incoherent"), gettext_lazy("It makes no sense, or its parts do not belong together.")),
    "offensive": (gettext_lazy("Offensive"), gettext_lazy("It insults people, or what they hold dear.")),
    "format": (gettext_lazy("Wrong format"), gettext_lazy("It is not what was asked for.")),
    "label": (gettext_lazy("Wrong meaning or label"), gettext_lazy("What is said of a sentence is not so.")),
    "unknown": (gettext_lazy("Not understood here"), gettext_lazy("Speakers around here would not know it.")),
    "other": (gettext_lazy("Another reason"), gettext_lazy("Write which one.")),
}
# Second questions that kinds ask by themselves, and their answers.
QUESTIONS: Mapping[str, Any] = {"follows": gettext_lazy("Does the second sentence follow from the first one?")}
ANSWERS: Mapping[str, Any] = {"yes": pgettext_lazy("verdict", "Yes"), "no": pgettext_lazy("verdict", "No")}


def reason_words(code: str) -> str:
    """Why something was rejected; a project's own reason as it is, and "" for none."""
    return str(REASONS[code][0]) if code in REASONS else code
