from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.templatetags.static import static
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.kind import Json, Kind
from annotator.domain.labels.tags import Tag
from annotator.domain.states import AnnotationState
from annotator.kinds.pair_tags.order import place_pairs
from annotator.kinds.pair_tags.sides import PairView, pair_views, sentences_of
from annotator.kinds.pair_tags.tags import INTERPRETATION
from annotator.kinds.pair_tags.texts import messages, tags
from annotator.models import Layer, Project, Segment, Stage, SuggestionKind, Unit, User
from annotator.work.answering.queries.workspace import WorkspaceItem

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer


class PairTags(Kind):
    """Every pair that has both its sentences in the language."""

    slug = "pair-tag"
    title = pgettext_lazy("stage", "Tag pairs")
    doubt = gettext_lazy("I am in doubt about this pair")
    unit_kind = Segment.PAIR
    suggests = (SuggestionKind.TRANSFER.value,)
    template = "kinds/pair_tags.html"

    def layer(self, project: Project) -> Layer:
        found = project.tag_layer
        if found is None:
            found = Layer.objects.create(project=project, **INTERPRETATION)
            del project.tag_layer
        return found

    def place(self, project: Project, units: Sequence[Unit]) -> None:
        place_pairs(project, units, kind=self.slug)

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        """A pair is named by its hypothesis."""
        return {pk: hypothesis.text for pk, (_premise, hypothesis) in sentences_of(units).items() if hypothesis}

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        stage = shown[0].stage
        blind = {row.unit.pk for row in shown if row.blind}
        pairs = pair_views(stage.project, [row.unit for row in shown], user, own_only=blind)
        return {
            row.assignment.pk: {
                "pair": pairs[row.unit.pk],
                "proposed": Tag.NO_METAPHOR.value if _is_proposed(row, pairs[row.unit.pk]) else None,
            }
            for row in shown
        }

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.pair_tags.serializers import PairPart

        return PairPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        return {pk: {"pair": pair} for pk, pair in pair_views(stage.project, units, user).items()}

    def adjudication_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.pair_tags.serializers import PairAdjudicationPart

        return PairAdjudicationPart

    def page(self, stage: Stage) -> Json:
        given: Json = {"values": tags(), "messages": messages()}
        return {**given, "around": static("kinds/pair_view.js")} if stage.adjudicates else given

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.pair_tags.api import routes

        return routes


def _is_proposed(row: WorkspaceItem, pair: PairView) -> bool:
    """Whether *no metaphor* is proposed on an own item: nobody labelled its sentences, and it is not tagged yet."""
    tagged = row.annotation is not None and row.annotation.state == AnnotationState.DONE
    return pair.without_label and not (row.blind or tagged or row.is_decided or row.assignment.item.answers_done)
