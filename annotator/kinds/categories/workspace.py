"""What the workspace of pairs to categorise is given."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.core.kind_parts import Json
from annotator.core.unit_kinds import parts_of
from annotator.domain.content import VERDICT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.categories.texts import messages, values
from annotator.models import Layer, Stage

# Both sentences of a pair are categorised.
HALVES = 2


def is_judged(layer: Layer) -> bool:
    """Whether a layer has verdicts on pairs."""
    return layer.content_type == VERDICT.slug and layer.unit_kind == UNIT_KIND


def page(stage: Stage) -> Json:
    """What its scripts are configured with."""
    return {
        "parts": parts_of(stage.layer.unit_kind),
        "halves": [_("Sentence %(number)d") % {"number": number} for number in range(1, HALVES + 1)],
        "values": values(stage.layer.scheme_data["values"]),
        "messages": messages(),
    }
