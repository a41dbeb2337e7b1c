"""Training of token-classification checkpoints, for detectors: fine-tuning of a pretrained encoder on tagged sentences.

The loop is plain and our own, not `transformers.Trainer`: that one chooses the devices itself (all of them), writes
checkpoints in place, so that a crash can leave half of one as the last, and would measure dev sentences cut off at its
length. Optimiser, schedule, clipping and decay are as its defaults.
"""

import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.acceleration import narrow_positions
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.encoder.checkpoint import write_checkpoint
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.detectors.training_folder import TrainingFolder, fingerprint, read_settings
from mlworkers.engines.detectors.transformers_detector import TokenClassifier, TransformersDetector
from mlworkers.engines.evaluation.scores import evaluate
from mlworkers.engines.subwords import CUT_WORDS, WINDOWED, WITHOUT_SUBWORDS, Cutter, load_tokenizer, window
from mlworkers.engines.torch_runtime import (
    Checkpoint,
    Device,
    choose_device,
    content_hash,
    first_line,
    free_memory,
    import_torch,
    import_transformers,
    is_out_of_memory,
    locate,
    split_revision,
)

# What the loss does not look at: subwords that are not a word's first, and padding.
IGNORED = -100

# Gradients are made no longer than this.
LONGEST_GRADIENT = 1.0

# In training a word may be cut, and a sentence windowed, at the recipe's length rather than the model's window.
COUNTED = {
    WINDOWED: "sentences longer than the training length, learnt from in windows",
    CUT_WORDS: "tokens cut, longer than half the training length",
    WITHOUT_SUBWORDS: "tokens that the tokenizer made nothing of, not learnt from",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained; the defaults are those with which the detectors of Meta4XNLI were trained.

    `batch` is in sentences, `length` in subwords with those that frame a sentence, `warmup` the share of all steps
    during which the learning rate rises; then it falls to 0, both in a line.
    """

    epochs: int = 4
    batch: int = 8
    learning_rate: float = 5e-5
    weight_decay: float = 0.1
    warmup: float = 0.06
    length: int = 128

    def check(self) -> None:
        """Raise EngineError for a value with which nothing can be trained."""
        for name in ("epochs", "batch", "length", "learning_rate"):
            if not getattr(self, name) > 0:
                raise EngineError(
                    message(
                        _("A training with %(name)s %(value)s is none. Give a number above 0."),
                        name=name,
                        value=getattr(self, name),
                    )
                )
        if not 0 <= self.warmup <= 1:
            raise EngineError(
                message(_("The warm-up is a share of all steps, from 0 to 1, and not %(warmup)s."), warmup=self.warmup)
            )
        if not self.weight_decay >= 0:
            raise EngineError(
                message(_("The weight decay is 0 or more, and not %(weight_decay)s."), weight_decay=self.weight_decay)
            )


DEFAULT = Recipe()


def steps(sentences: int, recipe: Recipe = DEFAULT) -> int:
    """How many steps of the optimiser a training on so many sentences takes: what `progress` counts.

    Sentences of which the tokenizer makes nothing take no part, so with such ones it may be fewer.
    """
    return recipe.epochs * math.ceil(sentences / recipe.batch)


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


def train_transformers(
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
    with _located(model, language) as checkpoint:
        inputs = {
            "model": checkpoint.name,
            "revision": checkpoint.revision,
            "language": language,
            "label": label,
            "seed": seed,
            **asdict(recipe),
            "training sentences": fingerprint(sentences),
            "development sentences": fingerprint(dev),
        }
        with TrainingFolder(folder, inputs) as place:
            if not place.finished:
                device = choose_device()
                # Nobody else's random numbers are to change.
                with import_torch().random.fork_rng(devices=[device.name] if device.is_gpu else []):
                    settings = _Training(checkpoint, device, label, recipe, seed, place).run(
                        sentences, dev, language, progress
                    )
                settings["training"] |= {"languages": [name for name, part in learnt.items() if part]}
                settings["training"] |= {"provenance": provenance}
                place.finish(settings["chosen_epoch"], settings)
                # For the jobs that come after.
                free_memory()
    return TrainedTransformers.load(folder)


@contextmanager
def _located(model: str, language: str) -> Iterator[Checkpoint]:
    """The checkpoint to begin with; the shipped encoder is written down for as long as it is needed."""
    if model == EncoderDetector.name:
        with tempfile.TemporaryDirectory() as beside:
            write_checkpoint(Path(beside) / model, language)
            yield locate(str(Path(beside) / model))
        return
    source, revision = split_revision(model)
    if not source:
        raise EngineError(
            message(
                _(
                    "No model is named. Give a folder, a hub id with its revision (name/model@revision), or encoder "
                    "for the built-in one."
                )
            )
        )
    yield locate(source, revision)


@dataclass(frozen=True, slots=True)
class _Row:
    """A sequence of subwords, and at which of them which classes are to be learnt."""

    ids: Sequence[int]
    subwords: Sequence[int]
    classes: Sequence[int]


class _Training:
    """A model while it is trained."""

    def __init__(
        self, checkpoint: Checkpoint, device: Device, label: str, recipe: Recipe, seed: int, place: TrainingFolder
    ) -> None:
        torch = import_torch()
        torch.manual_seed(seed)
        self.checkpoint, self.label, self.recipe, self.seed, self.place = checkpoint, label, recipe, seed, place
        self.names = {0: OUTSIDE, 1: f"B-{label}", 2: f"I-{label}"}
        # Weights stay in fp32; on a GPU that can, products are computed in bf16. fp16 would need its losses scaled.
        self.device = Device(device.name, "bf16" if device.is_gpu and device.precision == "bf16" else "fp32")
        self.model, self.tokenizer, self.new_head = _load(checkpoint, self.names, self.device)
        size = min(recipe.length, window(self.tokenizer, self.model))
        self.cutter = Cutter(self.tokenizer, size=size, name=checkpoint.name)
        if self.cutter.room < 1:
            raise EngineError(
                message(_("A length of %(size)s subwords leaves no room for words. Give a greater one."), size=size)
            )
        self.optimizer = torch.optim.AdamW(self._groups(), lr=recipe.learning_rate)

    def run(
        self,
        sentences: Sequence[TaggedSentence],
        dev: Sequence[TaggedSentence],
        language: str,
        progress: Callable[[int, int], None],
    ) -> dict[str, Any]:
        """Train, keep the state after every epoch, and return the settings."""
        met: Counter[str] = Counter()
        rows = [found for sentence in sentences if (found := self._rows(sentence, met))]
        if not rows:
            raise EngineError(
                message(
                    _(
                        "The tokenizer of %(checkpoint)s makes nothing of any of the %(number)s training "
                        "sentences. Give a model for their language."
                    ),
                    checkpoint=self.checkpoint.name,
                    number=len(sentences),
                )
            )
        total = steps(len(rows), self.recipe)
        schedule = import_transformers().get_linear_schedule_with_warmup(
            self.optimizer, math.ceil(total * self.recipe.warmup), total
        )
        epochs, best = self._resume(schedule)
        done = len(epochs) * total // self.recipe.epochs
        progress(done, total)
        while len(epochs) < self.recipe.epochs:
            number = len(epochs) + 1
            order = list(range(len(rows)))
            # Depends on nothing that an interruption could lose.
            random.Random(f"{self.seed} {number}").shuffle(order)  # noqa: S311 -- a reproducible draw, not a secret
            self.model.train()
            loss: Any = 0.0
            for start in range(0, len(order), self.recipe.batch):
                loss += self._step([rows[index] for index in order[start : start + self.recipe.batch]])
                schedule.step()
                done += 1
                progress(done, total)
            mean = float(loss) * self.recipe.epochs / total
            if not math.isfinite(mean):
                raise EngineError(
                    message(
                        _(
                            "The training came to nothing in epoch %(number)s: the loss is no number any "
                            "more. Give a lower learning rate than %(learning_rate)s, in another folder."
                        ),
                        number=number,
                        learning_rate=self.recipe.learning_rate,
                    )
                )
            epochs.append({"epoch": number, "loss": round(mean, 6), **(self._measure(dev, language) if dev else {})})
            better = epochs[best - 1]["f1"] <= epochs[-1]["f1"] if dev and best else True
            best = number if better else best
            # Without dev only the last will be asked for.
            keep = better and (bool(dev) or number == self.recipe.epochs)
            self._save(epochs, best, schedule, keep)
        return self._settings(sentences, dev, language, epochs, best, met)

    def _rows(self, sentence: TaggedSentence, met: Counter[str]) -> list[_Row]:
        classes = [0 if tag == OUTSIDE else 1 if tag.startswith("B") else 2 for tag in sentence.tags]
        return [
            _Row(one.ids, one.subwords, [classes[word] for word in one.words])
            for one in self.cutter.inputs([sentence.tokens], [0], met)
            if one.words
        ]

    def _groups(self) -> list[dict[str, Any]]:
        """The parameters that decay, and those that do not: biases and the weights of normalisations."""
        parameters = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        return [
            {"params": [one for one in parameters if one.ndim > 1], "weight_decay": self.recipe.weight_decay},
            {"params": [one for one in parameters if one.ndim <= 1], "weight_decay": 0.0},
        ]

    def _step(self, sentences: Sequence[Sequence[_Row]]) -> Any:
        """One step of the optimiser; the mean loss over the words of `sentences`, on the device."""
        torch = import_torch()
        rows = [row for windows in sentences for row in windows]
        words = sum(len(row.classes) for row in rows)
        loss: Any = 0.0
        try:
            # A very long sentence has many windows: no more of them at a time than sentences.
            for start in range(0, len(rows), self.recipe.batch):
                part = self._loss(rows[start : start + self.recipe.batch]) / words
                part.backward()
                loss += part.detach()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), LONGEST_GRADIENT)
            self.optimizer.step()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise EngineError(
                message(
                    _(
                        "The memory of %(device)s does not suffice to train %(checkpoint)s with %(batch)s "
                        "sentences of up to %(length)s subwords at a time. Give a smaller batch or length, "
                        "in another folder, or a smaller model."
                    ),
                    device=self.device.name,
                    checkpoint=self.checkpoint.name,
                    batch=self.recipe.batch,
                    length=self.recipe.length,
                )
            ) from error
        self.optimizer.zero_grad()
        return loss

    def _loss(self, rows: Sequence[_Row]) -> Any:
        """The sum of the losses of all words in `rows`."""
        torch = import_torch()
        width = max(len(row.ids) for row in rows)
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.full((len(rows), width), padding)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        classes = torch.full((len(rows), width), IGNORED)
        for number, row in enumerate(rows):
            ids[number, : len(row.ids)] = torch.tensor(row.ids)
            mask[number, : len(row.ids)] = 1
            classes[number, torch.tensor(row.subwords)] = torch.tensor(row.classes)
        ids, mask, classes = (tensor.to(self.device.name) for tensor in (ids, mask, classes))
        with self._autocast():
            logits = self.model(input_ids=ids, attention_mask=mask).logits
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), classes.flatten(), ignore_index=IGNORED, reduction="sum"
        )

    def _autocast(self) -> AbstractContextManager[Any]:
        torch = import_torch()
        found: AbstractContextManager[Any] = (
            torch.autocast("cuda", dtype=self.device.dtype) if self.device.precision != "fp32" else nullcontext()
        )
        return found

    def _measure(self, dev: Sequence[TaggedSentence], language: str) -> dict[str, float]:
        """The model as a detector, on `dev`."""
        self.model.eval()
        classifier = TokenClassifier(self.model, self.tokenizer, checkpoint=self.checkpoint, device=self.device)
        detector = TransformersDetector(classifier, language=language, label=self.label, classes={1: "B", 2: "I"})
        gold = [[tag != OUTSIDE for tag in sentence.tags] for sentence in dev]
        with self._autocast():
            found = evaluate(detector, [sentence.tokens for sentence in dev], gold)
        return {"precision": found.precision, "recall": found.recall, "f1": found.f1}

    def _save(self, epochs: list[dict[str, Any]], best: int, schedule: Any, keep: bool) -> None:
        torch = import_torch()
        state = {
            "epochs": epochs,
            "best": best,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": schedule.state_dict(),
            # Dropout draws from these.
            "random": torch.get_rng_state(),
            "random_gpu": torch.cuda.get_rng_state(self.device.name) if self.device.is_gpu else None,
        }
        self.place.save_state(state, best, (self.model, self.tokenizer) if keep else None)

    def _resume(self, schedule: Any) -> tuple[list[dict[str, Any]], int]:
        """Go back to where the last whole epoch ended: what the epochs came to, and which is the best so far."""
        torch = import_torch()
        state = self.place.load_state()
        if state is None:
            return [], 0
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        if self.device.is_gpu and state["random_gpu"] is not None:
            torch.cuda.set_rng_state(state["random_gpu"], self.device.name)
        return state["epochs"], state["best"]

    def _settings(
        self,
        sentences: Sequence[TaggedSentence],
        dev: Sequence[TaggedSentence],
        language: str,
        epochs: list[dict[str, Any]],
        best: int,
        met: Counter[str],
    ) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "name": "transformers",
            "model": {"name": self.checkpoint.name, "revision": self.checkpoint.revision, "new_head": self.new_head},
            "language": language,
            "label": self.label,
            "seed": self.seed,
            "recipe": asdict(self.recipe),
            "training": {
                **_counts(sentences),
                "met": {COUNTED[what]: number for what, number in met.items()},
                "precision": self.device.precision,
                "versions": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
            },
            "epochs": epochs,
            "chosen_epoch": best,
        }
        if dev:
            chosen = epochs[best - 1]
            settings["dev"] = _counts(dev) | {name: chosen[name] for name in ("precision", "recall", "f1")}
        return settings


def _load(checkpoint: Checkpoint, names: Mapping[int, str], device: Device) -> tuple[Any, Any, bool]:
    """The model with a head for these classes, its tokenizer, and whether the head is new."""
    transformers, torch = import_transformers(), import_torch()
    kinds = transformers.AutoModelForTokenClassification
    try:
        config = transformers.AutoConfig.from_pretrained(checkpoint.folder)
        tokenizer = load_tokenizer(transformers, checkpoint, config)
        same = {int(number): name for number, name in config.id2label.items()} == dict(names)
        model, report = kinds.from_pretrained(
            checkpoint.folder,
            id2label=dict(names),
            label2id={name: number for number, name in names.items()},
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
        inside = f"{model.base_model_prefix}."
        new = sorted([*report["missing_keys"], *(key for key, *_ in report["mismatched_keys"])])
        if damaged := [key for key in new if key.startswith(inside)]:
            raise EngineError(
                message(
                    _(
                        "The checkpoint %(checkpoint)s lacks weights of its model: %(missing)s. It is "
                        "damaged or incomplete; fetch it again."
                    ),
                    checkpoint=checkpoint.name,
                    missing=", ".join(damaged[:3]),
                )
            )
        if not new and not same:
            # A head of the same size for other classes: what it knows would be taken for something else.
            fresh = kinds.from_config(model.config).state_dict()
            model.load_state_dict(
                {key: value for key, value in fresh.items() if not key.startswith(inside)}, strict=False
            )
        narrow_positions(model)
        return model.to(device.name), tokenizer, bool(new) or not same
    except EngineError:
        raise
    except Exception as error:
        # Damaged files and foreign kinds of models show as errors of several libraries, some of them bare exceptions.
        if is_out_of_memory(error):
            raise EngineError(
                message(
                    _(
                        "The checkpoint %(checkpoint)s does not fit into the memory of %(device)s. Use a "
                        "smaller model, or a machine with more memory."
                    ),
                    checkpoint=checkpoint.name,
                    device=device.name,
                )
            ) from error
        raise EngineError(
            message(
                _(
                    "The checkpoint %(checkpoint)s (%(folder)s) cannot be trained to classify tokens: "
                    "%(reason)s. It has to be a pretrained encoder with its tokenizer, as save_pretrained "
                    "writes it."
                ),
                checkpoint=checkpoint.name,
                folder=checkpoint.folder,
                reason=first_line(error),
            )
        ) from error


def _label(sentences: Sequence[TaggedSentence], label: str | None) -> str:
    """What the spans will be called. Raises EngineError when that is not clear, or nothing is labelled."""
    names = sorted({tag[2:] for sentence in sentences for tag in sentence.tags if tag != OUTSIDE})
    if not names:
        raise EngineError(
            message(
                _(
                    "None of the %(number)s training sentences has a label, so there is nothing to learn. "
                    "Label some sentences first, or give other files."
                ),
                number=len(sentences),
            )
        )
    if label is None and len(names) > 1:
        raise EngineError(
            message(
                _(
                    "The training sentences have several labels (%(names)s), and a detector tells only "
                    "labelled from not labelled. Say which label its suggestions shall have, or keep one "
                    "label only."
                ),
                names=", ".join(names),
            )
        )
    return label or names[0]


def _counts(sentences: Sequence[TaggedSentence]) -> dict[str, int]:
    return {
        "sentences": len(sentences),
        "tokens": sum(len(sentence.tags) for sentence in sentences),
        "labelled_tokens": sum(tag != OUTSIDE for sentence in sentences for tag in sentence.tags),
    }
