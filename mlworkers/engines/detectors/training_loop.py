"""The loop that trains a token-classification model.

It is plain and our own, not `transformers.Trainer`: that one chooses the devices itself (all of them), writes
checkpoints in place, so that a crash can leave half of one as the last, and would measure dev sentences cut off at its
length. Optimiser, schedule, clipping and decay are as its defaults.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.messages import gettext_noop as _
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint
from mlworkers.engines.detectors.pretrained import load_pretrained
from mlworkers.engines.detectors.recipe import Recipe, steps
from mlworkers.engines.detectors.training_folder import TrainingFolder
from mlworkers.engines.detectors.transformers_detector import TokenClassifier, TransformersDetector
from mlworkers.engines.evaluation.scores import evaluate_tagged
from mlworkers.engines.subwords import CUT_WORDS, WINDOWED, WITHOUT_SUBWORDS, Cutter, window
from mlworkers.engines.torch_runtime import Device, import_torch, import_transformers, is_out_of_memory

# What the loss does not look at: subwords that are not a word's first, and padding.
IGNORED = -100

# Gradients are made no longer than this.
LONGEST_GRADIENT = 1.0

# Batches whose sentences are sorted by length together. With short sentences in batches of 8, a tenth of what is
# computed is padding then, and without sorting nearly half; more would draw the same neighbours every epoch.
POOL = 16

# In training a word may be cut, and a sentence windowed, at the recipe's length rather than the model's window.
COUNTED = {
    WINDOWED: "sentences longer than the training length, learnt from in windows",
    CUT_WORDS: "tokens cut, longer than half the training length",
    WITHOUT_SUBWORDS: "tokens that the tokenizer made nothing of, not learnt from",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A sequence of subwords, and at which of them which classes are to be learnt."""

    ids: Sequence[int]
    subwords: Sequence[int]
    classes: Sequence[int]


class Training:
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
        self.model, self.tokenizer, self.new_head = load_pretrained(checkpoint, self.names, self.device)
        size = min(recipe.length, window(self.tokenizer, self.model))
        self.cutter = Cutter(self.tokenizer, size=size, name=checkpoint.name)
        if self.cutter.room < 1:
            raise EngineError(
                _("A length of %(size)s subwords leaves no room for words. Give a larger one."), size=size
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
                _(
                    "The tokenizer of %(checkpoint)s finds no subwords in any of the %(number)s training "
                    "sentences. Give a model for their language."
                ),
                checkpoint=self.checkpoint.name,
                number=len(sentences),
            )
        lengths = [max(len(row.ids) for row in found) for found in rows]
        total = steps(len(rows), self.recipe)
        schedule = import_transformers().get_linear_schedule_with_warmup(
            self.optimizer, math.ceil(total * self.recipe.warmup), total
        )
        epochs, best = self._resume(schedule)
        done = len(epochs) * total // self.recipe.epochs
        progress(done, total)
        while len(epochs) < self.recipe.epochs:
            number = len(epochs) + 1
            # Depends on nothing that an interruption could lose.
            draw = random.Random(f"{self.seed} {number}")  # noqa: S311 -- a reproducible draw, not a secret
            self.model.train()
            loss: Any = 0.0
            for batch in batches_of(lengths, self.recipe.batch, draw):
                loss += self._step([rows[index] for index in batch])
                schedule.step()
                done += 1
                progress(done, total)
            mean = float(loss) * self.recipe.epochs / total
            if not math.isfinite(mean):
                raise EngineError(
                    _(
                        "Training diverged in epoch %(number)s (the loss is not a number). Use a learning rate "
                        "below %(learning_rate)s and another folder."
                    ),
                    number=number,
                    learning_rate=self.recipe.learning_rate,
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
            _Row(one.ids, one.firsts, [classes[word] for word in one.words])
            for one in self.cutter.inputs([sentence.tokens], [0], met)
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
                _(
                    "The memory of %(device)s is not enough to train %(checkpoint)s with %(batch)s sentences "
                    "of up to %(length)s subwords at a time. Give a smaller batch or length, in another "
                    "folder, or a smaller model."
                ),
                device=self.device.name,
                checkpoint=self.checkpoint.name,
                batch=self.recipe.batch,
                length=self.recipe.length,
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
        with self._autocast():
            found = evaluate_tagged(detector, dev).tokens
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


def batches_of(lengths: Sequence[int], size: int, draw: random.Random) -> list[list[int]]:
    """One epoch: all indices into `lengths`, in lists of `size` (the last pool's longest may be fewer), in drawn order.

    Which sentences come together is drawn, too, among those of similar length.
    """
    order = list(range(len(lengths)))
    draw.shuffle(order)
    batches = []
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL], key=lambda index: lengths[index])
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    draw.shuffle(batches)
    return batches


def _counts(sentences: Sequence[TaggedSentence]) -> dict[str, int]:
    return {
        "sentences": len(sentences),
        "tokens": sum(len(sentence.tags) for sentence in sentences),
        "labelled_tokens": sum(tag != OUTSIDE for sentence in sentences for tag in sentence.tags),
    }
