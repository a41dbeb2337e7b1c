"""What went back to its writer and is not mended yet: it is no unit any more, and none again."""

from __future__ import annotations

from collections.abc import Collection

from annotator.domain.content import Written, content_type
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Event, Item, Project, Unit
from annotator.queries.corpus import LeftOut

_SETTLED = (ItemState.DONE, ItemState.DECIDED, ItemState.VOID)


def returned_units(project: Project, unit_kind: str = "") -> list[Unit]:
    """The units, of one kind or of all, that were sent back since their writer last finished the answer that they were
    made from (`sent_back`). Where somebody else has written anew meanwhile, nothing is missing.

    Reads open answers only. Four queries at most.
    """
    layers = [layer.pk for layer in project.layers.all() if isinstance(content_type(layer.content_type), Written)]
    if not layers:
        return []
    rows = Annotation.objects.filter(project=project, layer__in=layers, state=AnnotationState.OPEN)
    answers = {row.pk: row for row in rows}
    back = sent_back(answers)
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


def sent_back(answers: Collection[int]) -> dict[int, list[int]]:
    """By the id of an answer, the units that were sent back since it was last finished; finishing that was undone does
    not count. One query."""
    found: dict[int, list[int]] = {}
    # What each event settled: undoing it brings that back.
    settled: dict[int, list[int]] = {}
    events = Event.objects.filter(subject_type=Annotation._meta.model_name, subject_id__in=answers).order_by("pk")
    for pk, subject, verb, after in events.values_list("pk", "subject_id", "verb", "after"):
        if verb == Verb.ANNOTATION_RETURNED:
            found.setdefault(subject, []).append((after or {})["unit"])
            continue
        if verb == Verb.ANNOTATION_UNDONE and (back := settled.pop((after or {})["undoes"], None)):
            found[subject] = [*back, *found.get(subject, ())]
        if after and after.get("state") == AnnotationState.DONE and subject in found:
            settled[pk] = found.pop(subject)
    return found


def left_with_writers(project: Project, unit_kind: str) -> list[LeftOut]:
    """The same as releases list it."""
    return [
        LeftOut("pair", unit.segment.dataset, unit.segment.uid, unit.language, WhyNotReleased(NotReleased.RETURNED))
        for unit in returned_units(project, unit_kind)
    ]
