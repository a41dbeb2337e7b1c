"""The kind of work *pair-tag*, and pairs of sentences."""

from functools import partial

from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.kind import Kind
from annotator.core.kind_parts import Part, Workspace
from annotator.core.unit_kinds import UnitKind
from annotator.kinds.pair_tags.order import place_pairs
from annotator.kinds.pair_tags.tags import INTERPRETATION
from annotator.kinds.pair_tags.workspace import adjudication_fields, hypotheses, item_fields, page
from annotator.models import Segment, SuggestionKind

_SLUG = "pair-tag"
_PACKAGE = "annotator.kinds.pair_tags"

_UNIT_KINDS = (
    UnitKind(
        slug=Segment.PAIR,
        names=ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
        texts=hypotheses,
        order=partial(place_pairs, kind=_SLUG),
    ),
)
_KINDS = (
    Kind(
        slug=_SLUG,
        title=pgettext_lazy("stage", "Tag pairs"),
        unit=Segment.PAIR,
        layer=INTERPRETATION,
        workspace=Workspace(
            template="kinds/pair_tags.html",
            doubt=gettext_lazy("I'm not sure about this pair"),
            item=Part(f"{_PACKAGE}.serializers.PairPart", item_fields),
            adjudication=Part(f"{_PACKAGE}.serializers.PairAdjudicationPart", adjudication_fields),
            page=page,
            routes=f"{_PACKAGE}.api.routes",
        ),
        suggestions=(SuggestionKind.TRANSFER.value,),
    ),
)
SPEC = PackageSpec(
    kinds=_KINDS,
    unit_kinds=_UNIT_KINDS,
)
