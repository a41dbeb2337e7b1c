"""How far a stage is, for everybody and per person."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.models import Assignment, AssignmentState, Mode, Pair, Project, Sentence, Stage, StageKind, User
from annotator.queries.decided import decided_pair, decided_sentence
from annotator.queries.stages import stage_pairs, stage_sentences


@dataclass(frozen=True, slots=True)
class Progress:
    """Items of a stage: done (reviewed or decided), open (somebody has it), in all; `mine`: done by the user."""

    done: int
    open: int
    total: int
    mine: int

    def to_json(self) -> dict[str, int]:
        return {"done": self.done, "open": self.open, "total": self.total, "mine": self.mine}


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """One person's assignments of a stage, by mode."""

    user: User
    mode: str
    done: int
    open: int


def stage_progress(stage: Stage, user: User | None = None) -> Progress:
    """Progress of a *correct*, *project-review* or *pair-tag* stage; `mine` is 0 without a user."""
    if stage.kind == StageKind.ADJUDICATE:
        return _adjudication_progress(stage, user)
    review = Assignment.objects.filter(mode=Mode.REVIEW)
    items: QuerySet[Pair] | QuerySet[Sentence]
    if stage.kind == StageKind.PAIR_TAG:
        items, decided = stage_pairs(stage), decided_pair(stage.language)
        review = review.filter(stage=stage, pair=OuterRef("pk"))
    else:
        items, decided = stage_sentences(stage), decided_sentence()
        # A sentence has one reviewer, in whichever stage it was claimed.
        review = review.filter(sentence=OuterRef("pk"))
    is_done = Q(decided) | Q(Exists(review.filter(state=AssignmentState.DONE)))
    is_open = ~Q(decided) & Q(Exists(review.filter(state=AssignmentState.OPEN)))
    counts = items.aggregate(total=Count("pk"), done=Count("pk", filter=is_done), open=Count("pk", filter=is_open))
    mine = 0
    if user is not None:
        mine = Assignment.objects.filter(stage=stage, user=user, state=AssignmentState.DONE).count()
    return Progress(done=counts["done"], open=counts["open"], total=counts["total"], mine=mine)


def _adjudication_progress(stage: Stage, user: User | None) -> Progress:
    """Done: sentences with gold. Open: those that somebody has done and nobody has decided. In all: every sentence."""
    sentences = stage.project.sentences.filter(language=stage.language, is_current=True).order_by()
    decided = sentences.filter(gold__isnull=False)
    annotated = sentences.filter(gold__isnull=True, annotations__state="done").distinct()
    return Progress(
        done=decided.count(),
        open=annotated.count(),
        total=sentences.count(),
        mine=decided.filter(gold__decided_by=user).count() if user else 0,
    )


def people_progress(stage: Stage) -> list[PersonProgress]:
    """What each person has done and has open in the stage, review and blind work apart, by name."""
    rows = (
        Assignment.objects.filter(stage=stage)
        .order_by()
        .values("user", "mode")
        .annotate(
            done=Count("pk", filter=Q(state=AssignmentState.DONE)),
            open=Count("pk", filter=Q(state=AssignmentState.OPEN)),
        )
    )
    users = User.objects.in_bulk([row["user"] for row in rows])
    people = [PersonProgress(users[row["user"]], row["mode"], row["done"], row["open"]) for row in rows]
    return sorted(people, key=lambda person: (str(person.user), person.mode != Mode.REVIEW))


def project_progress(project: Project, user: User | None = None) -> list[tuple[Stage, Progress]]:
    """The project's stages in order, each with its progress."""
    return [
        (stage, stage_progress(stage, user)) for stage in project.stages.select_related("project").order_by("position")
    ]
