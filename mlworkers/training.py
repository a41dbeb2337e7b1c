"""Jobs in which a detector learns from a project's own labels."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.core.processes.child_process import ChildDiedError, in_child_process
from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.learning import Split
from annotator.domain.leaving_out import Skipped
from annotator.domain.mapping import labels_of_machine
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.formats.text.tagged import TaggedSentence
from annotator.jobs import handlers as jobs
from annotator.machines.actions.training import (
    BaselineScores,
    Learnt,
    Measured,
    activate_detector,
    store_trained_detector,
)
from annotator.machines.queries.training import (
    CRF,
    Example,
    built_in,
    detector_in_use,
    examples,
    is_trained,
    tagged,
    too_little,
    trained_detector,
)
from annotator.models import Job, Project, TrainedDetector
from annotator.models.trained_detector import MODELS_FOLDER, model_folder
from mlworkers.engines.base import Detector, EngineError
from mlworkers.engines.detectors.crf import Base, CrfDetector
from mlworkers.engines.detectors.crf_training import MODELS, train_crf
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.evaluation.scores import evaluate_tagged
from mlworkers.engines.registry import load_detector, shipped_detectors

Splits = Mapping[Split, list[TaggedSentence]]


def project_detector(project: Project, spec: str, language: str) -> Detector:
    """The detector that a job of `project` names: one of its own ("trained:12"), or one that the registry knows.

    Raises EngineError when it cannot be had.
    """
    labels = labels_of_machine(project.scheme)
    if not is_trained(spec):
        check_nobodys(spec)
        return load_detector(spec, language=language, labels=labels)
    row = trained_detector(project, spec)
    if row is None:
        raise EngineError(
            _("This project has no detector “%(detector)s”. Pre-label with the active one, or train one."),
            detector=spec,
        )
    try:
        folder = site_files().fetch_folder(row.stored_folder)
    except FileNotFoundError as error:
        raise EngineError(
            _(
                "The files of the detector “%(detector)s” (%(folder)s) are missing in the storage of this "
                "site. Pre-label with another detector, such as crf, or train again."
            ),
            detector=spec,
            folder=row.stored_folder,
        ) from error
    return load_detector(f"{_engine(row)}:{folder}", language=language, labels=labels)


def check_nobodys(spec: str) -> None:
    """Raise EngineError for a folder of a project's own detector: it is named by its number, in its project only."""
    models = site_files().here(MODELS_FOLDER).resolve()
    for part in spec.split(":"):
        if Path(part).expanduser().resolve().is_relative_to(models):
            raise EngineError(
                _(
                    "“%(detector)s” is in the folder of the projects' own detectors. Name one of this "
                    "project by its number, as in trained:1."
                ),
                detector=spec,
            )


def _engine(row: TrainedDetector) -> str:
    return row.engine.partition(":")[0]


@dataclass(frozen=True)
class Baseline:
    """The detector in use, which a new one is measured against, and what jobs call it."""

    spec: str
    detector: Detector


class Train(jobs.Handler):
    """Train a detector on the decided sentences of a language, and measure it against the one in use.

    The job is one part, whose items are the examples as they were when it was planned: whoever goes on with it after a
    worker died learns from the same.
    """

    user_errors = (ActionError, EngineError, ChildDiedError)

    def plan(self, job: Job) -> jobs.Plan:
        language = job.params["language"]
        found = examples(job.project, language, job.params["label"])
        # People may have gone on, or back, since the job was started.
        if reason := too_little(found):
            raise ActionError(reason)
        splits = tagged(job.project, language, found.rows)
        counts = {"skipped": {Skipped.WITHOUT_DECISION: found.without}} if found.without else {}
        items = [example.to_json() for example in found.rows]
        return jobs.Plan([items], counts, sizes=[_steps(job, splits)])

    def prepare(self, job: Job) -> Baseline | None:
        """The detector in use; None where there is none, or it has another label and has not suggested anything yet."""
        language, label = job.params["language"], job.params["label"]
        in_use = detector_in_use(job.project, language)
        if in_use.spec == CRF and not _is_shipped(language):
            return None
        try:
            detector = project_detector(job.project, in_use.spec, language)
        except EngineError as error:
            raise EngineError(
                _(
                    "The active detector, %(detector)s, cannot be loaded to compare the new one with it. "
                    "%(why)s Or pre-label with another detector, such as crf, and train again."
                ),
                detector=in_use.spec,
                why=error.message,
            ) from error
        if detector.label == label:
            return Baseline(in_use.spec, detector)
        if in_use.suggested:
            raise EngineError(
                _(
                    "The active detector, %(detector)s, suggests %(suggested)s, and a language has one "
                    "detector at a time: one that learns %(learnt)s would remove these suggestions. Train "
                    "for %(suggested)s, or pre-label with a detector for %(learnt)s first."
                ),
                detector=in_use.spec,
                suggested=detector.label,
                learnt=label,
            )
        return None

    def work(self, job: Job, items: list[Any], engine: Baseline | None, report: jobs.Progress) -> Learnt:
        splits = tagged(job.project, job.params["language"], [Example(*item) for item in items])
        train, held_out = splits[Split.TRAIN] + splits[Split.DEVELOPMENT], splits[Split.HELD_OUT]
        folder = f"{job.project_id}/{job.pk}"
        train_engine = _train_crf if job.params["engine"] == CRF else _train_transformers
        here = site_files().here(model_folder(folder))
        new = train_engine(job, splits, here, report)
        learnt = Learnt(
            engine=job.params["engine"],
            label=job.params["label"],
            revision=new.revision,
            folder=folder,
            sentences=len(train),
            labelled_tokens=_labelled(train),
            held_out_sentences=len(held_out),
            held_out_labelled_tokens=_labelled(held_out),
            scores=_measured(new, held_out),
            baseline=BaselineScores(engine.spec, engine.detector.revision, _measured(engine.detector, held_out))
            if engine
            else None,
        )
        if learnt.active:
            site_files().publish_folder(model_folder(folder))
        else:
            shutil.rmtree(here)
        return learnt

    def store(self, job: Job, items: list[Any], outcome: Learnt, engine: Baseline | None) -> dict[str, Any]:
        row = store_trained_detector(job=job, learnt=outcome)
        return {
            "detector": row.spec,
            "revision": row.revision,
            "learnt_from": row.sentences,
            "held_out": row.held_out_sentences,
            "f1": row.f1,
            "active": row.active,
        } | ({"f1_of_the_one_in_use": row.baseline_f1} if row.baseline else {})

    def finish(self, job: Job) -> dict[str, Any]:
        started = activate_detector(detector=job.trained_detector)
        return {"pre_labelled_again_by_job": started.pk} if started else {}


def _steps(job: Job, splits: Splits) -> int:
    """The job's total: steps that the training reports."""
    if job.params["engine"] == CRF:
        return MODELS
    from mlworkers.engines.detectors.recipe import steps

    return steps(len(splits[Split.TRAIN]))


def _train_crf(job: Job, splits: Splits, folder: Path, report: jobs.Progress) -> Detector:
    """A crf in `folder` that builds on the shipped one of the language, where that has the same label."""
    language, label = job.params["language"], job.params["label"]
    base = _base(language, label)
    trained = in_child_process(
        train_crf,
        base.language if base is not None else language,
        splits[Split.TRAIN] + splits[Split.DEVELOPMENT],
        base=base,
        label=label,
        provenance=_provenance(job),
        progress=lambda done, total: report(done),
    )
    # A worker may die while it writes: what lies under the name is whole.
    beside = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(beside, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    trained.save(beside)
    beside.rename(folder)
    return trained


def _train_transformers(job: Job, splits: Splits, folder: Path, report: jobs.Progress) -> Detector:
    """A transformers model, fine-tuned in `folder`; it resumes what a worker that died had left there."""
    from mlworkers.engines.detectors.transformers_training import train_transformers

    trained = train_transformers(
        job.params["engine"].partition(":")[2],
        job.params["language"],
        splits[Split.TRAIN],
        splits[Split.DEVELOPMENT],
        folder=folder,
        label=job.params["label"],
        provenance=_provenance(job),
        progress=lambda done, total: report(done),
    )
    return trained.detector()


def _provenance(job: Job) -> str:
    return f"project {job.project.slug}, job {job.pk}"


def _base(language: str, label: str) -> Base | None:
    """What a crf of a project builds on: the shipped detector that the language starts with, if it has that label."""
    spec = built_in(language)
    if spec == CRF and not _is_shipped(language):
        return None
    shipped = load_detector(spec, language=language)
    return shipped if isinstance(shipped, CrfDetector | EncoderDetector) and shipped.label == label else None


def _is_shipped(language: str) -> bool:
    return base_language(language) in shipped_detectors()


def _labelled(sentences: Sequence[TaggedSentence]) -> int:
    return sum(tag != OUTSIDE for sentence in sentences for tag in sentence.tags)


def _measured(detector: Detector, held_out: Sequence[TaggedSentence]) -> Measured:
    found = evaluate_tagged(detector, held_out).tokens
    return Measured(found.precision, found.recall, found.f1)
