"""How an experiment trains each engine, and the packages that its figures depend on."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import Detector, EvaluationError
from mlworkers.engines.checkpoints import Checkpoint
from mlworkers.engines.detectors.crf_training import train_crf
from mlworkers.engines.detectors.transformers_training import train_transformers
from mlworkers.experiments.experiment import Experiment

# What a training gives: a detector for sentences in a language, which need not be one of those it was trained on.
Trained = Callable[[str], Detector]


@dataclass(frozen=True)
class Lesson:
    """What one training is given: sentences by language, dev sentences, the seed, the pretrained model if there is
    one, and a folder to be made that stays for as long as the result is measured."""

    train: Mapping[str, Sequence[TaggedSentence]]
    dev: Sequence[TaggedSentence]
    seed: int
    model: Checkpoint | None
    folder: Path


@dataclass(frozen=True)
class Engine:
    """How an engine is trained, the packages that figures depend on, and whether it is a pretrained model that is
    trained: then the experiment has a model, perhaps a recipe, and runs may have dev sets."""

    train: Callable[[Experiment, Lesson], Trained]
    packages: tuple[str, ...]
    pretrained: bool = False


def engine_named(name: str) -> Engine:
    """An engine that can be trained. Raises EvaluationError for any other."""
    found = ENGINES.get(name)
    if found is None:
        raise EvaluationError(
            f'Experiments cannot train the engine "{name}". Those they can train: {", ".join(ENGINES)}. '
            "To measure a model that is trained already, use evaluate_detector."
        )
    return found


def versions(engine: str) -> dict[str, str]:
    """Versions of what the figures of an engine depend on."""
    return {"python": platform.python_version(), **{name: version(name) for name in engine_named(engine).packages}}


def _crf(experiment: Experiment, lesson: Lesson) -> Trained:
    trained = train_crf(next(iter(lesson.train)), (), others=lesson.train, label=experiment.label, seed=lesson.seed)
    return trained.for_language


def _transformers(experiment: Experiment, lesson: Lesson) -> Trained:
    if lesson.model is None:
        raise EvaluationError('Experiments with transformers need a model: model = "name/model@revision".')
    trained = train_transformers(
        str(lesson.model.folder),
        next(iter(lesson.train)),
        (),
        lesson.dev,
        folder=lesson.folder,
        others=lesson.train,
        label=experiment.label,
        seed=lesson.seed,
        recipe=experiment.recipe,
    )
    return trained.detector


ENGINES: dict[str, Engine] = {
    "crf": Engine(_crf, ("numpy", "python-crfsuite", "simplemma", "wordfreq")),
    "transformers": Engine(_transformers, ("torch", "transformers", "tokenizers"), pretrained=True),
}
