"""How far gold reaches in each layer and language, from the counters of the stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from annotator.kind import Holds, kind_of
from annotator.models import Counter, Layer, Segment, Stage


@dataclass
class Reach:
    """How many units a layer has in a language, and how many of them are decided.

    `released`: it is the layer that the published files are written from.
    """

    unit_kind: str
    released: bool
    units: int = 0
    decided: int = 0


def sums_of(rows: QuerySet[Counter]) -> dict[int, tuple[int, int]]:
    """By stage, its total and what of it is done."""
    summed = rows.order_by().values_list("stage").annotate(Sum("total"), Sum("done"))
    return {stage: (total, done) for stage, total, done in summed}


def reaches(stages: Sequence[Stage], sums: Mapping[int, tuple[int, int]]) -> dict[tuple[int, str], Reach]:
    """By layer and language. The stages are all of one project, with their layers.

    A unit that is in two stages counts once: of stages that hold the same part of the units, the larger one counts.
    """
    parts: dict[tuple[int, str], dict[Holds, int]] = defaultdict(lambda: defaultdict(int))
    found: dict[tuple[int, str], Reach] = {}
    # As `Project.label_layer` and `Project.tag_layer` have it, without asking for each project.
    layers = sorted({stage.layer for stage in stages}, key=lambda layer: (layer.position, layer.pk))
    main = next((layer for layer in layers if layer.content_type == Layer.SPANS), None)
    for stage in stages:
        if main is not None:
            # Which part of the units a stage holds hangs on it.
            stage.project.__dict__.setdefault("label_layer", main)
    released = {
        main.pk if main is not None else None,
        next((layer.pk for layer in layers if layer.unit_kind == Segment.PAIR), None),
    }
    for stage in stages:
        key = (stage.layer_id, stage.language)
        reach = found.setdefault(key, Reach(stage.layer.unit_kind, stage.layer_id in released))
        total, done = sums.get(stage.pk, (0, 0))
        if stage.adjudicates:
            reach.decided += done
        else:
            holds = kind_of(stage).holds(stage)
            parts[key][holds] = max(parts[key][holds], total)
    for key, by_part in parts.items():
        found[key].units = max(
            by_part[Holds.ALL], by_part[Holds.PROJECTED] + by_part[Holds.UNPROJECTED], by_part[Holds.MADE]
        )
    return found
