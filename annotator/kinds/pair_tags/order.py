"""Which pairs are tagged first. The one home of that rule (guarded by tests/actions/test_pair_order.py)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Case, Exists, OuterRef, Q, Value, When

from annotator.domain.states import AnnotationState, Mode
from annotator.models import (
    Annotation,
    Gold,
    Item,
    Layer,
    Pair,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
)

# Whether a metaphor matters can only be told where the metaphors are known.
BOTH_LABELLED = 0
SILVER = 1
OTHERS = 2


def place_pairs(project: Project, units: Sequence[Unit], *, kind: str) -> None:
    """Set the places of the items of these pairs, and of the pairs that these sentences are in: one statement.

    None in a project without pairs. Units of one call may be of several kinds and languages: one statement a language.
    """
    # Without inference labels there are no pairs.
    if not project.inferences:
        return
    for language in sorted({unit.language for unit in units}):
        here = [unit for unit in units if unit.language == language]
        pairs = [unit.segment_id for unit in here if unit.kind == Segment.PAIR]
        sentences = [unit.segment_id for unit in here if unit.kind == Segment.SENTENCE]
        found = Q()
        if pairs:
            found |= Q(segment__in=pairs)
        if sentences:
            found |= Q(segment__in=_with_sentences(sentences))
        if not found:
            continue
        stages = Stage.objects.filter(project=project, kind=kind, language=language)
        in_language = Unit.objects.filter(found, language=language, kind=Segment.PAIR)
        Item.objects.filter(stage__in=stages, unit__in=in_language).update(unlabelled=_place(language))


def _with_sentences(segments: Sequence[int]) -> object:
    return Pair.objects.filter(Q(premise__in=segments) | Q(hypothesis__in=segments)).values("segment")


def _place(language: str) -> Case:
    both = Pair.objects.filter(
        _is_labelled(language, "premise_id"),
        _is_labelled(language, "hypothesis_id"),
        segment__units=OuterRef("unit_id"),
    )
    silver = Suggestion.objects.filter(unit=OuterRef("unit_id"), kind=SuggestionKind.TRANSFER, is_current=True)
    return Case(
        When(Exists(both), then=Value(BOTH_LABELLED)),
        When(Exists(silver), then=Value(SILVER)),
        default=Value(OTHERS),
    )


def _is_labelled(language: str, segment: str) -> Exists:
    """The sentence has gold, or somebody's finished review."""
    of_sentence = {"unit": OuterRef("pk"), "layer__content_type": Layer.SPANS}
    review = Annotation.objects.filter(**of_sentence, mode=Mode.REVIEW, state=AnnotationState.DONE)
    return Exists(
        Unit.objects.filter(
            # Gold of an import that is not published yet, too: nobody sees its pairs either.
            Exists(review) | Exists(Gold.all_rows.filter(**of_sentence, reopened=False)),
            segment=OuterRef(segment),
            language=language,
            is_current=True,
        )
    )
