"""Gold without anybody's answer under it, on a text that was fixed: what stays is offered, to be decided again."""

from __future__ import annotations

from collections.abc import Collection

from annotator.models import Annotation, Gold, Layer, Project, Suggestion, SuggestionKind, Unit
from annotator.revisions.carrying import carried
from annotator.work.answering.actions.suggestions import refresh_items


def offer_gold(*, project: Project, old: Unit, new: Unit, reopened: Collection[Gold]) -> None:
    """Suggest on the new text what stays of the gold on the old one, in layers where no person's answer goes on to it.

    `reopened`: the gold that stood on the old text until now. Where it was fixed before and nobody decided since, what
    had been decided first is carried over again, so that a text that comes back has all of it. What cannot stay is told
    with the suggestion.
    """
    answered = set(Annotation.objects.filter(unit=old).values_list("layer_id", flat=True))
    decided = {gold.layer_id: gold for gold in reopened}
    offered = Suggestion.objects.filter(unit=old, kind=SuggestionKind.EARLIER_GOLD, is_current=True)
    for layer, base in offered.values_list("layer", "source"):
        if layer not in decided:
            gold = Gold.all_rows.filter(unit=base, layer=layer).select_related("layer", "unit").first()
            if gold is not None:
                decided[layer] = gold
    for layer_id, gold in sorted(decided.items()):
        if layer_id not in answered:
            _suggest(project, gold.layer, gold, new)


def _suggest(project: Project, layer: Layer, gold: Gold, new: Unit) -> None:
    stays = carried(layer, gold.content, gold.unit, new)
    Suggestion.objects.create(
        project=project,
        unit=new,
        layer=layer,
        kind=SuggestionKind.EARLIER_GOLD,
        source=gold.unit,
        content=stays.content,
        detail={"lost": stays.lost},
    )
    refresh_items(project, layer, [new.pk])
