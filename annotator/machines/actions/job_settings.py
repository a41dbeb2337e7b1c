"""The settings of jobs that pre-label and train: checked, and made exact, when a job is started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.domain.mapping import labels_of_machine
from annotator.jobs.actions import IN_USE
from annotator.machines.queries.training import (
    FINISHED,
    detector_in_use,
    finished_sentences,
    is_trained,
    label_to_learn,
    too_little_to_start,
    trained_detector,
)
from annotator.models import Project
from annotator.models.job import ML_GPU

# Names of engines on torch: an encoder runs best where there is a GPU.
ON_TORCH = ("transformers:", "simalign")
# Characters of what somebody typed that an error repeats.
MAX_SHOWN = 50


def exact_prediction(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """The detector by name: "in-use" becomes the one in use. Raises ActionError for one that the project lacks."""
    return {"detector": _detector(project, params)}


def exact_training(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """The label that is learnt. Raises ActionError for unknown labels and engines, and for too little to learn from."""
    label = _label(project, params)
    _check_engine(params["engine"])
    if reason := too_little_to_start(project, params["language"], label):
        raise ActionError(reason)
    return {"label": label}


def learnt_from(project: Project, params: Mapping[str, Any]) -> dict[str, Any]:
    """How many sentences are finished when a training starts: the next one is counted from there."""
    return {FINISHED: finished_sentences(project, params["language"])}


def route_of(project: Project, params: Mapping[str, Any]) -> str:
    """The queue for workers with a GPU, where a job's engines are such as gain by one; otherwise ""."""
    steps = params.get("projections", [])
    engines = [params.get(name, "") for name in ("detector", "aligner", "engine", "model")]
    engines += [step["aligner"] for step in steps]
    trained = [trained_detector(project, spec) for spec in engines if is_trained(spec)]
    engines += [row.engine for row in trained if row is not None]
    return ML_GPU if any(spec.startswith(ON_TORCH) for spec in engines) else ""


def _detector(project: Project, params: Mapping[str, Any]) -> str:
    """The detector that a pre-labelling names: every part of it uses the same, whatever becomes active meanwhile."""
    spec = str(params["detector"])
    if spec == IN_USE:
        return detector_in_use(project, params["language"]).spec
    if not is_trained(spec):
        return spec
    trained = trained_detector(project, spec)
    if trained is None or trained.language != params["language"]:
        kept = project.trained_detectors.filter(language=params["language"], active=True)
        raise ActionError(
            _(
                "This project has no detector “%(detector)s” for sentences in %(language)s. Available: "
                "%(kept)s. Detectors that were no better than the active one are not kept."
            )
            % {
                "detector": spec[:MAX_SHOWN],
                "language": params["language"],
                "kept": ", ".join(row.spec for row in kept) or _("none"),
            }
        )
    return trained.spec


def _label(project: Project, params: Mapping[str, Any]) -> str:
    labels = labels_of_machine(project.scheme)
    if params["label"] and params["label"] not in labels:
        raise ActionError(
            _("The setting %(name)s must be one of: %(choices)s.") % {"name": "label", "choices": ", ".join(labels)}
        )
    return str(params["label"] or label_to_learn(project, params["language"]))


def _check_engine(engine: str) -> None:
    name, _colon, model = engine.partition(":")
    if engine != "crf" and not (name == "transformers" and model):
        raise ActionError(
            _("Unknown training engine “%(engine)s”. Use crf, or transformers: followed by a model.")
            % {"engine": engine}
        )
