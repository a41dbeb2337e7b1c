"""Which words are content words, told again where a project's list of closed-class words was changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence

from django.db import transaction

from annotator.domain.content import content_type
from annotator.models import Item, LemmaPlace, Project, Segment, Unit
from annotator.work.gold.queries.effective_content import effective_content
from annotator.work.lexicon.actions.lemmas import places

# Sentences that one transaction looks at; it writes those alone whose words changed.
CHUNK = 200


def words_hash(words: Sequence[str] | None) -> str:
    """What tells one list from another in a job's settings; "" for the list that ships."""
    return "" if words is None else hashlib.sha256(json.dumps(sorted(words)).encode()).hexdigest()[:12]


def sentences_with_words(project: Project, language: str) -> list[int]:
    """The ids of all sentences of the language that stand."""
    rows = Unit.objects.filter(project=project, language=language, kind=Segment.SENTENCE, is_current=True)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def changed_sentences(project: Project, units: Collection[int]) -> list[int]:
    """Those of the units whose content words are others by the list that stands now. Writes nothing."""
    now = Project.objects.get(pk=project.pk)
    rows = Unit.objects.filter(pk__in=units, is_current=True).only(
        "language", "tokens", "parts_of_speech", "content_words"
    )
    return [unit.pk for unit in rows if _told(now, unit) != unit.content_words]


@transaction.atomic
def recompute_content_words(*, project: Project, units: Collection[int]) -> int:
    """Store the content words of the units, and their places in the index, by the list that stands now.

    Doing it again changes nothing. Locks the units and their items, as a save does. Returns how many were changed.
    """
    rows = list(Unit.objects.select_for_update(no_key=True).filter(pk__in=units, is_current=True).order_by("pk"))
    # A save marks places under its item's lock.
    items = Item.objects.filter(unit__in=[unit.pk for unit in rows]).order_by("pk")
    list(items.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    now = Project.objects.get(pk=project.pk)
    changed = [unit for unit in rows if _told(now, unit) != unit.content_words]
    for unit in changed:
        unit.content_words = _told(now, unit)
    Unit.objects.bulk_update(changed, ["content_words"])
    LemmaPlace.objects.filter(unit__in=[unit.pk for unit in changed]).delete()
    layer = now.label_layer
    for language in sorted({unit.language for unit in changed}):
        mine = [unit for unit in changed if unit.language == language]
        stands = effective_content(now, layer, language=language, units=[unit.pk for unit in mine])
        kind = content_type(layer.content_type)
        places(mine, {unit: kind.places(content) for unit, content in stands.items()}).run()
    return len(changed)


def _told(project: Project, unit: Unit) -> list[bool]:
    return project.content_words(unit.tokens, unit.language, unit.parts_of_speech)
