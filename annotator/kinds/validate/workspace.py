"""What the workspace of texts to judge is given, and which texts are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.core.intake import MadeUnit
from annotator.core.kind_parts import Json
from annotator.core.unit_kinds import parts_of
from annotator.domain.content import Written, content_type
from annotator.domain.content.verdict import LONGEST
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.domain.stable_shuffle import stable_shuffle
from annotator.kinds.validate.question import brings_question
from annotator.kinds.validate.texts import messages, reasons, second_answers
from annotator.models import Annotation, Layer, Stage, Unit, User
from annotator.work.answering.queries.verdicts import judged_again
from annotator.work.answering.queries.workspace import WorkspaceItem


def is_written(layer: Layer) -> bool:
    """Whether the contents of a layer are texts that can be judged."""
    return isinstance(content_type(layer.content_type), Written)


def written_texts(stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
    """The texts of a finished answer, each a unit."""
    written = content_type(annotation.layer.content_type)
    if not isinstance(written, Written):
        return ()
    texts = written.texts(annotation.content, annotation.unit.text)
    # Those who judge them are shown numbers that count on: they must not tell which of the texts one is.
    return [
        MadeUnit(written.unit_kind, *as_tokens(text.lines), key=text.key, indexed=True, rule=text.rule)
        for text in sorted(texts, key=lambda text: stable_shuffle(f"{annotation.unit_id}:{text.key}"))
    ]


def item_fields(shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, what was said of a text that is judged again."""
    blind = {row.unit.pk for row in shown if row.blind}
    again = judged_again([row.unit for row in shown], user, blind=blind)
    return {row.assignment.pk: {"again": again.get(row.unit.pk)} for row in shown}


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
