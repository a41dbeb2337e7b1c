"""The job that follows a fixed text: what machines say of one sentence, made anew."""

from __future__ import annotations

from typing import Any

from annotator.domain.text.lemmas import lemmas_of
from annotator.jobs import handlers as jobs
from annotator.models import Job, Unit
from annotator.revisions.offers import finish_revision, offer_suggestions, store_lemmas
from mlworkers.engines.base import EngineError
from mlworkers.labelling import Carried, Predicted, aligner_for_one, carried_over, fitting_detector, predicted

LEMMAS, PREDICTION, PROJECTION = "lemmas", "prediction", "projection"

# Lemmas, or what an engine says; nothing where the text was replaced meanwhile.
Outcome = list[str] | Predicted | Carried | None


class Revise(jobs.Handler):
    """Look up the lemmas of a new revision, predict its labels, and project them from and to other languages.

    Each is a chunk `[what, number]` of its own: where a model cannot be had, what came before it is stored.
    """

    user_errors = (EngineError,)

    def plan(self, job: Job) -> jobs.Plan:
        if _unit(job) is None:
            return jobs.Plan([])
        routes = [[[PROJECTION, number]] for number in range(len(job.params["projections"]))]
        return jobs.Plan([[[LEMMAS, 0]], *([[[PREDICTION, 0]]] if job.params["detector"] else []), *routes])

    def work(
        self, job: Job, items: list[Any], engine: None, report: jobs.Progress
    ) -> list[str] | Predicted | Carried | None:
        [[what, number]] = items
        unit = _unit(job)
        if unit is None:
            return None
        if what == LEMMAS:
            return lemmas_of(unit.tokens, unit.language)
        if what == PREDICTION:
            detector = fitting_detector(job.project, job.params["detector"], unit.language)
            return predicted(job.project, [unit.pk], detector)
        route = job.params["projections"][number]
        sources = unit.segment.units.filter(language=route["source"], is_current=True).values_list("pk", flat=True)
        aligner = aligner_for_one(job.project, route)
        return carried_over(job.project, route, list(sources), aligner)

    def store(self, job: Job, items: list[Any], outcome: Outcome, engine: None) -> dict[str, Any]:
        [[_what, number]] = items
        if outcome is None:
            return {}
        if isinstance(outcome, list):
            store_lemmas(unit=job.params["unit"], lemmas=outcome)
            return {}
        if isinstance(outcome, Predicted):
            counts = outcome.store(job, beside_people=True)
        else:
            counts = outcome.store(job, job.params["projections"][number]["labels"])
        offer_suggestions(project=job.project, unit=job.params["unit"], job=job)
        return {"skipped": counts["skipped"], **outcome.notes}

    def finish(self, job: Job) -> dict[str, Any]:
        finish_revision(project=job.project, unit=job.params["unit"])
        return {}


def _unit(job: Job) -> Unit | None:
    """The sentence that the job is about; None where its text was replaced again, which is another job's work."""
    return Unit.objects.select_related("segment").filter(pk=job.params["unit"], is_current=True).first()
