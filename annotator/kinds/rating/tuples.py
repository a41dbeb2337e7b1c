"""Tuples of a project's sentences: units of their own, made in blocks from sentences that are in none yet."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils.translation import gettext, ngettext

from annotator.actions.items import enter_stages
from annotator.domain.best_worst import SIZE, UNIT_KIND, make_tuples
from annotator.domain.figurative_pairs import as_tokens
from annotator.kind import Reworded
from annotator.models import Layer, Segment, Stage, Unit

# Sentences of which tuples are made in one request: a thousand tuples.
MOST = 500
RULE = "best-worst"
BATCH = 500


def to_come(stage: Stage) -> int:
    """How many tuples the next block will have; 0 where all sentences are in some, or there are too few."""
    count = _fresh(stage)[:MOST].count()
    return 2 * count if count and _sentences(stage)[:SIZE].count() == SIZE else 0


def too_few(stage: Stage) -> str:
    """That the language has fewer sentences than a tuple, as a sentence; empty where it has enough."""
    number = _sentences(stage)[:SIZE].count()
    if number >= SIZE:
        return ""
    if not number:
        return gettext("Tuples of four need at least four sentences; there are none.")
    return ngettext(
        "Tuples of four need at least four sentences; there is %(number)d.",
        "Tuples of four need at least four sentences; there are %(number)d.",
        number,
    ) % {"number": number}


def make_more(stage: Stage) -> bool:
    """Make the next block of tuples. Returns whether there are new ones; call it in a transaction.

    The sentences of a block are drawn at random, so that blocks can be compared.
    """
    if not to_come(stage):
        return False
    # Two who ask at once: the second one finds what the first has made.
    Layer.objects.select_for_update(no_key=True).get(pk=stage.layer_id)
    chosen = _block(stage)
    if chosen:
        _make(stage, chosen)
    return True


def _sentences(stage: Stage) -> QuerySet[Unit]:
    return Unit.objects.published().filter(
        project=stage.project_id, kind=Segment.SENTENCE, language=stage.language, is_current=True
    )


def _fresh(stage: Stage) -> QuerySet[Unit]:
    """Sentences that are in no tuple. After a revision, the new one is in those of the old one."""
    return _sentences(stage).filter(~Exists(Unit.objects.filter(kind=UNIT_KIND, parents=OuterRef("pk"))))


def _block(stage: Stage) -> list[Unit]:
    """The sentences of the next block; fewer than four new ones are filled up with others."""
    fresh = list(_fresh(stage).order_by("pk").values_list("pk", flat=True))
    random = Random(_last(stage))  # noqa: S311 -- a draw to be repeated, no secret
    # Blocks of about the same size.
    drawn = random.sample(fresh, ceil(len(fresh) / ceil(len(fresh) / MOST))) if fresh else []
    if drawn and len(drawn) < SIZE:
        others = _sentences(stage).exclude(pk__in=drawn).order_by("pk").values_list("pk", flat=True)
        drawn += random.sample(list(others), SIZE - len(drawn))
    return list(Unit.objects.filter(pk__in=drawn).order_by("pk"))


def _last(stage: Stage) -> int:
    """The place of the project's last tuple; 0 where there is none."""
    slots = Segment.objects.filter(project=stage.project_id, kind=UNIT_KIND)
    return slots.aggregate(last=Max("position"))["last"] or 0


def _make(stage: Stage, sentences: Sequence[Unit]) -> None:
    last = _last(stage)
    made = make_tuples(sentences, seed=last)
    segments = Segment.objects.bulk_create(
        [
            Segment(
                project_id=stage.project_id,
                uid=f"{RULE}:{stage.language}:{last + number}",
                kind=UNIT_KIND,
                dataset=RULE,
                position=last + number,
            )
            for number in range(1, len(made) + 1)
        ],
        batch_size=BATCH,
    )
    units = Unit.objects.bulk_create(
        [_unit(segment, parts) for segment, parts in zip(segments, made, strict=True)], batch_size=BATCH
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
    enter_stages(stage.project, units)


def wording(unit: Unit, before: Unit, after: Unit) -> Reworded:
    """How a tuple reads, its sentences being as they are."""
    parts = {parent.segment_id: parent for parent in unit.parents.all()}
    return Reworded(*_lines([parts[segment] for segment in unit.touches[1:]]))


def _lines(parts: Sequence[Unit]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return as_tokens([" ".join(part.text.split()) for part in parts])


def _unit(segment: Segment, parts: Sequence[Unit]) -> Unit:
    tokens, spaces = _lines(parts)
    return Unit(
        project_id=segment.project_id,
        segment=segment,
        kind=UNIT_KIND,
        language=parts[0].language,
        tokens=list(tokens),
        spaces=list(spaces),
        token_count=len(tokens),
        # In the order of its lines: what is scored is found by it.
        touches=[segment.pk, *(part.segment_id for part in parts)],
        rule=RULE,
    )
