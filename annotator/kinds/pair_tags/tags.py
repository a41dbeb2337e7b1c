"""The tags and the layer that holds them."""

from __future__ import annotations

from typing import Any

from annotator.domain.labels.tags import Tag
from annotator.models import Layer, Segment

INTERPRETATION: dict[str, Any] = {
    "slug": "interpretation",
    "content_type": Layer.CHOICE,
    "unit_kind": Segment.PAIR,
    "scheme_data": {"values": [tag.value for tag in Tag], "nothing": [Tag.NO_METAPHOR.value]},
    "position": 2,
}
