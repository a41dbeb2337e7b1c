"""Detectors that learn from a project: keeping them, activating the better one, training when it is due."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.learning import is_better
from annotator.domain.verbs import Verb
from annotator.jobs.actions import start_job
from annotator.machines.queries.training import (
    examples,
    label_to_learn,
    last_predict,
    projects_to_train,
    too_little,
    training_waits,
)
from annotator.models import Job, JobKind, Project, TrainedDetector, User

MAX_HUNDREDS = 100
# Where labels are rare, how many more sentences are waited for before all examples are looked through again.
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Measured:
    """Precision, recall and F1 in per cent of the labelled class, over the tokens of the held-out sentences."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class BaselineScores:
    """The detector that was in use, measured on the same sentences."""

    spec: str
    revision: str
    scores: Measured


@dataclass(frozen=True, slots=True)
class Learnt:
    """A new detector: where its files are, what it learnt from, how it did against the baseline."""

    engine: str
    label: str
    revision: str
    folder: str
    sentences: int
    labelled_tokens: int
    held_out_sentences: int
    held_out_labelled_tokens: int
    scores: Measured
    baseline: BaselineScores | None

    @property
    def active(self) -> bool:
        """Whether it is the better one."""
        return is_better(self.scores.f1, self.baseline.scores.f1 if self.baseline else None)


@transaction.atomic
def store_trained_detector(*, job: Job, learnt: Learnt) -> TrainedDetector:
    """Put a trained detector on record; the one that `job` made before, if it was run again."""
    made = TrainedDetector.objects.filter(job=job).first()
    if made is not None:
        return made
    baseline = learnt.baseline
    detector = TrainedDetector.objects.create(
        project_id=job.project_id,
        language=job.params["language"],
        job=job,
        engine=learnt.engine,
        label=learnt.label,
        revision=learnt.revision,
        folder=learnt.folder,
        sentences=learnt.sentences,
        labelled_tokens=learnt.labelled_tokens,
        held_out_sentences=learnt.held_out_sentences,
        held_out_labelled_tokens=learnt.held_out_labelled_tokens,
        precision=learnt.scores.precision,
        recall=learnt.scores.recall,
        f1=learnt.scores.f1,
        baseline=baseline.spec if baseline else "",
        baseline_revision=baseline.revision if baseline else "",
        baseline_precision=baseline.scores.precision if baseline else None,
        baseline_recall=baseline.scores.recall if baseline else None,
        baseline_f1=baseline.scores.f1 if baseline else None,
        active=learnt.active,
    )
    log(
        project=job.project,
        actor=job.created_by,
        verb=Verb.DETECTOR_TRAIN,
        subject=detector,
        after={
            "language": detector.language,
            "label": detector.label,
            "revision": detector.revision,
            "f1": detector.f1,
            "baseline": detector.baseline,
            "baseline_f1": detector.baseline_f1,
            "active": detector.active,
        },
    )
    return detector


@transaction.atomic
def activate_detector(*, detector: TrainedDetector) -> Job | None:
    """Pre-label again with a detector that was the better one what was pre-labelled before, as it was set then.

    Sentences with a person's labels are left alone, as always. None when nothing was pre-labelled yet: then the first
    pre-labelling takes it.
    """
    before = last_predict(detector.project, detector.language)
    if before is None or not detector.active:
        return None
    params = {**before.params, "detector": detector.spec}
    return start_job(project=detector.project, kind=JobKind.PREDICT, params=params, by=detector.job.created_by)


def train_when_due(*, project: Project, language: str) -> Job | None:
    """Start a training when as many sentences were finished since the last as the project asks for, and there is
    enough to learn from. For workers: it may read all labels of the language, holding nobody up meanwhile."""
    if training_waits(project, language) != 0:
        return None
    if too_little(examples(project, language, label_to_learn(project, language))):
        return None
    with transaction.atomic():
        # Several workers look; the one that comes first starts it.
        lock_project(project)
        if training_waits(project, language) != 0:
            return None
        try:
            return start_job(project=project, kind=JobKind.TRAIN, params={"language": language}, by=None)
        except ActionError:
            # Labels were taken back meanwhile.
            return None


class TrainingWatch:
    """A worker's look, every few seconds, at whether a training is due anywhere. From the counters, and where they say
    so, at the labels: again only when so many more sentences are finished that it may have changed."""

    def __init__(self) -> None:
        self._looked_at: dict[tuple[int, str], int] = {}

    def __call__(self) -> None:
        for project, language, finished in projects_to_train():
            key = (project.pk, language)
            if finished < self._looked_at.get(key, -PATIENCE) + PATIENCE or training_waits(project, language) != 0:
                continue
            self._looked_at[key] = finished
            train_when_due(project=project, language=language)


def check_train_every(hundreds: int) -> None:
    """Whether a detector can be trained after so many hundred finished sentences. Raises ActionError."""
    if not 0 <= hundreds <= MAX_HUNDREDS:
        raise ActionError(
            _("Give 1 to %(most)d hundred sentences, or 0 to train a detector only by hand.") % {"most": MAX_HUNDREDS}
        )


@transaction.atomic
def set_train_every(*, project: Project, hundreds: int, by: User | None) -> Project:
    """Set after how many hundred finished sentences of a language a detector is trained; 0: only by hand."""
    check_train_every(hundreds)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = project.train_every
    if before == hundreds:
        return project
    project.train_every = hundreds
    project.save(update_fields=["train_every"])
    log(
        project=project,
        actor=by,
        verb=Verb.PROJECT_TRAIN_EVERY,
        subject=project,
        before={"hundreds": before},
        after={"hundreds": hundreds},
    )
    return project
