"""What was said of texts that people wrote: why one came back, and what is told of it to who judges it again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from annotator.domain.content.verdict import ACCEPT, VERDICT
from annotator.models import Annotation, AnnotationState, Gold, Unit, User
from annotator.work.answering.verdict_words import reason_words
from annotator.work.queue.queries.reassigned import taken_over
from annotator.work.queue.queries.returned import returns_of, sent_back

Json = dict[str, Any]


def remarks_on(parents: Sequence[Unit], author: User) -> dict[int, list[Json]]:
    """By the unit that somebody answered, what others said of the texts that they had made from it: reason in words,
    suggested texts and comment of each who did not accept it, and `key`, which of the texts it is about
    (`DesiredUnit.key`).

    Of each text it is the newest revision, unless that one stands, and what was sent back since they last finished
    (`sent_back`): where revising it was undone, there are newer ones. Of what was handed over to them, the same is told
    as to the person who left it. Names are not told. Seven queries, two more where something was handed over.
    """
    answers = Annotation.objects.filter(unit__in=parents, user=author, state=AnnotationState.OPEN)
    taken = taken_over(answers)
    links = Unit.parents.through.objects.filter(
        Q(from_unit__author=author)
        | Q(from_unit__author__in={row.user_id for row in taken.values()}, to_unit__in=taken),
        to_unit__in=parents,
    )
    # One that came back stands, whatever was written after it.
    newest: dict[tuple[int, int], Unit] = {}
    parent_of = dict(links.values_list("from_unit_id", "to_unit_id"))
    back = sent_back([*answers.values_list("pk", flat=True), *(row.pk for row in taken.values())]) if parent_of else {}
    sent = {unit for units in back.values() for unit in units}
    remarks = []
    units = Unit.objects.filter(pk__in=parent_of).select_related("segment")
    for unit in units.order_by("is_current", "revision", "pk"):
        newest[parent_of[unit.pk], unit.segment_id] = unit
        if unit.pk in sent:
            remarks.append(unit)
    rejected = {
        unit.pk: (parent_of[unit.pk], unit.segment.uid.rpartition(":")[2])
        for unit in (*remarks, *newest.values())
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


@dataclass(frozen=True, slots=True)
class SentBack:
    """A text that went back to its writer: its lines, and what the writer's comment was then."""

    lines: list[str]
    comment: str


def texts_sent_back(parents: Sequence[Unit], author: User) -> dict[int, list[SentBack]]:
    """By the unit that somebody answered, the texts of theirs, or of the person they took it over from, that went back.

    Four queries at most.
    """
    own = Annotation.objects.filter(unit__in=parents, user=author, state=AnnotationState.OPEN)
    answers = {row.pk: row for row in (*own, *taken_over(own).values())}
    events = returns_of(answers)
    units = Unit.objects.in_bulk([(event.after or {})["unit"] for event in events])
    found: dict[int, list[SentBack]] = {}
    for event in events:
        unit = units[(event.after or {})["unit"]]
        told = SentBack(unit.text.split("\n"), (event.before or {})["comment"] or "")
        found.setdefault(answers[event.subject_id].unit_id, []).append(told)
    return found


def _add(remarks: list[Json], key: str, content: Json, comment: str) -> None:
    remark = {"key": key, "reason": reason_words(content["reason"]), "texts": content["texts"], "comment": comment}
    if content["verdict"] != ACCEPT and remark not in remarks:
        remarks.append(remark)


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """What is told of a text that had gone back to its writer: its lines as they were then, what its writer has said
    since, and what the person said of it themselves, with their comment."""

    before: list[str]
    comment: str
    own: Json | None


def judged_again(units: Sequence[Unit], user: User, *, blind: Collection[int] = ()) -> dict[int, JudgedAgain]:
    """By unit id, for those of the units that stand where another text was sent back. Names are not told.

    On `blind` units (ids), the writer's comment is told only to who had judged the text before: to others it would say
    what somebody else thought of it. No query where no text has a second revision, else five.
    """
    again = {unit.pk: unit for unit in units if unit.revision > 1 and unit.author_id is not None}
    if not again:
        return {}
    # Of all revisions: somebody else may have written an earlier one, whose text was handed over.
    links = Unit.parents.through.objects.filter(
        from_unit__segment__in={unit.segment_id for unit in again.values()},
        to_unit__annotations__user=F("from_unit__author"),
    )
    answered = set(links.values_list("from_unit", "to_unit__annotations"))
    answers = Annotation.objects.in_bulk({answer for _unit, answer in answered})
    # By the unit that went back, the answer that it was made from, and what its writer had said by then.
    went_back = {
        (event.after or {})["unit"]: (answers[event.subject_id], (event.before or {})["comment"] or "")
        for event in returns_of(answers)
    }
    rows = Unit.objects.filter(pk__in=went_back).only("segment_id", "language", "revision", "tokens", "spaces")
    returned = sorted(rows, key=lambda row: row.revision, reverse=True)
    verdicts = {
        row.unit_id: row
        for row in Annotation.objects.filter(
            unit__in=returned, layer__content_type=VERDICT.slug, user=user, state=AnnotationState.DONE
        )
    }
    found = {}
    for unit in again.values():
        earlier = [row for row in returned if _is_before(row, unit)]
        if not earlier:
            continue
        own = next((verdicts[row.pk] for row in earlier if row.pk in verdicts), None)
        answer, comment_then = went_back[earlier[0].pk]
        made_from = (answers[pk] for at, pk in answered if at == unit.pk)
        now = next((row for row in made_from if row.layer_id == answer.layer_id), answer)
        comment = now.comment
        # Anyone who revises it in its writer's place has said nothing before.
        is_new = comment.strip() != (comment_then.strip() if now.user_id == answer.user_id else "")
        is_told = is_new and (own is not None or unit.pk not in blind)
        found[unit.pk] = JudgedAgain(
            before=earlier[0].text.split("\n"),
            comment=comment if is_told else "",
            own=None if own is None else {**own.content, "comment": own.comment},
        )
    return found


def _is_before(row: Unit, unit: Unit) -> bool:
    return (row.segment_id, row.language) == (unit.segment_id, unit.language) and row.revision < unit.revision
