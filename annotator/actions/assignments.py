"""Who works on what: claiming the next item of a stage, and handing out blind work."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotator.actions.annotations import open_annotation
from annotator.actions.errors import ActionError
from annotator.actions.events import log, log_many
from annotator.actions.locks import lock_project
from annotator.models import (
    Annotation,
    Assignment,
    AssignmentState,
    Gold,
    Membership,
    Mode,
    Pair,
    PairTag,
    Project,
    Sentence,
    Stage,
    StageKind,
    TagKind,
    User,
)
from annotator.queries.stages import free_pairs, free_sentences, labelled_pairs, own_open, pairs_in

MAX_CLAIM = 5


def claim_next(*, stage: Stage, user: User, held: Collection[int] = ()) -> Assignment | None:
    """The user's next item of the stage in reading order, or None when nothing is left for them.

    Own open assignments come first, then the first item that nobody has; of pairs, first those whose sentences
    are labelled, then those with a silver tag. `held` are ids of assignments that the user's screen already
    holds; they are not handed out again. Of two people who ask at the same moment the database lets one have
    an item; the other gets the one after it.
    Raises ActionError for a stage where nothing is claimed.
    """
    if stage.kind == StageKind.ADJUDICATE:
        raise ActionError(_("Adjudication has a queue of its own; there is nothing to claim in this stage."))
    while True:
        own = own_open(stage, user).exclude(pk__in=held).first()
        if own is not None:
            return own
        try:
            # A savepoint, so that losing a race leaves the caller's transaction usable.
            with transaction.atomic():
                return _claim_first_free(stage, user)
        except IntegrityError:
            # Somebody took it between the look and the write; what they have is no longer free.
            continue


def claim(*, stage: Stage, user: User, held: Collection[int] = (), count: int = 1) -> list[Assignment]:
    """Up to `count` (at most 5) items as `claim_next` hands them out, next first, their sentences opened."""
    if not 1 <= count <= MAX_CLAIM:
        raise ActionError(_("Between 1 and %(most)d items can be claimed at once.") % {"most": MAX_CLAIM})
    claimed: list[Assignment] = []
    while len(claimed) < count:
        found = claim_next(stage=stage, user=user, held=[*held, *(item.pk for item in claimed)])
        if found is None:
            break
        if found.sentence_id is not None:
            open_annotation(assignment=found, by=user)
        claimed.append(found)
    return claimed


def _claim_first_free(stage: Stage, user: User) -> Assignment | None:
    # Blind work that somebody hands out to the person at this moment must be known before anything is shown to them.
    _hold_memberships(stage.project_id, [user])
    assignment = Assignment(project_id=stage.project_id, stage=stage, user=user, mode=Mode.REVIEW)
    if stage.kind == StageKind.PAIR_TAG:
        # Whether a metaphor matters can only be told where the metaphors are known; a silver tag is there to review.
        free = free_pairs(stage, user)
        silver = free.filter(tags__kind=TagKind.SILVER, tags__language=stage.language)
        pair = labelled_pairs(stage, user, free).first() or silver.first() or free.first()
        if pair is None:
            return None
        assignment.pair, assignment.position = pair, pair.position
    else:
        sentence = free_sentences(stage, user).select_related("segment").first()
        if sentence is None:
            return None
        assignment.sentence, assignment.position = sentence, sentence.segment.position
    assignment.save()
    log(
        project=stage.project,
        actor=user,
        verb="assignment.claimed",
        subject=assignment,
        after={"stage": stage.pk, "sentence": assignment.sentence_id, "pair": assignment.pair_id},
    )
    return assignment


def _hold_memberships(project: int, users: Iterable[User]) -> None:
    """Claims of these people, and what is handed out to them blind, take turns until the transaction ends."""
    rows = Membership.objects.filter(project=project, user__in=users).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


@transaction.atomic
def assign_review(*, stage: Stage, ids: Collection[int], user: User, by: User | None) -> int:
    """Give `user` those of the stage's sentences or pairs (ids) to review that are free for them. Returns how many.

    Raises ActionError for a stage where nothing is assigned, and for people who are no members.
    """
    if stage.kind == StageKind.ADJUDICATE:
        raise ActionError(_("Adjudication has a queue of its own; there is nothing to assign in this stage."))
    if not stage.project.memberships.filter(user=user).exists():
        raise ActionError(_("%(name)s is not a member of this project.") % {"name": user})
    if stage.kind == StageKind.PAIR_TAG:
        pairs = free_pairs(stage, user).filter(pk__in=ids)
        new = [Assignment(pair=pair, position=pair.position) for pair in pairs]
    else:
        sentences = free_sentences(stage, user).filter(pk__in=ids).select_related("segment")
        new = [Assignment(sentence=sentence, position=sentence.segment.position) for sentence in sentences]
    for assignment in new:
        assignment.project, assignment.stage, assignment.user = stage.project, stage, user
        assignment.mode = Mode.REVIEW
    created = Assignment.objects.bulk_create(new)
    log_many(
        project=stage.project,
        actor=by,
        verb="assignment.given",
        changes=[
            (row, None, {"stage": stage.pk, "sentence": row.sentence_id, "pair": row.pair_id, "user": user.pk})
            for row in created
        ],
    )
    return len(created)


@transaction.atomic
def free_open(*, stage: Stage, user: User, mode: str, by: User, ids: Collection[int] | None = None) -> int:
    """Take the person's open items of the stage away from them, so that others can have them. Returns how many.

    `ids`: only these assignments. Finished items stay theirs, and labels that were saved on open ones stay on
    record: the person finds them again on claiming the item anew.
    """
    unfinished = Assignment.objects.select_for_update().filter(
        stage=stage, user=user, mode=mode, state=AssignmentState.OPEN
    )
    if ids is not None:
        unfinished = unfinished.filter(pk__in=ids)
    rows = list(unfinished)
    log_many(
        project=stage.project,
        actor=by,
        verb="assignment.handed_back" if by == user else "assignment.freed",
        changes=[
            (
                row,
                {"stage": stage.pk, "sentence": row.sentence_id, "pair": row.pair_id, "user": user.pk, "mode": mode},
                None,
            )
            for row in rows
        ],
    )
    Assignment.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return len(rows)


@dataclass(frozen=True)
class BlindSummary:
    """What `assign_blind` handed out to one person, and why pairs of the sample were left out."""

    user: str
    pairs: int = 0
    sentences: int = 0
    already: int = 0  # sentences and pairs of the sample that were theirs to do blind before
    seen: int = 0  # pairs left out: the person has worked there with suggestions in sight
    decided: int = 0  # pairs left out: gold is decided there


@transaction.atomic
def assign_blind(
    *, project: Project, language: str, users: Sequence[User], pairs: int, seed: int, by: User | None
) -> list[BlindSummary]:
    """Give each of `users` the same random sample of about `pairs` pairs to label from scratch.

    Whole premise groups are drawn, so that a premise is labelled with all its hypotheses; the last group
    is cut to the number. The same seed draws the same sample. Each pair comes with its premise and its
    hypothesis in the *correct* stage. A person never gets what they have already seen with suggestions.
    Raises ActionError when the language has no such stages or no pairs.
    """
    if pairs < 1:
        raise ActionError(_("Say how many pairs to draw: at least 1."))
    if not users:
        raise ActionError(_("Name at least one person for the blind work."))
    outsiders = [user for user in users if not project.memberships.filter(user=user).exists()]
    if outsiders:
        raise ActionError(_("%(name)s is not a member of this project.") % {"name": outsiders[0]})
    stages = {stage.kind: stage for stage in project.stages.filter(language=language)}
    correct = stages.get(StageKind.CORRECT)
    if correct is None:
        raise ActionError(
            _("The project has no stage in which sentences in “%(language)s” are corrected.") % {"language": language}
        )
    lock_project(project)
    _hold_memberships(project.pk, users)
    sample = draw_pairs(project, language, pairs, seed)
    if not sample:
        raise ActionError(_("The project has no pairs with both sentences in “%(language)s”.") % {"language": language})
    summaries = [_assign_blind_to(user, sample, correct, stages.get(StageKind.PAIR_TAG), by) for user in users]
    log(
        project=project,
        actor=by,
        verb="assignment.sample",
        subject=correct,
        after={"language": language, "seed": seed, "pairs": [pair.pk for pair in sample]},
    )
    return summaries


def draw_pairs(project: Project, language: str, count: int, seed: int) -> list[Pair]:
    """A seeded random sample of `count` pairs in whole premise groups (the last one cut), in reading order."""
    groups: dict[int, list[Pair]] = {}
    for pair in pairs_in(project.pairs.all(), language).order_by("position", "pk"):
        groups.setdefault(pair.premise_id, []).append(pair)
    order = list(groups)
    random.Random(seed).shuffle(order)  # noqa: S311 -- a sample that can be drawn again, not a secret
    drawn = [pair for premise in order for pair in groups[premise]][:count]
    return sorted(drawn, key=lambda pair: (pair.position, pair.pk))


def _assign_blind_to(
    user: User, sample: list[Pair], correct: Stage, pair_stage: Stage | None, by: User | None
) -> BlindSummary:
    segments = {segment for pair in sample for segment in (pair.premise_id, pair.hypothesis_id)}
    sentences = {
        sentence.segment_id: sentence
        for sentence in Sentence.objects.filter(
            project=correct.project, language=correct.language, is_current=True, segment__in=segments
        ).select_related("segment")
    }
    seen = _seen_segments(user, correct.project)
    decided = set(
        Gold.objects.filter(sentence__in=[row.pk for row in sentences.values()]).values_list(
            "sentence__segment_id", flat=True
        )
    )
    decided_pairs = set(
        PairTag.objects.filter(
            project=correct.project, language=correct.language, kind=TagKind.GOLD, pair__in=sample
        ).values_list("pair_id", flat=True)
    )
    unseen = [pair for pair in sample if not seen & {pair.premise_id, pair.hypothesis_id}]
    kept = [
        pair for pair in unseen if not decided & {pair.premise_id, pair.hypothesis_id} and pair.pk not in decided_pairs
    ]
    wanted_segments = dict.fromkeys(segment for pair in kept for segment in (pair.premise_id, pair.hypothesis_id))
    new_sentences, old_sentences = _create_blind(
        user,
        correct,
        [Assignment(sentence=sentences[pk], position=sentences[pk].segment.position) for pk in wanted_segments],
        by,
    )
    new_pairs = old_pairs = 0
    if pair_stage is not None:
        new_pairs, old_pairs = _create_blind(
            user, pair_stage, [Assignment(pair=pair, position=pair.position) for pair in kept], by
        )
    return BlindSummary(
        user=user.username,
        pairs=new_pairs,
        sentences=new_sentences,
        already=old_sentences + old_pairs,
        seen=len(sample) - len(unseen),
        decided=len(unseen) - len(kept),
    )


def _create_blind(user: User, stage: Stage, wanted: Iterable[Assignment], by: User | None) -> tuple[int, int]:
    existing = set(Assignment.objects.filter(stage=stage, user=user).values_list("sentence_id", "pair_id"))
    new = []
    old = 0
    for assignment in wanted:
        if (assignment.sentence_id, assignment.pair_id) in existing:
            old += 1
            continue
        assignment.project, assignment.stage, assignment.user = stage.project, stage, user
        assignment.mode, assignment.state = Mode.BLIND, AssignmentState.OPEN
        new.append(assignment)
    created = Assignment.objects.bulk_create(new, batch_size=500)
    log_many(
        project=stage.project,
        actor=by,
        verb="assignment.blind",
        changes=[
            (row, None, {"stage": stage.pk, "sentence": row.sentence_id, "pair": row.pair_id, "user": user.pk})
            for row in created
        ],
    )
    return len(created), old


def _seen_segments(user: User, project: Project) -> set[int]:
    """Segments on which the user has worked, in any language, with machine labels or others' labels in sight."""
    reviewed = Assignment.objects.filter(project=project, user=user, mode=Mode.REVIEW).order_by()
    tagged = PairTag.objects.filter(project=project, user=user, kind=TagKind.PERSON, mode=Mode.REVIEW)
    seen: set[int] = set()
    for row in reviewed.values_list("sentence__segment_id", "pair__premise_id", "pair__hypothesis_id"):
        seen.update(pk for pk in row if pk is not None)
    for pks in tagged.values_list("pair__premise_id", "pair__hypothesis_id"):
        seen.update(pks)
    done = Annotation.objects.filter(~Q(mode=Mode.BLIND), project=project, annotator=user)
    seen.update(done.values_list("sentence__segment_id", flat=True))
    return seen
