"""What a person should do next in a project: the prominent button of the dashboard.

Asked on every visit, so it reads counters and a few rows by index, never the corpus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Q, QuerySet

from annotator.core.access import Access
from annotator.core.kind import available, empty_reason, is_beside, is_open_ended, kind_of, task_due
from annotator.core.permissions import Permission
from annotator.dashboard.queries.stages_before import before
from annotator.domain.content import Written, content_type
from annotator.domain.states import AnnotationState, ItemState, Mode
from annotator.machines.queries.projections_due import can_begin, unprojected
from annotator.machines.queries.training import has_detector
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Item,
    Project,
    Stage,
    Suggestion,
    SuggestionKind,
    User,
)
from annotator.releases.queries.release_news import all_gold, has_new
from annotator.releases.queries.releases import answers_stand
from annotator.work.gold.queries.adjudication import Waits, waits, waits_of
from annotator.work.queue.queries.coverage import reaches
from annotator.work.queue.queries.free import LOOKED_AT, answerable, at_hand, free_items, hidden_counts, hidden_units
from annotator.work.queue.queries.progress import Progress, Stages, held_in_advance
from annotator.work.queue.queries.returned import sent_back


class Step(StrEnum):
    """In the order in which they come up."""

    IMPORT = "import"
    WAIT = "wait"  # nothing is imported, and this person cannot do it
    PREDICT = "predict"
    MEND = "mend"  # what this person wrote came back
    CONTINUE = "continue"
    PROJECT = "project"
    ADJUDICATE = "adjudicate"
    ACCEPT = "accept"
    DUE = "due"  # a manager's part in a stage
    START = "start"
    RELEASE = "release"
    RELEASE_ANSWERS = "release-answers"  # where nobody decides
    OWN = "own"  # what is left is for others, since this person wrote it
    BARRED = "barred"  # what is left to decide is for others, since this person labelled or wrote it
    BLIND = "blind"  # what is left would tell this person of what they answer blind
    FIRST = "first"  # a stage is empty, since something comes first
    NOTHING = "nothing"
    ARCHIVED = "archived"


class Left(StrEnum):
    """What is left of the work where nothing waits for a person."""

    OPEN = "open"  # somebody has something open
    OTHERS = "others"  # nobody has, and it is not for this person
    DONE = "done"  # nothing is left
    NONE = "none"  # there was nothing yet


@dataclass(frozen=True)
class NextStep:
    """`stage` where the step is work in a stage, or which one is empty since something is missing; `count`: how many
    items wait; `language` of the labels concerned, and the one that they are projected from; `left`: where nothing
    waits, why; `blind`: the items are of a blind sample; `waits`: for whom decisions wait,
    and why.
    """

    step: Step
    stage: Stage | None = None
    count: int = 0
    language: str = ""
    source: str = ""
    left: Left = Left.DONE
    blind: bool = False
    waits: Waits | None = None


def decisions(access: Access, progress: Stages) -> dict[int, Waits]:
    """By stage in which this person decides, for whom items wait."""
    stages = [stage for stage, _numbers in progress if stage.adjudicates and access.works_in(stage.language)]
    return waits_of(stages, access.user) if access.may(Permission.ADJUDICATE) else {}


def to_decide(access: Access, progress: Stages) -> dict[int, int]:
    """By stage in which this person decides, how many items wait for their decision."""
    return {stage: found.mine for stage, found in decisions(access, progress).items()}


def next_step(access: Access, progress: Stages, waiting: Mapping[int, int]) -> NextStep:
    """The first thing that waits for this person. `progress` is `project_progress` of the project, `waiting` is
    `to_decide`."""
    project, user = access.project, access.user
    if project.is_archived:
        return NextStep(Step.ARCHIVED)
    manages = access.may(Permission.MANAGE)
    if not project.slots.exists() and not _begins_from_nothing(progress, user):
        return NextStep(Step.IMPORT if manages else Step.WAIT)
    answering = [(stage, numbers) for stage, numbers in progress if not stage.adjudicates]
    own = {row.stage_id: row for row in Counter.objects.filter(project=project, user=user)}
    if blind := _blind_first(access, answering, own):
        return blind
    if manages and _can_predict(project, progress):
        return NextStep(Step.PREDICT, language=project.source_language)
    # Managers look after the whole project; what is asked of one as a person is in one's own languages.
    adjudicating = [(stage, numbers) for stage, numbers in progress if stage.adjudicates]
    if begun := _begun_by(access, answering, own):
        return begun
    if manages and (found := unprojected(project, progress)):
        source, target = found
        return NextStep(Step.PROJECT, language=target, source=source)
    if disagreeing := next((stage for stage, _numbers in adjudicating if waiting.get(stage.pk)), None):
        return NextStep(Step.ADJUDICATE, disagreeing, waiting[disagreeing.pk])
    without_gold = _without_gold(progress) if manages else []
    labels = [(stage, number) for stage, number in without_gold if stage.layer_id == project.label_layer.pk]
    if to_accept := _to_accept(labels, answering):
        return to_accept
    if manages and (due := next((stage for stage, _numbers in answering if task_due(stage)), None)):
        return NextStep(Step.DUE, due)
    if start := first_to_start(access, progress):
        return start
    if manages and not _undone(answering) and (last := _at_the_end(project, progress, answering, without_gold)):
        return last
    if kept := _kept(access, progress):
        return kept
    empty = next((stage for stage, numbers in answering if not numbers.total and empty_reason(stage)), None)
    if manages and empty is not None:
        return NextStep(Step.FIRST, empty)
    return NextStep(Step.NOTHING, empty, left=_left(answering, adjudicating))


def _can_predict(project: Project, progress: Stages) -> bool:
    """Whether suggestions of a detector are wanted, and nothing is labelled yet."""
    return (
        _shows_suggestions(project, progress) and not _begun(project) and has_detector(project, project.source_language)
    )


def _begun_by(access: Access, answering: Stages, own: Mapping[int, Counter]) -> NextStep | None:
    """What somebody has started, or was given, in the first stage in which there is any."""
    for stage, _numbers in answering:
        row = own.get(stage.pk)
        open_ = row.own_open + row.blind_open if row and access.works_in(stage.language) else 0
        if open_ > 0 and (begun := _goes_on(stage, access.user)):
            return begun
    return None


def _at_the_end(
    project: Project, progress: Stages, answering: Stages, without_gold: Sequence[tuple[Stage, int]]
) -> NextStep | None:
    """What a manager does once everything is answered: accept what agrees, then release."""
    if to_accept := _to_accept(without_gold, answering):
        return to_accept
    if answers_stand(project, [stage for stage, _numbers in progress]):
        if any(numbers.total for _stage, numbers in answering) and has_new(project, answers=True):
            return NextStep(Step.RELEASE_ANSWERS)
    elif not any(number for _stage, number in without_gold) and all_gold(project) and has_new(project):
        return NextStep(Step.RELEASE)
    return None


def _blind_first(access: Access, answering: Stages, own: Mapping[int, Counter]) -> NextStep | None:
    """What somebody was given to answer blind comes before all else: whatever they do meanwhile may tell of it."""
    for stage, _numbers in answering:
        row = own.get(stage.pk)
        if row is None or row.blind_open <= 0 or not access.works_in(stage.language):
            continue
        rows = at_hand(_own_open(stage, [access.user.pk])).filter(mode=Mode.BLIND)
        if count := rows.count():
            return NextStep(Step.CONTINUE, stage, count, blind=stage.mode != Mode.BLIND)
    return None


def _goes_on(stage: Stage, user: User) -> NextStep | None:
    """What somebody has started, or was given, in a stage, without what a page holds in advance; what came back to them
    first."""
    rows = at_hand(_own_open(stage, [user.pk]))
    if isinstance(content_type(stage.layer.content_type), Written):
        answers = Annotation.objects.filter(layer=stage.layer_id, user=user, unit__in=rows.values("unit"))
        if back := sent_back(list(answers.filter(state=AnnotationState.OPEN).values_list("pk", flat=True))):
            return NextStep(Step.MEND, stage, len(back))
    count = rows.exclude(held_in_advance()).count()
    return NextStep(Step.CONTINUE, stage, count) if count else None


def _left(answering: Stages, adjudicating: Stages) -> Left:
    if any(numbers.open or numbers.blind_open for _stage, numbers in answering):
        return Left.OPEN
    if any(numbers.done < numbers.total for _stage, numbers in answering):
        return Left.OTHERS
    # Of what is decided, what is answered waits.
    if any(numbers.open for _stage, numbers in adjudicating):
        return Left.OTHERS
    return Left.DONE if any(numbers.total for _stage, numbers in answering) else Left.NONE


def _undone(answering: Stages) -> bool:
    """Whether something is left to answer in any stage, or one is empty though that which it is made from is not."""
    begun = {stage.pk for stage, numbers in answering if numbers.total}
    for stage, numbers in answering:
        if numbers.done < numbers.total:
            return True
        if not numbers.total and kind_of(stage).intake.empty_reason:
            first = before(stage)
            if first is not None and first.pk in begun:
                return True
    return False


def _without_gold(progress: Stages) -> list[tuple[Stage, int]]:
    """The stages that adjudicate, each with how many units of its layer and language have no gold."""
    found = reaches([stage for stage, _numbers in progress], {row.pk: (n.total, n.done) for row, n in progress})
    return [
        (stage, max(0, found[stage.layer_id, stage.language].units - numbers.done))
        for stage, numbers in progress
        # Written texts are judged by others, and have no gold.
        if stage.adjudicates and not isinstance(content_type(stage.layer.content_type), Written)
    ]


def _to_accept(without_gold: Sequence[tuple[Stage, int]], answering: Stages) -> NextStep | None:
    """The first layer in which all is answered and something has neither gold nor waits for a decision."""
    lacking = [(stage, number) for stage, number in without_gold if number]
    if not lacking:
        return None
    waits = Item.objects.filter(stage__in=[stage for stage, _number in lacking], state=ItemState.FREE)
    differing = dict(waits.order_by().values_list("stage").annotate(Count("pk")))
    for stage, number in lacking:
        left = number - differing.get(stage.pk, 0)
        if left > 0 and _labelled_through(stage, answering):
            return NextStep(Step.ACCEPT, stage, left, stage.language)
    return None


def _kept(access: Access, progress: Stages) -> NextStep | None:
    """Whether something is left that this person is not given: what they wrote, for others to judge or to decide on, or
    what would tell them of what they answer blind."""
    decides, blind, barred = access.may(Permission.ADJUDICATE), None, None
    for stage, numbers in progress:
        if numbers.done >= numbers.total or not access.works_in(stage.language):
            continue
        if stage.adjudicates:
            if decides and barred is None and (left := waits(stage, access.user)).others:
                barred = NextStep(Step.BARRED, stage, left.others, waits=left)
        elif access.may(kind_of(stage).needs):
            hidden = hidden_counts(stage, access.user)
            if hidden.own:
                return NextStep(Step.OWN)
            if hidden.blind and blind is None:
                blind = NextStep(Step.BLIND, stage, hidden.blind)
    return barred or blind


def labels_sentences(project: Project, progress: Stages) -> bool:
    """Whether anybody labels sentences in the project, or has: it has a stage for it, or imported gold."""
    layer = project.label_layer
    return any(stage.layer_id == layer.pk for stage, _numbers in progress) or project.golds.filter(layer=layer).exists()


def _shows_suggestions(project: Project, progress: Stages) -> bool:
    """Whether a stage for the labels of the source language has something to do, on which predictions would be seen."""
    layer, language = project.label_layer.pk, project.source_language
    return any(
        (stage.layer_id, stage.language) == (layer, language)
        and not stage.adjudicates
        and stage.mode != Mode.BLIND
        and SuggestionKind.PREDICTION in kind_of(stage).suggestions
        and numbers.done < numbers.total
        for stage, numbers in progress
    )


def first_to_start(access: Access, progress: Stages) -> NextStep | None:
    """The first stage in which items are free for this person."""
    for stage, numbers in progress:
        is_open = (
            not stage.adjudicates
            and access.works_in(stage.language)
            and access.may(kind_of(stage).needs)
            and can_begin(stage, progress)
        )
        if not is_open:
            continue
        # Empty places that somebody left are nobody's debt.
        free = 0 if is_open_ended(kind_of(stage)) else _free(stage, numbers, access.user)
        if count := free or available(stage, access.user):
            return NextStep(Step.START, stage, count)
    return None


def _begins_from_nothing(progress: Stages, user: User) -> bool:
    """Whether there is work for which nothing has to be imported."""
    return any(available(stage, user) for stage, _numbers in progress if not stage.adjudicates)


def _begun(project: Project) -> bool:
    """Whether anybody, person or machine, has labelled anything."""
    predictions = Suggestion.objects.filter(project=project, layer=project.label_layer, kind=SuggestionKind.PREDICTION)
    return project.annotations.exists() or project.golds.exists() or predictions.exists()


def _labelled_through(adjudication: Stage, answering: Stages) -> bool:
    """Every unit that is decided here is answered, and nobody works on one: what agrees now is all that will.

    Before that, accepting would be asked for again after every sentence, and take people's undo away.
    """
    stages = {
        stage.pk: (stage, numbers)
        for stage, numbers in answering
        if (stage.layer_id, stage.language) == (adjudication.layer_id, adjudication.language)
    }
    if any(numbers.done < numbers.total for _stage, numbers in stages.values()):
        return False
    at_work = Counter.objects.filter(
        Q(own_open__gt=0) | Q(blind_open__gt=0), stage__in=list(stages), user__isnull=False
    )
    people: dict[int, list[int]] = {}
    for stage, user in at_work.values_list("stage_id", "user_id"):
        people.setdefault(stage, []).append(user)
    return not any(_own_open(stages[stage][0], users).exists() for stage, users in people.items())


def _own_open(stage: Stage, users: Sequence[int]) -> QuerySet[Assignment]:
    """Open assignments of these people that can still be answered. By index: person after person."""
    return answerable(Assignment.objects.filter(stage=stage, user__in=users))


def _free(stage: Stage, numbers: Progress, user: User) -> int:
    """About how many items of the stage the person can claim, or their page holds in advance; 0 where there is none."""
    mine = at_hand(_own_open(stage, [user.pk])).filter(held_in_advance()).count()
    left = numbers.total - numbers.done
    sure = left - numbers.open
    if stage.answers_wanted > 1:
        # Others' answers leave an item open to this person; some of their own may be among those that are done.
        if own := Counter.objects.filter(stage=stage, user=user).first():
            blind = not is_beside(stage, Mode.BLIND)
            left -= own.own_open + (own.blind_open if blind else 0)
            sure = left - own.own_done - (own.blind_done if blind else 0)
        else:
            sure = left
    elif sure <= 0 and is_beside(stage, Mode.BLIND):
        return mine
    if left <= 0:
        return mine
    marks = 0
    if stage.mode != Mode.BLIND:
        marks = BlindMark.objects.filter(project=stage.project_id, user=user, live=True).count()
    if sure > marks + LOOKED_AT:
        return mine + sure
    # As few as may all be hidden from them, or answered by them: these are looked at.
    rows = free_items(stage, user).select_related("unit")[: marks + LOOKED_AT]
    units = [item.unit for item in rows]
    return mine + len(units) - len(hidden_units(stage, user, units))
