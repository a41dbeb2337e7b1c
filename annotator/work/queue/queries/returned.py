"""What went back to its writer and is not revised yet: it is no unit any more, and none again. Who may still undo
that it went."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from annotator.core.kind import is_open_ended, kind_named, kind_of, makes_gold
from annotator.domain.content import Written, content_type
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Event, Gold, GoldSource, Item, Project, Stage, Unit, User
from annotator.work.gold.queries.left_out import LeftOut
from annotator.work.queue.queries.reassigned import taken_by

_SETTLED = (ItemState.DONE, ItemState.DECIDED, ItemState.VOID)


def returned_units(project: Project, unit_kind: str = "") -> list[Unit]:
    """The units, of one kind or of all, that were sent back since their writer last finished the answer that they were
    made from (`sent_back`), as far as they are `unsettled`.

    Reads open answers only. Seven queries at most.
    """
    layers = [layer.pk for layer in project.layers.all() if isinstance(content_type(layer.content_type), Written)]
    if not layers:
        return []
    rows = Annotation.objects.filter(project=project, layer__in=layers, state=AnnotationState.OPEN)
    answers = {row.pk: row for row in rows}
    back = sent_back(answers)
    waiting = unsettled([answers[pk] for pk in back])
    return _replaced([unit for answer in waiting for unit in back[answer.pk]], unit_kind)


def unsettled(answers: Collection[Annotation]) -> list[Annotation]:
    """Those of the answers to which something is still missing: nobody who took one over has finished it, and nobody
    else has answered the item, unless people write there from nothing, each a text of their own."""
    if not answers:
        return []
    items = Item.objects.filter(
        unit__in={answer.unit_id for answer in answers},
        stage__in={answer.stage_id for answer in answers},
        state__in=_SETTLED,
    )
    settled = {
        (stage, unit)
        for stage, unit, kind in items.values_list("stage_id", "unit_id", "stage__kind")
        if not is_open_ended(kind_named(kind))
    }
    taken = taken_by(answers)
    # What they finished may have gone back to them by now: then it is theirs that something is missing to.
    again = sent_back({one.pk for found in taken.values() for one in found}) if taken else {}
    return [
        answer
        for answer in answers
        if (answer.stage_id, answer.unit_id) not in settled
        and all(one.state == AnnotationState.OPEN and one.pk not in again for one in taken.get(answer.pk, ()))
    ]


def _replaced(ids: Collection[int], unit_kind: str) -> list[Unit]:
    if not ids:
        return []
    units = Unit.objects.filter(pk__in=ids, is_current=False)
    if unit_kind:
        units = units.filter(kind=unit_kind)
    return list(units.select_related("segment").order_by("segment__position", "pk"))


def sent_back(answers: Collection[int]) -> dict[int, list[int]]:
    """By the id of an answer, the units that were sent back since it was last finished; finishing that was undone does
    not count, nor does sending back that was, or what was discarded. One query."""
    return _told(answers)[0]


def _told(answers: Collection[int]) -> tuple[dict[int, list[int]], dict[int, dict[int, str]]]:
    """By the id of an answer, the units that were sent back since it was last finished, and those that were discarded,
    with the reason."""
    given_up: dict[int, dict[int, str]] = {}
    found: dict[int, list[int]] = {}
    # What each event settled: undoing it brings that back.
    settled: dict[int, list[int]] = {}
    events = Event.objects.filter(subject_type=Annotation._meta.model_name, subject_id__in=answers).order_by("pk")
    for pk, subject, verb, after in events.values_list("pk", "subject_id", "verb", "after"):
        if verb == Verb.ANNOTATION_RETURNED:
            found.setdefault(subject, []).append((after or {})["unit"])
            continue
        if verb == Verb.ANNOTATION_RETURN_UNDONE:
            # Events that came with a backup may undo what never was.
            if (unit := (after or {})["unit"]) in found.get(subject, ()):
                found[subject].remove(unit)
            continue
        if verb == Verb.ANNOTATION_GIVEN_UP:
            given_up.setdefault(subject, {}).update(dict.fromkeys(found.pop(subject, ()), (after or {})["reason"]))
            continue
        if verb == Verb.ANNOTATION_UNDONE and (back := settled.pop((after or {})["undoes"], None)):
            found[subject] = [*back, *found.get(subject, ())]
        if after and after.get("state") == AnnotationState.DONE:
            given_up.pop(subject, None)
            if subject in found:
                settled[pk] = found.pop(subject)
    return {subject: units for subject, units in found.items() if units}, given_up


def returns_of(answers: Collection[int]) -> list[Event]:
    """The events by which units went back to the writers of these answers (ids), without those that were undone, oldest
    first. One query."""
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "",
        subject_id__in=answers,
        verb__in=[Verb.ANNOTATION_RETURNED, Verb.ANNOTATION_RETURN_UNDONE],
    )
    found: dict[int, Event] = {}
    for event in events.order_by("pk"):
        if event.verb == Verb.ANNOTATION_RETURNED:
            found[event.pk] = event
        else:
            found.pop((event.after or {})["undoes"], None)
    return list(found.values())


def versions_by_verdicts(answer: Annotation) -> dict[int, Verb]:
    """The versions of an answer that nobody saved, and what made each: it was sent back, or that was undone.

    One query.
    """
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "",
        subject_id=answer.pk,
        verb__in=[Verb.ANNOTATION_RETURNED, Verb.ANNOTATION_RETURN_UNDONE],
    )
    found = {}
    for event in events:
        version = (event.after or {})["version"]
        # Where it was open already, or stays so, there is no new version.
        if version != (event.before or {})["version"]:
            found[version] = Verb(event.verb)
    return found


@dataclass(frozen=True, slots=True)
class WentBack:
    """The answer that a unit went back to, still open, and the event of that. `begun`: its writer saved it since.
    `is_reassigned`: it was handed over to somebody else, who has not finished it."""

    answer: Annotation
    event: Event
    is_reassigned: bool

    @property
    def begun(self) -> bool:
        return self.answer.version != (self.event.after or {})["version"]


def went_back(stage: Stage, unit: Unit) -> WentBack | None:
    """Where a unit that was judged in the stage is, if somebody is to mend it. Four queries, nine where that was handed
    over; none for what stands."""
    answer = _made_from(stage, unit)
    if answer is None or unit.pk not in sent_back([answer.pk]).get(answer.pk, ()):
        return None
    taken = taken_by([answer]).get(answer.pk, ())
    if taken and not unsettled([answer]):
        return None
    events = [event for event in returns_of([answer.pk]) if (event.after or {})["unit"] == unit.pk]
    return WentBack(answer, events[-1], bool(taken))


def was_given_up(stage: Stage, unit: Unit) -> bool:
    """Whether a unit that was judged in the stage went back, and nobody must revise it. Five queries at most."""
    answer = _made_from(stage, unit)
    if answer is None or unit.pk not in _told([answer.pk])[1].get(answer.pk, ()):
        return False
    return bool(unsettled([answer]))


def _made_from(stage: Stage, unit: Unit) -> Annotation | None:
    """The answer that a unit which does not stand any more was made from, if it is open."""
    if unit.is_current or unit.author_id is None or stage.made_from is None:
        return None
    return Annotation.objects.filter(
        unit__children=unit, layer=stage.made_from.layer_id, user=unit.author_id, state=AnnotationState.OPEN
    ).first()


def undoable_return(stage: Stage, unit: Unit, user: User) -> WentBack | None:
    """The same where the user may undo it by changing their verdict: they gave one of those that sent it back,
    nobody decided it, its writer has not started, and nobody else has it. Two queries more."""
    if not makes_gold(kind_of(stage)):
        return None
    found = went_back(stage, unit)
    if found is None or found.begun or found.is_reassigned:
        return None
    decided = Q(reopened=False) | Q(decided_by__isnull=False) | Q(source=GoldSource.IMPORTED)
    if Gold.all_rows.filter(decided, unit=unit, layer=stage.layer_id).exists():
        return None
    own = Annotation.objects.filter(unit=unit, layer=stage.layer_id, user=user, state=AnnotationState.DONE)
    return found if own.exists() else None


def undoable_returns(stage: Stage, units: Iterable[Unit], user: User) -> set[int]:
    """Those of the units (ids) that `slip` says so of; no query for those that stand."""
    return {unit.pk for unit in units if not unit.is_current and undoable_return(stage, unit, user) is not None}


def left_with_writers(project: Project, unit_kind: str) -> list[LeftOut]:
    """The same as releases list it, and what was discarded."""
    returned = [(unit, WhyNotReleased(NotReleased.RETURNED)) for unit in returned_units(project, unit_kind)]
    return [
        LeftOut("pair", unit.segment.dataset, unit.segment.uid, unit.language, why)
        for unit, why in (*returned, *_given_up(project, unit_kind))
    ]


def _given_up(project: Project, unit_kind: str) -> list[tuple[Unit, WhyNotReleased]]:
    """What nobody must revise, and why. One query where there is nothing, six at most."""
    events = Event.objects.filter(project=project, verb=Verb.ANNOTATION_GIVEN_UP)
    answers = Annotation.objects.filter(pk__in=events.values("subject_id"), state=AnnotationState.OPEN)
    ids = [row.pk for row in unsettled(answers)]
    why = {unit: reason for units in _told(ids)[1].values() for unit, reason in units.items()} if ids else {}
    return [(unit, WhyNotReleased(NotReleased.GIVEN_UP, note=why[unit.pk])) for unit in _replaced(list(why), unit_kind)]
