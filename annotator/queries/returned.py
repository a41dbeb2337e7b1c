"""What went back to its writer and is not mended yet: it is no unit any more, and none again."""

from __future__ import annotations

from annotator.domain.content import Written, content_type
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Event, Item, Project, Unit
from annotator.queries.corpus import LeftOut

_SETTLED = (ItemState.DONE, ItemState.DECIDED, ItemState.VOID)


def returned_units(project: Project, unit_kind: str = "") -> list[Unit]:
    """The units, of one kind or of all, that were sent back since their writer last finished the answer that they were
    made from. Where somebody else has written anew meanwhile, nothing is missing.

    Reads open answers only. Four queries at most.
    """
    layers = [layer.pk for layer in project.layers.all() if isinstance(content_type(layer.content_type), Written)]
    if not layers:
        return []
    rows = Annotation.objects.filter(project=project, layer__in=layers, state=AnnotationState.OPEN)
    answers = {row.pk: row for row in rows}
    back = _sent_back(list(answers))
    if not back:
        return []
    items = Item.objects.filter(
        unit__in={answers[pk].unit_id for pk in back}, stage__in={answers[pk].stage_id for pk in back}
    )
    settled = set(items.filter(state__in=_SETTLED).values_list("stage_id", "unit_id"))
    waiting = [pk for pk in back if (answers[pk].stage_id, answers[pk].unit_id) not in settled]
    units = Unit.objects.filter(pk__in=[unit for pk in waiting for unit in back[pk]], is_current=False)
    if unit_kind:
        units = units.filter(kind=unit_kind)
    return list(units.select_related("segment").order_by("segment__position", "pk"))


def _sent_back(answers: list[int]) -> dict[int, list[int]]:
    """By open answer, the units that were sent back since it was last finished."""
    found: dict[int, list[int]] = {}
    events = Event.objects.filter(subject_type=Annotation._meta.model_name, subject_id__in=answers).order_by("pk")
    for subject, verb, after in events.values_list("subject_id", "verb", "after"):
        if verb == Verb.ANNOTATION_RETURNED:
            found.setdefault(subject, []).append((after or {})["unit"])
        elif after and after.get("state") == AnnotationState.DONE:
            found.pop(subject, None)
    return found


def left_with_writers(project: Project, unit_kind: str) -> list[LeftOut]:
    """The same as releases list it."""
    return [
        LeftOut("pair", unit.segment.dataset, unit.segment.uid, unit.language, WhyNotReleased(NotReleased.RETURNED))
        for unit in returned_units(project, unit_kind)
    ]
