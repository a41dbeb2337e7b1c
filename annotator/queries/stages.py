"""Which items belong to a stage, and which of them are free.

- *correct*, source language: every current sentence.
- *project-review*: current sentences that a current projection reached.
- *correct*, other languages: current sentences that none reached.
- *pair-tag*: every pair that has both its sentences in the language.
- *adjudicate*: see `queries/adjudication.py`; nothing is claimed there.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Gold,
    Mode,
    Pair,
    PairTag,
    Projection,
    Sentence,
    Stage,
    StageKind,
    TagKind,
    User,
)
from annotator.queries.blind import blind_on
from annotator.queries.decided import decided_pair, decided_sentence

SENTENCE_STAGES = (StageKind.CORRECT, StageKind.PROJECT_REVIEW)


def stage_sentences(stage: Stage) -> QuerySet[Sentence]:
    """The sentences of a *correct* or *project-review* stage, without order."""
    sentences = Sentence.objects.filter(project_id=stage.project_id, language=stage.language, is_current=True)
    projected = Exists(Projection.objects.filter(target=OuterRef("pk"), is_current=True))
    if stage.kind == StageKind.PROJECT_REVIEW:
        return sentences.filter(projected)
    if stage.language != stage.project.source_language:
        return sentences.filter(~projected)
    return sentences


def stage_pairs(stage: Stage) -> QuerySet[Pair]:
    """The pairs of a *pair-tag* stage, without order."""
    return pairs_in(Pair.objects.filter(project_id=stage.project_id), stage.language)


def pairs_in(pairs: QuerySet[Pair], language: str) -> QuerySet[Pair]:
    """Those of the pairs that have both sentences in the language."""
    current = Sentence.objects.filter(language=language, is_current=True)
    return pairs.filter(
        Exists(current.filter(segment=OuterRef("premise_id"))),
        Exists(current.filter(segment=OuterRef("hypothesis_id"))),
    ).order_by()


def free_sentences(stage: Stage, user: User) -> QuerySet[Sentence]:
    """Sentences of the stage that nobody reviews or has decided and that the user may see, in reading order."""
    return (
        stage_sentences(stage)
        .filter(
            ~decided_sentence(),
            ~Exists(Assignment.objects.filter(sentence=OuterRef("pk"), mode=Mode.REVIEW)),
            ~Exists(Annotation.objects.filter(sentence=OuterRef("pk"), annotator=user, state=AnnotationState.DONE)),
            ~blind_on(user, stage.project, "segment_id"),
        )
        .order_by("segment__position", "pk")
    )


def free_pairs(stage: Stage, user: User) -> QuerySet[Pair]:
    """Pairs of the stage that nobody reviews or has decided and that the user may see, in reading order."""
    return (
        stage_pairs(stage)
        .filter(
            ~decided_pair(stage.language),
            ~Exists(Assignment.objects.filter(stage=stage, pair=OuterRef("pk"), mode=Mode.REVIEW)),
            ~blind_on(user, stage.project, "premise_id", "hypothesis_id"),
        )
        .order_by("position", "pk")
    )


def labelled_pairs(stage: Stage, user: User, pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those of the pairs whose two sentences have labels to show to the user: gold, a finished review, or own work."""
    in_project = {"project": stage.project_id, "sentence__language": stage.language}
    finished = Annotation.objects.filter(
        Q(mode=Mode.REVIEW) | Q(annotator=user), **in_project, state=AnnotationState.DONE
    )
    # Uncorrelated subqueries: the database works each out once, not once a pair.
    labelled = Sentence.objects.filter(
        Q(pk__in=Gold.objects.filter(**in_project).values("sentence")) | Q(pk__in=finished.values("sentence")),
        is_current=True,
    ).values("segment")
    return pairs.filter(premise__in=labelled, hypothesis__in=labelled)


def own_assignments(stage: Stage, user: User) -> QuerySet[Assignment]:
    """The user's assignments of the stage on texts that still stand, in reading order."""
    return (
        Assignment.objects.filter(stage=stage, user=user)
        .filter(Q(sentence__isnull=True) | Q(sentence__is_current=True))
        .order_by("position", "pk")
    )


def own_open(stage: Stage, user: User) -> QuerySet[Assignment]:
    """The user's open assignments of the stage whose gold is not decided: blind ones first, in reading order."""
    undecided = (
        ~decided_pair(stage.language, "pair_id")
        if stage.kind == StageKind.PAIR_TAG
        else ~decided_sentence("sentence_id")
    )
    # "blind" sorts before "review".
    return own_assignments(stage, user).filter(undecided, state=AssignmentState.OPEN).order_by("mode", "position", "pk")


def items_without_label(stage: Stage, user: User) -> QuerySet[Pair]:
    """Pairs proposed as *no metaphor*: both sentences are decided or done, and nobody labelled anything there.

    Left out: pairs that are tagged or reviewed by somebody else, and those on which the user is blind.
    """
    return (
        stage_pairs(stage)
        .filter(
            _unlabelled(stage.language, "premise_id"),
            _unlabelled(stage.language, "hypothesis_id"),
            ~decided_pair(stage.language),
            ~Exists(
                PairTag.objects.filter(
                    pair=OuterRef("pk"), language=stage.language, kind=TagKind.PERSON, mode=Mode.REVIEW
                )
            ),
            ~Exists(Assignment.objects.filter(stage=stage, pair=OuterRef("pk"), mode=Mode.REVIEW).exclude(user=user)),
            ~blind_on(user, stage.project, "premise_id", "hypothesis_id"),
        )
        .order_by("position", "pk")
    )


def _unlabelled(language: str, segment: str) -> Exists:
    done = Annotation.objects.filter(sentence=OuterRef("pk"), state=AnnotationState.DONE)
    undecided = ~Exists(Gold.objects.filter(sentence=OuterRef("pk")))
    return Exists(
        Sentence.objects.filter(
            Q(Exists(Gold.objects.filter(sentence=OuterRef("pk"), spans=[])))
            | (Q(undecided) & Q(Exists(done)) & ~Q(Exists(done.exclude(spans=[])))),
            segment=OuterRef(segment),
            language=language,
            is_current=True,
        )
    )
