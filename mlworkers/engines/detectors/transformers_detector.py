"""Token-classification checkpoints of transformers as detectors: words in, one probability a word out.

A word's probability is its first subword's. Sentences longer than the model's window go through overlapping windows.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.domain.labels.bio import split_tag
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.published_checkpoints import PUBLISHED
from mlworkers.engines.acceleration import accelerate
from mlworkers.engines.base import EngineError, Tokens
from mlworkers.engines.checkpoints import Checkpoint, loading_errors, locate, refuse_not_finite, split_revision
from mlworkers.engines.detectors.int8 import load_int8
from mlworkers.engines.subwords import Cutter, Input, load_tokenizer, window
from mlworkers.engines.torch_runtime import (
    INT8,
    INT8_MARK,
    Batches,
    Device,
    choose_device,
    import_torch,
    import_transformers,
    shared,
)

OUTSIDE = "O"

# A word is labelled when that is likelier than not.
THRESHOLD = 0.5

# Sentences tokenised at a time: while a GPU works on one block, the next is tokenised.
BLOCK = 4_096

Subwords = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Preset:
    """A published checkpoint, and what its labels mean."""

    hub_id: str
    language: str
    label_map: Mapping[str, str]


_METAPHOR = {"LABEL_0": "B-METAPHOR", "LABEL_1": "I-METAPHOR", "LABEL_2": OUTSIDE}

PRESETS: dict[str, Preset] = {
    hub_id.partition("/")[2]: Preset(hub_id, language, _METAPHOR) for hub_id, language in PUBLISHED.items()
}


class TransformersDetector:
    """A checkpoint as a detector. The model is shared by all detectors of the process; this object is for one
    thread at a time."""

    threshold = THRESHOLD

    def __init__(self, model: "TokenClassifier", *, language: str, label: str, classes: Mapping[int, str]) -> None:
        """`classes`: those of the model that stand for the label, each with its mark, "B" or "I"."""
        self.name = f"transformers:{model.checkpoint.name}"
        self.revision = model.revision
        self.language = language
        self.label = label
        self._model = model
        self._classes = dict(classes)
        self._met: Counter[str] = Counter()

    @classmethod
    def load(
        cls,
        source: str,
        *,
        revision: str | None = None,
        language: str,
        label_map: Mapping[str, str] | None = None,
        labels: Sequence[str] = (),
        device: str = "",
        precision: str = "",
    ) -> "TransformersDetector":
        """Load the checkpoint `source`: a preset's name, a folder, or a hub id, there at `revision`.

        `label_map` says what each of the checkpoint's labels is: O, B-LABEL, I-LABEL or LABEL. Without one that of the
        preset is used, else the checkpoint's own names are. Where that gives several labels, the one that is among
        `labels` (the project's) is predicted. `device` and `precision`: see `choose_device`.

        Raises EngineError when the checkpoint cannot be had or does not classify tokens, or the map does not fit it.
        """
        preset = PRESETS.get(source) or next((p for p in PRESETS.values() if p.hub_id == source), None)
        if preset is not None:
            source = preset.hub_id
            label_map = label_map or preset.label_map
        where = choose_device(device, precision, int8=True)
        checkpoint = locate(source, revision)
        key = ("token-classification", checkpoint, where)
        model: TokenClassifier = shared(key, lambda: TokenClassifier.load(checkpoint, where))
        label, classes = _reading(model, label_map, labels)
        return cls(model, language=language, label=label, classes=classes)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, the probability of its first subword's being labelled; see `Detector.predict`.

        A token that the tokenizer turns into nothing gets 0.0, and is counted in the notes.
        """
        return self.predict_tags(sentences)[0]

    def predict_tags(self, sentences: Sequence[Tokens]) -> tuple[list[list[float]], list[list[str]]]:
        """The same with marks; see `Tagging`. A token is "B" where B is at least as likely as I."""
        self._met = Counter()
        return self._model.predict(sentences, self._classes, self._met)

    def notes(self) -> dict[str, int]:
        """What the last `predict` met that people should know of, with counts; see `Noting.notes`."""
        return dict(self._met)


def load_spec(spec: str, *, language: str, labels: Sequence[str] = ()) -> TransformersDetector:
    """Load `SOURCE[@REVISION][:MAP]`, MAP as in "LABEL_0=B-METAPHOR,LABEL_1=I-METAPHOR,LABEL_2=O".

    Raises EngineError as `TransformersDetector.load` does, and for a map that is not written so.
    """
    source, label_map = spec, None
    head, colon, tail = spec.rpartition(":")
    if colon and "=" in tail:
        source, label_map = head, _parse_map(tail)
    source, revision = split_revision(source)
    if not source:
        raise EngineError(
            _(
                "No checkpoint given. Use “transformers:” followed by a preset (%(presets)s), a folder, "
                "or a hub ID with its revision (name/model@revision)."
            ),
            presets=", ".join(PRESETS),
        )
    return TransformersDetector.load(source, revision=revision, language=language, label_map=label_map, labels=labels)


class TokenClassifier:
    """A model that classifies tokens, its tokenizer and where it runs."""

    def __init__(self, model: Any, tokenizer: Any, *, checkpoint: Checkpoint, device: Device) -> None:
        self.model = model
        self.checkpoint = checkpoint
        self.device = device
        self.batches = Batches(device)
        self.id2label: dict[int, str] = {int(number): str(name) for number, name in model.config.id2label.items()}
        self._cutter = Cutter(tokenizer, size=window(tokenizer, model), name=checkpoint.name)
        self._pad = tokenizer.pad_token_id or 0

    @classmethod
    def load(cls, checkpoint: Checkpoint, device: Device) -> "TokenClassifier":
        """Load a checkpoint, ready to predict. Raises EngineError when it is damaged or does not classify tokens."""
        transformers = import_transformers()
        unusable = _(
            "The checkpoint %(checkpoint)s (%(folder)s) cannot be loaded: %(reason)s. It must be a "
            "complete token-classification model with its tokenizer, as save_pretrained writes it."
        )
        with loading_errors(checkpoint, device, unusable):
            config = transformers.AutoConfig.from_pretrained(checkpoint.folder)
            tokenizer = load_tokenizer(transformers, checkpoint, config)
            if device.precision == INT8:
                model = load_int8(checkpoint, lambda: _load(checkpoint, device, attn_implementation="eager"))
            else:
                model = _load(checkpoint, device)
                accelerate(model, device)
        return cls(model, tokenizer, checkpoint=checkpoint, device=device)

    @property
    def revision(self) -> str:
        """The checkpoint's; int8 makes a model of its own of it, bf16 and fp16 only round."""
        return self.checkpoint.revision + (INT8_MARK if self.device.precision == INT8 else "")

    def predict(
        self, sentences: Sequence[Tokens], classes: Mapping[int, str], met: Counter[str]
    ) -> tuple[list[list[float]], list[list[str]]]:
        """Per sentence, per word, the probability that the word is in one of `classes`, and the likelier of their
        marks, "B" or "I"; counts go into `met`."""
        starts = [0, *accumulate(map(len, sentences))]
        values = np.zeros((starts[-1], 2), dtype=np.float32)
        waiting: list[tuple[Subwords, Any]] = []
        for block in range(0, len(sentences), BLOCK):
            texts = sentences[block : block + BLOCK]
            inputs = list(self._cutter.inputs(texts, starts[block:], met))
            self._run(inputs, classes, waiting)
        # A GPU has only been told what to do so far: its results are waited for once.
        for words, numbers in waiting:
            values[words] = numbers.cpu().numpy()
        refuse_not_finite(self.checkpoint, self.device, bool(np.isfinite(values).all()))
        flat = values[:, 0].tolist()
        # Of a word that the tokenizer made nothing of, nothing is known.
        begins = np.where(values[:, 1] * 2 >= values[:, 0], "B", "I").tolist()
        parts = list(pairwise(starts))
        return [flat[start:end] for start, end in parts], [begins[start:end] for start, end in parts]

    def _run(self, inputs: Sequence[Input], classes: Mapping[int, str], results: list[tuple[Subwords, Any]]) -> None:
        torch = import_torch()
        columns = torch.tensor(list(classes), device=self.device.name)
        begin = torch.tensor([float(mark == "B") for mark in classes.values()], device=self.device.name)

        def work(batch: list[int]) -> None:
            chosen = [inputs[index] for index in batch]
            width = max(len(item.ids) for item in chosen)
            ids = np.full((len(chosen), width), self._pad, dtype=np.int64)
            mask = np.zeros((len(chosen), width), dtype=np.int64)
            for row, item in enumerate(chosen):
                ids[row, : len(item.ids)] = item.ids
                mask[row, : len(item.ids)] = 1
            read = np.array([row * width + subword for row, item in enumerate(chosen) for subword in item.firsts])
            with torch.inference_mode():
                logits = self.model(input_ids=self._send(ids), attention_mask=self._send(mask)).logits
                picked = logits.reshape(-1, logits.shape[-1])[self._send(read)].float()
                shares = picked.softmax(-1)[:, columns]
                numbers = torch.stack([shares.sum(-1), (shares * begin).sum(-1)], dim=-1)
            results.append((np.array([word for item in chosen for word in item.words]), numbers))

        self.batches.run([len(item.ids) for item in inputs], work)

    def _send(self, array: Subwords) -> Any:
        tensor = import_torch().from_numpy(array)
        if not self.device.is_gpu:
            return tensor
        return tensor.pin_memory().to(self.device.name, non_blocking=True)


def _load(checkpoint: Checkpoint, device: Device, **more: Any) -> Any:
    """The checkpoint's model; `more` goes to transformers. Raises EngineError when weights are missing."""
    model, report = import_transformers().AutoModelForTokenClassification.from_pretrained(
        checkpoint.folder, dtype=device.dtype, output_loading_info=True, **more
    )
    if report["missing_keys"]:
        raise EngineError(
            _(
                "The checkpoint %(checkpoint)s does not classify tokens: it lacks the weights %(missing)s. Give one "
                "that was trained for token classification."
            ),
            checkpoint=checkpoint.name,
            missing=", ".join(sorted(report["missing_keys"])[:3]),
        )
    return model.to(device.name).eval()


def _reading(
    model: TokenClassifier, label_map: Mapping[str, str] | None, labels: Sequence[str]
) -> tuple[str, dict[int, str]]:
    """The label that is predicted, and the classes of the checkpoint that stand for it, each with its mark; a name
    without B- or I- does not say where a label begins, so that its mark is "I"."""
    own, name = model.id2label, model.checkpoint.name
    theirs = ", ".join(f"{number} = {label}" for number, label in sorted(own.items()))
    if label_map is not None and set(label_map) != set(own.values()):
        raise EngineError(
            _(
                "The label map %(label_map)s does not fit the checkpoint %(name)s, whose labels are %(theirs)s. Give a "
                "map that names each of these once."
            ),
            label_map=_shown(label_map),
            name=name,
            theirs=theirs,
        )
    tags = {number: (label_map or {}).get(label, label) for number, label in own.items()}
    if OUTSIDE not in tags.values():
        what = _(
            "The labels of the checkpoint %(name)s (%(theirs)s) do not say which one is O, not "
            "labelled. Give a map after a colon, such as transformers:%(name)s:%(example)s"
        )
        if label_map:
            what = _(
                "The label map %(label_map)s for the checkpoint %(name)s (%(theirs)s) does not say which "
                "one is O, not labelled. Give a map after a colon, such as "
                "transformers:%(name)s:%(example)s"
            )
        example = {label: OUTSIDE if number == max(own) else "B-NAME" for number, label in own.items()}
        raise EngineError(what, label_map=_shown(label_map or {}), name=name, theirs=theirs, example=_shown(example))
    names = {number: _name_of(tag) for number, tag in tags.items()}
    found = sorted({label for label in names.values() if label is not None})
    fitting = [label for label in found if label in labels] if len(found) > 1 else found
    if len(fitting) != 1:
        raise EngineError(
            _(
                "The checkpoint %(name)s predicts %(found)s (%(theirs)s), but one label of the project "
                "(%(wanted)s) is needed. Give a map that makes the others O."
            ),
            name=name,
            found=", ".join(found) or message(_("no label at all")),
            theirs=theirs,
            wanted=", ".join(labels) or message(_("none given")),
        )
    marks = {number: (split_tag(tag) or ("I", ""))[0] for number, tag in tags.items()}
    return fitting[0], {number: marks[number] for number, label in names.items() if label == fitting[0]}


def _name_of(tag: str) -> str | None:
    """The label's name in a tag; None for O. Tags without B- and I- are names."""
    if tag == OUTSIDE:
        return None
    parts = split_tag(tag)
    return parts[1] if parts and parts[1] else tag


def _parse_map(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",")]
    label_map = {name.strip(): tag.strip() for name, _, tag in pairs}
    tag_like = re.compile(r"O|([BI]-)?[^\s,=]+")
    if len(label_map) < len(pairs) or not all(name and tag_like.fullmatch(tag) for name, tag in label_map.items()):
        raise EngineError(
            _("The label map “%(text)s” cannot be read. Write each label of the checkpoint once: %(example)s"),
            text=text,
            example=_shown(_METAPHOR),
        )
    return label_map


def _shown(label_map: Mapping[str, str]) -> str:
    return ",".join(f"{name}={tag}" for name, tag in label_map.items())
