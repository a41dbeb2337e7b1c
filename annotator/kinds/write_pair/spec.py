"""The kinds of work *write-pair* and *write-pair-prompted*, empty pairs, and pairs of figurative sentences."""

from dataclasses import replace

from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import OnDemand
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Part, Workspace
from annotator.core.unit_kinds import SENTENCE, UnitKind
from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.write_pair.slots import DATASET, SLOT, available, create, quota
from annotator.kinds.write_pair.texts import PARTS
from annotator.kinds.write_pair.workspace import item_fields, not_begun, own_texts, page
from annotator.work.answering.queries.own import wrote_the_same

_UNIT_KINDS = (
    UnitKind(slug=SLOT, texts=not_begun),
    UnitKind(
        slug=UNIT_KIND,
        names=ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
        parts=PARTS,
        sentences={0: 2, 1: 3},
        # Of two people who write the same pair, neither judges the other's: it is their own text.
        writers=wrote_the_same,
    ),
)
# Pairs from nothing: a person who asks for one gets an empty one, up to the layer's target for each person.
WRITE = Kind(
    slug="write-pair",
    title=pgettext_lazy("stage", "Write pairs"),
    unit=SLOT,
    layer=LayerSpec(
        slug="pairs",
        name=pgettext_lazy("layer", "written pairs"),
        content_type=FIGURATIVE_PAIR.slug,
        scheme={"target": 0},
        position=10,
    ),
    workspace=Workspace(
        template="kinds/write_pair.html",
        doubt=gettext_lazy("I'm not sure about this pair"),
        item=Part("annotator.kinds.write_pair.serializers.WritePart", item_fields),
        page=page,
        own_texts=own_texts,
        routes="annotator.kinds.write_pair.api.routes",
    ),
    on_demand=OnDemand(create=create, available=available, quota=quota, open_ended=True),
)
# Pairs from the project's sentences: words, captions, frames. Each is written from by as many as wanted.
WRITE_FROM_PROMPTS = replace(
    WRITE,
    slug="write-pair-prompted",
    title=pgettext_lazy("stage", "Write pairs from prompts"),
    unit=SENTENCE.slug,
    layer=replace(WRITE.layer, slug="prompted-pairs", name=pgettext_lazy("layer", "pairs written from prompts")),
    on_demand=None,
)
SPEC = PackageSpec(
    kinds=(WRITE, WRITE_FROM_PROMPTS),
    layer_names={"validity-figurative-pair": pgettext_lazy("layer", "verdicts on figurative pairs")},
    unit_kinds=_UNIT_KINDS,
    datasets={DATASET: pgettext_lazy("dataset", "written here")},
)
