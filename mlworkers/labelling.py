"""What detectors and aligners are asked for, whichever job asks: sentences labelled, labels carried over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.domain.labels.spans import spans_from_json
from annotator.domain.mapping import label_of_machine, labels_of_machine
from annotator.domain.messages import gettext_noop as _
from annotator.domain.projection.carry import project as projected
from annotator.machines.actions.predictions import Found, store_predictions
from annotator.machines.actions.projections import CarriedOver, store_projections
from annotator.machines.queries.labels import carried, parallel_tokens
from annotator.machines.queries.training import ENCODER, built_in
from annotator.models import Job, Project, Sentence
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.base import Aligner, Detector, Embedder, EngineError, Noting, predictions
from mlworkers.engines.registry import load_aligner
from mlworkers.engines.second_opinion import SecondOpinion
from mlworkers.kept_aligners import keep, kept
from mlworkers.training import project_detector


def second_opinion(source: str, target: str) -> SecondOpinion | None:
    """What judges projections beside the aligner: the shipped encoder, where it knows both languages and runs."""
    knows_both = all(built_in(language) == ENCODER for language in (source, target))
    return SecondOpinion.load() if knows_both else None


def notes_of(engine: Detector | Aligner | Embedder) -> dict[str, Any]:
    """What the engine's last call met that people should know of, as it goes into the job's result."""
    notes = engine.notes() if isinstance(engine, Noting) else {}
    return {"notes": notes} if notes else {}


@dataclass(frozen=True, slots=True)
class Predicted:
    """A detector's answers on a chunk, and what it met."""

    detector: Detector
    found: list[Found]
    notes: dict[str, Any]

    def store(self, job: Job, **options: bool) -> dict[str, Any]:
        """Store the answers; see `store_predictions`, which `options` are for. Returns counts for the job."""
        return store_predictions(
            job=job,
            found=self.found,
            detector=self.detector.name,
            revision=self.detector.revision,
            threshold=self.detector.threshold,
            mapping=mapping_of(job.project, self.detector),
            **options,
        )


@dataclass(frozen=True, slots=True)
class Carried:
    """The labels of a chunk carried over, and what the aligner met."""

    aligner: Aligner
    over: list[CarriedOver]
    notes: dict[str, Any]

    def store(self, job: Job, labels: str) -> dict[str, Any]:
        """Store the projections of these labels; see `store_projections`. Returns counts for the job."""
        return store_projections(
            job=job,
            carried=self.over,
            aligner=self.aligner.name,
            revision=self.aligner.revision,
            rules=job.project.rules,
            labels=labels,
        )


def mapping_of(project: Project, detector: Detector) -> str:
    """The scheme's mapping by which the detector's label is one of the project's; "" where it needs none."""
    _own, mapping = label_of_machine(project.scheme, detector.label) or ("", "")
    return mapping


def fitting_detector(project: Project, spec: str, language: str) -> Detector:
    """The detector that a job names. Raises EngineError when it cannot be had or predicts none of the labels."""
    scheme = project.scheme
    detector = project_detector(project, spec, language)
    if label_of_machine(scheme, detector.label) is None:
        raise EngineError(
            _(
                "The detector “%(detector)s” predicts the label %(label)s, but the labels of this project "
                "are %(labels)s. Choose a detector that was trained for them."
            ),
            detector=spec,
            label=detector.label,
            labels=", ".join(labels_of_machine(scheme)),
        )
    return detector


def predicted(within: Project, items: Sequence[int], engine: Detector) -> Predicted:
    """A detector's answers on sentences (ids), its label as the project's scheme has it."""
    from mlworkers.engines.detectors.spans import spans_of

    tokens = dict(Sentence.objects.filter(pk__in=items).values_list("pk", "tokens"))
    # A sentence may have been deleted with its project meanwhile.
    there = [pk for pk in items if pk in tokens]
    said = predictions(engine, [tokens[pk] for pk in there])
    label, _mapping = label_of_machine(within.scheme, engine.label) or (engine.label, "")
    found = [Found(pk, spans_of(one, label), one.probabilities) for pk, one in zip(there, said, strict=True)]
    return Predicted(engine, found, notes_of(engine))


def fitting_aligner(within: Project, params: Mapping[str, Any]) -> Aligner:
    """The aligner that a job names, trained on the project's parallel sentences where it learns from them, and kept."""
    source, target = params["source"], params["target"]
    corpus = parallel_tokens(within, source, target)
    aligner = load_aligner(params["aligner"], source=source, target=target, corpus=corpus)
    keep(aligner, within, source=source, target=target, pairs=len(corpus))
    return aligner


def aligner_for_one(within: Project, params: Mapping[str, Any]) -> Aligner:
    """The same for one sentence: the one that was kept, where there is one that still fits."""
    found = None
    if params["aligner"] == LexicalAligner.name:
        found = kept(within, source=params["source"], target=params["target"])
    return found or fitting_aligner(within, params)


def carried_over(within: Project, params: Mapping[str, Any], items: list[int], engine: Aligner) -> Carried:
    """The labels that stand on source sentences (ids), projected onto the parallel ones."""
    rows = carried(within, params["target"], params["labels"], items)
    aligned = engine.align([(row.source_tokens, row.target_tokens) for row in rows])
    function_word = within.is_function_word(params["target"])
    second = second_opinion(params["source"], params["target"])
    outcome = []
    for row, found in zip(rows, aligned, strict=True):
        links = [(link.source, link.target, link.score) for link in found]
        result = projected(
            spans_from_json(row.spans),
            [(source, target) for source, target, _score in links],
            row.target_tokens,
            rules=within.rules,
            is_function_word=function_word,
            several=within.scheme.several,
        )
        one = CarriedOver(row.source, row.target, row.spans, links, result)
        if second is not None:
            said = second.of(row.source_tokens, row.target_tokens, result.outcomes)
            one = replace(one, opinions=said, opinions_of=second.name)
        outcome.append(one)
    return Carried(engine, outcome, notes_of(engine))
