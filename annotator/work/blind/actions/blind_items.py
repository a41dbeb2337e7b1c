"""Blind work in any stage: the same random sample of its items for several people, whatever is answered there."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import hold_memberships, lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.kind import create_units, empty_reason
from annotator.domain.verbs import Verb
from annotator.models import Stage, Unit, User
from annotator.work.blind.actions.blind import BlindSummary, assign_blind
from annotator.work.blind.actions.handing_blind import check_people, hand_out, hold_units
from annotator.work.blind.queries.blind_pool import Reasons, draw, reasons
from annotator.work.blind.queries.blind_subset import no_subset, sentence_stage


def assign_blind_items(
    *, stage: Stage, users: Sequence[User], count: int, seed: int, by: User | None
) -> list[BlindSummary]:
    """Give each of `users` the same random sample of about `count` items of a stage to answer blind.

    Each of them is then wanted of so many people, of two at least; the others as before. It is drawn from what can be
    had (`queries.blind_pool.draw`): not what is decided or has gone on to the next stage, nor for a person what they
    wrote or have seen with suggestions. Where sentences are labelled, `assign_blind` is called.
    Raises ActionError where people's answers are not compared, and where there is nothing to draw from.
    """
    stages = list(stage.project.stages.select_related("layer"))
    if stage == sentence_stage(stages, stage.language):
        return assign_blind(project=stage.project, language=stage.language, users=users, pairs=count, seed=seed, by=by)
    if refusal := no_subset(stage, stages):
        raise ActionError(refusal)
    if count < 1:
        raise ActionError(_("Enter how many items to draw: at least 1."))
    check_people(stage, users)
    return _assign(stage, users, count, seed, by)


@again_on_deadlock
@transaction.atomic
def _assign(stage: Stage, users: Sequence[User], count: int, seed: int, by: User | None) -> list[BlindSummary]:
    lock_project(stage.project)
    hold_memberships(stage.project_id, users)
    sample = draw(stage, users, count, seed)
    if not sample and create_units(stage, users[0], count):
        sample = draw(stage, users, count, seed)
    if not sample:
        raise ActionError(empty_reason(stage) or _("This stage has no items yet."))
    hold_units(sample)
    barred = reasons(stage, users, sample)
    left = [unit for unit in sample if unit.pk not in barred.decided]
    summaries = [_assign_to(user, stage, left, barred, by) for user in users]
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ASSIGNMENT_SAMPLE,
        subject=stage,
        after={"language": stage.language, "seed": seed, "units": [unit.pk for unit in sample]},
    )
    return summaries


def _assign_to(user: User, stage: Stage, units: Sequence[Unit], barred: Reasons, by: User | None) -> BlindSummary:
    unseen = [unit for unit in units if unit.pk not in barred.seen[user.pk]]
    assignable = [unit for unit in unseen if unit.pk not in barred.own[user.pk]]
    new, old = hand_out(user, stage, assignable, by)
    return BlindSummary(
        user=user,
        items=new,
        already=old,
        seen=len(units) - len(unseen),
        own=len(unseen) - len(assignable),
        decided=len(barred.decided),
    )
