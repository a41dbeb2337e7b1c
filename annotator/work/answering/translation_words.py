"""The question that ships for source spans, and its answers, in the language of the reader (`HOW_TRANSLATED`). A
project's own are no keys here: they stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy, pgettext_lazy

QUESTIONS: Mapping[str, Any] = {"How was it translated?": gettext_lazy("How was it translated?")}
ANSWERS: Mapping[str, Any] = {
    "same image": pgettext_lazy("translation of a metaphor", "same image"),
    "other image": pgettext_lazy("translation of a metaphor", "other image"),
    "simile": pgettext_lazy("translation of a metaphor", "simile"),
    "plain": pgettext_lazy("translation of a metaphor", "plain"),
    "omitted": pgettext_lazy("translation of a metaphor", "omitted"),
}


def question_words(name: str) -> str:
    """What an attribute that is asked of source spans is called."""
    return str(QUESTIONS.get(name, name))


def answer_words(value: str) -> str:
    """An answer to it."""
    return str(ANSWERS.get(value, value))
