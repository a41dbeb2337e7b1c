"""Writing pairs of figurative sentences that begin alike and mean the opposite: from nothing, or from prompts."""

from django.utils.translation import ngettext_lazy, pgettext_lazy

from annotator.core.kind import (
    register,
    register_dataset_names,
    register_layer_names,
    register_parts,
    register_unit_names,
    register_writers,
)
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.write_pair.kind import WriteFromPrompts, WritePair
from annotator.kinds.write_pair.slots import DATASET
from annotator.kinds.write_pair.texts import PARTS
from annotator.work.answering.queries.own import wrote_the_same

register(WritePair())
register(WriteFromPrompts())
register_layer_names(
    {
        "pairs": pgettext_lazy("layer", "written pairs"),
        "prompted-pairs": pgettext_lazy("layer", "pairs written from prompts"),
        "validity-figurative-pair": pgettext_lazy("layer", "verdicts on figurative pairs"),
    }
)
register_dataset_names({DATASET: pgettext_lazy("dataset", "written here")})
register_unit_names({UNIT_KIND: ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number")})
register_parts(UNIT_KIND, PARTS, sentences={0: 2, 1: 3})
# Of two people who write the same pair, neither judges the other's: it is their own text.
register_writers(UNIT_KIND, wrote_the_same)
