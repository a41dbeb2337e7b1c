"""The words and points of a scale, as a project wants them."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Layer, Stage, User


@transaction.atomic
def set_scale(*, stage: Stage, question: str, high: str, low: str, by: User | None, points: int | None = None) -> None:
    """What is asked, and what both ends are called; empty: as they are by themselves. `points`: of ratings alone.

    Raises ActionError once there are answers: they were given to another question.
    """
    layer = Layer.objects.select_for_update(no_key=True).get(pk=stage.layer_id)
    if layer.annotations.exists():
        raise ActionError(_("The scale already has answers, so it can't be changed."))
    before = layer.scheme_data
    changed = {"question": question.strip(), "high": high.strip(), "low": low.strip()}
    if points is not None and "points" in before:
        changed["points"] = points  # type: ignore[assignment]  # a number among texts
    layer.scheme_data = {**before, **changed}
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
