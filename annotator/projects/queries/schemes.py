"""The versions that a layer's scheme has had."""

from __future__ import annotations

from annotator.domain.verbs import Verb
from annotator.models import Event, Layer

MAX_VERSIONS = 50


def scheme_versions(layer: Layer) -> list[Event]:
    """The changes of a layer's scheme, the latest first: who, when, and version and scheme before and after."""
    rows = Event.objects.filter(subject_type="layer", subject_id=layer.pk, verb=Verb.SCHEME_CHANGE)
    return list(rows.select_related("actor").order_by("-pk")[:MAX_VERSIONS])
