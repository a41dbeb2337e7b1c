"""The words of verdicts on what people wrote: for those who judge, and for those who get it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.domain.content.verdict import ACCEPT, CORRECT, REJECT

VERDICTS: Mapping[str, Any] = {
    ACCEPT: pgettext_lazy("verdict", "Accept"),
    REJECT: pgettext_lazy("verdict", "Reject"),
    CORRECT: pgettext_lazy("verdict", "Suggest a correction"),
}
REASONS: Mapping[str, tuple[Any, Any]] = {
    "incoherent": (gettext_lazy("Incoherent"), gettext_lazy("It makes no sense, or its parts do not belong together.")),
    "offensive": (gettext_lazy("Offensive"), gettext_lazy("It insults people, or what they hold dear.")),
    "format": (gettext_lazy("Wrong format"), gettext_lazy("It is not what was asked for.")),
    "label": (gettext_lazy("Wrong meaning"), gettext_lazy("A meaning given here is wrong.")),
    "unknown": (gettext_lazy("Not familiar here"), gettext_lazy("Local speakers would not know it.")),
    "other": (gettext_lazy("Another reason"), gettext_lazy("Say which in the comment.")),
}
# Second questions that kinds ask by themselves, and their answers.
QUESTIONS: Mapping[str, Any] = {"follows": gettext_lazy("Does the second sentence follow from the first one?")}
# What the verdict beside such a question answers, and what it says to accept.
VERDICT_QUESTIONS: Mapping[str, tuple[Any, Any]] = {
    "follows": (gettext_lazy("Is the second sentence well-formed?"), gettext_lazy("It is well-formed as it stands.")),
}
ANSWERS: Mapping[str, Any] = {"yes": pgettext_lazy("verdict", "Yes"), "no": pgettext_lazy("verdict", "No")}


def reason_words(code: str) -> str:
    """Why something was rejected; a project's own reason as it is, and "" for none."""
    return str(REASONS[code][0]) if code in REASONS else code
