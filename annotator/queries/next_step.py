"""What a person should do next in a project: the prominent button of the dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Max, QuerySet

from annotator.models import Assignment, AssignmentState, PairTag, Project, Stage, StageKind, TagKind
from annotator.permissions import Permission
from annotator.queries.access import Access
from annotator.queries.adjudication import queue
from annotator.queries.dashboard import gold_gaps
from annotator.queries.progress import Progress
from annotator.queries.stages import SENTENCE_STAGES, free_pairs, free_sentences, own_open


class Step(StrEnum):
    """In the order in which they come up."""

    IMPORT = "import"
    WAIT = "wait"  # nothing is imported, and this person cannot do it
    PREDICT = "predict"
    CONTINUE = "continue"
    PROJECT = "project"
    ADJUDICATE = "adjudicate"
    ACCEPT = "accept"
    START = "start"
    RELEASE = "release"
    NOTHING = "nothing"


@dataclass(frozen=True)
class NextStep:
    """`stage` where the step is work in a stage; `count`: how many items wait; `language` of the labels concerned."""

    step: Step
    stage: Stage | None = None
    count: int = 0
    language: str = ""


def next_step(access: Access, progress: Sequence[tuple[Stage, Progress]]) -> NextStep:
    """The first thing that waits for this person. `progress` is `project_progress` of the project."""
    project, user = access.project, access.user
    manages = access.may(Permission.MANAGE)
    if not project.sentences.exists():
        return NextStep(Step.IMPORT if manages else Step.WAIT)
    source = project.source_language
    begun = project.annotations.exists() or project.golds.exists()
    if manages and not begun and not project.predictions.exists():
        return NextStep(Step.PREDICT, language=source)
    for stage, _numbers in progress:
        if stage.kind != StageKind.ADJUDICATE and (count := own_open(stage, user).count()):
            return NextStep(Step.CONTINUE, stage, count)
    if manages and (target := _unprojected_target(access, progress)):
        return NextStep(Step.PROJECT, language=target)
    if access.may(Permission.ADJUDICATE):
        for stage, _numbers in progress:
            if stage.kind == StageKind.ADJUDICATE and (waiting := queue(project, stage.language, user)):
                return NextStep(Step.ADJUDICATE, stage, len(waiting))
    if manages:
        for stage, numbers in progress:
            if stage.kind == StageKind.ADJUDICATE and numbers.open and _labelled_through(stage, progress):
                return NextStep(Step.ACCEPT, stage, numbers.open, stage.language)
    for stage, _numbers in progress:
        if _can_begin(stage) and (count := _free(stage, access)):
            return NextStep(Step.START, stage, count)
    if manages and _to_release(project):
        return NextStep(Step.RELEASE)
    return NextStep(Step.NOTHING)


def _to_release(project: Project) -> bool:
    """Everything has gold, and some of it was decided after the last release."""
    decided = [rows.aggregate(at=Max("updated_at"))["at"] for rows in (project.golds, _gold_tags(project))]
    newest = max((at for at in decided if at), default=None)
    released = project.releases.aggregate(at=Max("created_at"))["at"]
    return newest is not None and (released is None or released < newest) and not gold_gaps(project)


def _gold_tags(project: Project) -> QuerySet[PairTag]:
    return project.pair_tags.filter(kind=TagKind.GOLD)


def _unprojected_target(access: Access, progress: Sequence[tuple[Stage, Progress]]) -> str:
    """A target language that waits for labels while the source language is all corrected."""
    project = access.project
    for stage, numbers in progress:
        if stage.kind == StageKind.CORRECT and stage.language == project.source_language:
            if not numbers.total or numbers.done < numbers.total:
                return ""
            break
    projected = set(project.projections.order_by().values_list("target__language", flat=True).distinct())
    decided = set(project.golds.order_by().values_list("sentence__language", flat=True).distinct())
    return next((language for language in project.target_languages if language not in projected | decided), "")


def _labelled_through(adjudication: Stage, progress: Sequence[tuple[Stage, Progress]]) -> bool:
    """Every sentence of the language is reviewed, and nobody works on one: what agrees now is all that will.

    Before that, accepting would be asked for again after every sentence, and take people's undo away.
    """
    language = adjudication.language
    at_work = Assignment.objects.filter(
        project=adjudication.project_id,
        stage__language=language,
        sentence__is_current=True,
        sentence__gold=None,
        state=AssignmentState.OPEN,
    )
    reviewed = all(
        numbers.done == numbers.total
        for stage, numbers in progress
        if stage.language == language and stage.kind in SENTENCE_STAGES
    )
    return reviewed and not at_work.exists()


def _can_begin(stage: Stage) -> bool:
    """Correcting a target language comes after projecting; before that nobody knows which sentences it is about."""
    if stage.kind == StageKind.ADJUDICATE:
        return False
    if stage.kind == StageKind.CORRECT and stage.language != stage.project.source_language:
        return stage.project.projections.filter(target__language=stage.language, is_current=True).exists()
    return True


def _free(stage: Stage, access: Access) -> int:
    if stage.kind == StageKind.PAIR_TAG:
        return free_pairs(stage, access.user).count()
    return free_sentences(stage, access.user).count()
