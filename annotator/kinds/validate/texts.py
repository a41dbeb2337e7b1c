"""The words of the workspace in which texts of others are judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.models import Stage
from annotator.work.answering.verdict_words import ANSWERS, QUESTIONS, REASONS, VERDICT_QUESTIONS, VERDICTS


def reasons(scheme: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The reasons for a rejection with what each means, and whether it is offered; a project's own as they are.

    Where the second question says whether a label is right, no meaning is shown, and none can be wrong.
    """
    return [
        {
            "value": code,
            "label": str(REASONS.get(code, (code, ""))[0]),
            "definition": str(REASONS.get(code, ("", ""))[1]),
            "offered": not (code == "label" and scheme.get("question") in QUESTIONS),
        }
        for code in scheme["reasons"]
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
    verdict_question, accept_text = VERDICT_QUESTIONS.get(question, (_("Your verdict"), _("It is right as it stands.")))
    return {
        "accept": str(VERDICTS["accept"]),
        "accept_text": str(accept_text),
        "reject_for": _("Reject: {reason}"),
        "correct": str(VERDICTS["correct"]),
        "correct_text": _("Write how it should read."),
        "correction": _("Correction"),
        "judged_again": _("This text was sent back to its writer"),
        "writer_says": _("The writer says"),
        "said_before": _("Your previous verdict"),
        "read_before": _("Previous text"),
        "same_as_before": _("Same as now"),
        "no_verdict": pgettext("verdict", "No verdict"),
        "choose_verdict": _("Accept it, reject it, or correct it first (keys: {keys})."),
        "verdict_question": str(verdict_question),
        "second_question": str(QUESTIONS.get(question, question)) or _("Second question"),
        "say_reason": _("Say in the comment which other reason there is."),
        "choose_second": _("Answer the second question, too."),
    }
