from __future__ import annotations

from django.utils.translation import pgettext_lazy

from annotator.kind import Holds
from annotator.models import Layer, Project, Segment, Stage, SuggestionKind
from annotator.permissions import Permission


class ProjectionReview:
    """The sentences that a current projection reached."""

    slug = "project-review"
    title = pgettext_lazy("stage", "Review projections")
    unit_kind = Segment.SENTENCE
    suggests = (SuggestionKind.PROJECTION.value,)
    needs = Permission.ANNOTATE
    template = "workspaces/review.html"

    def holds(self, stage: Stage) -> Holds:
        return Holds.PROJECTED

    def layer(self, project: Project) -> Layer:
        return project.label_layer
