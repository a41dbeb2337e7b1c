"""The finished answers of layers without gold, as releases have them in JSON Lines, under names that are nobody's.

What is counted of such answers (ratings, scores, repeated words, agreement) can be counted again from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from annotator.domain.content import Written, content_type
from annotator.models import Annotation, AnnotationState, Gold, Layer, Project, Stage, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.queries.gold_records import beside, by_name, further_layers, in_order, seen, text_record
from annotator.work.gold.queries.withheld import repeats_withheld, withheld


def answered_layers(project: Project) -> list[Layer]:
    """The layers whose answers stand as they are: nobody decides there, and none of them becomes a text."""
    layers = [layer for layer in further_layers(project) if not isinstance(content_type(layer.content_type), Written)]
    decided = {
        *Gold.objects.filter(layer__in=layers, unit__is_current=True).values_list("layer_id", flat=True).distinct(),
        *Stage.objects.filter(layer__in=layers, kind=Stage.ADJUDICATE).values_list("layer_id", flat=True),
    }
    return [layer for layer in layers if layer.pk not in decided]


def answer_records(
    layer: Layer, names: Mapping[int, str], *, comments: bool = False, words: bool = True
) -> Iterator[dict[str, Any]]:
    """Every unit of the layer that somebody answered, as `layer_records` has it, with its answers by name.

    `parents` of a tuple are its parts in their order: those that the numbers of an answer count.
    """
    people: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    fields = ("unit_id", "user_id", "mode", "context", "content", "doubt", "comment")
    for answered, user, mode, context, content, doubt, comment in _finished([layer]).values_list(*fields).iterator():
        row = {"annotator": names[user], **seen(mode, context), "content": in_order(content)}
        people[answered].append(row | beside(doubt, comment, comments))
    kept_back = withheld(layer.project) if words else ()
    parents = _parents(layer)
    units = Unit.objects.published().filter(pk__in=_finished([layer]).order_by().values("unit"))
    for unit in units.select_related("segment").order_by("segment__position", "language", "pk").iterator(1000):
        if repeats_withheld(unit, kept_back):
            continue
        made_from = sorted(parents[unit.pk], key=lambda parent: _place(unit.touches, parent[0]))
        yield {
            "uid": unit.segment.uid,
            "kind": unit.kind,
            "language": unit.language,
            "revision": unit.revision,
            "dataset": unit.segment.dataset,
            "group": unit.segment.group,
            "parents": [uid for _segment, uid in made_from],
            **text_record(unit, words=words),
            "annotations": by_name(people[unit.pk]),
        }


def _finished(layers: Sequence[Layer]) -> QuerySet[Annotation]:
    """People's finished answers on current texts."""
    return Annotation.objects.filter(
        PUBLISHED, layer__in=layers, state=AnnotationState.DONE, unit__is_current=True
    ).order_by("unit_id", "pk")


def _parents(layer: Layer) -> Mapping[int, list[tuple[int, str]]]:
    """By unit, the segments (with their uids) of the units that it was made from."""
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    links = Unit.parents.through.objects.filter(from_unit__annotations__layer=layer).order_by("pk").distinct()
    rows = links.values_list("pk", "from_unit_id", "to_unit__segment_id", "to_unit__segment__uid")
    for _pk, made, segment, uid in rows:
        found[made].append((segment, uid))
    return found


def _place(touches: Sequence[int], segment: int) -> int:
    return touches.index(segment) if segment in touches else len(touches)
