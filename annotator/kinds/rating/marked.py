"""The words of a sentence that are labelled in gold: what is rated where a project labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.models import Gold, Stage, Unit, User
from annotator.queries.blind import blind_units


def marked_words(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, list[int]]:
    """By unit id, the indices of the labelled tokens; none of those on which the user labels blind. Two queries."""
    layer = stage.project.label_layer
    hidden = blind_units(user, stage.project_id, units, layer)
    golds = Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", "content")
    found = {
        unit: sorted({token for span in content["spans"] for token in span["tokens"]})
        for unit, content in golds
        if unit not in hidden
    }
    return {unit.pk: found.get(unit.pk, []) for unit in units}
