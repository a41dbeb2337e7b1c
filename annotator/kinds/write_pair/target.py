"""How many pairs each person writes."""

from __future__ import annotations

from django.db import transaction

from annotator.actions.events import log
from annotator.domain.verbs import Verb
from annotator.models import Layer, Stage, User


@transaction.atomic
def set_target(*, stage: Stage, target: int, by: User) -> None:
    """From now on each person writes `target` pairs, or as many as they like (0). What was written stays."""
    layer = Layer.objects.select_for_update(no_key=True).get(pk=stage.layer_id)
    before = layer.scheme_data
    layer.scheme_data = {**before, "target": target}
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
