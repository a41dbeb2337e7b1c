"""Which marked words follow from labels, and what follows from answers to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotator.core.intake import MadeUnit
from annotator.core.kind import source_layer
from annotator.domain.labels.label_uses import replaceable_labels
from annotator.domain.text.marked import mark_token
from annotator.domain.text.tokens import is_punctuation
from annotator.kinds.substitution.gathering import decide_by_expert, decide_by_votes, gather, with_decided_words
from annotator.kinds.substitution.units import MARKED, words_uid
from annotator.models import Annotation, Layer, Stage, Unit, User
from annotator.work.derivation.actions.chains import pass_on


def is_labels(layer: Layer) -> bool:
    """Whether a layer has labels on words."""
    return layer.content_type == Layer.SPANS


def is_substitutes(layer: Layer) -> bool:
    """Whether a layer has words for marked ones."""
    return layer.content_type == "substitute"


def marked_words(stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
    """The sentence of an answer, once for each single word that is labelled in it."""
    if "spans" not in annotation.content:
        return ()
    unit = annotation.unit
    source = source_layer(stage)
    labels = replaceable_labels(source.scheme) if source is not None else frozenset()
    spans = [span for span in annotation.content["spans"] if span["label"] in labels]
    words = {span["tokens"][0] for span in spans if len(span["tokens"]) == 1}
    found = []
    for position in sorted(words):
        if is_punctuation(unit.tokens[position]):
            continue
        tokens, spaces, at = mark_token(unit.tokens, unit.spaces, position).tokens()
        found.append(MadeUnit(MARKED, tuple(tokens), tuple(spaces), key=str(at)))
    return found


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
    if gather(stage, unit, by=by):
        pass_on(stage, unit, by=by)


def are_locked(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Those of the sentences (ids) whose words gold is decided on."""
    return with_decided_words(units)


def after_vote(stage: Stage, unit: Unit, by: User | None) -> None:
    """Make gold of the votes once all are there."""
    decide_by_votes(stage, unit)


def after_expert(stage: Stage, unit: Unit, by: User | None) -> None:
    """Make gold of the expert's answer."""
    decide_by_expert(stage, unit)
