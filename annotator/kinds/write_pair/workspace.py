"""What the workspace of pairs to write is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from annotator.core.kind_parts import Json
from annotator.core.unit_kinds import parts_of
from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.content.figurative_pair import LONGEST
from annotator.domain.states import AnnotationState
from annotator.kinds.write_pair.slots import SLOT
from annotator.kinds.write_pair.texts import beginning, messages
from annotator.models import Annotation, Stage, Unit, User
from annotator.work.answering.queries.verdicts import remarks_on, texts_sent_back
from annotator.work.answering.queries.workspace import WorkspaceItem


def not_begun(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name empty pairs: by their uid."""
    return {unit.pk: unit.text or unit.segment.uid for unit in units}


def own_texts(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, str]:
    """By unit id, what pairs were written from, else how what the user wrote begins. One query."""
    texts = {unit.pk: unit.text for unit in units}
    empty = [pk for pk, text in texts.items() if not text]
    if empty:
        texts |= dict.fromkeys(empty, _("Nothing is written here yet."))
        rows = Annotation.objects.filter(unit__in=empty, layer=stage.layer_id, user=user)
        written = {pk: beginning(content) for pk, content in rows.values_list("unit_id", "content")}
        texts |= {pk: text for pk, text in written.items() if text}
    return texts


def item_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, what was said of a pair that came back, and the texts that did."""
    open_ones = [row for row in items if row.annotation and row.annotation.state == AnnotationState.OPEN]
    remarks = remarks_on([row.unit for row in open_ones], user) if open_ones else {}
    back = texts_sent_back([row.unit for row in open_ones], user) if remarks else {}
    return {
        row.assignment.pk: {
            "remarks": remarks.get(row.unit.pk, []),
            "sent_back": back.get(row.unit.pk, []),
        }
        for row in items
    }


def page(stage: Stage) -> Json:
    """What its scripts are configured with."""
    return {
        "ahead": 1,
        "longest": LONGEST,
        "parts": parts_of(FIGURATIVE_PAIR.unit_kind)[: FIGURATIVE_PAIR.parts],
        "slots": stage.layer.unit_kind == SLOT,
        "target": stage.layer.scheme_data.get("target", 0),
        "messages": messages(),
    }
