"""How far answers and gold reach in each layer and language, from the counters of the stages."""

from __future__ import annotations

from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet, Sum

from annotator.core.intake import Holds
from annotator.core.kind import kind_of
from annotator.domain.content import Written, content_type
from annotator.domain.states import ItemState
from annotator.models import Counter, Layer, Project, Segment, Stage

# So many items of a stage are looked at, at most, where nobody adjudicates.
MAX_COUNTED = 5000
Sums = Mapping[int, tuple[int, int]]
"""By stage, its total and what of it is done."""


@dataclass
class Coverage:
    """How many units a layer has in a language, how many of them are answered, and how many are decided.

    `released`: it is the layer that the published files are written from. `judged`: gold is decided in a stage. `more`:
    at least so many are decided, and nobody knows how many more.
    """

    layer: Layer
    released: bool
    judged: bool = False
    units: int = 0
    answered: int = 0
    decided: int = 0
    more: bool = False

    @property
    def unit_kind(self) -> str:
        """What is answered in the layer."""
        return self.layer.unit_kind


def sums_of(rows: QuerySet[Counter]) -> dict[int, tuple[int, int]]:
    """By stage, its total and what of it is done."""
    summed = rows.order_by().values_list("stage").annotate(Sum("total"), Sum("done"))
    return {stage: (total, done) for stage, total, done in summed}


def reaches(
    stages: Sequence[Stage], sums: Sums, gold: Mapping[int, int] | None = None
) -> dict[tuple[int, str], Coverage]:
    """By layer and language. The stages are all of one project, with their layers.

    `gold`: by stage, how many of its items have gold, where nobody adjudicates (`gold_of_unjudged`).
    A unit that is in two stages counts once: of stages that hold the same part of the units, the larger one counts.
    """
    gold = gold or {}
    units, answered, decided = _Parts(), _Parts(), _Parts()
    found: dict[tuple[int, str], Coverage] = {}
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
        reach = found.setdefault(key, Coverage(stage.layer, stage.layer_id in released))
        total, done = sums.get(stage.pk, (0, 0))
        if stage.adjudicates:
            reach.judged = True
            reach.decided += done
        else:
            holds = kind_of(stage).intake.holds(stage)
            units.add(key, holds, total)
            answered.add(key, holds, done)
            decided.add(key, holds, gold.get(stage.pk, 0))
            reach.more |= gold.get(stage.pk) == MAX_COUNTED
    for key, reach in found.items():
        reach.units, reach.answered = units.of(key), answered.of(key)
        if not reach.judged:
            reach.decided = decided.of(key)
    return found


# Correlated, so that each stage is one look into the index.
_SOME = """
    SELECT id,
        (SELECT COUNT(*) FROM (
            SELECT 1 FROM annotator_item
            WHERE stage_id = annotator_stage.id AND state = %s AND answers_wanted > 0 LIMIT %s) AS with_gold),
        (SELECT COUNT(*) FROM (
            SELECT 1 FROM annotator_item
            WHERE stage_id = annotator_stage.id AND state = %s AND answers_wanted > 0 LIMIT %s) AS without_gold)
    FROM annotator_stage WHERE id IN ({stages})"""


class _Parts:
    """Numbers of the parts of a layer's units that stages hold."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], Counts[Holds]] = defaultdict(Counts)

    def add(self, key: tuple[int, str], holds: Holds, number: int) -> None:
        self._found[key][holds] = max(self._found[key][holds], number)

    def of(self, key: tuple[int, str]) -> int:
        parts = self._found[key]
        # What a projection reached and what none reached make up the whole.
        return max(parts[Holds.PROJECTED] + parts[Holds.UNPROJECTED], *parts.values(), 0)


def units_held(project: Project) -> dict[str, int]:
    """By kind, how many units a project has that get gold or answers: those that people only write from are none of
    them. Two queries, from the counters."""
    stages = list(project.stages.select_related("layer"))
    for stage in stages:
        stage.project = project
    found: dict[tuple[str, str], int] = {}
    for (_layer, language), reach in reaches(stages, sums_of(Counter.objects.filter(project=project))).items():
        if reach.units and not isinstance(content_type(reach.layer.content_type), Written):
            key = (reach.unit_kind, language)
            found[key] = max(found.get(key, 0), reach.units)
    kinds: Counts[str] = Counts()
    for (kind, _language), number in found.items():
        kinds[kind] += number
    return dict(kinds)


def gold_of_unjudged(stages: Iterable[Stage], sums: Sums) -> dict[int, int]:
    """By stage, how many of its items have gold, where nobody adjudicates its layer in its language: so it came with
    files, or agreed answers were accepted. One query at most.

    Counters tell how many items are done; which of these have gold, the items say. At most `MAX_COUNTED` of either
    sort are looked at, by the index of an order: where a stage has more of both, `MAX_COUNTED` is what is known.
    """
    stages = list(stages)
    judged = {(stage.layer_id, stage.language) for stage in stages if stage.adjudicates}
    asked = [
        stage.pk
        for stage in stages
        if (stage.layer_id, stage.language) not in judged
        and sums.get(stage.pk, (0, 0))[1]
        and not isinstance(content_type(stage.layer.content_type), Written)
    ]
    if not asked:
        return {}
    found = {}
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(asked))
        cursor.execute(
            _SOME.format(stages=places), [ItemState.DECIDED, MAX_COUNTED, ItemState.DONE, MAX_COUNTED, *asked]
        )
        for stage, decided, answered in cursor.fetchall():
            done = sums[stage][1]
            found[stage] = done - answered if answered < MAX_COUNTED else decided
    return found
