"""Blind work: the same random sample for several people, to be answered from scratch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotator.actions.deadlocks import again_on_deadlock
from annotator.actions.errors import ActionError
from annotator.actions.events import log
from annotator.actions.handing_blind import check_people, hand_out, hold_units
from annotator.actions.locks import hold_memberships, lock_project
from annotator.domain.states import AssignmentState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Gold, Project, Segment, Stage, Unit, User
from annotator.queries.blind_subset import pair_stage, sentence_stage


@dataclass(frozen=True)
class BlindSummary:
    """What was handed out to one person, and why pairs of the sample (or what else was drawn) were left out."""

    user: User
    pairs: int = 0
    sentences: int = 0
    items: int = 0  # of another stage than that of sentences and their pairs (`actions/blind_items.py`)
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

    Whole groups are drawn, so that a premise is labelled with all its hypotheses; the last group is cut to the
    number. The same seed draws the same sample. Each pair comes with the sentences that it is made of. In a project
    without pairs, sentences are drawn. A person never gets what they have already seen with suggestions.
    Raises ActionError when the language has no such stages or nothing to draw from.
    """
    if pairs < 1:
        raise ActionError(_("Say how many pairs to draw: at least 1."))
    stages = list(project.stages.select_related("layer", "project"))
    correct = sentence_stage(stages, language)
    if correct is None:
        raise ActionError(
            _("The project has no stage in which sentences in “%(language)s” are corrected.") % {"language": language}
        )
    check_people(correct, users)
    lock_project(project)
    hold_memberships(project.pk, users)
    sample = draw(project, language, pairs, seed)
    if not sample:
        raise ActionError(_("The project has no pairs with both sentences in “%(language)s”.") % {"language": language})
    pairs_in = pair_stage(stages, language)
    sentences = _sentences(sample, language)
    hold_units([*sample, *sentences.values()])
    summaries = [_assign_to(user, sample, sentences, correct, pairs_in, by) for user in users]
    log(
        project=project,
        actor=by,
        verb=Verb.ASSIGNMENT_SAMPLE,
        subject=correct,
        after={"language": language, "seed": seed, "units": [unit.pk for unit in sample]},
    )
    return summaries


def draw(project: Project, language: str, count: int, seed: int) -> list[Unit]:
    """A seeded random sample of `count` pairs, or sentences where there are none, in whole groups (the last one cut),
    in reading order."""
    current = Unit.objects.published().filter(project=project, language=language, is_current=True)
    units = current.filter(kind=Segment.PAIR)
    if not units.exists():
        units = current.filter(kind=Segment.SENTENCE)
    return draw_from(units, count, seed)


def draw_from(units: QuerySet[Unit], count: int, seed: int) -> list[Unit]:
    """The same of any units of one language."""
    groups: dict[tuple[str, str], list[int]] = {}
    rows = units.order_by("segment__position", "pk")
    for pk, dataset, group, uid in rows.values_list("pk", "segment__dataset", "segment__group", "segment__uid"):
        groups.setdefault((dataset, group or uid), []).append(pk)
    order = list(groups)
    random.Random(seed).shuffle(order)  # noqa: S311 -- a sample that can be drawn again, not a secret
    drawn = [pk for group in order for pk in groups[group]][:count]
    found = Unit.objects.select_related("segment").in_bulk(drawn)
    return sorted(found.values(), key=lambda unit: (unit.segment.position, unit.pk))


def _sentences(sample: Iterable[Unit], language: str) -> dict[int, Unit]:
    """The sentences that the sample is made of, or is, by segment."""
    rows = Unit.objects.filter(
        segment__in={segment for unit in sample for segment in unit.touches},
        language=language,
        kind=Segment.SENTENCE,
        is_current=True,
    )
    return {row.segment_id: row for row in rows.select_related("segment")}


def _assign_to(
    user: User,
    sample: Sequence[Unit],
    sentences: Mapping[int, Unit],
    correct: Stage,
    pairs_in: Stage | None,
    by: User | None,
) -> BlindSummary:
    seen = seen_segments(user, correct.project)
    involved = [*sample, *sentences.values()]
    decided = set(Gold.objects.filter(unit__in=involved).values_list("unit__segment_id", flat=True))
    unseen = [unit for unit in sample if seen.isdisjoint(unit.touches)]
    kept = [unit for unit in unseen if decided.isdisjoint(unit.touches)]
    wanted = [sentences[segment] for unit in kept for segment in unit.touches if segment in sentences]
    new_sentences, old_sentences = hand_out(user, correct, dict.fromkeys(wanted), by)
    new_pairs = old_pairs = 0
    if pairs_in is not None:
        pairs = [unit for unit in kept if unit.kind == Segment.PAIR]
        new_pairs, old_pairs = hand_out(user, pairs_in, pairs, by)
    return BlindSummary(
        user=user,
        pairs=new_pairs,
        sentences=new_sentences,
        already=old_sentences + old_pairs,
        seen=len(sample) - len(unseen),
        decided=len(unseen) - len(kept),
    )


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
