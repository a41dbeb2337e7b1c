"""Contextual embeddings of subwords from one layer of a transformers model, for many sentences at a time.

Layers beyond the one asked for are neither computed nor kept. Sentences longer than the model's window go through
windows that overlap by about half; each subword's embedding comes from the window that has more text around it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.acceleration import accelerate
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint, loading_errors, locate, refuse_incomplete, refuse_not_finite
from mlworkers.engines.subwords import NEED_PREFIX_SPACE, window
from mlworkers.engines.torch_runtime import Batches, Device, first_line, import_transformers, is_out_of_memory, shared
from mlworkers.engines.windows import windows
from mlworkers.engines.words import clean

_PROBE = [["a"], ["1"], ["e"]]
# Stands for the last layer, whichever that is.
LAST = -1
# Subwords at a time of a model that sets no limit; its tokenizer has a number from here on.
DEFAULT_WINDOW, NO_LIMIT = 512, 1_000_000


class _Reached(Exception):
    """Carries the input of the first layer that is not needed out of the model."""

    def __init__(self, hidden: Tensor) -> None:
        self.hidden = hidden


@dataclass(frozen=True, slots=True)
class _Input:
    """Subwords of one sentence: those from `first` to before `last` are wanted, and belong at `place` of the result."""

    ids: Sequence[int]
    first: int
    last: int
    place: int


class Encoder:
    """A model and its tokenizer, cut off after `layer` (0: what goes into the first layer)."""

    def __init__(
        self, model: Any, tokenizer: Any, *, checkpoint: Checkpoint, layer: int, device: Device, pools: bool = False
    ) -> None:
        """`pools`: whether the model has a pooled output that was trained."""
        self.pools = pools
        self.checkpoint, self.layer, self.device = checkpoint, layer, device
        self._tokenizer = tokenizer
        self._model = model.to(device.name).eval()
        self._batches = Batches(device)
        self._padding: int = tokenizer.pad_token_id or 0
        self._before, self._after = _specials(tokenizer, checkpoint.name)
        size = window(tokenizer, model)
        self.room = (size if size < NO_LIMIT else DEFAULT_WINDOW) - len(self._before) - len(self._after)
        self._hooked = False
        with torch.inference_mode():
            self._cut_off()
        accelerate(self._model, device)

    def subwords(self, words: Sequence[str]) -> list[list[int]]:
        """The ids of each word's subwords; none for a word that the tokenizer turns into nothing."""
        return _ids(self._tokenizer, [[clean(word)] for word in words]) if words else []

    def embed(self, sentences: Sequence[Sequence[int]]) -> Tensor:
        """The embeddings of all subwords of all `sentences` (ids), one after the other: (subwords, hidden), fp32."""
        inputs, place = [], 0
        for sentence in sentences:
            for part in windows([1] * len(sentence), self.room) if sentence else ():
                ids = sentence[part.first : part.last]
                kept = part.keep[0], part.keep[-1] + 1
                inputs.append(_Input(ids, kept[0] - part.first, kept[1] - part.first, place + kept[0]))
            place += len(sentence)
        embeddings = torch.empty((place, self.hidden), device=self.device.name)

        def work(batch: list[int]) -> None:
            with torch.inference_mode():
                self._fill(embeddings, [inputs[index] for index in batch])

        extra = len(self._before) + len(self._after)
        self._batches.run([len(one.ids) + extra for one in inputs], work)
        refuse_not_finite(self.checkpoint, self.device, bool(torch.isfinite(embeddings).all()))
        return embeddings

    @property
    def config(self) -> Any:
        """The model's."""
        return self._model.config

    def pooled(
        self, sentences: Sequence[Sequence[int]], pool: Callable[[Tensor, Tensor, Tensor | None], Tensor]
    ) -> Tensor:
        """One vector for each of `sentences` (ids), of a model with all its layers: (sentences, width), fp32.

        `pool` gets the last layer of some sentences with what frames them, a mask, and the model's pooled output. Of a
        sentence longer than the window, the vectors of its windows are averaged by how many subwords each stands for.
        """
        parts = [
            (number, sentence[part.first : part.last], len(part.keep))
            for number, sentence in enumerate(sentences)
            for part in (windows([1] * len(sentence), self.room) if sentence else ())
        ]
        found: dict[int, Tensor] = {}

        def work(batch: list[int]) -> None:
            ids, mask = self._framed([parts[index][1] for index in batch])
            with torch.inference_mode():
                outputs = self._model(input_ids=ids, attention_mask=mask.long())
                vectors = pool(outputs["last_hidden_state"], mask, outputs.get("pooler_output"))
            found.update(zip(batch, vectors.float().cpu(), strict=True))

        extra = len(self._before) + len(self._after)
        self._batches.run([len(ids) + extra for _number, ids, _weight in parts], work)
        width = len(found[0]) if found else self.hidden
        totals, weights = torch.zeros((len(sentences), width)), torch.zeros(len(sentences))
        for index, (number, _part, weight) in enumerate(parts):
            totals[number] += weight * found[index]
            weights[number] += weight
        return totals / weights.clamp(min=1)[:, None]

    def _framed(self, sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """The ids with what frames each sentence, padded, and where they are no padding."""
        rows = [[*self._before, *ids, *self._after] for ids in sentences]
        width = max(map(len, rows))
        ids = torch.tensor([row + [self._padding] * (width - len(row)) for row in rows])
        mask = torch.arange(width) < torch.tensor([[len(row)] for row in rows])
        return ids.to(self.device.name), mask.to(self.device.name)

    def _fill(self, embeddings: Tensor, batch: Sequence[_Input]) -> None:
        """Put the embeddings of one batch where they belong."""
        longest = max(len(one.ids) for one in batch)
        ids, mask = self._framed([one.ids for one in batch])
        hidden = self._hidden(ids, mask.long())
        hidden = hidden[:, len(self._before) : len(self._before) + longest]
        first, last, places = torch.tensor([(one.first, one.last, one.place) for one in batch]).T
        column = torch.arange(longest)
        wanted = (column >= first[:, None]) & (column < last[:, None])
        to = ((places - first)[:, None] + column)[wanted]
        embeddings[to.to(self.device.name)] = hidden[wanted.to(self.device.name)].float()

    def _hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        if not self._hooked:
            everything = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
            hidden: Tensor = everything["hidden_states"][self.layer]
            return hidden
        try:
            self._model(input_ids=ids, attention_mask=mask)
        except _Reached as reached:
            return reached.hidden
        raise AssertionError(f"{self.checkpoint.name} did not come to layer {self.layer}")

    def _cut_off(self) -> None:
        """Find the model's list of layers, stop before the first that is not needed, and drop the others.

        How a model is built is known for no model in general, so a cut is kept when a probe comes out the same.
        """
        probe = [one for word in _ids(self._tokenizer, _PROBE) for one in word]
        ids = torch.tensor([[*self._before, *probe, *self._after]], device=self.device.name)
        mask = torch.ones_like(ids)
        try:
            states = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True)["hidden_states"]
        except Exception as error:  # each kind of model that is no encoder fails in its own way
            if is_out_of_memory(error):
                raise
            raise EngineError(
                _(
                    "The model “%(checkpoint)s” does not give embeddings of a text: %(reason)s. Use an encoder "
                    "such as bert-base-multilingual-cased."
                ),
                checkpoint=self.checkpoint.name,
                reason=first_line(error),
            ) from error
        if self.layer == LAST:
            self.layer = len(states) - 1
        if not 0 <= self.layer < len(states):
            raise EngineError(
                _(
                    "The model “%(checkpoint)s” has %(number)s layers, so there is no layer %(layer)s. Choose "
                    "layer=0 to layer=%(number)s."
                ),
                checkpoint=self.checkpoint.name,
                number=len(states) - 1,
                layer=self.layer,
            )
        self.hidden = states[self.layer].shape[-1]
        count = len(states) - 1
        if self.layer == count:
            return
        for layers in [module for module in self._model.modules() if isinstance(module, nn.ModuleList)]:
            if len(layers) != count:
                continue
            handle = layers[self.layer].register_forward_pre_hook(_stop, with_kwargs=True)
            self._hooked = True
            try:
                same = torch.equal(self._hidden(ids, mask), states[self.layer])
            except Exception:  # no list of the model's layers, but of something else
                same = False
            if same:
                del layers[self.layer + 1 :]
                return
            handle.remove()
            self._hooked = False


def load_encoder(model: str, revision: str | None, layer: int, device: Device) -> Encoder:
    """The encoder of a folder or hub id, loaded once in a process.

    Raises EngineError when there is none, the hub does not answer, it does not fit into the memory, or it cannot be
    used word by word.
    """
    checkpoint = locate(model, revision)

    def load() -> Encoder:
        transformers = import_transformers()
        folder = str(checkpoint.folder)
        unusable = _(
            "The checkpoint “%(checkpoint)s” in %(folder)s cannot be loaded: %(reason)s. It must hold "
            "a model and its tokenizer, as save_pretrained writes them."
        )
        with loading_errors(checkpoint, device, unusable):
            kind = transformers.AutoConfig.from_pretrained(folder).model_type
            more = {"add_prefix_space": True} if kind in NEED_PREFIX_SPACE else {}
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **more)
            loaded, report = transformers.AutoModel.from_pretrained(
                folder, dtype=device.dtype, output_loading_info=True
            )
            # What is put on top of the last layer is often not saved, and not needed.
            missing = sorted(key for key in report["missing_keys"] if not _is_pooler(key))
            refuse_incomplete(checkpoint, missing)
            pools = getattr(loaded, "pooler", None) is not None and len(missing) == len(report["missing_keys"])
            return Encoder(loaded, tokenizer, checkpoint=checkpoint, layer=layer, device=device, pools=pools)

    return shared(("encoder", str(checkpoint.folder), checkpoint.revision, layer, device), load)


def _is_pooler(key: str) -> bool:
    return key.startswith("pooler.")


def _stop(_layer: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    raise _Reached(args[0] if args else kwargs["hidden_states"])


def _ids(tokenizer: Any, sentences: list[list[str]], *, specials: bool = False) -> list[list[int]]:
    found = tokenizer(
        sentences,
        is_split_into_words=True,
        add_special_tokens=specials,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )
    ids: list[list[int]] = found["input_ids"]
    return ids


def _specials(tokenizer: Any, name: str) -> tuple[list[int], list[int]]:
    """The ids that the tokenizer puts before and after a sentence."""
    try:
        plain, full = _ids(tokenizer, _PROBE), _ids(tokenizer, _PROBE, specials=True)
    except Exception as error:  # tokenizers written in Rust raise bare exceptions
        raise EngineError(
            _(
                "The tokenizer of “%(name)s” does not accept text split into words: %(reason)s. Use a "
                "model whose tokenizer does."
            ),
            name=name,
            reason=str(error),
        ) from error
    for bare, whole in zip(plain, full, strict=True):
        for start in range(len(whole) - len(bare) + 1):
            if bare and whole[start : start + len(bare)] == bare:
                return whole[:start], whole[start + len(bare) :]
    raise EngineError(
        _(
            "The tokenizer of “%(name)s” does not keep a sentence's subwords together. Use a model "
            "whose tokenizer does."
        ),
        name=name,
    )
