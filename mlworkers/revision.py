"""The job that follows a fixed text: what machines say of one sentence, made anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.domain.mapping import label_of_machine
from annotator.domain.text.lemmas import lemmas_of
from annotator.jobs import running as jobs
from annotator.machines.actions.predictions import store_predictions
from annotator.machines.actions.projections import store_projections
from annotator.models import Job, Unit
from annotator.revisions.offers import finish_revision, offer_suggestions, store_lemmas
from mlworkers.engines.base import Aligner, Detector, EngineError
from mlworkers.labelling import Carried, Predicted, aligner_for_one, carried_over, fitting_detector, predicted

LEMMAS, PREDICTION, PROJECTION = "lemmas", "prediction", "projection"


@dataclass(frozen=True, slots=True)
class EngineOutcome:
    """What an engine said, and the engine."""

    engine: Detector | Aligner
    outcome: Predicted | Carried


@dataclass(frozen=True)
class Revise:
    """Look up the lemmas of a new revision, predict its labels, and project them from and to other languages.

    Each is a chunk `[what, number]` of its own: where a model cannot be had, what came before it is stored.
    """

    user_errors: tuple[type[Exception], ...] = (EngineError,)

    def plan(self, job: Job) -> jobs.Plan:
        if _unit(job) is None:
            return jobs.Plan([])
        routes = [[[PROJECTION, number]] for number in range(len(job.params["projections"]))]
        return jobs.Plan([[[LEMMAS, 0]], *([[[PREDICTION, 0]]] if job.params["detector"] else []), *routes])

    def prepare(self, job: Job) -> None:
        return None

    def work(self, job: Job, items: list[Any], engine: None, report: jobs.Progress) -> list[str] | EngineOutcome | None:
        [[what, number]] = items
        unit = _unit(job)
        if unit is None:
            return None
        if what == LEMMAS:
            return lemmas_of(unit.tokens, unit.language)
        if what == PREDICTION:
            detector = fitting_detector(job.project, job.params["detector"], unit.language)
            return EngineOutcome(detector, predicted(job.project, [unit.pk], detector))
        route = job.params["projections"][number]
        sources = unit.segment.units.filter(language=route["source"], is_current=True).values_list("pk", flat=True)
        aligner = aligner_for_one(job.project, route)
        return EngineOutcome(aligner, carried_over(job.project, route, list(sources), aligner))

    def store(
        self, job: Job, items: list[Any], outcome: list[str] | EngineOutcome | None, engine: None
    ) -> dict[str, Any]:
        [[_what, number]] = items
        if outcome is None:
            return {}
        if isinstance(outcome, list):
            store_lemmas(unit=job.params["unit"], lemmas=outcome)
            return {}
        said = outcome.outcome
        if isinstance(said, Predicted):
            detector = outcome.engine
            _own, mapping = label_of_machine(job.project.scheme, detector.label) or ("", "")  # type: ignore[union-attr]
            counts = store_predictions(
                job=job,
                found=said.found,
                detector=detector.name,
                revision=detector.revision,
                threshold=detector.threshold,  # type: ignore[union-attr]  # what predicts is a detector
                mapping=mapping,
                beside_people=True,
            )
        else:
            counts = store_projections(
                job=job,
                carried=said.over,
                aligner=outcome.engine.name,
                revision=outcome.engine.revision,
                rules=job.project.rules,
                labels=job.params["projections"][number]["labels"],
            )
        offer_suggestions(project=job.project, unit=job.params["unit"], job=job)
        return {"skipped": counts["skipped"], **said.notes}

    def finish(self, job: Job) -> dict[str, Any]:
        finish_revision(project=job.project, unit=job.params["unit"])
        return {}


def _unit(job: Job) -> Unit | None:
    """The sentence that the job is about; None where its text was replaced again, which is another job's work."""
    return Unit.objects.select_related("segment").filter(pk=job.params["unit"], is_current=True).first()
