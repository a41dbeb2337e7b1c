"""Blind work: the same random sample for several people, to be answered from scratch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import hold_memberships, lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Project, Segment, Stage, Unit, User
from annotator.work.blind.actions.handing_blind import check_people, hand_out, hold_units
from annotator.work.blind.queries.blind_pool import Reasons, draw, reasons, sentences_of
from annotator.work.blind.queries.blind_subset import pair_stage, sentence_stage


@dataclass(frozen=True)
class BlindSummary:
    """What was assigned to one person, and why pairs of the sample (or what else was drawn) were left out."""

    user: User
    pairs: int = 0
    sentences: int = 0
    items: int = 0  # of another stage than that of sentences and their pairs (`work/blind/actions/blind_items.py`)
    already: int = 0  # sentences and pairs of the sample that were theirs to do before
    seen: int = 0  # left out: the person has worked there with suggestions in sight
    own: int = 0  # left out: the person wrote what is judged there, or labels its sentence blind
    decided: int = 0  # left out: gold is decided there, or the answers went on to the next stage


@again_on_deadlock
@transaction.atomic
def assign_blind(
    *, project: Project, language: str, users: Sequence[User], pairs: int, seed: int, by: User | None
) -> list[BlindSummary]:
    """Give each of `users` the same random sample of about `pairs` pairs to answer from scratch.

    It is drawn from what can be had (`queries.blind_pool.draw`). Each pair comes with the sentences that it is made of.
    In a project without pairs, sentences are drawn. A person never gets what they have already seen with suggestions.
    Raises ActionError when the language has no such stages or nothing to draw from.
    """
    if pairs < 1:
        raise ActionError(_("Enter how many pairs to draw: at least 1."))
    stages = list(project.stages.select_related("layer", "project"))
    correct = sentence_stage(stages, language)
    if correct is None:
        raise ActionError(
            _("The project has no stage where sentences in “%(language)s” are corrected.") % {"language": language}
        )
    check_people(correct, users)
    lock_project(project)
    hold_memberships(project.pk, users)
    sample = draw(correct, users, pairs, seed)
    if not sample:
        raise ActionError(_("The project has no pairs with both sentences in “%(language)s”.") % {"language": language})
    pairs_in = pair_stage(stages, language)
    sentences = sentences_of(sample, language)
    hold_units([*sample, *sentences.values()])
    barred = reasons(correct, users, sample)
    summaries = [_assign_to(user, sample, sentences, barred, correct, pairs_in, by) for user in users]
    log(
        project=project,
        actor=by,
        verb=Verb.ASSIGNMENT_SAMPLE,
        subject=correct,
        after={"language": language, "seed": seed, "units": [unit.pk for unit in sample]},
    )
    return summaries


def _assign_to(
    user: User,
    sample: Sequence[Unit],
    sentences: Mapping[int, Unit],
    barred: Reasons,
    correct: Stage,
    pairs_in: Stage | None,
    by: User | None,
) -> BlindSummary:
    unseen = [unit for unit in sample if unit.pk not in barred.seen[user.pk]]
    assignable = [unit for unit in unseen if unit.pk not in barred.decided]
    wanted = [sentences[segment] for unit in assignable for segment in unit.touches if segment in sentences]
    new_sentences, old_sentences = hand_out(user, correct, dict.fromkeys(wanted), by)
    new_pairs = old_pairs = 0
    if pairs_in is not None:
        pairs = [unit for unit in assignable if unit.kind == Segment.PAIR]
        new_pairs, old_pairs = hand_out(user, pairs_in, pairs, by)
    return BlindSummary(
        user=user,
        pairs=new_pairs,
        sentences=new_sentences,
        already=old_sentences + old_pairs,
        seen=len(sample) - len(unseen),
        decided=len(unseen) - len(assignable),
    )
