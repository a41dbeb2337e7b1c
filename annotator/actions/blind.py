"""Blind work: the same random sample for several people, to be answered from scratch."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.actions.adjudication import withdraw_adjudication
from annotator.actions.blind_marks import mark_blind
from annotator.actions.counters import add_to_counter
from annotator.actions.deadlocks import again_on_deadlock
from annotator.actions.errors import ActionError
from annotator.actions.events import log, log_many
from annotator.actions.items import change_item
from annotator.actions.locks import hold_memberships, lock_project
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.kind import Holds, kind_of
from annotator.models import Annotation, Assignment, Gold, Item, Project, Segment, Stage, Unit, User
from annotator.queries.free import answered_elsewhere


@dataclass(frozen=True)
class BlindSummary:
    """What `assign_blind` handed out to one person, and why pairs of the sample were left out."""

    user: User
    pairs: int = 0
    sentences: int = 0
    already: int = 0  # sentences and pairs of the sample that were theirs to do blind before
    seen: int = 0  # pairs left out: the person has worked there with suggestions in sight
    decided: int = 0  # pairs left out: gold is decided there


@again_on_deadlock
@transaction.atomic
def assign_blind(
    *, project: Project, language: str, users: Sequence[User], pairs: int, seed: int, by: User | None
) -> list[BlindSummary]:
    """Give each of `users` the same random sample of about `pairs` pairs to answer from scratch.

    Whole groups are drawn, so that a premise is labelled with all its hypotheses; the last group is cut to the
    number. The same seed draws the same sample. Each pair comes with the sentences that it is made of. In a project
    without pairs, sentences are drawn. A person never gets what they have already seen with suggestions.
    Raises ActionError when the language has no such stages or nothing to draw from.
    """
    if pairs < 1:
        raise ActionError(_("Say how many pairs to draw: at least 1."))
    if not users:
        raise ActionError(_("Name at least one person for the blind work."))
    outsiders = [user for user in users if not project.memberships.filter(user=user).exists()]
    if outsiders:
        raise ActionError(_("%(name)s is not a member of this project.") % {"name": outsiders[0]})
    correct = blind_stage(project, language, Segment.SENTENCE)
    if correct is None:
        raise ActionError(
            _("The project has no stage in which sentences in “%(language)s” are corrected.") % {"language": language}
        )
    lock_project(project)
    hold_memberships(project.pk, users)
    sample = draw(project, language, pairs, seed)
    if not sample:
        raise ActionError(_("The project has no pairs with both sentences in “%(language)s”.") % {"language": language})
    pair_stage = blind_stage(project, language, Segment.PAIR)
    sentences = _sentences(sample, language)
    _hold([*sample, *sentences.values()])
    summaries = [_assign_to(user, sample, sentences, correct, pair_stage, by) for user in users]
    log(
        project=project,
        actor=by,
        verb=Verb.ASSIGNMENT_SAMPLE,
        subject=correct,
        after={"language": language, "seed": seed, "units": [unit.pk for unit in sample]},
    )
    return summaries


def blind_stage(project: Project, language: str, unit_kind: str) -> Stage | None:
    """The stage in which units of a kind are answered blind: the first that shows no projections."""
    for stage in project.stages.filter(language=language).exclude(kind=Stage.ADJUDICATE).select_related("layer"):
        kind = kind_of(stage)
        if stage.layer.unit_kind == unit_kind and kind.holds(stage) in (Holds.ALL, Holds.UNPROJECTED):
            stage.project = project
            return stage
    return None


def draw(project: Project, language: str, count: int, seed: int) -> list[Unit]:
    """A seeded random sample of `count` pairs, or sentences where there are none, in whole groups (the last one cut),
    in reading order."""
    current = Unit.objects.published().filter(project=project, language=language, is_current=True)
    units = current.filter(kind=Segment.PAIR)
    if not units.exists():
        units = current.filter(kind=Segment.SENTENCE)
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units.select_related("segment").order_by("segment__position", "pk"):
        groups.setdefault((unit.segment.dataset, unit.segment.group or unit.segment.uid), []).append(unit)
    order = list(groups)
    random.Random(seed).shuffle(order)  # noqa: S311 -- a sample that can be drawn again, not a secret
    drawn = [unit for group in order for unit in groups[group]][:count]
    return sorted(drawn, key=lambda unit: (unit.segment.position, unit.pk))


def _sentences(sample: Iterable[Unit], language: str) -> dict[int, Unit]:
    """The sentences that the sample is made of, or is, by segment."""
    rows = Unit.objects.filter(
        segment__in={segment for unit in sample for segment in unit.touches},
        language=language,
        kind=Segment.SENTENCE,
        is_current=True,
    )
    return {row.segment_id: row for row in rows.select_related("segment")}


def _hold(units: Iterable[Unit]) -> None:
    """Whoever saves, claims or decides on these units waits until the transaction ends. What was seen, answered or
    decided is asked after it."""
    rows = Unit.objects.select_for_update(no_key=True).filter(pk__in={unit.pk for unit in units})
    list(rows.order_by("pk").values_list("pk"))


def _assign_to(
    user: User,
    sample: Sequence[Unit],
    sentences: Mapping[int, Unit],
    correct: Stage,
    pair_stage: Stage | None,
    by: User | None,
) -> BlindSummary:
    seen = seen_segments(user, correct.project)
    involved = [*sample, *sentences.values()]
    decided = set(Gold.objects.filter(unit__in=involved).values_list("unit__segment_id", flat=True))
    unseen = [unit for unit in sample if seen.isdisjoint(unit.touches)]
    kept = [unit for unit in unseen if decided.isdisjoint(unit.touches)]
    wanted = [sentences[segment] for unit in kept for segment in unit.touches if segment in sentences]
    new_sentences, old_sentences = _hand_out(user, correct, dict.fromkeys(wanted), by)
    new_pairs = old_pairs = 0
    if pair_stage is not None:
        pairs = [unit for unit in kept if unit.kind == Segment.PAIR]
        new_pairs, old_pairs = _hand_out(user, pair_stage, pairs, by)
    return BlindSummary(
        user=user,
        pairs=new_pairs,
        sentences=new_sentences,
        already=old_sentences + old_pairs,
        seen=len(sample) - len(unseen),
        decided=len(unseen) - len(kept),
    )


def _hand_out(user: User, stage: Stage, units: Iterable[Unit], by: User | None) -> tuple[int, int]:
    """How many are new to the person, and how many they had."""
    wanted = list(units)
    items = _items(stage, wanted)
    mine = {
        row.item_id: row
        for row in Assignment.objects.filter(stage=stage, user=user, item__in=[item.pk for item in items.values()])
    }
    elsewhere = answered_elsewhere(stage, user, wanted)
    # Saved since the sample was drawn, on an item that had gone back.
    reviewed = Annotation.objects.filter(layer=stage.layer, user=user, unit__in=wanted, mode=Mode.REVIEW)
    theirs = elsewhere | set(reviewed.values_list("unit_id", flat=True))
    new: list[Assignment] = []
    old = 0
    for unit in wanted:
        item = items[unit.pk]
        row = mine.get(item.pk)
        if unit.pk in theirs or (row is not None and row.state != AssignmentState.RETURNED):
            old += 1
            continue
        if row is None:
            row = Assignment(project_id=stage.project_id, stage=stage, item=item, user=user, reading=item.reading)
        row.unit, row.mode, row.state, row.expires_at = unit, Mode.BLIND, AssignmentState.OPEN, None
        row.suggestion, row.shown = None, []
        row.save()
        new.append(row)
        if stage.mode == Mode.BLIND:
            # An answer that is asked for by name comes beside those that the stage wants, where these are taken.
            wants = max(item.answers_wanted, item.answers_open + item.answers_done + 1)
            change_item(item, user=None, answers_open=1, answers_wanted=wants)
        else:
            change_item(item, user=None, extra_open=1)
    if new:
        add_to_counter(stage, user, project=stage.project_id, blind_open=len(new))
    mark_blind(new, stage)
    withdraw_adjudication([row.unit_id for row in new], stage.layer_id)
    log_many(
        project=stage.project_id,
        actor=by,
        verb=Verb.ASSIGNMENT_BLIND,
        operation=uuid.uuid4(),
        changes=[(row, None, {"stage": stage.pk, "unit": row.unit_id, "user": user.pk}) for row in new],
    )
    return len(new), old


def _items(stage: Stage, units: Sequence[Unit]) -> dict[int, Item]:
    """The locked items of the units in the stage; one that another stage holds gets an item for blind answers alone."""
    rows = Item.objects.filter(stage=stage, unit__in=[unit.pk for unit in units]).exclude(state=ItemState.VOID)
    found = {item.unit_id: item for item in rows.select_for_update(no_key=True).order_by("pk")}
    missing = [
        Item(
            project_id=stage.project_id,
            stage=stage,
            unit=unit,
            reading=unit.segment.position,
            answers_wanted=0,
            state=ItemState.DONE,
        )
        for unit in units
        if unit.pk not in found
    ]
    return found | {item.unit_id: item for item in Item.objects.bulk_create(missing, batch_size=500)}


def seen_segments(user: User, project: Project) -> set[int]:
    """Segments on which the user has worked, in any language, with machine labels or others' labels in sight."""
    reviewed = Assignment.objects.filter(project=project, user=user, mode=Mode.REVIEW).exclude(
        state=AssignmentState.RETURNED
    )
    written = Annotation.objects.filter(project=project, user=user, mode=Mode.REVIEW)
    seen: set[int] = set()
    for rows in (reviewed, written):
        for touches in rows.order_by().values_list("unit__touches", flat=True):
            seen.update(touches)
    return seen
