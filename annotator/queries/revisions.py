"""What a fixed text changed for a person: the text before, tokens to be decided anew, what of theirs was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.domain.content import content_type
from annotator.domain.revision import changed_tokens
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Layer, Suggestion, SuggestionKind, Unit, User


@dataclass(frozen=True, slots=True)
class TextChange:
    """`before`: the text that was replaced. `changed` (indices of tokens) and `lost` are told while the person's
    answer is open, and compared with the newest text on which they had finished; else they are empty."""

    before: str
    changed: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def text_changes(
    layer: Layer, units: Sequence[Unit], answers: Mapping[int, Annotation], user: User
) -> dict[int, TextChange]:
    """By unit id, for those of the units whose text was fixed. Two queries where there are any, else none.

    `answers`: the user's own, by unit id. Nothing of others is told, so this holds for blind work, too.
    """
    fixed = [unit for unit in units if unit.revision > 1]
    if not fixed:
        return {}
    earlier: dict[tuple[int, str], list[Unit]] = {}
    rows = Unit.objects.filter(segment__in={unit.segment_id for unit in fixed}, is_current=False)
    for row in rows.order_by("-revision").defer("lemmas", "content_words"):
        earlier.setdefault((row.segment_id, row.language), []).append(row)
    written = {
        row.unit_id: row
        for row in Annotation.objects.filter(
            unit__in=[row.pk for found in earlier.values() for row in found], layer=layer, user=user
        )
    }
    changes = {}
    for unit in fixed:
        known = earlier.get((unit.segment_id, unit.language), [])
        # A made unit may have come back after another one.
        revisions = [row for row in known if row.revision < unit.revision]
        if revisions:
            changes[unit.pk] = _change(layer, unit, revisions, answers.get(unit.pk), written)
    return changes


def with_earlier_gold(change: TextChange, unit: Unit, suggestion: Suggestion) -> TextChange:
    """The change for somebody who begins from gold on an earlier text: what of it is to be decided anew, what is lost.

    The suggestion comes with its source. Others than earlier gold change nothing.
    """
    if suggestion.kind != SuggestionKind.EARLIER_GOLD or suggestion.source is None:
        return change
    changed = changed_tokens(suggestion.source.tokens, unit.tokens)
    return TextChange(change.before, changed, list(suggestion.detail.get("lost", [])))


def _change(
    layer: Layer, unit: Unit, revisions: Sequence[Unit], answer: Annotation | None, written: Mapping[int, Annotation]
) -> TextChange:
    """`revisions`: those before the unit, the newest first."""
    before = revisions[0].text
    begun = [(row, written[row.pk]) for row in revisions if row.pk in written]
    if answer is None or answer.state == AnnotationState.DONE or not begun:
        return TextChange(before)
    old, last = next((pair for pair in begun if pair[1].state == AnnotationState.DONE), begun[0])
    lost = content_type(layer.content_type).lost(last.content, before=old.tokens, after=unit.tokens)
    return TextChange(before, changed_tokens(old.tokens, unit.tokens), lost)
