"""How many pairs each person writes."""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotator.core.events import log
from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Layer, Stage, User
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.queries.progress import held_in_advance


@transaction.atomic
def set_target(*, stage: Stage, target: int, by: User) -> None:
    """From now on each person writes `target` pairs, or as many as they like (0). What was written or started stays.

    Empty pairs beyond the target, which pages hold in advance, go back.
    """
    _free_beyond(stage, target, by)
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


def _free_beyond(stage: Stage, target: int, by: User) -> None:
    if not target:
        return
    begun = Annotation.objects.filter(unit=OuterRef("unit"), layer=stage.layer_id, user=OuterRef("user"))
    rows = Assignment.objects.filter(stage__layer=stage.layer_id).exclude(state=AssignmentState.RETURNED)
    held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for own, user, pk in (
        rows.filter(held_in_advance(), ~Exists(begun)).order_by("pk").values_list("stage", "user", "pk")
    ):
        held[own, user].append(pk)
    beyond: list[int] = []
    for (own, user), untouched in held.items():
        number = rows.filter(stage=own, user=user).count() - target
        beyond += untouched[-number:] if number > 0 else []
    give_back(beyond, by=by, verb=Verb.ASSIGNMENT_FREED)
