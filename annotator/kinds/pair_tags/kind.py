from __future__ import annotations

from django.utils.translation import pgettext_lazy

from annotator.kind import Holds
from annotator.kinds.pair_tags.tags import INTERPRETATION
from annotator.models import Layer, Project, Segment, Stage, SuggestionKind
from annotator.permissions import Permission


class PairTags:
    """Every pair that has both its sentences in the language."""

    slug = "pair-tag"
    title = pgettext_lazy("stage", "Tag pairs")
    unit_kind = Segment.PAIR
    suggests = (SuggestionKind.TRANSFER.value,)
    needs = Permission.ANNOTATE
    template = "workspaces/pair_tag.html"

    def holds(self, stage: Stage) -> Holds:
        return Holds.ALL

    def layer(self, project: Project) -> Layer:
        found = project.tag_layer
        if found is None:
            found = Layer.objects.create(project=project, **INTERPRETATION)
            del project.tag_layer
        return found
