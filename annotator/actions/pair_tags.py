"""A person's interpretation tags on pairs, and silver tags carried to another language."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.events import log, log_many
from annotator.actions.locks import lock_project
from annotator.models import (
    Assignment,
    AssignmentState,
    Event,
    Mode,
    Pair,
    PairTag,
    Project,
    Stage,
    StageKind,
    Tag,
    TagKind,
    User,
)
from annotator.queries.stages import items_without_label, pairs_in

TAGGED = "pair_tag.saved"
UNDONE = "pair_tag.undone"


@transaction.atomic
def tag_pair(*, assignment: Assignment, version: int, tag: str, comment: str = "", by: User) -> PairTag:
    """Write the person's tag on the assignment's pair over the version they saw (0: none yet).

    Sets the assignment done. Writing what already stands changes nothing. Raises ConflictError when
    `version` is no longer the newest, ActionError for an unknown tag, decided gold, or a foreign assignment.
    """
    pair = _locked(assignment, by)
    if tag not in Tag.values:
        raise ActionError(
            _("“%(tag)s” is not a tag; choose one of %(tags)s.") % {"tag": tag, "tags": ", ".join(Tag.values)}
        )
    standing = own_tag(assignment)
    before = content_of(standing)
    if standing is not None and (standing.tag, standing.comment) == (tag, comment):
        return standing
    mine = {"tag": tag, "comment": comment}
    if version != (standing.version if standing else 0):
        raise _conflict(before, {**mine, "version": version})
    if standing is None:
        standing = PairTag(
            project=assignment.project,
            pair=pair,
            language=assignment.stage.language,
            kind=TagKind.PERSON,
            mode=assignment.mode,
            user=by,
            version=_next_version(assignment),
        )
    else:
        standing.version += 1
    standing.tag, standing.comment = tag, comment
    standing.save()
    _set_state(assignment, AssignmentState.DONE)
    log(
        project=assignment.project,
        actor=by,
        verb=TAGGED,
        subject=assignment,
        before=before,
        after=content_of(standing),
    )
    return standing


@transaction.atomic
def undo_pair_tag(*, assignment: Assignment, version: int, by: User) -> PairTag | None:
    """Bring back what the person's last tagging had replaced: an earlier tag, or none (the assignment is open again).

    Undoing again goes one further back. Raises ActionError when there is nothing to undo or gold is
    decided, ConflictError when `version` is no longer the newest.
    """
    _locked(assignment, by)
    last = _undoable(tag_events(assignment))
    standing = own_tag(assignment)
    if last is None or standing is None:
        raise ActionError(_("There is nothing to undo on this pair."))
    before = content_of(standing)
    if version != standing.version:
        raise _conflict(before, {"version": version})
    if last.before is None:
        standing.delete()
        restored = None
        _set_state(assignment, AssignmentState.OPEN)
    else:
        standing.tag, standing.comment = last.before["tag"], last.before["comment"]
        standing.version += 1
        standing.save()
        restored = standing
    log(
        project=assignment.project,
        actor=by,
        verb=UNDONE,
        subject=assignment,
        before=before,
        after={**(content_of(restored) or {}), "undoes": last.pk},
    )
    return restored


@dataclass(frozen=True)
class Confirmed:
    """What `confirm_no_metaphor` wrote: the pairs tagged, and those that are no longer proposed."""

    confirmed: tuple[int, ...]
    left_out: tuple[int, ...]


def confirm_no_metaphor(*, stage: Stage, pairs: Iterable[int], by: User) -> Confirmed:
    """Tag those of `pairs` (ids) as *no metaphor* that are proposed right now, and mark them done by this person."""
    wanted = list(dict.fromkeys(pairs))
    if stage.kind != StageKind.PAIR_TAG:
        raise ActionError(_("Pairs can only be confirmed in a stage in which pairs are tagged."))
    while True:
        try:
            return _confirm(stage, wanted, by)
        except IntegrityError:
            # Somebody tagged one of them between the look and the write: it is no longer proposed.
            continue


@transaction.atomic
def _confirm(stage: Stage, wanted: Collection[int], by: User) -> Confirmed:
    proposed = list(items_without_label(stage, by).filter(pk__in=wanted))
    now = timezone.now()
    own = {row.pair_id: row for row in Assignment.objects.filter(stage=stage, user=by, pair__in=proposed)}
    new = Assignment.objects.bulk_create(
        [
            Assignment(
                project=stage.project,
                stage=stage,
                pair=pair,
                user=by,
                position=pair.position,
                state=AssignmentState.DONE,
                done_at=now,
            )
            for pair in proposed
            if pair.pk not in own
        ],
        batch_size=500,
    )
    Assignment.objects.filter(pk__in=[row.pk for row in own.values()]).update(state=AssignmentState.DONE, done_at=now)
    assignments = own | {row.pair_id: row for row in new}
    versions = {pk: _next_version(row) for pk, row in own.items()}
    tags = PairTag.objects.bulk_create(
        [
            PairTag(
                project=stage.project,
                pair=pair,
                language=stage.language,
                kind=TagKind.PERSON,
                mode=assignments[pair.pk].mode,
                user=by,
                tag=Tag.NO_METAPHOR,
                version=versions.get(pair.pk, 1),
            )
            for pair in proposed
        ],
        batch_size=500,
    )
    log_many(
        project=stage.project,
        actor=by,
        verb=TAGGED,
        changes=[(assignments[tag.pair_id], None, content_of(tag)) for tag in tags],
    )
    confirmed = tuple(pair.pk for pair in proposed)
    return Confirmed(confirmed=confirmed, left_out=tuple(pk for pk in wanted if pk not in set(confirmed)))


@dataclass(frozen=True)
class TransferSummary:
    """What `transfer_tags` did to each pair of the project; the numbers add up to all pairs."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    reviewed: int = 0  # kept: a person or gold has tagged the pair in the target language
    untagged: int = 0  # nothing to carry over: neither gold nor a reviewer's tag in the source language
    without_text: int = 0  # the pair has no sentences in the target language


@transaction.atomic
def transfer_tags(*, project: Project, source: str, target: str, by: User | None) -> TransferSummary:
    """Carry the pair tags of one language over to another as silver, open to review.

    Gold is carried over, or where there is none the reviewing person's tag. Silver that somebody has
    reviewed stays as it is. Doing it again changes nothing.
    """
    for language in (source, target):
        if language not in project.languages:
            raise ActionError(
                _("The project has no language “%(language)s”; it has %(languages)s.")
                % {"language": language, "languages": ", ".join(project.languages)}
            )
    if source == target:
        raise ActionError(_("Source and target must be two languages."))
    lock_project(project)
    reviewed_tags = PairTag.objects.filter(
        project=project, language=source, kind=TagKind.PERSON, mode=Mode.REVIEW
    ).order_by("pk")
    tags = dict(reviewed_tags.values_list("pair_id", "tag"))
    tags |= dict(
        PairTag.objects.filter(project=project, language=source, kind=TagKind.GOLD).values_list("pair_id", "tag")
    )
    in_target = PairTag.objects.filter(project=project, language=target)
    reviewed = set(in_target.exclude(kind=TagKind.SILVER).values_list("pair_id", flat=True))
    silver = {row.pair_id: row for row in in_target.filter(kind=TagKind.SILVER)}
    with_text = set(pairs_in(project.pairs.all(), target).values_list("pk", flat=True))
    counts = dict.fromkeys(TransferSummary.__dataclass_fields__, 0)
    new: list[PairTag] = []
    changed: list[tuple[PairTag, dict[str, Any] | None]] = []
    for pair in project.pairs.order_by("position", "pk"):
        tag, standing = tags.get(pair.pk), silver.get(pair.pk)
        if pair.pk not in with_text:
            counts["without_text"] += 1
        elif pair.pk in reviewed:
            counts["reviewed"] += 1
        elif tag is None:
            counts["untagged"] += 1
        elif standing is None:
            counts["created"] += 1
            new.append(
                PairTag(project=project, pair=pair, language=target, kind=TagKind.SILVER, tag=tag, source=source)
            )
        elif (standing.tag, standing.source) == (tag, source):
            counts["unchanged"] += 1
        else:
            counts["updated"] += 1
            before = content_of(standing)
            standing.tag, standing.source, standing.version = tag, source, standing.version + 1
            standing.save()
            changed.append((standing, before))
    created = PairTag.objects.bulk_create(new, batch_size=500)
    log_many(
        project=project,
        actor=by,
        verb="pair_tag.transferred",
        changes=[(row, None, _silver(row)) for row in created] + [(row, old, _silver(row)) for row, old in changed],
    )
    return TransferSummary(**counts)


def own_tag(assignment: Assignment) -> PairTag | None:
    """The tag of the assignment's person on its pair, in the language of its stage."""
    return PairTag.objects.filter(
        pair=assignment.pair,
        language=assignment.stage.language,
        kind=TagKind.PERSON,
        user_id=assignment.user_id,
    ).first()


def content_of(tag: PairTag | None) -> dict[str, Any] | None:
    """What a person chose, and its version: the two sides of a conflict, before and after of an event."""
    if tag is None:
        return None
    return {"version": tag.version, "tag": str(tag.tag), "comment": tag.comment}


def tag_events(assignment: Assignment) -> QuerySet[Event]:
    """The writes of the person's tag, oldest first. They are kept with the assignment, which outlives a tag undone."""
    return Event.objects.filter(subject_type="assignment", subject_id=assignment.pk, verb__in=(TAGGED, UNDONE))


def _silver(tag: PairTag) -> dict[str, Any]:
    return {**(content_of(tag) or {}), "pair": tag.pair_id, "language": tag.language, "source": tag.source}


def _undoable(events: Iterable[Event]) -> Event | None:
    stack: list[Event] = []
    for event in events:
        if event.verb == TAGGED:
            stack.append(event)
        elif stack:
            stack.pop()
    return stack[-1] if stack else None


def _next_version(assignment: Assignment) -> int:
    """Versions go on counting after an undo took the tag away, so that an old window never fits a new tag."""
    versions = [
        content["version"]
        for event in tag_events(assignment)
        for content in (event.before, event.after)
        if content and "version" in content
    ]
    return max(versions, default=0) + 1


def _locked(assignment: Assignment, by: User) -> Pair:
    """The assignment's pair, locked against a gold decision at the same moment."""
    if assignment.user_id != by.pk or assignment.pair_id is None:
        raise ActionError(_("This pair is assigned to somebody else."))
    pair = Pair.objects.select_for_update(no_key=True).get(pk=assignment.pair_id)
    if PairTag.objects.filter(pair=pair, language=assignment.stage.language, kind=TagKind.GOLD).exists():
        raise ActionError(_("Gold is decided on this pair; an adjudicator has to reopen it first."))
    return pair


def _conflict(theirs: dict[str, Any] | None, mine: dict[str, Any]) -> ConflictError:
    return ConflictError(
        _("This pair was tagged in another window after you opened it; nothing was overwritten."),
        theirs=theirs or {"version": 0, "tag": None, "comment": ""},
        mine=mine,
    )


def _set_state(assignment: Assignment, state: str) -> None:
    assignment.state = state
    assignment.done_at = timezone.now() if state == AssignmentState.DONE else None
    assignment.save(update_fields=["state", "done_at"])
