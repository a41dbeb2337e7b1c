"""Tuples of a project's sentences or marked expressions: units of their own, made in blocks of what is in none yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils.translation import gettext, ngettext

from annotator.core.unit_kinds import Reworded
from annotator.domain.agreement.best_worst import SIZE, UNIT_KIND, make_tuples
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.kinds.rating.derivation import rule_of
from annotator.kinds.rating.expressions import TUPLE_KIND
from annotator.kinds.rating.expressions import UNIT_KIND as MARKED
from annotator.models import Layer, Segment, Stage, Unit
from annotator.work.queue.actions.items import enter, enter_stages

# Sentences of which tuples are made in one request: a thousand tuples.
MAX_TEXTS = 500
# How tuples of sentences came about. Those of expressions have the rule of these: only what is of one sort is compared.
RULE = "best-worst"
BATCH = 500


def marked_in(stage: Stage) -> str:
    """By which rule the expressions of a stage came about."""
    layer = stage.made_from.layer if stage.made_from is not None else None
    return "" if layer is None else rule_of(layer.slug, layer.content_type, layer.unit_kind)


@dataclass(frozen=True, slots=True)
class _Pool:
    """What the tuples of a stage are made from: the units of one kind, in one language, that came about by one rule."""

    stage: Stage
    tuple_kind: str
    # The beginning of uids, and the dataset.
    name: str
    part_kind: str
    rule: str

    def parts(self) -> QuerySet[Unit]:
        units = Unit.objects.published().filter(
            project=self.stage.project_id, kind=self.part_kind, language=self.stage.language, is_current=True
        )
        return units if self.part_kind == Segment.SENTENCE else units.filter(rule=self.rule)

    def fresh(self) -> QuerySet[Unit]:
        """Those that are in no tuple. After a revision, the new one is in those of the old one."""
        tuples = Unit.objects.filter(kind=self.tuple_kind, is_current=True, parents=OuterRef("pk"))
        return self.parts().filter(~Exists(tuples))

    def last(self) -> int:
        """The place of the project's last tuple; 0 where there is none."""
        slots = Segment.objects.filter(project=self.stage.project_id, kind=self.tuple_kind)
        return slots.aggregate(last=Max("position"))["last"] or 0

    def enter(self, tuples: Sequence[Unit]) -> None:
        """Let new tuples enter all stages that compare such parts, whatever the scale."""
        if self.part_kind == Segment.SENTENCE:
            enter_stages(self.stage.project, tuples)
            return
        stages = self.stage.project.stages.filter(kind=self.stage.kind, language=self.stage.language)
        for stage in stages.select_related("layer", "project", "made_from__layer"):
            if marked_in(stage) == self.rule:
                enter(stage, tuples)


def _pool(stage: Stage) -> _Pool:
    if stage.layer.unit_kind == UNIT_KIND:
        return _Pool(stage, UNIT_KIND, RULE, Segment.SENTENCE, RULE)
    return _Pool(stage, TUPLE_KIND, TUPLE_KIND, MARKED, marked_in(stage))


def to_come(stage: Stage) -> int:
    """How many tuples the next block will have; 0 where all there is is in some, or there is too little."""
    pool = _pool(stage)
    count = pool.fresh()[:MAX_TEXTS].count()
    return 2 * count if count and pool.parts()[:SIZE].count() == SIZE else 0


def too_few(stage: Stage) -> str:
    """That the language has fewer sentences than a tuple, as a sentence; empty where it has enough."""
    number = _pool(stage).parts()[:SIZE].count()
    if number >= SIZE:
        return ""
    if not number:
        return gettext("Tuples of four need at least four sentences, but there are none.")
    return ngettext(
        "Tuples of four need at least four sentences, but there is %(number)d.",
        "Tuples of four need at least four sentences, but there are %(number)d.",
        number,
    ) % {"number": number}


def too_few_expressions(stage: Stage) -> str:
    """The same of marked expressions; empty where there are none, too: then something else comes first."""
    number = _pool(stage).parts()[:SIZE].count()
    if not 0 < number < SIZE:
        return ""
    return ngettext(
        "Tuples of four need at least four marked expressions, but there is %(number)d.",
        "Tuples of four need at least four marked expressions, but there are %(number)d.",
        number,
    ) % {"number": number}


def make_more(stage: Stage) -> bool:
    """Make the next block of tuples. Returns whether there are new ones; call it in a transaction.

    The parts of a block are drawn at random, so that blocks can be compared.
    """
    if not to_come(stage):
        return False
    pool = _pool(stage)
    # Two who ask at once, on whatever scale: the second one finds what the first has made.
    layers = Layer.objects.filter(project=stage.project_id, unit_kind=pool.tuple_kind)
    list(layers.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    chosen = _block(pool)
    if chosen:
        _make(pool, chosen)
    return True


def _block(pool: _Pool) -> list[Unit]:
    """The parts of the next block; fewer than four new ones are filled up with others."""
    fresh = list(pool.fresh().order_by("pk").values_list("pk", flat=True))
    random = Random(pool.last())  # noqa: S311 -- a draw to be repeated, no secret
    # Blocks of about the same size.
    drawn = random.sample(fresh, ceil(len(fresh) / ceil(len(fresh) / MAX_TEXTS))) if fresh else []
    if drawn and len(drawn) < SIZE:
        others = pool.parts().exclude(pk__in=drawn).order_by("pk").values_list("pk", flat=True)
        drawn += random.sample(list(others), SIZE - len(drawn))
    return list(Unit.objects.filter(pk__in=drawn).order_by("pk"))


def _make(pool: _Pool, chosen: Sequence[Unit]) -> None:
    last = pool.last()
    made = make_tuples(chosen, seed=last)
    segments = Segment.objects.bulk_create(
        [
            Segment(
                project_id=pool.stage.project_id,
                uid=f"{pool.name}:{pool.stage.language}:{last + number}",
                kind=pool.tuple_kind,
                dataset=pool.name,
                position=last + number,
            )
            for number in range(1, len(made) + 1)
        ],
        batch_size=BATCH,
    )
    units = Unit.objects.bulk_create(
        [_unit(pool, segment, parts) for segment, parts in zip(segments, made, strict=True)], batch_size=BATCH
    )
    link = Unit.parents.through
    link.objects.bulk_create(
        [
            link(from_unit_id=unit.pk, to_unit_id=part.pk)
            for unit, parts in zip(units, made, strict=True)
            for part in parts
        ],
        batch_size=BATCH,
    )
    pool.enter(units)


def parts_in(touches: Sequence[int]) -> list[int]:
    """Of what a tuple touches, the segments of its parts, in the order of its lines."""
    return list(touches[1 : 1 + SIZE])


def parts_of(tuples: Sequence[Unit]) -> dict[int, list[Unit]]:
    """By tuple (id), its parts in the order of its lines, with their segments; [] for one whose parts have gone on to
    other texts. One query."""
    links = Unit.parents.through.objects.filter(from_unit__in=tuples).select_related("to_unit__segment")
    found: dict[int, dict[int, Unit]] = {one.pk: {} for one in tuples}
    for link in links:
        found[link.from_unit_id][link.to_unit.segment_id] = link.to_unit
    wanted = {one.pk: parts_in(one.touches) for one in tuples}
    return {
        pk: [found[pk][segment] for segment in segments] if found[pk].keys() >= set(segments) else []
        for pk, segments in wanted.items()
    }


def wording(unit: Unit, before: Unit, after: Unit) -> Reworded:
    """How a tuple reads, its parts being as they are."""
    parts = {parent.segment_id: parent for parent in unit.parents.all()}
    # An expression whose words stand elsewhere now has another segment.
    moved = {before.segment_id: after.segment_id}
    return Reworded(*_lines([parts[moved.get(segment, segment)] for segment in parts_in(unit.touches)]))


def _lines(parts: Sequence[Unit]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return as_tokens([" ".join(part.text.split()) for part in parts])


def _unit(pool: _Pool, segment: Segment, parts: Sequence[Unit]) -> Unit:
    tokens, spaces = _lines(parts)
    # In the order of its lines: what is scored is found by it. Then the sentences of expressions: blind work asks.
    own = [part.segment_id for part in parts]
    sentences = [one for part in parts for one in part.touches]
    return Unit(
        project_id=segment.project_id,
        segment=segment,
        kind=pool.tuple_kind,
        language=parts[0].language,
        tokens=list(tokens),
        spaces=list(spaces),
        token_count=len(tokens),
        touches=list(dict.fromkeys([segment.pk, *own, *sentences])),
        rule=pool.rule,
    )
