"""Suggestions of people on items of others, until somebody finishes an answer there."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.states import AnnotationState, AssignmentState, Mode
from annotator.models import Annotation, Assignment, Suggestion, SuggestionKind
from annotator.search.queries.filters import Reader

COUNTED = 100


def open_proposals(reader: Reader) -> QuerySet[Suggestion]:
    """Those of the project that nobody has answered since."""
    since = Annotation.objects.filter(
        unit=OuterRef("unit"),
        layer=OuterRef("layer"),
        state=AnnotationState.DONE,
        updated_at__gt=OuterRef("created_at"),
    )
    rows = Suggestion.objects.filter(
        project=reader.project, layer=reader.layer, kind=SuggestionKind.PROPOSAL, is_current=True
    )
    return rows.filter(~Exists(since))


def proposed_to(reader: Reader) -> int:
    """How many of the reader's own sentences have one, at most COUNTED; none of their blind work. One statement."""
    if reader.layer is None:
        return 0
    own = Assignment.objects.filter(unit=OuterRef("unit"), user=reader.user, mode=Mode.REVIEW)
    rows = open_proposals(reader).filter(Exists(own.exclude(state=AssignmentState.RETURNED)))
    return len(rows.values_list("pk")[:COUNTED])
