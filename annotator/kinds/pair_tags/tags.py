"""The tags and the layer that holds them."""

from __future__ import annotations

from annotator.core.kind_parts import LayerSpec
from annotator.domain.content import CHOICE
from annotator.domain.labels.tags import Tag
from annotator.kinds.pair_tags.texts import value_words
from annotator.models import Layer, Project, Segment, Stage


def _tag_layer(project: Project, made_from: Stage | None) -> Layer | None:
    # What the project remembers may be that it has none.
    project.__dict__.pop("tag_layer", None)
    return project.layers.filter(unit_kind=Segment.PAIR).first()


INTERPRETATION = LayerSpec(
    slug="interpretation",
    content_type=CHOICE.slug,
    scheme={"values": [tag.value for tag in Tag], "nothing": [Tag.NO_METAPHOR.value]},
    position=2,
    find=_tag_layer,
    value_words=value_words,
)
