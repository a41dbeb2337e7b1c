from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import pgettext_lazy

from annotator.core.kind import Holds, Json, Kind
from annotator.models import Layer, Project, Stage, SuggestionKind, Unit, User
from annotator.work.answering.queries.contexts import item_contexts, stage_contexts
from annotator.work.answering.queries.workspace import WorkspaceItem

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer


class Labels(Kind):
    """Every sentence of a language that nothing is projected onto; of others, those that no projection reached.

    Projections are the main layer's: in another layer of labels it is every sentence.
    """

    slug = "correct"
    title = pgettext_lazy("stage", "Correct")
    suggests = (SuggestionKind.EARLIER_GOLD.value, SuggestionKind.PREDICTION.value)
    template = "kinds/labels.html"

    def layer(self, project: Project) -> Layer:
        return project.label_layer

    def holds(self, stage: Stage) -> Holds:
        project = stage.project
        is_main = stage.layer_id == project.label_layer.pk
        return Holds.UNPROJECTED if is_main and project.sources_of(stage.language) else Holds.ALL

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        around = item_contexts([row.assignment for row in shown], user)
        return {row.assignment.pk: {"context": around[row.unit.pk]} for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.labels.serializers import LabelsPart

        return LabelsPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        around = stage_contexts(stage, units, user)
        return {unit.pk: {"context": around[unit.pk]} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        return {
            "dictionaries": stage.project.dictionaries_for(stage.language),
            "marks_content": stage.project.tells_content_words(stage.language),
        }
