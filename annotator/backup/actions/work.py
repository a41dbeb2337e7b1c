"""What rows of a project backup are held against: the kinds of work that are installed, and texts that are written."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from annotator.core.kind import kinds, layer_for
from annotator.core.presets import LABELS
from annotator.domain.content import SPANS
from annotator.models import Layer, Project, Segment, Unit


@dataclass(slots=True)
class Work:
    """By kind of work, what contents and units it is about; of one that is never alone, whatever units the stage before
    made. `slugs`: the layers of them all."""

    layers: dict[str, tuple[str, str]] = field(default_factory=dict)
    slugs: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)


def installed_work() -> Work:
    """What the kinds of work that are installed would make in a new project. Nothing is kept of it."""
    found = Work()
    with transaction.atomic():
        name = f"-{uuid.uuid4().hex}"
        empty = Project.objects.create(slug=name, name=name, languages=["en"], deleting_at=None)
        Layer.objects.create(project=empty, slug=LABELS, content_type=SPANS.slug, unit_kind=Segment.SENTENCE)
        for kind in kinds():
            layer = layer_for(kind, empty)
            found.layers[kind.slug] = layer.content_type, layer.unit_kind
            found.slugs.add(layer.slug)
            if not kind.intake.standalone:
                found.made.add(kind.slug)
        transaction.set_rollback(True)
    return found


def known_tokens(numbers: Collection[int], id_of: Callable[[int], int | None]) -> dict[int, Sequence[str]]:
    """The tokens of these units of an archive, which are written already."""
    ids = {id_of(number): number for number in numbers}
    rows = Unit.objects.filter(pk__in=[pk for pk in ids if pk is not None]).values_list("pk", "tokens")
    return {ids[pk]: tokens for pk, tokens in rows}
