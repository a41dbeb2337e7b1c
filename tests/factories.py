"""Small builders for tests. Sentences are our own writing."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from django.utils import timezone

from annotator.actions.releases import release_path
from annotator.domain.spans import Scheme
from annotator.models import (
    Alignment,
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Gold,
    GoldSource,
    Inference,
    Job,
    JobKind,
    JobState,
    LabelSource,
    Membership,
    Mode,
    Pair,
    PairTag,
    Prediction,
    Project,
    Projection,
    Release,
    Role,
    Segment,
    SegmentRole,
    Sentence,
    Stage,
    StageKind,
    TagKind,
    TrainedDetector,
    User,
)

_counter = itertools.count(1)

STAGES = [
    (StageKind.CORRECT, 0),
    (StageKind.PROJECT_REVIEW, 1),
    (StageKind.CORRECT, 1),
    (StageKind.PAIR_TAG, 0),
    (StageKind.ADJUDICATE, 0),
    (StageKind.ADJUDICATE, 1),
]


def span(*tokens: int, label: str = "METAPHOR") -> dict[str, object]:
    """A span as it is stored in JSON."""
    return {"tokens": list(tokens), "label": label, "attributes": {}, "score": None}


def make_user(username: str = "", *, superuser: bool = False) -> User:
    user = User(username=username or f"user{next(_counter)}", is_superuser=superuser, is_staff=superuser)
    user.set_password("correct horse battery")
    user.save()
    return user


def make_project(slug: str = "", *, languages: Sequence[str] = ("es", "en")) -> Project:
    slug = slug or f"project-{next(_counter)}"
    project = Project.objects.create(
        slug=slug, name=slug, languages=list(languages), scheme_data=Scheme(labels=("METAPHOR",)).to_json()
    )
    for position, (kind, language) in enumerate(STAGES):
        if language < len(languages):
            Stage.objects.create(project=project, kind=kind, language=languages[language], position=position)
    return project


def make_member(project: Project, role: str = Role.ANNOTATOR, username: str = "") -> User:
    user = make_user(username)
    Membership.objects.create(project=project, user=user, role=role)
    return user


def make_segment(project: Project, *, role: str = SegmentRole.PREMISE, uid: str = "", group: str = "") -> Segment:
    number = next(_counter)
    uid = uid or f"set:{role}:{number}"
    return Segment.objects.create(
        project=project, uid=uid, role=role, dataset="set", genre="letters", group=group or uid, position=number
    )


def make_sentence(
    project: Project, text: str = "El tiempo vuela", *, language: str = "es", segment: Segment | None = None
) -> Sentence:
    tokens = text.split(" ")
    return Sentence.objects.create(
        project=project,
        segment=segment or make_segment(project),
        language=language,
        tokens=tokens,
        token_count=len(tokens),
    )


def make_pair(
    project: Project,
    *,
    inference: str = Inference.NEUTRAL,
    premise: str = "El tiempo vuela",
    hypothesis: str = "Nadie mira el reloj",
    language: str = "es",
) -> Pair:
    first = make_segment(project)
    second = make_segment(project, role=SegmentRole.HYPOTHESIS, group=first.group)
    make_sentence(project, premise, language=language, segment=first)
    make_sentence(project, hypothesis, language=language, segment=second)
    number = next(_counter)
    return Pair.objects.create(
        project=project,
        pair_id=f"{number}_set",
        dataset="set",
        source_dataset="set",
        premise=first,
        hypothesis=second,
        inference=inference,
        position=number,
    )


def make_prediction(sentence: Sentence, spans: list[dict[str, object]], probabilities: list[float]) -> Prediction:
    job = Job.objects.create(project=sentence.project, kind=JobKind.PREDICT, state=JobState.DONE)
    return Prediction.objects.create(
        project=sentence.project,
        sentence=sentence,
        job=job,
        detector="crf",
        revision="test",
        threshold=0.5,
        spans=spans,
        probabilities=probabilities,
    )


def stage_of(project: Project, kind: str, language: str = "es") -> Stage:
    return project.stages.select_related("project").get(kind=kind, language=language)


def make_assignment(
    item: Sentence | Pair, user: User, stage: Stage, *, mode: str = Mode.REVIEW, done: bool = False
) -> Assignment:
    is_pair = isinstance(item, Pair)
    return Assignment.objects.create(
        project=stage.project,
        stage=stage,
        pair=item if is_pair else None,
        sentence=None if is_pair else item,
        user=user,
        mode=mode,
        state=AssignmentState.DONE if done else AssignmentState.OPEN,
        position=item.position if is_pair else item.segment.position,
    )


def make_annotation(
    sentence: Sentence,
    user: User,
    spans: Sequence[dict[str, object]] = (),
    *,
    mode: str = Mode.REVIEW,
    doubt: bool = False,
    comment: str = "",
    state: str = AnnotationState.DONE,
) -> Annotation:
    """A done annotation, or one in another state."""
    return Annotation.objects.create(
        project=sentence.project,
        sentence=sentence,
        annotator=user,
        mode=mode,
        state=state,
        spans=list(spans),
        doubt=doubt,
        comment=comment,
        done_at=timezone.now() if state == AnnotationState.DONE else None,
    )


def make_gold(sentence: Sentence, spans: Sequence[dict[str, object]] = ()) -> Gold:
    return Gold.objects.create(
        project=sentence.project, sentence=sentence, spans=list(spans), source=GoldSource.IMPORTED
    )


def make_tag(
    pair: Pair, tag: str, *, user: User | None = None, language: str = "es", kind: str = "", mode: str = Mode.REVIEW
) -> PairTag:
    """A person's tag where a user is given, else gold (or `kind`)."""
    kind = kind or (TagKind.PERSON if user else TagKind.GOLD)
    return PairTag.objects.create(
        project=pair.project, pair=pair, language=language, kind=kind, mode=mode, user=user, tag=tag
    )


def make_projection(
    source: Sentence, target: Sentence, spans: list[dict[str, object]], source_spans: list[dict[str, object]]
) -> Projection:
    job = Job.objects.create(project=target.project, kind=JobKind.PROJECT, state=JobState.DONE)
    alignment = Alignment.objects.create(
        project=target.project,
        job=job,
        source=source,
        target=target,
        aligner="lexical",
        revision="test",
        links=[[0, 0, 0.9]],
    )
    return Projection.objects.create(
        project=target.project,
        job=job,
        alignment=alignment,
        source=source,
        target=target,
        labels=LabelSource.GOLD,
        rules={},
        source_spans=source_spans,
        spans=spans,
        outcomes=[],
    )


def make_trained(
    project: Project, f1: float, *, baseline_f1: float | None = None, active: bool = True
) -> TrainedDetector:
    """A detector trained on the project's Spanish sentences; its files are not there."""
    job = Job.objects.create(project=project, kind=JobKind.TRAIN, state=JobState.DONE, params={"language": "es"})
    measured = baseline_f1 is not None
    return TrainedDetector.objects.create(
        project=project,
        language="es",
        job=job,
        engine="crf",
        label="METAPHOR",
        revision=f"revision{job.pk}",
        folder=f"{project.pk}/{job.pk}",
        sentences=100 * (project.trained_detectors.count() + 1),
        labelled_tokens=20,
        held_out_sentences=25,
        held_out_labelled_tokens=10,
        precision=f1,
        recall=f1,
        f1=f1,
        baseline="crf" if measured else "",
        baseline_revision="shipped" if measured else "",
        baseline_precision=baseline_f1,
        baseline_recall=baseline_f1,
        baseline_f1=baseline_f1,
        active=active,
    )


def make_release(project: Project, *, number: int = 1, content: bytes = b"PK a release") -> Release:
    """A release whose file holds `content`. Tests set RELEASES_DIR to a folder of their own."""
    job = Job.objects.create(project=project, kind=JobKind.RELEASE, state=JobState.DONE)
    name = f"{project.slug}-{number}.zip"
    path = release_path(project, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return Release.objects.create(
        project=project, number=number, job=job, file_name=name, sha256="0" * 64, size=len(content), manifest={}
    )
