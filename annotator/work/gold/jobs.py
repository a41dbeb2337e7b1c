"""The job that makes gold of the answers that a rule decides, or counts them."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any

from annotator.domain.batches import batches
from annotator.domain.merging.rules import Rule, RuleName
from annotator.jobs import handlers as jobs
from annotator.models import Job, Layer, Unit
from annotator.work.gold.actions.agreed import accept_units
from annotator.work.gold.actions.gold import BATCH
from annotator.work.gold.queries.agreed import Decider, items_of, sorted_out, undecided_units

Deciders = Mapping[int, Decider]


class AcceptAnswers(jobs.Handler):
    """Some units at a time, each as it is then: what people decided meanwhile stays, and a chunk that is done again
    finds its units decided."""

    def plan(self, job: Job) -> jobs.Plan:
        found = [
            (layer, units)
            for layer in _layers(job)
            for units in batches(undecided_units(job.project, layer, job.params["language"]), BATCH)
        ]
        chunks = [[{"layer": layer.pk, "units": units}] for layer, units in found]
        return jobs.Plan(chunks, sizes=[len(units) for _layer, units in found])

    def prepare(self, job: Job) -> Deciders:
        """By layer (id). An estimate reads every answer, so it is made once for all chunks of a worker."""
        language, rule = job.params["language"], _rule(job)
        return {layer.pk: Decider(job.project, layer, language, rule, by=job.created_by) for layer in _layers(job)}

    def work(self, job: Job, items: list[Any], engine: Deciders, report: jobs.Progress) -> Counter[str] | None:
        decider, units = _of(items, engine)
        if not job.params["dry_run"] or decider is None:
            return None
        there = Unit.objects.filter(is_current=True).in_bulk(units)
        return sorted_out(decider, there, items_of(decider.layer, there), by=job.created_by)[1]

    def store(self, job: Job, items: list[Any], outcome: Counter[str] | None, engine: Deciders) -> dict[str, Any]:
        decider, units = _of(items, engine)
        if decider is None:
            return {}
        if outcome is None:
            operation = uuid.uuid5(uuid.NAMESPACE_OID, f"job {job.pk}")
            outcome = accept_units(
                job.project, decider, job.params["language"], units, by=job.created_by, operation=operation
            )
        return {"layers": {decider.layer.slug: {str(name): number for name, number in outcome.items()}}}


def _of(items: list[Any], deciders: Deciders) -> tuple[Decider | None, list[int]]:
    """The rule of a chunk's layer, where it can decide there, and the chunk's units."""
    [chunk] = items
    decider = deciders.get(chunk["layer"])
    return decider if decider is not None and decider.applies else None, chunk["units"]


def _layers(job: Job) -> list[Layer]:
    return list(job.project.layers.filter(pk__in=job.params["layers"]).select_related("project"))


def _rule(job: Job) -> Rule:
    return Rule(**{**job.params["rule"], "name": RuleName(job.params["rule"]["name"])})
