"""The kind of work *project-review*."""

from django.utils.translation import pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Projected
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Part, Workspace
from annotator.core.unit_kinds import SENTENCE
from annotator.domain.content import SPANS
from annotator.kinds.projection_review.workspace import adjudication_fields, item_fields, page
from annotator.models import SuggestionKind

_SERIALIZERS = "annotator.kinds.projection_review.serializers"

_KINDS = (
    Kind(
        slug="project-review",
        title=pgettext_lazy("stage", "Review projections"),
        unit=SENTENCE.slug,
        layer=LayerSpec(slug="labels", content_type=SPANS.slug, find=lambda project, _made_from: project.label_layer),
        workspace=Workspace(
            template="kinds/projection_review.html",
            item=Part(f"{_SERIALIZERS}.ReviewPart", item_fields),
            adjudication=Part(f"{_SERIALIZERS}.ReviewAdjudicationPart", adjudication_fields),
            page=page,
            routes="annotator.kinds.projection_review.api.routes",
        ),
        intake=Projected(),
        suggestions=(SuggestionKind.EARLIER_GOLD.value, SuggestionKind.PROJECTION.value, SuggestionKind.PROPOSAL.value),
    ),
)
SPEC = PackageSpec(
    kinds=_KINDS,
)
