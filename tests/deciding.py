"""Decisions of gold for tests that are not about what they were chosen from: as if each was written by hand."""

from __future__ import annotations

from typing import Any

from annotator.domain.choosing import Chosen
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Gold, Layer, Unit
from annotator.work.gold.actions import gold


def by_hand(unit: int, layer: Layer) -> Chosen:
    """All answers that stand were seen, none was taken."""
    rows = list(Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE).order_by("pk"))
    tokens = Unit.objects.values_list("tokens", flat=True).filter(pk=unit).first() or []
    found = content_type(layer.content_type).differences([row.content for row in rows], tokens=tokens)
    return Chosen({row.pk: row.version for row in rows}, None, {one.key: None for one in found}, edited=True)


def decide_gold(*, unit: int, layer: Layer, **given: Any) -> Gold:
    """`actions.gold.decide_gold`, by hand; the first decision in the layer's project, unless `given` says otherwise."""
    given = {"project": layer.project, "version": 0, **given}
    return gold.decide_gold(unit=unit, layer=layer, chosen=by_hand(unit, layer), **given)


def sent(chosen: Chosen) -> dict[str, Any]:
    """As a call sends it."""
    return {
        "answers": [{"id": pk, "version": version} for pk, version in chosen.answers.items()],
        "all": chosen.all,
        "differences": [{"key": key, "answer": answer} for key, answer in chosen.differences.items()],
        "edited": chosen.edited,
    }


def chosen_by_hand(item: dict[str, Any]) -> dict[str, Any]:
    """What a decision on an item of the queue sends when nothing of any answer is taken."""
    return sent(
        Chosen(
            {one["id"]: one["version"] for one in item["answers"]},
            None,
            {one["key"]: None for one in item["differences"]},
            edited=True,
        )
    )


def taking(item: dict[str, Any], place: int = 0) -> dict[str, Any]:
    """What a decision sends that takes one of the answers as a whole, by its place."""
    return {**chosen_by_hand(item), "all": item["answers"][place]["id"], "differences": [], "edited": False}
