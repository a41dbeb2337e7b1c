"""What detectors of a project learn from, which one is in use, and how they came to be."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Sum

from annotator.domain.labels.spans import OUTSIDE, spans_from_json
from annotator.domain.learning import LEAST_HELD_OUT, LEAST_LABELLED, Split, is_enough, split_of
from annotator.domain.mapping import as_machine, label_of_machine
from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.projection.carry import LabelSource
from annotator.domain.text.languages import base_language
from annotator.formats.text.tagged import TaggedSentence
from annotator.machines.queries.labels import labels_of
from annotator.models import Counter as StageCounter
from annotator.models import Job, JobKind, Layer, Project, Sentence, Stage, Suggestion, SuggestionKind, TrainedDetector

CRF, ENCODER = "crf", "encoder"
# What runs the encoder; not every platform has it.
RUNTIME = "onnxruntime"
# Where the built-in detectors lie: a folder for all languages, or one a language.
SHIPPED = Path(settings.BASE_DIR) / "mlworkers" / "engines" / "data"
TRAINED = "trained"
# Finished sentences in one unit of the project's setting.
HUNDRED = 100
# A database takes only so many ids at a time.
CHUNK_SIZE = 500
# Digits of the largest number of a row.
LONGEST_NUMBER = 18
# Of a training's result: how many sentences of the language were finished when it was started.
FINISHED = "finished_sentences"
# Up to so many finished sentences, who starts a training is told at once that there is too little to learn from.
FEW = 500


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence, and what it is for: one of `domain.learning.Split`."""

    sentence: int
    spans: list[Any]
    split: str

    def to_json(self) -> list[Any]:
        return [self.sentence, self.spans, self.split]


@dataclass(frozen=True, slots=True)
class Examples:
    """Those of a language, in reading order; `without` counts the sentences on which nothing is decided yet."""

    rows: list[Example]
    without: int


def examples(project: Project, language: str, label: str) -> Examples:
    """Gold, and finished annotations where no gold is decided, with their spans that are `label` or are mapped to it.

    Reads all labels of the language: for workers.
    """
    rows = _decided(project, language, label)
    current = project.sentences.filter(language=language, is_current=True).count()
    return Examples(rows, current - len(rows))


def _decided(project: Project, language: str, label: str) -> list[Example]:
    decided = labels_of(project, language, LabelSource.ANNOTATIONS)
    scheme = project.scheme
    found: list[tuple[int, Example]] = []
    ids = list(decided)
    for start in range(0, len(ids), CHUNK_SIZE):
        rows = Sentence.objects.filter(pk__in=ids[start : start + CHUNK_SIZE])
        for pk, position, group in rows.values_list("pk", "segment__position", "segment__group"):
            spans = [span.to_json() for span in as_machine(spans_from_json(decided[pk]), scheme, label)]
            found.append((position, Example(pk, spans, split_of(group).value)))
    return [example for _position, example in sorted(found, key=lambda row: (row[0], row[1].sentence))]


def labelled_tokens(found: Examples) -> tuple[int, int]:
    """How many tokens are labelled in what is learnt from, and in what is held out."""
    counts = Counter[bool]()
    for row in found.rows:
        counts[row.split == Split.HELD_OUT] += len({token for span in row.spans for token in span["tokens"]})
    return counts[False], counts[True]


def too_little(found: Examples) -> Message | None:
    """Why these examples are not worth a training, in a sentence; None when they are."""
    labelled, measured = labelled_tokens(found)
    if is_enough(labelled, measured):
        return None
    held_out = sum(row.split == Split.HELD_OUT for row in found.rows)
    return message(
        _(
            "There is too little to learn from: %(labelled)d labelled tokens in %(sentences)d "
            "sentences, and %(measured)d in the %(held_out)d that are held out for "
            "evaluation. At least %(least)d and %(least_held_out)d are needed."
        ),
        labelled=labelled,
        sentences=len(found.rows) - held_out,
        measured=measured,
        held_out=held_out,
        least=LEAST_LABELLED,
        least_held_out=LEAST_HELD_OUT,
    )


def too_little_to_start(project: Project, language: str, label: str) -> Message | None:
    """`too_little`, told where few sentences are finished; None where there are more.

    Then it would mean to read all labels while somebody waits: the worker that takes the training tells.
    """
    if finished_sentences(project, language, by_people=False) > FEW:
        return None
    return too_little(Examples(_decided(project, language, label), 0))


def tagged(project: Project, language: str, rows: Sequence[Example]) -> dict[Split, list[TaggedSentence]]:
    """The examples as sentences with tags, by what they are for."""
    wanted = [row.sentence for row in rows]
    current = project.sentences.filter(language=language)
    tokens: dict[int, list[str]] = {}
    for start in range(0, len(wanted), CHUNK_SIZE):
        tokens.update(current.filter(pk__in=wanted[start : start + CHUNK_SIZE]).values_list("pk", "tokens"))
    found: dict[Split, list[TaggedSentence]] = {split: [] for split in Split}
    for row in rows:
        words = tokens[row.sentence]
        found[Split(row.split)].append(TaggedSentence(tuple(words), tuple(_tags(row.spans, len(words)))))
    return found


@dataclass(frozen=True, slots=True)
class InUse:
    """A detector, as jobs name it; `suggested`: whether suggestions of it are what people see."""

    spec: str
    suggested: bool


def detector_in_use(project: Project, language: str, trained: Sequence[TrainedDetector] | None = None) -> InUse:
    """The detector that people's suggestions come from, or will.

    Of the newest pre-labelling that labelled anything, and the newest that learnt from the project and was the better
    one, that of the newer job; the built-in one where there is neither. `trained`: the project's detectors, where they
    have been read already.
    """
    job = last_predict(project, language)
    rows = list(project.trained_detectors.filter(language=language, active=True)) if trained is None else trained
    of_language = [row for row in rows if row.language == language and row.active]
    newest = max(of_language, key=lambda row: row.job_id, default=None)
    if newest is not None and (job is None or newest.job_id > job.pk):
        return InUse(newest.spec, suggested=False)
    if job is None:
        return InUse(built_in(language), suggested=False)
    # Jobs that were made before their detector was put on record used the crf.
    return InUse(str(job.params.get("detector") or CRF), suggested=True)


def built_in(language: str) -> str:
    """The detector that a language starts with: the encoder where it knows the language and can run, else the crf."""
    return ENCODER if base_language(language) in _encoder_languages() and has_runtime() else CRF


def has_runtime() -> bool:
    """Whether the encoder can run in this installation. Nothing of it is loaded."""
    return find_spec(RUNTIME) is not None


@cache
def _shipped(folder: str) -> Mapping[str, Any]:
    """What is known of a detector that ships; empty where there is none."""
    path = SHIPPED / folder / "model.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _encoder_languages() -> frozenset[str]:
    return frozenset(_shipped(ENCODER)["languages"])


def has_detector(project: Project, language: str) -> bool:
    """Whether anything can suggest labels in a language: a detector used or trained here, or a built-in one whose label
    is one of the project's."""
    spec = detector_in_use(project, language).spec
    if spec not in (CRF, ENCODER):
        return True
    known = shipped_model(spec, language)
    return bool(known) and label_of_machine(project.scheme, known["label"]) is not None


def shipped_model(spec: str, language: str) -> Mapping[str, Any]:
    """What is known of a built-in detector for a language, `label` among it; empty where there is none."""
    if spec == ENCODER:
        return _shipped(ENCODER) if base_language(language) in _encoder_languages() else {}
    return _shipped(f"{CRF}-{base_language(language)}")


def label_to_learn(project: Project, language: str) -> str:
    """That of the newest detector that learnt from the project and is active; else the first of the scheme, in the
    simpler terms of its first mapping, which detectors of elsewhere know."""
    trained = project.trained_detectors.filter(language=language, active=True).order_by("-job_id").first()
    if trained is not None:
        return trained.label
    scheme = project.scheme
    mapping = next(iter(scheme.mappings.values()), {})
    return mapping.get(scheme.labels[0]) or scheme.labels[0]


def last_predict(project: Project, language: str) -> Job | None:
    """The newest pre-labelling of a language that labelled anything, however it ended."""
    predicted = Exists(Suggestion.objects.filter(job=OuterRef("pk"), kind=SuggestionKind.PREDICTION))
    return project.jobs.filter(predicted, kind=JobKind.PREDICT, params__language=language).order_by("-pk").first()


def trained_detector(project: Project, spec: str) -> TrainedDetector | None:
    """The project's own detector that `spec` ("trained:12") names; None when there is none or it is not kept."""
    name, _, number = spec.partition(":")
    if name != TRAINED or not number.isdecimal() or len(number) > LONGEST_NUMBER:
        return None
    return project.trained_detectors.filter(pk=int(number), active=True).first()


def is_trained(spec: str) -> bool:
    """Whether `spec` names a project's own detector."""
    return spec.partition(":")[0] == TRAINED


def finished_sentences(project: Project, language: str, *, by_people: bool = True) -> int:
    """How many sentences of the language are finished in the layer of labels, from the counters.

    `by_people`: those that somebody finished here, and not those that came in with their gold.
    """
    return _finished(project, by_people=by_people).get(language, 0)


def _finished(project: Project, *, by_people: bool = True) -> dict[str, int]:
    rows = StageCounter.objects.filter(stage__project=project, stage__layer=project.label_layer)
    rows = rows.exclude(stage__kind=Stage.ADJUDICATE)
    if by_people:
        rows = rows.filter(user__isnull=False)
    sums = rows.values("stage__language").annotate(sum=Sum("done")).order_by()
    return dict(sums.values_list("stage__language", "sum"))


def training_waits(project: Project, language: str) -> int | None:
    """How many sentences are still to be finished before a detector is trained; None where none will be by itself.

    From the counters: whether there is enough to learn from is another question. One training at a time.
    """
    if not project.train_every:
        return None
    finished = finished_sentences(project, language)
    last = project.jobs.filter(kind=JobKind.TRAIN, params__language=language).order_by("-pk").first()
    if last is not None:
        if not last.finished:
            return None
        finished -= last.result.get(FINISHED, 0)
    return max(0, project.train_every * HUNDRED - finished)


def projects_to_train() -> list[tuple[Project, str, int]]:
    """Projects and languages in which so many sentences were finished that a training may be due; one query.

    With the number of finished sentences, by which whoever asks again knows that nothing has changed.
    """
    rows = (
        StageCounter.objects.filter(
            user__isnull=False,
            project__train_every__gt=0,
            project__archived_at=None,
            project__deleting_at=None,
            stage__layer__content_type=Layer.SPANS,
        )
        .exclude(stage__kind=Stage.ADJUDICATE)
        .values("project", "stage__language")
        .annotate(sum=Sum("done"))
        .filter(sum__gte=F("project__train_every") * HUNDRED)
        .order_by("project", "stage__language")
        .values_list("project", "stage__language", "sum")
    )
    found = list(rows)
    projects = Project.objects.in_bulk({pk for pk, _language, _sum in found})
    return [(projects[pk], language, finished) for pk, language, finished in found]


@dataclass(frozen=True)
class LearningCourse:
    """The detectors that were trained for a language, oldest first, and the one in use."""

    language: str
    detectors: Sequence[TrainedDetector]
    in_use: str
    active: TrainedDetector | None

    @property
    def ever_active(self) -> bool:
        """Whether any of them was better than what there was."""
        return any(row.active for row in self.detectors)


def learning(project: Project) -> list[LearningCourse]:
    """A course per language in which one was trained, in the project's order of languages."""
    rows: dict[str, list[TrainedDetector]] = {}
    for row in project.trained_detectors.select_related("job").order_by("pk"):
        rows.setdefault(row.language, []).append(row)
    courses = []
    for language in project.languages:
        if language in rows:
            in_use = detector_in_use(project, language, rows[language]).spec
            courses.append(LearningCourse(language, rows[language], in_use, trained_detector(project, in_use)))
    return courses


def _tags(spans: Sequence[Any], length: int) -> list[str]:
    """The first token of a span begins it, the others are inside; where spans overlap the later one counts."""
    tags = [OUTSIDE] * length
    for span in spans_from_json(spans):
        for token in span.tokens:
            tags[token] = f"{'B' if token == span.first else 'I'}-{span.label}"
    return tags
