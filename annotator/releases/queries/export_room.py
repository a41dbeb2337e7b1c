"""The content of an export that each format can store."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Format
from annotator.models import Layer, Segment
from annotator.releases.queries.label_export import writers

_NAMES = {
    Feature.LABELS: gettext_lazy("labels"),
    Feature.VALUES: gettext_lazy("categories of sentences"),
    Feature.PAIRS: gettext_lazy("pairs and their tags"),
}


def is_written(layer: Layer) -> bool:
    """Whether formats have room for a layer of its sort at all."""
    on_sentences = layer.unit_kind == Segment.SENTENCE and layer.content_type in (Layer.SPANS, Layer.CHOICE)
    return on_sentences or (layer.unit_kind == Segment.PAIR and layer.content_type == Layer.CHOICE)


def why_not_written(one: Format, layer: Layer | None, languages: Sequence[str], *, undecided: bool) -> str:
    """Why the format has no room for the layer (None: the text alone) in these languages, as a sentence that says what
    to choose instead; empty where it has."""
    if len(languages) > 1 and Feature.LANGUAGES not in one.keeps:
        return _("%(format)s can store only one language. Choose one of: %(names)s.") % {
            "format": one.slug,
            "names": ", ".join(languages),
        }
    needed = None if layer is None else _feature(layer)
    if needed is not None and needed not in one.keeps:
        return _("%(format)s cannot store %(what)s. Choose one of: %(names)s.") % {
            "format": one.slug,
            "what": _NAMES[needed],
            "names": ", ".join(slug for slug, other in writers().items() if needed in other.keeps),
        }
    # What nobody has decided must not look as if somebody had found no label there.
    some_without = undecided or needed != Feature.LABELS
    if some_without and Feature.LABELS in one.keeps and Feature.UNDECIDED not in one.keeps:
        return _(
            "%(format)s cannot tell a sentence without labels from one that nobody has decided. Leave out what is "
            "undecided, or choose one of: %(names)s."
        ) % {
            "format": one.slug,
            "names": ", ".join(slug for slug, other in writers().items() if Feature.UNDECIDED in other.keeps),
        }
    return ""


def _feature(layer: Layer) -> Feature:
    if layer.content_type == Layer.SPANS:
        return Feature.LABELS
    return Feature.PAIRS if layer.unit_kind == Segment.PAIR else Feature.VALUES
