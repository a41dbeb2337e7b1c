"""What the workspace of pairs to tag is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.templatetags.static import static

from annotator.core.kind_parts import Json
from annotator.domain.labels.tags import Tag
from annotator.domain.states import AnnotationState
from annotator.kinds.pair_tags.sides import PairView, pair_views, sentences_of
from annotator.kinds.pair_tags.texts import messages, tags
from annotator.models import Stage, Unit, User
from annotator.work.answering.queries.workspace import WorkspaceItem


def hypotheses(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, the hypothesis, which names a pair."""
    return {pk: hypothesis.text for pk, (_premise, hypothesis) in sentences_of(units).items() if hypothesis}


def item_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, the pair, and the tag that is proposed."""
    stage = items[0].stage
    blind = {row.unit.pk for row in items if row.blind}
    pairs = pair_views(stage.project, [row.unit for row in items], user, own_only=blind)
    return {
        row.assignment.pk: {
            "pair": pairs[row.unit.pk],
            "may_label": pairs[row.unit.pk].may_label,
            "proposed": Tag.NO_METAPHOR.value if _is_proposed(row, pairs[row.unit.pk]) else None,
        }
        for row in items
    }


def adjudication_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the pair."""
    return {pk: {"pair": pair} for pk, pair in pair_views(stage.project, units, user).items()}


def page(stage: Stage) -> Json:
    """What its scripts are configured with."""
    given: Json = {"values": tags(), "inferences": list(stage.project.inferences), "messages": messages()}
    return {**given, "around": static("kinds/pair_view.js")} if stage.adjudicates else given


def _is_proposed(row: WorkspaceItem, pair: PairView) -> bool:
    """Whether *no metaphor* is proposed on an own item: nobody labelled its sentences, and it is not tagged yet."""
    tagged = row.annotation is not None and row.annotation.state == AnnotationState.DONE
    return pair.without_label and not (row.blind or tagged or row.is_decided or row.assignment.item.answers_done)
