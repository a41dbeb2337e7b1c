"""Answering the trial item of a stage. Who has solved it is in the event log."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, translate
from annotator.core.events import log
from annotator.domain.content import Content, ContentError, content_type
from annotator.domain.trials import is_solved
from annotator.domain.verbs import Verb
from annotator.models import Stage, User
from annotator.work.answering.queries.training import needs_training
from annotator.work.answering.queries.trials import pending_trial


def check_trial(stage: Stage, user: User) -> None:
    """Whether the user may be given work in the stage: they have solved its trial item, and were let in after its
    training, where it has these."""
    if pending_trial(stage, user) is not None:
        raise ActionError(_("Solve the trial item first. It is on the page of this stage."))
    if needs_training(stage, user):
        raise ActionError(_("Finish the training of this stage first. The page of the stage leads to it."))


@transaction.atomic
def answer_trial(*, stage: Stage, content: Content, by: User) -> bool:
    """Answer the trial item. Returns whether it is solved, which opens the stage to the person.

    Raises ActionError for a content that does not fit the layer.
    """
    trial = pending_trial(stage, by)
    if trial is None:
        return True
    kind = content_type(stage.layer.content_type)
    try:
        checked = kind.check(content, scheme=stage.layer.scheme_data, tokens=(), done=True)
    except ContentError as error:
        raise ActionError(translate(error)) from error
    if not is_solved(trial, checked, kind):
        return False
    log(project=stage.project, actor=by, verb=Verb.TRIAL_SOLVED, subject=stage, after={"content": checked})
    return True
