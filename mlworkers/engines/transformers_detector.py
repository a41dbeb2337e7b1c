"""Token-classification checkpoints of transformers as detectors: words in, one probability a word out.

A word's probability is its first subword's. Sentences longer than the model's window go through overlapping windows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.domain.bio import split_tag
from mlworkers.engines.base import EngineError, Tokens
from mlworkers.engines.quicker import quicken
from mlworkers.engines.torch_runtime import (
    Batches,
    Checkpoint,
    Device,
    choose_device,
    import_torch,
    import_transformers,
    is_out_of_memory,
    locate,
    shared,
)
from mlworkers.engines.windows import windows

OUTSIDE = "O"

# A word is labelled when that is likelier than not.
THRESHOLD = 0.5

# Sentences tokenised at a time: while a GPU works on one block, the next is tokenised.
BLOCK = 4_096

# Byte-level tokenizers that know a word's beginning by the space before it, which words given one by one lack.
NEED_PREFIX_SPACE = ("bloom", "deberta", "gpt2", "roberta")

# What a detector can have met; the notes' keys.
WITHOUT_PIECES = "tokens that the tokenizer made nothing of"
CUT_WORDS = "tokens cut, longer than half the model's window"
WINDOWED = "sentences longer than the model's window"

Pieces = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Preset:
    """A published checkpoint, and what its labels mean."""

    hub_id: str
    language: str
    label_map: Mapping[str, str]


_METAPHOR = {"LABEL_0": "B-METAPHOR", "LABEL_1": "I-METAPHOR", "LABEL_2": OUTSIDE}

PRESETS: dict[str, Preset] = {
    preset.hub_id.partition("/")[2]: preset
    for preset in (
        Preset("HiTZ/mdeberta-base-metaphor-detection-es", "es", _METAPHOR),
        Preset("HiTZ/xlm-roberta-large-metaphor-detection-es", "es", _METAPHOR),
        Preset("HiTZ/deberta-large-metaphor-detection-en", "en", _METAPHOR),
    )
}


class TransformersDetector:
    """A checkpoint as a detector. The model is shared by all detectors of the process; this object is for one
    thread at a time."""

    threshold = THRESHOLD

    def __init__(self, model: "TokenClassifier", *, language: str, label: str, classes: Sequence[int]) -> None:
        self.name = f"transformers:{model.checkpoint.name}"
        self.revision = model.checkpoint.revision
        self.language = language
        self.label = label
        self._model = model
        self._classes = list(classes)
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
        where = choose_device(device, precision)
        checkpoint = locate(source, revision)
        key = ("token-classification", checkpoint, where)
        model: TokenClassifier = shared(key, lambda: TokenClassifier(checkpoint, where))
        label, classes = _reading(model, label_map, labels)
        return cls(model, language=language, label=label, classes=classes)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, the probability of its first subword's being labelled; see `Detector.predict`.

        A token that the tokenizer turns into nothing gets 0.0, and is counted in the notes.
        """
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
    revision: str | None = None
    # Folders may have an @ in their name.
    if not source.startswith(("/", ".", "~")):
        source, _, after = source.partition("@")
        revision = after or None
    if not source:
        raise EngineError(
            'No checkpoint is named. Write "transformers:" and then a preset '
            f"({', '.join(PRESETS)}), a folder, or a hub id with its revision (name/model@revision)."
        )
    return TransformersDetector.load(source, revision=revision, language=language, label_map=label_map, labels=labels)


class TokenClassifier:
    """A loaded checkpoint, its tokenizer and where it runs."""

    def __init__(self, checkpoint: Checkpoint, device: Device) -> None:
        transformers = import_transformers()
        self.checkpoint = checkpoint
        self.device = device
        self.batches = Batches(device)
        try:
            config = transformers.AutoConfig.from_pretrained(checkpoint.folder)
            self.tokenizer = _load_tokenizer(transformers, checkpoint, config)
            model, report = transformers.AutoModelForTokenClassification.from_pretrained(
                checkpoint.folder, dtype=device.dtype, output_loading_info=True
            )
            self.model = model.to(device.name).eval()
            quicken(self.model, device)
        except EngineError:
            raise
        except Exception as error:
            # Damaged files show as errors of several libraries, some of them bare exceptions.
            if is_out_of_memory(error):
                raise EngineError(
                    f"The checkpoint {checkpoint.name} does not fit into the memory of {device.name}. Use a smaller "
                    "model, or a machine with more memory."
                ) from error
            raise EngineError(
                f"The checkpoint {checkpoint.name} ({checkpoint.folder}) cannot be loaded: {_first_line(error)}. It "
                "has to be a token-classification model with its tokenizer, complete, as save_pretrained writes it."
            ) from error
        if report["missing_keys"]:
            raise EngineError(
                f"The checkpoint {checkpoint.name} does not classify tokens: it lacks the weights "
                f"{', '.join(sorted(report['missing_keys'])[:3])}. Give one that was trained for token classification."
            )
        self.id2label: dict[int, str] = {int(number): str(name) for number, name in config.id2label.items()}
        self._prefix, self._suffix = self._frame()
        self._pad = self.tokenizer.pad_token_id or 0
        self._room = _window(self.tokenizer, model) - len(self._prefix) - len(self._suffix)

    def predict(self, sentences: Sequence[Tokens], classes: Sequence[int], met: Counter[str]) -> list[list[float]]:
        """Per sentence, per word, the probability that the word is in one of `classes`; counts go into `met`."""
        starts = np.cumsum([0, *map(len, sentences)])
        values = np.zeros(int(starts[-1]), dtype=np.float32)
        waiting: list[tuple[Pieces, Any]] = []
        for block in range(0, len(sentences), BLOCK):
            texts = sentences[block : block + BLOCK]
            inputs = list(self._inputs(texts, starts[block:], met))
            self._run(inputs, classes, waiting)
        # A GPU has only been told what to do so far: its results are waited for once.
        for words, numbers in waiting:
            values[words] = numbers.cpu().numpy()
        if not np.isfinite(values).all():
            raise EngineError(
                f"The model {self.checkpoint.name} gives no numbers in {self.device.precision} on {self.device.name}. "
                "Set ENGINE_PRECISION=fp32; if that does not help, the checkpoint is damaged."
            )
        flat = values.tolist()
        return [flat[start:end] for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]

    def _inputs(self, texts: Sequence[Tokens], starts: Any, met: Counter[str]) -> Iterator["_Input"]:
        """What goes through the model, and which word's value is read at which piece."""
        full = [index for index, tokens in enumerate(texts) if tokens]
        if not full:
            return
        encoded = self.tokenizer(
            [list(texts[index]) for index in full],
            is_split_into_words=True,
            truncation=False,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        for row, index in enumerate(full):
            ids = encoded["input_ids"][row]
            words, pieces = _first_pieces(encoded.encodings[row].word_ids)
            met.update({WITHOUT_PIECES: len(texts[index]) - len(words)} if len(words) < len(texts[index]) else {})
            if not words:
                continue
            offset = int(starts[index])
            if len(ids) - len(self._prefix) - len(self._suffix) <= self._room:
                yield _Input(ids, pieces, [offset + word for word in words])
            else:
                met[WINDOWED] += 1
                yield from self._windowed(ids, pieces, [offset + word for word in words], met)

    def _windowed(
        self, ids: Sequence[int], pieces: Sequence[int], words: Sequence[int], met: Counter[str]
    ) -> Iterator["_Input"]:
        ends = [*pieces[1:], len(ids) - len(self._suffix)]
        # Room for context on its side, even if one word alone would fill a window.
        most = max(1, self._room // 2)
        sizes = [min(end - start, most) for start, end in zip(pieces, ends, strict=True)]
        cut = sum(end - start > most for start, end in zip(pieces, ends, strict=True))
        if cut:
            met[CUT_WORDS] += cut
        for window in windows(sizes, self._room):
            body: list[int] = list(self._prefix)
            at: dict[int, int] = {}
            for word in range(window.first, window.last):
                at[word] = len(body)
                body += ids[pieces[word] : pieces[word] + sizes[word]]
            body += self._suffix
            yield _Input(body, [at[word] for word in window.keep], [words[word] for word in window.keep])

    def _run(self, inputs: Sequence["_Input"], classes: Sequence[int], results: list[tuple[Pieces, Any]]) -> None:
        torch = import_torch()
        columns = torch.tensor(list(classes), device=self.device.name)

        def work(batch: list[int]) -> None:
            chosen = [inputs[index] for index in batch]
            width = max(len(item.ids) for item in chosen)
            ids = np.full((len(chosen), width), self._pad, dtype=np.int64)
            mask = np.zeros((len(chosen), width), dtype=np.int64)
            for row, item in enumerate(chosen):
                ids[row, : len(item.ids)] = item.ids
                mask[row, : len(item.ids)] = 1
            read = np.array([row * width + piece for row, item in enumerate(chosen) for piece in item.pieces])
            with torch.inference_mode():
                logits = self.model(input_ids=self._send(ids), attention_mask=self._send(mask)).logits
                picked = logits.reshape(-1, logits.shape[-1])[self._send(read)].float()
                numbers = picked.softmax(-1)[:, columns].sum(-1)
            results.append((np.array([word for item in chosen for word in item.words]), numbers))

        self.batches.run([len(item.ids) for item in inputs], work)

    def _send(self, array: Pieces) -> Any:
        tensor = import_torch().from_numpy(array)
        if not self.device.is_gpu:
            return tensor
        return tensor.pin_memory().to(self.device.name, non_blocking=True)

    def _frame(self) -> tuple[list[int], list[int]]:
        """The pieces that the tokenizer puts before and after every sentence."""
        encoded = self.tokenizer(["a"], is_split_into_words=True)
        ids, words = list(encoded["input_ids"]), encoded.word_ids()
        inside = [index for index, word in enumerate(words) if word is not None]
        if not inside:
            raise EngineError(f'The tokenizer of {self.checkpoint.name} makes nothing of the word "a". Is it damaged?')
        return ids[: inside[0]], ids[inside[-1] + 1 :]


@dataclass(frozen=True, slots=True)
class _Input:
    """A sequence of pieces, and at which of them the values of which words are read."""

    ids: Sequence[int]
    pieces: Sequence[int]
    words: Sequence[int]


def _first_pieces(word_ids: Sequence[int | None]) -> tuple[list[int], list[int]]:
    """The words that have pieces, and where the first of each is."""
    words: list[int] = []
    pieces: list[int] = []
    before: int | None = None
    for piece, word in enumerate(word_ids):
        if word is not None and word != before:
            words.append(word)
            pieces.append(piece)
            before = word
    return words, pieces


def _load_tokenizer(transformers: Any, checkpoint: Checkpoint, config: Any) -> Any:
    more = {"add_prefix_space": True} if config.model_type in NEED_PREFIX_SPACE else {}
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint.folder, **more)
    if not tokenizer.is_fast:
        raise EngineError(
            f"The tokenizer of {checkpoint.name} cannot say which word a piece belongs to. Give a checkpoint with a "
            "tokenizer.json."
        )
    return tokenizer


def _window(tokenizer: Any, model: Any) -> int:
    """How many pieces, with those that frame a sentence, the model takes at most."""
    sizes = [int(tokenizer.model_max_length)]
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions and positions > 0:
        # Models of the RoBERTa family count positions from the one after padding's.
        table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        sizes.append(int(positions) - (0 if padding is None else int(padding) + 1))
    return min(sizes)


def _reading(
    model: TokenClassifier, label_map: Mapping[str, str] | None, labels: Sequence[str]
) -> tuple[str, list[int]]:
    """The label that is predicted, and the classes of the checkpoint that stand for it."""
    own, name = model.id2label, model.checkpoint.name
    theirs = ", ".join(f"{number} = {label}" for number, label in sorted(own.items()))
    if label_map is not None and set(label_map) != set(own.values()):
        raise EngineError(
            f"The label map {_shown(label_map)} does not fit the checkpoint {name}, whose labels are {theirs}. Give a "
            "map that names each of these once."
        )
    tags = {number: (label_map or {}).get(label, label) for number, label in own.items()}
    if OUTSIDE not in tags.values():
        what = f"The label map {_shown(label_map)} for" if label_map else "The labels of"
        example = {label: OUTSIDE if number == max(own) else "B-NAME" for number, label in own.items()}
        raise EngineError(
            f"{what} the checkpoint {name} ({theirs}) do not say which one is O, not labelled. Give a map behind a "
            f"colon, such as transformers:{name}:{_shown(example)}"
        )
    names = {number: _name_of(tag) for number, tag in tags.items()}
    found = sorted({label for label in names.values() if label is not None})
    fitting = [label for label in found if label in labels] if len(found) > 1 else found
    if len(fitting) != 1:
        raise EngineError(
            f"The checkpoint {name} predicts {', '.join(found) or 'no label at all'} ({theirs}), but one label of the "
            f"project ({', '.join(labels) or 'none given'}) is wanted. Give a map that makes the others O."
        )
    return fitting[0], [number for number, label in names.items() if label == fitting[0]]


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
            f'The label map "{text}" cannot be read. Write each label of the checkpoint once: {_shown(_METAPHOR)}'
        )
    return label_map


def _shown(label_map: Mapping[str, str]) -> str:
    return ",".join(f"{name}={tag}" for name, tag in label_map.items())


def _first_line(error: BaseException) -> str:
    text = str(error).strip().split("\n")[0].rstrip(".")
    return text or type(error).__name__
