"""What the workspace of texts to judge is given, and of which layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.core.kind_parts import Json
from annotator.core.unit_kinds import parts_of
from annotator.domain.content import Written, content_type
from annotator.domain.content.verdict import LONGEST
from annotator.kinds.validate.question import brings_question
from annotator.kinds.validate.texts import messages, reasons, second_answers
from annotator.models import Layer, Stage, Unit, User
from annotator.work.answering.queries.verdicts import judged_again
from annotator.work.answering.queries.workspace import WorkspaceItem


def is_written(layer: Layer) -> bool:
    """Whether the contents of a layer are texts that can be judged."""
    return isinstance(content_type(layer.content_type), Written)


def item_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, what was said of a text that is judged again."""
    blind = {row.unit.pk for row in items if row.blind}
    again = judged_again([row.unit for row in items], user, blind=blind)
    return {row.assignment.pk: {"again": again.get(row.unit.pk)} for row in items}


def adjudication_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the same."""
    again = judged_again(units, user)
    return {unit.pk: {"again": again.get(unit.pk)} for unit in units}


def page(stage: Stage) -> Json:
    """What its scripts are configured with."""
    return {
        "parts": parts_of(stage.layer.unit_kind),
        "longest": LONGEST,
        "rejections": reasons(stage.layer.scheme_data),
        # Where the kind of texts brings a question, nobody sets another one.
        "brings_question": brings_question(stage.layer.scheme_data),
        "second": second_answers(stage.layer.scheme_data),
        "messages": messages(stage),
    }
