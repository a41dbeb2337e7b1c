"""The second question that is asked of every text, where a project wants one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Layer, Stage, User
from annotator.work.answering.verdict_words import QUESTIONS


def brings_question(scheme: Mapping[str, Any]) -> bool:
    """Whether the texts of a layer come with a second question of their own, whose answers say if a label is right."""
    return scheme.get("question") in QUESTIONS


@transaction.atomic
def set_question(*, stage: Stage, question: str, values: Sequence[str], by: User) -> None:
    """Ask a second question with these answers, or none (no values). Raises ActionError once there are verdicts."""
    layer = Layer.objects.select_for_update(no_key=True).get(pk=stage.layer_id)
    if brings_question(layer.scheme_data):
        raise ActionError(_("These texts have a fixed second question: its answers say whether a label is right."))
    if layer.annotations.exists():
        raise ActionError(_("Verdicts have already been given, and they have no answer to a question added now."))
    if question.strip() in QUESTIONS:
        raise ActionError(
            _("“%(question)s” is the name of a fixed question. Write your question in full.")
            % {"question": question.strip()}
        )
    answers = list(dict.fromkeys(value.strip() for value in values if value.strip()))
    if bool(question.strip()) != (len(answers) > 1):
        raise ActionError(_("A question needs a text and at least two answers. For no question, leave both empty."))
    before = layer.scheme_data
    layer.scheme_data = {**before, "question": question.strip(), "second": answers}
    layer.save(update_fields=["scheme_data"])
    stage.layer.scheme_data = layer.scheme_data
    log(
        project=stage.project,
        actor=by,
        verb=Verb.SCHEME_CHANGE,
        subject=layer,
        before={"scheme": before},
        after={"scheme": layer.scheme_data},
    )
