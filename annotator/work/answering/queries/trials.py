"""Who has still to solve the trial item of a stage."""

from __future__ import annotations

from annotator.core.kind import kind_of
from annotator.domain.trials import Trial
from annotator.domain.verbs import Verb
from annotator.models import Event, Stage, User


def pending_trial(stage: Stage, user: User) -> Trial | None:
    """The trial item that the user has to solve before they are given work in the stage; None where there is none, or
    they have solved it. One query where there is one."""
    spec = None if stage.adjudicates else kind_of(stage).trial
    trial = spec.item(stage) if spec is not None else None
    if trial is None:
        return None
    solved = Event.objects.filter(
        project=stage.project_id,
        actor=user,
        verb=Verb.TRIAL_SOLVED,
        subject_type=Stage._meta.model_name or "",
        subject_id=stage.pk,
    )
    return None if solved.exists() else trial
