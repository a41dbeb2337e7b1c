"""What a fixed text changed for a person: the text before, tokens to be decided again, what of theirs was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from annotator.core.unit_kinds import wordings
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState
from annotator.domain.text.revision import changed_tokens
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Event, Layer, Suggestion, SuggestionKind, Unit, User


@dataclass(frozen=True, slots=True)
class TextChange:
    """`before`: the text that was replaced. `again`: whether the person's answer continued to the new one and is to be
    looked at again. With it are told `changed` (indices of tokens) and `lost`, compared with the newest text on which
    they had finished; else they are empty."""

    before: str
    again: bool = False
    changed: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def text_changes(
    layer: Layer, units: Sequence[Unit], answers: Mapping[int, Annotation], user: User
) -> dict[int, TextChange]:
    """By unit id, for those of the units whose text was fixed. Two queries where there are any, else none; one more for
    each time that something else than sentences was reworded.

    `answers`: the user's own, by unit id. Nothing of others is told, so this holds for blind work, too.
    """
    fixed = [unit for unit in units if unit.revision > 1]
    if not fixed:
        return {}
    earlier = _earlier(fixed)
    before = [row.pk for found in earlier.values() for row in found]
    written = {row.unit_id: row for row in Annotation.objects.filter(unit__in=before, layer=layer, user=user)}
    return {
        unit.pk: _change(layer, unit, earlier[unit.pk], answers.get(unit.pk), written)
        for unit in fixed
        if earlier[unit.pk]
    }


def _earlier(units: Sequence[Unit]) -> dict[int, list[Unit]]:
    """By unit id, the revisions before it, the newest first."""
    came_from = _came_from(unit.pk for unit in units if unit.kind in wordings())
    rows = Unit.objects.filter(
        Q(segment__in={unit.segment_id for unit in units}, is_current=False) | Q(pk__in=came_from.values())
    )
    known = {row.pk: row for row in rows.order_by("-revision").defer("lemmas", "content_words")}
    found: dict[int, list[Unit]] = {}
    for unit in units:
        if unit.kind in wordings():
            found[unit.pk] = [known[pk] for pk in _chain(unit.pk, came_from) if pk in known]
        else:
            found[unit.pk] = [row for row in known.values() if _is_before(row, unit)]
    return found


def _is_before(row: Unit, unit: Unit) -> bool:
    # A made unit may have come back after another one.
    return (row.segment_id, row.language) == (unit.segment_id, unit.language) and row.revision < unit.revision


def _came_from(units: Iterable[int]) -> dict[int, int]:
    """What was reworded into these units, and into that: ids, each by what it became. Its uid may have been another."""
    found: dict[int, int] = {}
    asked = set(units)
    while asked:
        events = Event.objects.filter(
            subject_type=Unit._meta.model_name or "", subject_id__in=asked, verb=Verb.UNIT_REWORDED
        )
        step = dict(events.values_list("subject_id", "before__unit"))
        found |= step
        asked = set(step.values())
    return found


def _chain(unit: int, came_from: Mapping[int, int]) -> Iterator[int]:
    while unit in came_from:
        unit = came_from[unit]
        yield unit


def with_earlier_gold(change: TextChange, unit: Unit, suggestion: Suggestion) -> TextChange:
    """The change for somebody who begins from gold on an earlier text: what of it is to be decided again, what is lost.

    The suggestion comes with its source. Others than earlier gold change nothing.
    """
    if suggestion.kind != SuggestionKind.EARLIER_GOLD or suggestion.source is None:
        return change
    changed, lost = changed_tokens(suggestion.source.tokens, unit.tokens), list(suggestion.detail.get("lost", []))
    return TextChange(change.before, bool(changed or lost), changed, lost)


def _change(
    layer: Layer, unit: Unit, revisions: Sequence[Unit], answer: Annotation | None, written: Mapping[int, Annotation]
) -> TextChange:
    """`revisions`: those before the unit, the newest first."""
    before = revisions[0].text
    begun = [(row, written[row.pk]) for row in revisions if row.pk in written]
    if answer is None or answer.state == AnnotationState.DONE or not begun:
        return TextChange(before)
    old, last = next((pair for pair in begun if pair[1].state == AnnotationState.DONE), begun[0])
    kind = content_type(layer.content_type)
    again = not kind.stands(last.content, before=old.tokens, after=unit.tokens)
    lost = kind.lost(last.content, before=old.tokens, after=unit.tokens)
    return TextChange(before, again, changed_tokens(old.tokens, unit.tokens), lost)
