from __future__ import annotations

from django.utils.translation import pgettext_lazy

from annotator.kind import Holds
from annotator.models import Layer, Project, Segment, Stage, SuggestionKind
from annotator.permissions import Permission


class Labels:
    """Every sentence of the source language; of other languages, those that no projection reached."""

    slug = "correct"
    title = pgettext_lazy("stage", "Correct")
    unit_kind = Segment.SENTENCE
    suggests = (SuggestionKind.PREDICTION.value,)
    needs = Permission.ANNOTATE
    template = "workspaces/correct.html"

    def holds(self, stage: Stage) -> Holds:
        return Holds.ALL if stage.language == stage.project.source_language else Holds.UNPROJECTED

    def layer(self, project: Project) -> Layer:
        return project.label_layer
