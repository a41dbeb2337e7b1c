"""How a model's own makers get one vector for a sentence: what its checkpoint says, and what is known of LaBSE.

Checkpoints of sentence-transformers have a `modules.json`, which names the steps: the model, how its last layer is
pooled, and perhaps a linear layer and bringing to length 1. Needs torch.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint, with_folders
from mlworkers.engines.torch_runtime import first_line, import_torch

MODULES = "modules.json"
# The model's own vector of a sentence, and the mean of its subwords without those that frame a sentence.
POOLED_OUTPUT, WORDS = "pooled-output", "words"
# What sentence-transformers calls ways of pooling in `config.json`, in the order in which it joins several.
_MODES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_ACTIVATIONS = {"Identity": "Identity", "Tanh": "Tanh", "ReLU": "ReLU", "GELU": "GELU", "Sigmoid": "Sigmoid"}
# By the number of its word pieces LaBSE is known whatever its folder is called.
_LABSE, _LABSE_PIECES = "labse", 501_153

# A batch's last layer (sentences, subwords, width), which subwords are the sentences' own or frame them (the same
# without the width), and the model's pooled output, if it has one.
Pool = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class Pooling:
    """How a sentence becomes one vector.

    `modes`: what is made of the last layer; several are joined. `after`: what is done to that, in order; each takes and
    gives vectors. `lower_case`: whether the text is read in small letters.
    """

    modes: tuple[str, ...] = (WORDS,)
    after: tuple[Callable[[Any], Any], ...] = field(default=(), compare=False)
    lower_case: bool = False

    def __call__(self, hidden: Any, mask: Any, pooled_output: Any) -> Any:
        """The vectors of a batch (see `Pool`)."""
        vectors = import_torch().cat([_pooled(mode, hidden, mask, pooled_output) for mode in self.modes], dim=-1)
        for step in self.after:
            vectors = step(vectors)
        return vectors


def pooling_of(checkpoint: Checkpoint, config: Any) -> Pooling:
    """What the checkpoint's own files say; of LaBSE without them its pooled output; else the mean of its words.

    `config`: the model's. Raises EngineError for steps that are not known here, and for damaged files.
    """
    if (checkpoint.folder / MODULES).is_file():
        try:
            return _as_written(checkpoint)
        except EngineError:
            raise
        except Exception as error:  # whatever damaged files make of it
            raise EngineError(
                _(
                    "The pooling of “%(checkpoint)s” cannot be read: %(reason)s. Fetch the checkpoint again, "
                    "with the folders that %(file)s names."
                ),
                checkpoint=checkpoint.name,
                reason=first_line(error),
                file=MODULES,
            ) from error
    name = checkpoint.name.rpartition("/")[2].lower()
    is_labse = _LABSE in name or (config.model_type == "bert" and config.vocab_size == _LABSE_PIECES)
    return Pooling((POOLED_OUTPUT,)) if is_labse else Pooling()


def _as_written(checkpoint: Checkpoint) -> Pooling:
    modules = _read(checkpoint.folder / MODULES)
    # Bringing to length 1 has no files.
    parts = [module["path"] for module in modules if module["path"] and not module["type"].endswith(".Normalize")]
    folder = with_folders(checkpoint, parts)
    modes: tuple[str, ...] = ()
    after: list[Callable[[Any], Any]] = []
    for module in modules:
        kind, part = module["type"].rpartition(".")[2], folder / module["path"]
        if kind == "Transformer" and not module["path"]:
            continue
        if kind == "Pooling" and not modes:
            modes = _modes(checkpoint, _read(part / "config.json"))
        elif kind == "Dense" and modes:
            after.append(_dense(checkpoint, part))
        elif kind == "Normalize" and modes:
            after.append(lambda vectors: import_torch().nn.functional.normalize(vectors, dim=-1))
        else:
            raise _unknown(checkpoint, kind)
    if not modes:
        raise _unknown(checkpoint, "Pooling")
    settings = folder / "sentence_bert_config.json"
    lower_case = settings.is_file() and bool(_read(settings).get("do_lower_case"))
    return Pooling(modes, tuple(after), lower_case)


def _modes(checkpoint: Checkpoint, config: dict[str, Any]) -> tuple[str, ...]:
    # Newer checkpoints name the way, or several; older ones have a switch for each.
    named = config.get("pooling_mode")
    if named:
        asked = [named] if isinstance(named, str) else list(named)
        found = [mode for mode in _MODES.values() if mode in asked]
        if len(found) < len(asked):
            raise _unknown(checkpoint, ", ".join(sorted(set(asked) - set(found))))
    else:
        found = [mode for switch, mode in _MODES.items() if config.get(switch)]
    if not found:
        raise _unknown(checkpoint, "Pooling")
    return tuple(found)


def _dense(checkpoint: Checkpoint, folder: Path) -> Callable[[Any], Any]:
    torch = import_torch()
    config = _read(folder / "config.json")
    activation = config.get("activation_function", "Identity").rpartition(".")[2]
    if activation not in _ACTIVATIONS:
        raise _unknown(checkpoint, activation)
    layer = torch.nn.Linear(config["in_features"], config["out_features"], bias=config.get("bias", True))
    weights = folder / "model.safetensors"
    if weights.is_file():
        from safetensors.torch import load_file

        state = load_file(weights)
    else:
        state = torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True)
    layer.load_state_dict({name.removeprefix("linear."): value.float() for name, value in state.items()})
    layer.requires_grad_(False)
    apply = getattr(torch.nn, _ACTIVATIONS[activation])()
    return lambda vectors: apply(layer.to(vectors.device)(vectors))


def _pooled(mode: str, hidden: Any, mask: Any, pooled_output: Any) -> Any:
    torch = import_torch()
    if mode == POOLED_OUTPUT:
        return pooled_output.float()
    hidden, inside = hidden.float(), mask.unsqueeze(-1).to(hidden.device)
    if mode == "cls":
        return hidden[:, 0]
    if mode == "lasttoken":
        return hidden[torch.arange(len(hidden), device=hidden.device), mask.sum(1).long() - 1]
    if mode == "max":
        return hidden.masked_fill(~inside, float("-inf")).amax(1)
    weights = inside.float()
    if mode == "weightedmean":
        weights = weights * torch.arange(1, hidden.shape[1] + 1, device=hidden.device)[None, :, None]
    total = (hidden * weights).sum(1)
    # At least a little, for a text without anything.
    count = weights.sum(1).clamp(min=1e-9)
    return total / (count.sqrt() if mode == "mean_sqrt_len_tokens" else count)


def _unknown(checkpoint: Checkpoint, what: str) -> EngineError:
    return EngineError(
        _(
            "“%(checkpoint)s” makes sentence vectors in a way that is not supported (%(what)s). Use "
            "a checkpoint with Pooling, Dense and Normalize only, such as "
            "sentence-transformers/LaBSE."
        ),
        checkpoint=checkpoint.name,
        what=what,
    )


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
