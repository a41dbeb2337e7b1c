"""A project as it is when its work is done, made up: parallel sentences, two annotators, suggestions, gold."""

from __future__ import annotations

import random
from collections.abc import Iterator

from django.utils import timezone

import bench.setup  # noqa: F401 -- before all that needs models
from annotator.domain.verbs import Verb
from annotator.formats.common.records import Read, Record, Text
from annotator.imports.reading.source import Terms
from annotator.imports.writing.imports import import_records
from annotator.models import (
    Event,
    Job,
    JobKind,
    JobState,
    Project,
    Role,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.projects.actions.projects import add_member, create_project
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.assignments import claim
from bench.million import SMALL, WORDS

LANGUAGES = ("es", "en")
PEOPLE = ("archive-ana", "archive-ben")
CLAIMED = 20


def made_project(slug: str, sentences: int) -> Project:
    """The project of this short name; where there is none, it is made with so many sentences in each language.

    Both people answer every sentence of the first language. One in eight has a label, one in ten is saved twice, one
    in twenty has a comment, and in one of fifty the two differ. What they agree on is gold.
    """
    found = Project.objects.filter(slug=slug).first()
    if found is not None:
        return found
    manager, *people = [User.objects.get_or_create(username=name)[0] for name in ("archive-mara", *PEOPLE)]
    project = create_project(slug=slug, preset="meta4xnli-es-en", by=manager)
    for user in people:
        add_member(project=project, user=user, role=Role.ANNOTATOR, by=manager)
    project.stages.filter(kind="correct").update(answers_wanted=len(people))
    import_records(project=project, reads=_records(sentences), terms=Terms("made"), by=manager)
    _predict(project)
    stage = project.stages.select_related("project", "layer").get(kind="correct", language=LANGUAGES[0])
    for number, user in enumerate(people):
        _answer(stage, user, number)
    accept_agreed(project=project, layer=project.label_layer, language=LANGUAGES[0], by=manager, without_overlap=True)
    return project


def counts(project: Project) -> str:
    """What is in it, in a line."""
    twice = Event.objects.filter(project=project, verb=Verb.ANNOTATION_SAVED, after__version__gt=1).count()
    numbers = {
        "sentences": project.sentences.count(),
        "suggestions": project.suggestions.count(),
        "annotations": project.annotations.count(),
        "saved again": twice,
        "gold": project.golds.count(),
        "events": project.events.count(),
    }
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items())


def _records(sentences: int) -> Iterator[Read]:
    draw = random.Random(1)
    for number in range(sentences):
        texts = {}
        for language in LANGUAGES:
            words = [draw.choice(WORDS if place % 2 else SMALL) for place in range(draw.randint(8, 22) - 1)]
            texts[language] = Text(tokens=(*words, "."))
        role = "prem" if number % 4 == 0 else "hyp"
        yield Record("made.txt", number + 1, texts, id=str(number), role=role, group=str(number // 4), source="made")


def _predict(project: Project) -> None:
    job = Job.objects.create(
        project=project, kind=JobKind.PREDICT, state=JobState.DONE, params={"language": LANGUAGES[0], "detector": "crf"}
    )
    draw = random.Random(2)
    units = Unit.objects.filter(project=project, kind="sentence", language=LANGUAGES[0]).order_by("pk")
    Suggestion.objects.bulk_create(
        (
            Suggestion(
                project=project, unit=unit, layer=project.label_layer, kind=SuggestionKind.PREDICTION, job=job,
                name="crf", revision="made", threshold=0.5, content={"spans": _spans(unit.pk)},
                probabilities=[round(draw.random(), 4) for _token in range(unit.token_count)],
            )
            for unit in units.iterator()
        ),
        batch_size=1000,
    )  # fmt: skip


def _answer(stage: Stage, user: User, number: int) -> None:
    place = 0
    while rows := claim(stage=stage, user=user, count=CLAIMED, now=timezone.now()):
        for row in rows:
            place += 1
            spans = _spans(row.unit_id)
            if number and place % 50 == 0:
                spans = [] if spans else [_span(3)]
            for version in range(2 if place % 10 == 0 else 1):
                save_annotation(
                    project=stage.project,
                    assignment=row.pk,
                    version=version,
                    content={"spans": spans},
                    comment="A comment on this sentence." if version or place % 20 == 1 else "",
                    done=True,
                    seconds=7.5,
                    by=user,
                    now=timezone.now(),
                )


def _spans(unit: int) -> list[dict[str, object]]:
    return [_span(1)] if unit % 8 == 0 else []


def _span(token: int) -> dict[str, object]:
    return {"tokens": [token], "label": "METAPHOR", "attributes": {}, "score": None}
