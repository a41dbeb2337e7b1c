"""Jobs that load models: pre-labelling, projecting, and (in `training`) learning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.domain.leaving_out import Skipped
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.jobs import handlers as jobs
from annotator.machines.queries.labels import to_project
from annotator.machines.queries.prelabel import to_predict
from annotator.models import Job
from mlworkers.engines.base import Aligner, Detector, EngineError
from mlworkers.engines.torch_runtime import INT8_MARK, PRECISION_VARIABLE
from mlworkers.labelling import (
    Carried,
    Predicted,
    carried_over,
    fitting_aligner,
    fitting_detector,
    mapping_of,
    predicted,
)

# Sentences of a chunk whose predictions are stored in one transaction.
STORED_PER_CHUNK = 20


def cut(items: Sequence[int], size: int) -> list[list[int]]:
    """`items` in lists of at most `size`."""
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


@dataclass(frozen=True)
class _PartlyStored:
    """Predictions of a chunk: what was counted of those that are stored, and the last, which are not."""

    counts: Mapping[str, Any]
    last: Predicted


class Predict(jobs.Handler):
    """Pre-label the sentences of a language that have no person's labels."""

    user_errors = (EngineError,)

    def plan(self, job: Job) -> jobs.Plan:
        found = to_predict(job.project, job.params["language"], only_unprojected=job.params["only_unprojected"])
        return jobs.Plan(cut(found.sentences, job.params["chunk"]), {"skipped": found.skipped})

    def prepare(self, job: Job) -> Detector:
        return fitting_detector(job.project, job.params["detector"], job.params["language"])

    def work(self, job: Job, items: list[int], engine: Detector, report: jobs.Progress) -> _PartlyStored:
        """Stores all but the last few here, in short transactions: on SQLite whoever saves waits for each."""
        outcome = predicted(job.project, items, engine)
        first, last = outcome.found[:-STORED_PER_CHUNK], outcome.found[-STORED_PER_CHUNK:]
        counts: Mapping[str, Any] = outcome.notes
        for start in range(0, len(first), STORED_PER_CHUNK):
            report(start)
            _check_same_revision(job, engine)
            part = replace(outcome, found=first[start : start + STORED_PER_CHUNK])
            counts = jobs.added(counts, part.store(job))
        return _PartlyStored(counts, replace(outcome, found=last))

    def store(self, job: Job, items: list[int], outcome: _PartlyStored, engine: Detector) -> dict[str, Any]:
        _check_same_revision(job, engine)
        counts = jobs.added(outcome.counts, outcome.last.store(job))
        mapping = mapping_of(job.project, engine)
        by_mapping = {"mapping": mapping} if mapping else {}
        return counts | by_mapping | {"detector": engine.name, "revision": engine.revision}


def _check_same_revision(job: Job, engine: Detector) -> None:
    """All parts of a job come from one model: a branch on the hub may have moved between two workers' looks, or one of
    them runs in int8 and the other does not."""
    # As it stands now: other workers have stored parts since this one began.
    before = Job.objects.values_list("result", flat=True).get(pk=job.pk).get("revision", engine.revision)
    if before != engine.revision:
        advice = message(_("Name one revision, as in transformers:name/model@%(revision)s"), revision=before)
        if before.removesuffix(INT8_MARK) == engine.revision.removesuffix(INT8_MARK):
            advice = message(_("Set %(variable)s=int8 for all workers or for none"), variable=PRECISION_VARIABLE)
        raise EngineError(
            _(
                "Parts of this job are labelled by revision %(before)s of the detector, but this worker "
                "has %(now)s. %(advice)s, and start it again."
            ),
            before=before,
            now=engine.revision,
            advice=advice,
        )


class ProjectLabels(jobs.Handler):
    """Align parallel sentences, and carry the labels of those that have some over to the target language."""

    user_errors = (EngineError,)

    def plan(self, job: Job) -> jobs.Plan:
        params = job.params
        found = to_project(job.project, params["source"], params["target"], params["labels"])
        return jobs.Plan(cut(found.sources, params["chunk"]), {"skipped": found.skipped})

    def prepare(self, job: Job) -> Aligner:
        return fitting_aligner(job.project, job.params)

    def work(self, job: Job, items: list[int], engine: Aligner, report: jobs.Progress) -> Carried:
        return carried_over(job.project, job.params, items, engine)

    def store(self, job: Job, items: list[int], outcome: Carried, engine: Aligner) -> dict[str, Any]:
        counts = outcome.store(job, job.params["labels"])
        gone = len(items) - len(outcome.over)
        if gone:
            counts["skipped"][Skipped.CHANGED] = gone
        return counts | outcome.notes | {"aligner": engine.name, "revision": engine.revision}
