"""One act on many sentences: a label on words or off them, or an assignment.

Each sentence is written in a separate transaction, so that other people do not wait for the whole act. All
events have one operation, and the last one lists the change of each sentence for its undo.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.errors import ActionError, ConflictError
from annotator.core.events import log
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission, works_in
from annotator.core.policies import check_open
from annotator.domain.labels.label_words import with_label, without_label
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Stage, Unit, User
from annotator.search.queries.standing import CLOSED, FREE, GOLD, OTHERS, OWN, Standing, standings
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.answering.actions.own_answers import initial_answer
from annotator.work.answering.actions.proposals import propose
from annotator.work.answering.actions.trials import check_trial
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.blind.queries.blind import blind_units
from annotator.work.queue.actions.assignments import assign_review

MAX_SENTENCES = 100
# Of a sentence; a search has fewer.
MAX_WORDS = 50


class Refused(StrEnum):
    """Why nothing was changed on a sentence."""

    CHANGED = "changed"  # somebody changed or claimed it after the list was opened
    GOLD = "gold"
    CLOSED = "closed"  # no stage has it, or its text was replaced
    LANGUAGE = "language"
    HIDDEN = "hidden"  # the person works blind there, or answers it elsewhere
    NOT_FREE = "not-free"
    RULE = "rule"  # what the scheme or a policy says, in words


@dataclass(frozen=True, slots=True)
class Row:
    """A chosen row: the words (tokens) that were hit, and what the list said of how the sentence stands."""

    unit: int
    words: frozenset[int]
    seen: str


@dataclass(slots=True)
class _Act:
    """The act and its results so far, as stored in its event."""

    access: Access
    now: datetime
    label: str = ""
    remove: bool = False
    operation: uuid.UUID = field(default_factory=uuid.uuid4)
    saved: list[list[Any]] = field(default_factory=list)
    proposed: list[list[Any]] = field(default_factory=list)
    refused: list[list[Any]] = field(default_factory=list)
    same: int = 0

    def refuse(self, unit: int, reason: Refused, text: str = "") -> None:
        self.refused.append([unit, reason.value, text])

    def changed(self, spans: Sequence[Span], words: frozenset[int]) -> list[Span]:
        change = without_label if self.remove else with_label
        return change(spans, words, self.label)


def label_many(*, access: Access, rows: Sequence[Row], label: str, remove: bool = False, now: datetime) -> uuid.UUID:
    """Add a label to the words of each row, or remove it. Returns the operation, which the undo needs.

    The person's own items get it and keep their state. Free items are claimed for them and stay open. To those who have
    the others it is suggested. A sentence that changed since the list was opened stays as it is, and that is told.
    Raises ActionError where nothing can be done at all.
    """
    _check(access, rows)
    if label not in access.project.scheme.labels:
        raise ActionError(_("“%(label)s” is not a label of this project.") % {"label": label})
    if any(not row.words or len(row.words) > MAX_WORDS for row in rows):
        raise ActionError(_("Search for a word first: the words that are found get the label."))
    act = _Act(access, now, label, remove)
    units, stands = _open_rows(act, rows)
    chosen = {row.unit: row for row in rows if row.unit in stands}
    claimed = _claim(act, chosen, stands)
    for unit, row in chosen.items():
        standing = stands[unit]
        if standing.state == OWN or unit in claimed:
            _save(act, row, units[unit], standing, claimed.get(unit))
        elif standing.state == OTHERS and standing.stage is not None:
            _propose(act, row, units[unit], standing.stage)
    verb = Verb.SENTENCES_UNLABELLED if remove else Verb.SENTENCES_LABELLED
    _log(act, verb=verb, after={"label": label, "saved": act.saved, "proposed": act.proposed, "same": act.same})
    return act.operation


def assign_many(*, access: Access, rows: Sequence[Row], stage: Stage, user: User, now: datetime) -> uuid.UUID:
    """Assign the sentences of the rows that are free in the stage to somebody. Returns the operation.

    Only managers can assign to others. Raises ActionError if nothing can be assigned to them there.
    """
    _check(access, rows)
    access.require_language(stage.language)
    if user != access.user and not access.may(Permission.MANAGE):
        raise ActionError(_("Only managers can assign sentences to someone else."))
    member = access.project.memberships.filter(user=user).first()
    if member is None:
        raise ActionError(_("%(name)s is not a member of this project.") % {"name": user})
    if not works_in(member.languages, stage.language) or not Access(user, access.project, member.role).may(
        kind_of(stage).needs
    ):
        raise ActionError(_("%(name)s can't work in this stage.") % {"name": user})
    if user == access.user:
        check_trial(stage, user)
    act = _Act(access, now)
    _units, stands = _open_rows(act, rows)
    free = []
    for unit, standing in stands.items():
        if standing.state == FREE and standing.stage == stage:
            free.append(unit)
        else:
            act.refuse(unit, Refused.NOT_FREE)
    given = _assigned(stage, free, user, access.user) if free else {}
    versions = _versions(stage, given, user)
    for unit in free:
        if unit not in given:
            act.refuse(unit, Refused.HIDDEN)
    assigned = [[row.pk, versions.get(unit, 0)] for unit, row in given.items()]
    _log(act, verb=Verb.SENTENCES_ASSIGNED, after={"stage": stage.pk, "user": user.pk, "assigned": assigned})
    return act.operation


def _check(access: Access, rows: Sequence[Row]) -> None:
    check_open(access.project)
    access.require(Permission.ANNOTATE)
    if not rows:
        raise ActionError(_("Select at least one sentence."))
    if len(rows) > MAX_SENTENCES:
        raise ActionError(_("You can change at most %(most)d sentences at once.") % {"most": MAX_SENTENCES})


def _open_rows(act: _Act, rows: Sequence[Row]) -> tuple[dict[int, Unit], dict[int, Standing]]:
    """The texts of the rows that may be changed and still stand as the list said, and how they stand."""
    access = act.access
    found = Unit.objects.published().filter(
        project=access.project, kind=access.project.label_layer.unit_kind, pk__in=[row.unit for row in rows]
    )
    units = {unit.pk: unit for unit in found.select_related("segment") if unit.is_current}
    stands = standings(access, list(units))
    for unit in units.values():
        unit.project = access.project
    ready: dict[int, Standing] = {}
    for row in rows:
        standing = stands.get(row.unit, Standing(CLOSED))
        if standing.state == CLOSED:
            act.refuse(row.unit, Refused.CLOSED)
        elif standing.seen != row.seen:
            act.refuse(row.unit, Refused.CHANGED)
        elif standing.state == GOLD:
            act.refuse(row.unit, Refused.GOLD)
        elif not access.works_in(units[row.unit].language):
            act.refuse(row.unit, Refused.LANGUAGE)
        elif max(row.words, default=0) >= max(units[row.unit].token_count, 1):
            act.refuse(row.unit, Refused.CLOSED)
        else:
            ready[row.unit] = standing
    return units, ready


def _claim(act: _Act, chosen: Mapping[int, Row], stands: Mapping[int, Standing]) -> dict[int, Assignment]:
    """Take the free ones, by stage, where there is something to change. What cannot be had is refused."""
    user, project = act.access.user, act.access.project
    by_stage: dict[Stage, list[int]] = {}
    for unit in chosen:
        stage = stands[unit].stage
        if stands[unit].state == FREE and stage is not None:
            by_stage.setdefault(stage, []).append(unit)
    found: dict[int, Assignment] = {}
    for stage, free in by_stage.items():
        shown = shown_in(project, stage.layer, kind_of(stage), free)
        wanted = []
        for unit in free:
            begins = spans_from_json(shown[unit][0].content["spans"]) if unit in shown else []
            if act.remove and act.changed(begins, chosen[unit].words) == begins:
                act.same += 1
            else:
                wanted.append(unit)
        try:
            check_trial(stage, user)
            given = _assigned(stage, wanted, user, user) if wanted else {}
        except ActionError as error:
            for unit in wanted:
                act.refuse(unit, Refused.RULE, str(error))
            continue
        hidden = [unit for unit in wanted if unit not in given]
        still = standings(act.access, hidden) if hidden else {}
        for unit in hidden:
            act.refuse(unit, Refused.HIDDEN if still[unit].state == FREE else Refused.CHANGED)
        found.update(given)
    return found


def _assigned(stage: Stage, units: Sequence[int], user: User, by: User) -> dict[int, Assignment]:
    before = set(_open_of(stage, units, user).values_list("pk", flat=True))
    assign_review(stage=stage, units=units, user=user, by=by)
    rows = _open_of(stage, units, user).exclude(pk__in=before).select_related("suggestion")
    found = {row.unit_id: row for row in rows}
    for row in found.values():
        row.stage = stage
    return found


def _open_of(stage: Stage, units: Sequence[int], user: User) -> Any:
    return Assignment.objects.filter(stage=stage, user=user, unit__in=units, state=AssignmentState.OPEN)


def _versions(stage: Stage, units: Mapping[int, Any], user: User) -> dict[int, int]:
    rows = Annotation.objects.filter(unit__in=list(units), layer=stage.layer, user=user)
    return dict(rows.values_list("unit_id", "version"))


def _save(act: _Act, row: Row, unit: Unit, standing: Standing, claimed: Assignment | None) -> None:
    assert standing.stage is not None  # noqa: S101 -- for the type checker: only what nobody works on has none
    user, project, layer = act.access.user, act.access.project, standing.stage.layer
    mine = Annotation.objects.filter(unit=unit, layer=layer, user=user).first()
    if (mine.version if mine else 0) != standing.version:
        return act.refuse(row.unit, Refused.CHANGED)
    assignment = claimed or Assignment.objects.select_related("suggestion", "stage__layer").get(
        pk=standing.assignment or 0
    )
    content = mine.content if mine is not None else initial_answer(assignment)["content"]
    before = spans_from_json(content["spans"])
    after = act.changed(before, row.words)
    if after == before and (mine is not None or act.remove):
        act.same += 1
        return None
    try:
        saved = save_annotation(
            project=project,
            assignment=assignment.pk,
            version=standing.version,
            content={"spans": [span.to_json() for span in after]},
            doubt=mine.doubt if mine else False,
            comment=mine.comment if mine else "",
            done=claimed is None and mine is not None and mine.state == AnnotationState.DONE,
            by=user,
            now=act.now,
            operation=act.operation,
        )
    except ConflictError:
        return act.refuse(row.unit, Refused.CHANGED)
    except ActionError as error:
        return act.refuse(row.unit, Refused.RULE, str(error))
    act.saved.append([saved.pk, assignment.pk, saved.version, claimed is not None])
    return None


def _propose(act: _Act, row: Row, unit: Unit, stage: Stage) -> None:
    user, project = act.access.user, act.access.project
    if blind_units(user, project, [unit], stage.layer):
        return act.refuse(row.unit, Refused.HIDDEN)
    try:
        made = propose(
            project=project,
            stage=stage,
            unit=unit,
            label=act.label,
            words=row.words,
            remove=act.remove,
            by=user,
            operation=act.operation,
        )
    except ActionError as error:
        return act.refuse(row.unit, Refused.RULE, str(error))
    if made is None:
        act.same += 1
    else:
        act.proposed.append([made[0].pk, made[1]])
    return None


def _log(act: _Act, *, verb: Verb, after: dict[str, Any]) -> None:
    log(
        project=act.access.project,
        actor=act.access.user,
        verb=verb,
        subject=act.access.project,
        after={**after, "refused": act.refused},
        operation=act.operation,
    )
