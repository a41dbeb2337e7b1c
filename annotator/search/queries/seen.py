"""The labels on sentences that a reader may see: gold, their own answer, and for who decides that of others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from annotator.domain.content import Content
from annotator.domain.states import AnnotationState, Mode
from annotator.models import Annotation, Gold
from annotator.search.queries.filters import Reader

GOLD, OWN, ANSWER = "gold", "own", "answer"


@dataclass(frozen=True, slots=True)
class Seen:
    """A content, and whose it is: of GOLD, OWN, ANSWER."""

    whose: str
    content: Content

    @property
    def spans(self) -> list[Content]:
        return list(self.content.get("spans", ()))

    def covers(self, token: int) -> bool:
        return any(token in span["tokens"] for span in self.spans)


def seen_on(reader: Reader, units: Collection[int], blind: Collection[int]) -> Mapping[int, list[Seen]]:
    """By unit, all content that the reader may see, the effective one first. `blind`: the units on which they see only
    their answer. Two statements."""
    if reader.layer is None or not units:
        return {}
    found: dict[int, list[Seen]] = {}
    if reader.sees_gold:
        decided = Gold.objects.filter(unit__in=units, layer=reader.layer)
        for unit, content in decided.values_list("unit_id", "content"):
            if unit not in blind:
                found.setdefault(unit, []).append(Seen(GOLD, content))
    answers = Annotation.objects.filter(unit__in=units, layer=reader.layer)
    if not reader.decides:
        answers = answers.filter(user=reader.user)
    others: dict[int, list[tuple[bool, Seen]]] = {}
    # Sorted here: SQLite would read all answers there are for the order of these.
    rows = sorted(answers.values_list("pk", "unit_id", "user_id", "mode", "state", "content"), key=lambda row: row[0])
    for _pk, unit, user, mode, state, content in rows:
        if user == reader.user.pk:
            found.setdefault(unit, []).append(Seen(OWN, content))
        elif unit not in blind and state == AnnotationState.DONE:
            others.setdefault(unit, []).append((mode != Mode.REVIEW, Seen(ANSWER, content)))
    for unit, theirs in others.items():
        # Of several, a reviewer's stands.
        found.setdefault(unit, []).extend(one for _blind, one in sorted(theirs, key=lambda pair: pair[0]))
    return found
