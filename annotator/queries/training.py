"""What detectors of a project learn from, which one is in use, and how they came to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from annotator.domain.formats.tagged import TaggedSentence
from annotator.domain.learning import Part, is_enough, part_of
from annotator.domain.spans import OUTSIDE, spans_from_json
from annotator.models import AnnotationState, Job, JobKind, JobState, LabelSource, Project, TrainedDetector
from annotator.queries.labels import labels_of

BUILT_IN = "crf"
TRAINED = "trained"
# Finished sentences in one unit of the project's setting.
HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence, and what it is for: one of `domain.learning.Part`."""

    sentence: int
    spans: list[Any]
    part: str

    def to_json(self) -> list[Any]:
        return [self.sentence, self.spans, self.part]


@dataclass(frozen=True, slots=True)
class Examples:
    """Those of a language, in reading order; `without` counts the sentences on which nothing is decided yet."""

    rows: list[Example]
    without: int


def examples(project: Project, language: str, label: str) -> Examples:
    """Gold, and finished annotations where no gold is decided, with their spans called `label`."""
    decided = labels_of(project, language, LabelSource.ANNOTATIONS)
    current = project.sentences.filter(language=language, is_current=True).order_by("segment__position", "pk")
    rows = []
    without = 0
    for pk, group in current.values_list("pk", "segment__group"):
        if pk in decided:
            spans = [span for span in decided[pk] if span["label"] == label]
            rows.append(Example(pk, spans, part_of(group).value))
        else:
            without += 1
    return Examples(rows, without)


def labelled_tokens(found: Examples) -> tuple[int, int]:
    """How many tokens are labelled in what is learnt from, and in what is held out."""
    counts = Counter[bool]()
    for row in found.rows:
        counts[row.part == Part.HELD_OUT] += len({token for span in row.spans for token in span["tokens"]})
    return counts[False], counts[True]


def tagged(project: Project, language: str, rows: Iterable[Example]) -> dict[Part, list[TaggedSentence]]:
    """The examples as sentences with tags, by what they are for."""
    # By language and not by id: a database takes only so many ids at a time.
    tokens = dict(project.sentences.filter(language=language).values_list("pk", "tokens"))
    found: dict[Part, list[TaggedSentence]] = {part: [] for part in Part}
    for row in rows:
        words = tokens[row.sentence]
        found[Part(row.part)].append(TaggedSentence(tuple(words), tuple(_tags(row.spans, len(words)))))
    return found


def detector_in_use(project: Project, language: str) -> str:
    """The detector whose suggestions people correct, as jobs name it.

    That of the newest pre-labelling; before the first one the newest that learnt from the project and was better than
    what there was; else the built-in one.
    """
    stopped = (JobState.FAILED, JobState.CANCELLED)
    predict = project.jobs.filter(kind=JobKind.PREDICT, params__language=language).exclude(state__in=stopped)
    newest = predict.order_by("-pk").first()
    if newest is not None:
        return str(newest.params["detector"])
    trained = project.trained_detectors.filter(language=language, serves=True).order_by("-pk").first()
    return trained.spec if trained is not None else BUILT_IN


def last_predict(project: Project, language: str) -> Job | None:
    """The newest pre-labelling of a language, however it ended."""
    return project.jobs.filter(kind=JobKind.PREDICT, params__language=language).order_by("-pk").first()


def trained_detector(project: Project, spec: str) -> TrainedDetector | None:
    """The project's own detector that `spec` ("trained:12") names; None when there is none or it is not kept."""
    name, _, number = spec.partition(":")
    if name != TRAINED or not number.isdecimal():
        return None
    return project.trained_detectors.filter(pk=int(number), serves=True).first()


def is_trained(spec: str) -> bool:
    """Whether `spec` names a project's own detector."""
    return spec.partition(":")[0] == TRAINED


def model_folder(folder: str) -> Path:
    """Where the files of a trained detector lie."""
    return Path(settings.MODELS_DIR) / folder


def is_training_due(project: Project, language: str) -> bool:
    """Whether as many sentences were finished since the last training began as the project asks for, and there is
    enough to learn from."""
    if not project.train_every:
        return False
    done = project.annotations.filter(
        sentence__language=language, sentence__is_current=True, state=AnnotationState.DONE
    )
    last = project.jobs.filter(kind=JobKind.TRAIN, params__language=language).order_by("-pk").first()
    if last is not None:
        if not last.finished:
            return False
        done = done.filter(done_at__gt=last.created_at)
    wanted = project.train_every * HUNDRED
    if done[:wanted].count() < wanted:
        return False
    # Where labels are rare, a few hundred sentences are not worth a training yet.
    return is_enough(*labelled_tokens(examples(project, language, project.scheme.labels[0])))


@dataclass(frozen=True)
class LearningCourse:
    """The detectors that were trained for a language, oldest first, and the one in use."""

    language: str
    detectors: Sequence[TrainedDetector]
    in_use: str
    serving: TrainedDetector | None


def learning(project: Project) -> list[LearningCourse]:
    """A course per language in which one was trained, in the project's order of languages."""
    rows: dict[str, list[TrainedDetector]] = {}
    for row in project.trained_detectors.select_related("job").order_by("pk"):
        rows.setdefault(row.language, []).append(row)
    courses = []
    for language in project.languages:
        if language in rows:
            in_use = detector_in_use(project, language)
            courses.append(LearningCourse(language, rows[language], in_use, trained_detector(project, in_use)))
    return courses


def _tags(spans: Sequence[Any], length: int) -> list[str]:
    """The first token of a span begins it, the others are inside; where spans overlap the later one counts."""
    tags = [OUTSIDE] * length
    for span in spans_from_json(spans):
        for token in span.tokens:
            tags[token] = f"{'B' if token == span.first else 'I'}-{span.label}"
    return tags
