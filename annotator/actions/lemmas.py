"""The index from lemmas and forms to places, and which of them the standing labels cover."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import BooleanField, Case, Value, When

from annotator.domain.content import Content, content_type
from annotator.domain.standing import Answer, standing
from annotator.models import Layer, LemmaPlace, Unit

BATCH = 2000
# Characters of a form or lemma that the index keeps.
LONGEST = 200


def index_places(units: Collection[Unit]) -> None:
    """Write the places of the content words of new units, from the lemmas that are stored with them."""
    LemmaPlace.objects.bulk_create(
        (
            LemmaPlace(
                project_id=unit.project_id,
                language=unit.language,
                lemma=unit.lemmas[index][:LONGEST],
                form=unit.tokens[index].lower()[:LONGEST],
                unit=unit,
                index=index,
            )
            for unit in units
            for index, is_content in enumerate(unit.content_words)
            if is_content
        ),
        batch_size=BATCH,
    )


def mark_places(unit: Unit, layer: Layer, answers: Sequence[Answer], gold: Content | None = None) -> None:
    """Say of the places of a unit whether the labels that stand now cover them. One statement; none without tokens."""
    if not unit.tokens:
        return
    if gold is None:
        found = standing(answers)
        gold = found.content if found else None
    if gold is None:
        LemmaPlace.objects.filter(unit=unit).update(labelled=None)
        return
    covered = content_type(layer.content_type).places(gold)
    LemmaPlace.objects.filter(unit=unit).update(
        labelled=Case(When(index__in=covered, then=Value(True)), default=Value(False), output_field=BooleanField())
        if covered
        else False
    )
