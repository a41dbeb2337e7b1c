"""Training of detectors on transformers: fine-tuning of a pretrained encoder on tagged sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.messages import gettext_noop as _
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint, content_hash
from mlworkers.engines.detectors.pretrained import located
from mlworkers.engines.detectors.recipe import DEFAULT, Recipe
from mlworkers.engines.detectors.training_folder import TrainingFolder, fingerprint, read_settings
from mlworkers.engines.detectors.training_loop import Training
from mlworkers.engines.detectors.transformers_detector import TransformersDetector
from mlworkers.engines.torch_runtime import choose_device, free_memory, import_torch, import_transformers


@dataclass(frozen=True)
class TrainedTransformers:
    """A model that `train_transformers` has written to `folder`; `settings` is what training.json there says."""

    folder: Path
    settings: dict[str, Any] = field(hash=False)

    @classmethod
    def load(cls, folder: Path) -> "TrainedTransformers":
        """Raises EngineError when there is no finished training in `folder`."""
        return cls(folder, read_settings(folder))

    @property
    def revision(self) -> str:
        """What identifies the model's exact state, and is stored with its predictions."""
        return content_hash(self.folder.resolve())

    def detector(self, language: str | None = None) -> TransformersDetector:
        """The model, ready to predict, for sentences in `language` (default: that it was trained for)."""
        return TransformersDetector.load(str(self.folder.resolve()), language=language or self.settings["language"])


def train_transformers(  # noqa: PLR0913 -- each says one thing of a training, and most have a default
    model: str,
    language: str,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence] = (),
    *,
    folder: Path,
    others: Mapping[str, Sequence[TaggedSentence]] | None = None,
    label: str | None = None,
    seed: int = 0,
    recipe: Recipe = DEFAULT,
    provenance: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> TrainedTransformers:
    """Fine-tune `model` (a folder, hub id, hub id@revision, or "encoder", the shipped one) on `train`, into `folder`.

    `others` are further training sentences by their language. Every tag other than O counts as labelled; `label` is
    what the model's spans will be called, by default the one label that occurs. A word's tag is learnt at its first
    subword; sentences longer than the recipe's length go through windows, so that each word is learnt from once an
    epoch. The model gets a new head for O, B-LABEL and I-LABEL, unless it has one for just these.

    After every epoch the model is measured on `dev`: precision, recall and F1 over tokens, as `evaluate` does. The
    epoch with the best F1 is the result, of equal ones the latest; without `dev` the last. `progress` is called with
    the steps done and in all, at the start and after each; an exception from it ends the training.

    A training that was interrupted goes on after its last whole epoch when it is called again with the same folder and
    inputs, with the same result as if nothing had happened (on a GPU: up to the rounding of parallel sums). A finished
    one is returned as it is. `provenance` says in words where the sentences come from and is kept with the model.

    Raises EngineError when nothing is labelled, several labels occur and `label` does not say what to call them, the
    model cannot be had or trained, memory or disk do not suffice, or `folder` holds something else.
    """
    import_transformers()
    recipe.check()
    others = dict(others or {})
    learnt = {language: [*train, *others.pop(language, ())], **others}
    sentences = [sentence for part in learnt.values() for sentence in part]
    label = _label(sentences, label)
    with located(model, language) as checkpoint:
        inputs = _inputs(checkpoint, language, label, seed, recipe) | {
            "training sentences": fingerprint(sentences),
            "development sentences": fingerprint(dev),
        }
        with TrainingFolder(folder, inputs) as place:
            if not place.finished:
                device = choose_device()
                # Nobody else's random numbers are to change.
                with import_torch().random.fork_rng(devices=[device.name] if device.is_gpu else []):
                    settings = Training(checkpoint, device, label, recipe, seed, place).run(
                        sentences, dev, language, progress
                    )
                settings["training"] |= {"languages": [name for name, part in learnt.items() if part]}
                settings["training"] |= {"provenance": provenance}
                place.finish(settings["chosen_epoch"], settings)
                # For the jobs that come after.
                free_memory()
    return TrainedTransformers.load(folder)


def _inputs(checkpoint: Checkpoint, language: str, label: str, seed: int, recipe: Recipe) -> dict[str, Any]:
    """What decides about the result besides the sentences, as the folder of a training keeps it."""
    return {
        "model": checkpoint.name,
        "revision": checkpoint.revision,
        "language": language,
        "label": label,
        "seed": seed,
        **asdict(recipe),
    }


def _label(sentences: Sequence[TaggedSentence], label: str | None) -> str:
    """What the spans will be called. Raises EngineError when that is not clear, or nothing is labelled."""
    names = sorted({tag[2:] for sentence in sentences for tag in sentence.tags if tag != OUTSIDE})
    if not names:
        raise EngineError(
            _(
                "None of the %(number)s training sentences has a label, so there is nothing to learn. Label some "
                "sentences first, or give other files."
            ),
            number=len(sentences),
        )
    if label is None and len(names) > 1:
        raise EngineError(
            _(
                "The training sentences have several labels (%(names)s), but a detector distinguishes "
                "only labelled from unlabelled words. Choose the label of its suggestions, or keep only "
                "one label."
            ),
            names=", ".join(names),
        )
    return label or names[0]
