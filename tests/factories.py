"""Small builders for tests. Sentences are our own writing."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from annotator.domain.spans import Scheme
from annotator.models import (
    Inference,
    Job,
    JobKind,
    JobState,
    Membership,
    Pair,
    Prediction,
    Project,
    Role,
    Segment,
    SegmentRole,
    Sentence,
    Stage,
    StageKind,
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
