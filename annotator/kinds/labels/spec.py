"""The kind of work *correct*."""

from django.utils.translation import pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Unprojected
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Part, Workspace
from annotator.core.unit_kinds import SENTENCE
from annotator.domain.content import SPANS
from annotator.kinds.labels.workspace import adjudication_fields, item_fields, page
from annotator.models import SuggestionKind

_PART = "annotator.kinds.labels.serializers.LabelsPart"

_KINDS = (
    Kind(
        slug="correct",
        title=pgettext_lazy("stage", "Correct labels"),
        unit=SENTENCE.slug,
        layer=LayerSpec(slug="labels", content_type=SPANS.slug, find=lambda project, _made_from: project.label_layer),
        workspace=Workspace(
            template="kinds/labels.html",
            item=Part(_PART, item_fields),
            adjudication=Part(_PART, adjudication_fields),
            page=page,
        ),
        intake=Unprojected(),
        suggestions=(SuggestionKind.PROPOSAL.value, SuggestionKind.EARLIER_GOLD.value, SuggestionKind.PREDICTION.value),
    ),
)
SPEC = PackageSpec(
    kinds=_KINDS,
)
