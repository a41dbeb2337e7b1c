"""What was said of texts that people wrote: why one came back, and how verdicts are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.verdict import ACCEPT, VERDICT
from annotator.models import Annotation, AnnotationState, Gold, Unit, User
from annotator.queries.returned import sent_back

Json = dict[str, Any]


def remarks_on(parents: Sequence[Unit], author: User) -> dict[int, list[Json]]:
    """By the unit that somebody answered, what others said of the texts that they had made from it: reason, suggested
    texts and comment of each who did not accept it, and `key`, which of the texts it is about (`MadeUnit.key`).

    Of each text it is the newest revision, unless that one stands, and what was sent back since they last finished
    (`sent_back`): where mending it was undone, there are newer ones. Names are not told. Six queries.
    """
    links = Unit.parents.through.objects.filter(to_unit__in=parents, from_unit__author=author)
    # One that came back stands, whatever was written after it.
    newest: dict[tuple[int, int], Unit] = {}
    parent_of = dict(links.values_list("from_unit_id", "to_unit_id"))
    back = _sent_back(parents, author) if parent_of else frozenset()
    told = []
    units = Unit.objects.filter(pk__in=parent_of).select_related("segment")
    for unit in units.order_by("is_current", "revision", "pk"):
        newest[parent_of[unit.pk], unit.segment_id] = unit
        if unit.pk in back:
            told.append(unit)
    rejected = {
        unit.pk: (parent_of[unit.pk], unit.segment.uid.rpartition(":")[2])
        for unit in (*told, *newest.values())
        if not unit.is_current
    }
    if not rejected:
        return {}
    found: dict[int, list[Json]] = {}
    verdicts = Annotation.objects.filter(
        unit__in=rejected, layer__content_type=VERDICT.slug, state=AnnotationState.DONE
    ).order_by("pk")
    for pk, content, comment in verdicts.values_list("unit_id", "content", "comment"):
        parent, key = rejected[pk]
        _add(found.setdefault(parent, []), key, content, comment)
    decided = Gold.objects.filter(unit__in=rejected, layer__content_type=VERDICT.slug).order_by("pk")
    for pk, content, reason in decided.values_list("unit_id", "content", "reason"):
        parent, key = rejected[pk]
        _add(found.setdefault(parent, []), key, content, reason)
    return found


def _sent_back(parents: Sequence[Unit], author: User) -> frozenset[int]:
    answers = Annotation.objects.filter(unit__in=parents, user=author, state=AnnotationState.OPEN)
    back = sent_back(list(answers.values_list("pk", flat=True)))
    return frozenset(unit for units in back.values() for unit in units)


def _add(remarks: list[Json], key: str, content: Json, comment: str) -> None:
    remark = {"key": key, "reason": content["reason"], "texts": content["texts"], "comment": comment}
    if content["verdict"] != ACCEPT and remark not in remarks:
        remarks.append(remark)
