"""Undo an act on many sentences, except where somebody made later changes."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.errors import ActionError, NotYoursError
from annotator.core.events import log
from annotator.core.permissions import Permission
from annotator.core.policies import check_open
from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Suggestion
from annotator.search.queries.acts import events_of
from annotator.work.answering.actions.annotations import undo_annotation
from annotator.work.answering.actions.proposals import withdraw_proposal
from annotator.work.queue.actions.giving_back import free_open

CHANGED, RULE = "changed", "rule"


@dataclass(slots=True)
class _Undo:
    access: Access
    operation: uuid.UUID
    now: datetime
    restored: int = 0
    withdrawn: int = 0
    returned: int = 0
    kept: list[list[Any]] = field(default_factory=list)


def undo_many(*, access: Access, operation: uuid.UUID, now: datetime) -> None:
    """Undo an act of the person on many sentences: restore answers, return claimed items to the queue, withdraw
    suggestions. Later changes by anybody are kept and reported.

    Raises NotYoursError for an act of somebody else or none, ActionError for one that was already undone.
    """
    check_open(access.project)
    access.require(Permission.ANNOTATE)
    event, undone = events_of(access.project, operation, access.user)
    if event is None:
        raise NotYoursError(_("There is nothing to undo."))
    if undone is not None:
        raise ActionError(_("This was already undone."))
    undo = _Undo(access, operation, now)
    told = event.after or {}
    for annotation, assignment, version, claimed in told.get("saved", ()):
        _restore(undo, annotation, assignment, version, claimed)
    for proposal, replaces in told.get("proposed", ()):
        _withdraw(undo, proposal, replaces)
    for assignment, version in told.get("assigned", ()):
        _give_back(undo, assignment, version)
    log(
        project=access.project,
        actor=access.user,
        verb=Verb.SENTENCES_UNDONE,
        subject=access.project,
        after={
            "restored": undo.restored, "withdrawn": undo.withdrawn, "returned": undo.returned, "kept": undo.kept
        },
        operation=operation,
    )  # fmt: skip


def _restore(undo: _Undo, annotation: int, assignment: int, version: int, claimed: bool) -> None:
    project, user = undo.access.project, undo.access.user
    row = Annotation.objects.filter(project=project, user=user, pk=annotation).first()
    if row is None:
        return
    if row.version != version:
        undo.kept.append([row.unit_id, CHANGED, ""])
        return
    try:
        saved = undo_annotation(project=project, assignment=assignment, version=version, by=user, now=undo.now)
    except ActionError as error:
        undo.kept.append([row.unit_id, RULE, str(error)])
        return
    undo.restored += 1
    if claimed:
        _give_back(undo, assignment, saved.version)


def _withdraw(undo: _Undo, proposal: int, replaces: int | None) -> None:
    project, user = undo.access.project, undo.access.user
    if withdraw_proposal(project=project, proposal=proposal, replaces=replaces, by=user, operation=undo.operation):
        undo.withdrawn += 1
        return
    unit = Suggestion.objects.filter(project=project, pk=proposal).values_list("unit_id", flat=True).first()
    if unit is not None:
        undo.kept.append([unit, CHANGED, ""])


def _give_back(undo: _Undo, assignment: int, version: int) -> None:
    """Return an item that the act had assigned, unless something was saved on it since."""
    rows = Assignment.objects.select_related("stage__layer", "user").filter(project=undo.access.project, pk=assignment)
    row = rows.first()
    if row is None or row.state == AssignmentState.RETURNED:
        return
    answer = Annotation.objects.filter(unit=row.unit_id, layer=row.stage.layer_id, user=row.user_id).first()
    if row.state != AssignmentState.OPEN or (answer.version if answer else 0) != version:
        undo.kept.append([row.unit_id, CHANGED, ""])
        return
    row.stage.project = undo.access.project
    undo.returned += free_open(stage=row.stage, user=row.user, mode=row.mode, by=undo.access.user, ids=[row.pk])
