"""What a workspace is given of an assignment, blind rule applied; the kind of work adds its own part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.core.kind import Kind, kind_of, locked_units, own_texts
from annotator.core.prepared import Prepared
from annotator.domain.content import Content, content_type
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, Layer, Project, Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.answering.queries.revisions import TextChange, text_changes, with_earlier_gold
from annotator.work.answering.queries.suggestions import late_proposals
from annotator.work.blind.queries.blind import blind_units, shown_uid, shown_uids
from annotator.work.derivation.queries.sources import SourceChange, shows_carried, source_changes
from annotator.work.gold.queries.gold_of_answers import still_changeable
from annotator.work.queue.queries.progress import held_in_advance
from annotator.work.queue.queries.returned import undoable_returns

Json = dict[str, Any]

UNSEEN = "unseen"
# How many of one's own items a list shows at once.
PAGE = 50
LISTED = (AssignmentState.OPEN, AssignmentState.DONE)


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """The person's answer as their workspace shows it: version 0 and *unseen* while nothing was saved, and then
    `content` is what one begins from. `origins`: what of it was kept from the suggestion, added, removed."""

    version: int
    state: str
    content: Content
    doubt: bool
    comment: str
    updated_at: datetime | None
    can_undo: bool
    origins: Json


@dataclass(frozen=True, slots=True)
class WorkspaceItem:
    """An assignment as its workspace shows it. `blind`: suggestions and others' work are hidden.

    `suggestions` are those that may be shown now, the one that the answer begins from first. `revised`: what changed
    where the text was fixed. `final`: the answer is finished, and gold is decided on what all answers became.
    `changeable`: gold came of answers by itself, and the person may still change theirs. `is_slip`: so did that the
    text is with its writer. `source_changed`: what stands now on sources that changed since their suggestion was made.
    `proposals`: what people suggested after the answer was begun.
    """

    assignment: Assignment
    annotation: Annotation | None
    suggestions: Sequence[Suggestion] = field(default=())
    blind: bool = False
    revised: TextChange | None = None
    final: bool = False
    changeable: bool = False
    is_slip: bool = False
    source_changed: Sequence[SourceChange] = field(default=())
    proposals: Sequence[Suggestion] = field(default=())

    @property
    def unit(self) -> Unit:
        return self.assignment.unit

    @property
    def stage(self) -> Stage:
        return self.assignment.stage

    @property
    def uid(self) -> str:
        """How the unit is called."""
        return shown_uid(self.unit, hidden=self.blind and not self.is_decided)

    @property
    def mode(self) -> str:
        """`blind` where the answer is given blind, or suggestions that the stage has are hidden."""
        hides = self.blind and bool(kind_of(self.stage).suggestions)
        return Mode.BLIND.value if hides or self.assignment.mode == Mode.BLIND else Mode.REVIEW.value

    @property
    def suggestion(self) -> Suggestion | None:
        """What the answer begins from."""
        return self.suggestions[0] if self.suggestions else None

    @property
    def answer(self) -> OwnAnswer:
        closed = self.is_closed or not (self.unit.is_current or self.is_slip)
        return own_answer(self.stage.layer, self.annotation, self.suggestion, blind=self.blind, closed=closed)

    @property
    def is_decided(self) -> bool:
        """Whether gold is decided, here or on what all answers became."""
        return self.final or self.assignment.item.state == ItemState.DECIDED

    @property
    def is_closed(self) -> bool:
        """Whether gold is decided, and stands against any change of the answer."""
        return self.final or (self.is_decided and not self.changeable)


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An own assignment in a list, and how its unit is called."""

    assignment: Assignment
    text: str
    uid: str


def own_answer(
    layer: Layer, annotation: Annotation | None, suggestion: Suggestion | None = None, *, blind: bool, closed: bool
) -> OwnAnswer:
    """The answer that stands, or what it begins from. Where the person is blind, nothing of the suggestion is told;
    what is `closed` cannot be undone."""
    kind = content_type(layer.content_type)
    if annotation is None:
        content = kind.empty() if suggestion is None else kind.begin(suggestion.content)
        suggested = None if blind or suggestion is None else suggestion.content
        return OwnAnswer(0, UNSEEN, content, False, "", None, False, kind.origins(suggested, content))
    return OwnAnswer(
        version=annotation.version,
        state=str(annotation.state),
        content=annotation.content,
        doubt=annotation.doubt,
        comment=annotation.comment,
        updated_at=annotation.updated_at,
        can_undo=annotation.undo_event is not None and not closed,
        origins=kind.origins(None if blind else annotation.suggested, annotation.content),
    )


def saved_answer(annotation: Annotation, user: User) -> OwnAnswer:
    """What stands after a save. One query where labels were suggested, a few where the text went back to its writer.
    The annotation comes with unit, layer and stage."""
    suggested = annotation.suggested
    blind = annotation.mode == Mode.BLIND
    if suggested is not None and not blind and content_type(annotation.layer.content_type).is_labelled(suggested):
        blind = bool(blind_units(user, annotation.project_id, [annotation.unit], annotation.layer))
    stage = annotation.stage
    closed = not annotation.unit.is_current and (stage is None or not undoable_returns(stage, [annotation.unit], user))
    return own_answer(annotation.layer, annotation, blind=blind, closed=closed)


def shown_assignments(project: Project, assignments: Sequence[Assignment], user: User) -> list[WorkspaceItem]:
    """The user's assignments of one stage, with what they may see. Three queries at most, however many; one more where
    some are begun and people suggest labels, one where what was carried over is finished, and three where its source
    changed; two where a text was fixed, one where gold came of answers by itself, a few for each text that is with its
    writer, and what the kind asks about finished ones.

    Assignments come with item, unit, segment, stage and layer.
    """
    if not assignments:
        return []
    layer = assignments[0].stage.layer
    own = _OWN.rows(units=[row.unit_id for row in assignments], layer=layer.pk, user=user.pk)
    annotations = {row.unit_id: row for row in own}
    ids = {row.pk: _suggested(row, annotations.get(row.unit_id)) for row in assignments}
    wanted = {pk for given in ids.values() for pk in given}
    suggestions = {row.pk: row for row in _WANTED.rows(wanted=wanted)} if wanted else {}
    # Nothing is suggested in blind mode, so there is nothing to hide either.
    hidden = (
        blind_units(user, project, [row.unit for row in assignments], layer)
        if any(row.mode == Mode.REVIEW for row in assignments)
        else set()
    )
    decided = [row.unit_id for row in assignments if row.item.state == ItemState.DECIDED]
    changeable = still_changeable(assignments[0].stage, decided, user)
    back = undoable_returns(assignments[0].stage, [row.unit for row in assignments], user)
    revised = text_changes(layer, [row.unit for row in assignments], annotations, user)
    kind = kind_of(assignments[0].stage)
    changes = _changes(kind, layer, assignments, suggestions)
    proposals = (
        late_proposals(layer, annotations) if annotations and SuggestionKind.PROPOSAL in kind.suggestions else {}
    )
    finished = [row.unit for row in assignments if row.state == AssignmentState.DONE]
    final = locked_units(assignments[0].stage, finished) if finished else ()
    found = []
    for row in assignments:
        blind = row.mode == Mode.BLIND or row.unit_id in hidden
        given = () if blind else [suggestions[pk] for pk in ids[row.pk] if pk in suggestions]
        change = revised.get(row.unit_id)
        if change is not None and given and row.unit_id not in annotations:
            change = with_earlier_gold(change, row.unit, given[0])
        is_final, is_changeable = row.unit_id in final, row.unit_id in changeable
        found.append(
            WorkspaceItem(
                row,
                annotations.get(row.unit_id),
                given,
                blind,
                change,
                final=is_final,
                changeable=is_changeable,
                is_slip=row.unit_id in back,
                source_changed=() if blind else changes.get(row.unit_id, ()),
                proposals=() if blind else proposals.get(row.unit_id, ()),
            )
        )
    return found


def _changes(
    kind: Kind, layer: Layer, assignments: Sequence[Assignment], suggestions: Mapping[int, Suggestion]
) -> Mapping[int, Sequence[SourceChange]]:
    """By unit, what stands now on sources that changed. What was shown with a finished answer may not be current any
    more; nothing is asked of open ones whose suggestions say that nothing changed."""
    if not shows_carried(kind):
        return {}
    changed = {row.unit_id for row in suggestions.values() if row.source_changed or not row.is_current}
    changed |= {row.unit_id for row in assignments if row.state == AssignmentState.DONE}
    return source_changes(layer, changed) if changed else {}


_OWN: Prepared[Annotation] = Prepared(
    lambda units, layer, user: Annotation.objects.filter(unit__in=units, layer=layer, user=user),
    units=list,
    layer=int,
    user=int,
)
_WANTED: Prepared[Suggestion] = Prepared(
    lambda wanted: Suggestion.objects.filter(pk__in=wanted).select_related("alignment", "source"), wanted=list
)


def _suggested(row: Assignment, annotation: Annotation | None) -> list[int]:
    """Ids of what was shown when the answer was started, the one that it began from first; later ones do not count."""
    if row.mode == Mode.BLIND:
        return []
    if annotation is None:
        return list(row.shown)
    if annotation.suggestion_id is None:
        return []
    return [annotation.suggestion_id, *(pk for pk in annotation.shown if pk != annotation.suggestion_id)]


def own_assignment(unit: Unit, stage: Stage, user: User) -> Assignment | None:
    """The user's assignment on a unit in a stage, with all that `workspace_items` needs; None where they have none."""
    rows = Assignment.objects.filter(unit=unit, stage=stage, user=user).exclude(state=AssignmentState.RETURNED)
    found = rows.select_related("item", "unit__segment").first()
    if found is not None:
        found.stage = stage
    return found


def workspace_items(project: Project, assignments: Sequence[Assignment], user: User) -> list[Json]:
    """The assignments of one stage as the API sends them: `shown`, and beside it the fields of the kind's part."""
    return workspace_parts(shown_assignments(project, assignments, user), user)


def workspace_parts(items: Sequence[WorkspaceItem], user: User) -> list[Json]:
    """Items of one stage, each with the fields of the kind's part beside it."""
    if not items:
        return []
    part = kind_of(items[0].stage).workspace.item
    parts = part.fields(items, user) if part is not None else {}
    return [{"shown": row, **parts.get(row.assignment.pk, {})} for row in items]


def own_items(
    stage: Stage,
    user: User,
    *,
    state: str = "",
    doubt: bool = False,
    before: Assignment | None = None,
    after: Assignment | None = None,
    last: bool = False,
    limit: int = PAGE,
) -> tuple[list[OwnItem], bool]:
    """Some of the user's open and done assignments of a stage, in reading order, and whether there are more that way;
    not what a page merely holds in advance.

    The first `limit`; with `after`, those that follow it; with `before`, the last ones before it; with `last`, the
    last of all. Replaced texts are left out, and with `doubt` what the user is sure of.
    """
    backwards = before is not None or last
    order = ("-reading", "-pk") if backwards else ("reading", "pk")
    found: list[Assignment] = []
    # State by state: each is one range of the index, so that a page costs the same after any number of answers.
    for one in [AssignmentState(state)] if state else LISTED:
        rows = Assignment.objects.filter(stage=stage, user=user, state=one, unit__is_current=True)
        rows = rows.exclude(held_in_advance())
        if doubt:
            rows = rows.filter(doubtful=True)
        if before is not None:
            rows = rows.filter(reading__lte=before.reading).exclude(reading=before.reading, pk__gte=before.pk)
        elif after is not None:
            rows = rows.filter(reading__gte=after.reading).exclude(reading=after.reading, pk__lte=after.pk)
        found += rows.select_related("unit__segment").order_by(*order)[: limit + 1]
    found.sort(key=lambda row: (row.reading, row.pk), reverse=backwards)
    page = found[:limit]
    if backwards:
        page.reverse()
    units = [row.unit for row in page]
    texts, uids = own_texts(stage, units, user), shown_uids(user, stage.project, units)
    return [OwnItem(row, texts.get(row.unit_id, ""), uids[row.unit_id]) for row in page], len(found) > limit
