"""What a person has before them when they answer: their assignment, what stands of their answer, and whether it may be
written. Held until the transaction ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotator.core.errors import NotYoursError
from annotator.core.kind import is_beside, kind_of, makes_gold
from annotator.core.policies import check_open
from annotator.core.prepared import Prepared
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, Project, Stage, Suggestion, User
from annotator.work.answering.actions.policies import check_is_there, check_undecided
from annotator.work.derivation.actions.changes import kinds_of_labels
from annotator.work.queue.queries.returned import undoable_return

_ASSIGNMENT: Prepared[Assignment] = Prepared(
    # By its key alone: whose it is is asked afterwards. As long as PostgreSQL has no statistics of the table, it might
    # otherwise read all that the person ever had.
    # The unit is held, too: two people may answer it in two stages of one layer. It comes first, as for everybody else.
    lambda pk: (
        Assignment.objects.select_for_update(no_key=True, of=("unit", "self", "item"))
        .select_related("item", "unit", "stage__layer", "suggestion")
        .annotate(
            is_derived_from=Exists(
                Stage.objects.filter(
                    Q(made_from=OuterRef("stage")) | Q(project=OuterRef("project"), kind__in=kinds_of_labels())
                )
            ),
            is_source=Exists(
                Suggestion.objects.filter(
                    source__segment=OuterRef("unit__segment"),
                    source_language=OuterRef("unit__language"),
                    layer=OuterRef("stage__layer"),
                    is_current=True,
                )
            ),
            is_source_changed=Exists(
                Suggestion.objects.filter(
                    unit=OuterRef("unit"), layer=OuterRef("stage__layer"), is_current=True, source_changed=True
                )
            ),
        )
        .filter(pk=pk)
    ),
    pk=int,
)
_ON_UNIT: Prepared[Annotation] = Prepared(
    lambda unit, layer: Annotation.objects.filter(unit=unit, layer=layer).order_by("pk"), unit=int, layer=int
)


def own_assignment(project: Project, assignment: int, by: User) -> Assignment:
    """The person's assignment as it stands, with item, unit, stage and layer: held until the transaction ends."""
    check_open(project)
    row = _ASSIGNMENT.first(pk=assignment)
    if row is None or (row.project_id, row.user_id) != (project.pk, by.pk):
        raise NotYoursError(
            _(
                "This item is not assigned to you. It may have been returned to the queue, or this browser may be "
                "signed in to another account."
            )
        )
    row.project = project
    return row


def answers_on_unit(row: Assignment, by: User) -> tuple[Annotation | None, list[Annotation]]:
    """The person's annotation on the unit in the layer, and those of others, in the order in which they were started.

    Read after `own_assignment`: as part of its statement, what somebody saved while it waited would be missing.
    """
    found = _ON_UNIT.rows(unit=row.unit_id, layer=row.stage.layer_id)
    own = next((one for one in found if one.user_id == by.pk), None)
    return own, [one for one in found if one is not own]


def answer_data(annotation: Annotation | None) -> dict[str, Any] | None:
    """What a person wrote, and its version: the two sides of a conflict, before and after of an event."""
    if annotation is None:
        return None
    return {
        "version": annotation.version,
        "content": annotation.content,
        "doubt": annotation.doubt,
        "comment": annotation.comment,
        "state": str(annotation.state),
    }


def is_finished(content: Mapping[str, Any] | None) -> bool:
    """Whether what `answer_data` tells is a finished answer."""
    return content is not None and content["state"] == AnnotationState.DONE


def is_reassigned(row: Assignment) -> bool:
    """Whether the item had gone back and cannot be taken up again: others have it, or the person does, in another
    stage of the layer. Blind answers beside a review leave room for all."""
    if row.state != AssignmentState.RETURNED:
        return False
    is_extra = is_beside(row.stage, row.mode)
    return (not is_extra and row.item.state != ItemState.FREE) or has_it_elsewhere(row)


def has_it_elsewhere(row: Assignment) -> bool:
    """Whether the person answers the unit by another assignment of the layer, which holds one answer of theirs."""
    own = Assignment.objects.filter(unit=row.unit_id, user=row.user_id, stage__layer=row.stage.layer_id)
    return own.exclude(pk=row.pk).exclude(state=AssignmentState.RETURNED).exists()


def initial_answer(row: Assignment) -> dict[str, Any]:
    """What an answer begins from, as `answer_data` tells one that was saved."""
    kind, suggestion = content_type(row.stage.layer.content_type), main_suggestion(row)
    return {
        "content": kind.empty() if suggestion is None else kind.begin(suggestion.content),
        "doubt": False,
        "comment": "",
        "state": AnnotationState.OPEN.value,
    }


def main_suggestion(row: Assignment) -> Suggestion | None:
    """The suggestion that the answer begins from; none where it is given blind."""
    return row.suggestion if row.mode == Mode.REVIEW else None


def check_can_answer(row: Assignment, by: User) -> None:
    """Whether the answer may be written; where answers decide, it may turn out later that gold stands against it, or
    that the text is with its writer."""
    if row.unit.is_current or undoable_return(row.stage, row.unit, by) is None:
        check_is_there(row.stage, row.item, row.unit)
    if not makes_gold(kind_of(row.stage)):
        check_undecided(row.item)
