"""What follows from answers to marked words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotator.kinds.substitution.gathering import decide_by_expert, decide_by_votes, offer_words, with_decided_words
from annotator.kinds.substitution.units import words_uid
from annotator.models import Layer, Stage, Unit, User
from annotator.work.derivation.actions.filling import forward


def is_labels(layer: Layer) -> bool:
    """Whether a layer has labels on words."""
    return layer.content_type == Layer.SPANS


def is_substitutes(layer: Layer) -> bool:
    """Whether a layer has words for marked ones."""
    return layer.content_type == "substitute"


def with_imported_words(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Sentences (ids) whose words came in with them. One query."""
    words = {words_uid(unit.segment.uid): unit.pk for unit in units}
    rows = Unit.objects.filter(
        project__in={unit.project_id for unit in units},
        language=stage.language,
        segment__uid__in=words,
        imported__isnull=False,
        is_current=True,
    )
    return [words[uid] for uid in rows.values_list("segment__uid", flat=True)]


def after_substitute(stage: Stage, unit: Unit, by: User | None) -> None:
    """Once all have answered, their words can be voted on and the sentence goes on."""
    if offer_words(stage, unit, by=by):
        forward(stage, unit, by=by)


def are_locked(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Those of the sentences (ids) whose words gold is decided on."""
    return with_decided_words(units)


def after_vote(stage: Stage, unit: Unit, by: User | None) -> None:
    """Make gold of the votes once all are there."""
    decide_by_votes(stage, unit)


def after_expert(stage: Stage, unit: Unit, by: User | None) -> None:
    """Make gold of the expert's answer."""
    decide_by_expert(stage, unit)
