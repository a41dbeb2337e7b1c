"""The words of the workspace in which texts of others are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.models import Stage
from annotator.verdict_words import ANSWERS, QUESTIONS, REASONS, VERDICTS


def reasons(codes: Sequence[str]) -> list[dict[str, str]]:
    """The reasons for a rejection with what each means; a project's own as they are."""
    return [
        {
            "value": code,
            "label": str(REASONS.get(code, (code, ""))[0]),
            "definition": str(REASONS.get(code, ("", ""))[1]),
        }
        for code in codes
    ]


def value_words(dimension: str, value: str) -> str:
    """A verdict, or an answer to the second question; a project's own as it is."""
    return str((VERDICTS if dimension == "verdicts" else ANSWERS).get(value, value))


def second_answers(scheme: Mapping[str, Any]) -> list[dict[str, str]]:
    """The answers to the second question of a layer; a project's own as they are, also where they read like codes."""
    words = ANSWERS if scheme.get("question") in QUESTIONS else {}
    return [
        {"value": value, "label": str(words.get(value, value)), "definition": ""}
        for value in scheme.get("second") or ()
    ]


def messages(stage: Stage) -> dict[str, str]:
    """The texts of its scripts; gaps are written {name}."""
    question = stage.layer.scheme_data.get("question") or ""
    return {
        "accept": str(VERDICTS["accept"]),
        "accept_text": _("It is right as it stands."),
        "reject_for": _("Reject: {reason}"),
        "correct": str(VERDICTS["correct"]),
        "correct_text": _("Write how it should read."),
        "correction": _("Correction"),
        "judged_again": _("This had gone back to its writer"),
        "writer_says": _("The writer says"),
        "said_before": _("You said before"),
        "read_before": _("It read before"),
        "same_as_before": _("As it does now"),
        "no_verdict": pgettext("verdict", "No verdict"),
        "verdicts_name": _("Verdict"),
        "choose_verdict": _("Accept it, reject it, or correct it first (keys: {keys})."),
        "second_question": str(QUESTIONS.get(question, question)) or _("Second question"),
        "say_reason": _("Say in the comment which other reason there is."),
        "choose_second": _("Answer the second question, too."),
    }
