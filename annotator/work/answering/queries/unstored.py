"""Answers that are kept beside a project's annotations (`work/answering/kept_answers.py`), as workspaces show them."""

from __future__ import annotations

from annotator.domain.content import Content
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Stage, Unit, User
from annotator.work.answering.kept_answers import Kept


def unstored_answer(
    stage: Stage, user: User, unit: Unit, answer: Kept | None, suggested: Content | None = None
) -> Annotation | None:
    """An answer as an annotation that is not stored, begun from `suggested`; None where there is none."""
    if answer is None:
        return None
    return Annotation(
        project=stage.project, unit=unit, layer=stage.layer, stage=stage, user=user, mode=stage.mode,
        state=AnnotationState.DONE if answer["done"] else AnnotationState.OPEN, version=answer["version"],
        content=answer["content"], suggested=suggested, doubt=answer["doubt"], comment=answer["comment"],
        undo_event=0 if answer["before"] is not None else None,
    )  # fmt: skip
