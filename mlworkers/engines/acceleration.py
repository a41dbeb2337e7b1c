"""Faster forward passes of loaded models, with the same results up to rounding."""

import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from mlworkers.engines.torch_runtime import Device, import_torch

# Below this many outputs a layer's own product is as fast.
PACK_FROM = 64


def accelerate(model: Any, device: Device) -> None:
    """Make a loaded model faster where that is known how; its results stay the same up to rounding.

    Linear layers in fp32 on a CPU run on oneDNN with their weights in its own order (torch multiplies with MKL, which
    uses about half of what processors not from Intel can do); they keep their weights. DeBERTa v2 and v3 compute with
    the relative positions that a batch has, not with all 512 of them.
    """
    narrow_positions(model)
    torch = import_torch()
    if not device.is_gpu and device.precision == "fp32" and torch.backends.mkldnn.is_available():
        pack_linears(model)


def pack_linears(model: Any) -> int:
    """Let linear layers in fp32 on a CPU run on oneDNN. Returns how many: none where this torch cannot do it."""
    torch = import_torch()
    layers = [
        module
        for module in model.modules()
        if type(module) is torch.nn.Linear and module.out_features >= PACK_FROM and "forward" not in vars(module)
    ]
    try:
        calls = [_packed(layer) for layer in layers]
        with torch.inference_mode():
            for layer, call in zip(layers[:1], calls, strict=False):
                sample = torch.linspace(-1, 1, 3 * layer.in_features).reshape(1, 3, -1)
                if not torch.allclose(call(sample), layer(sample), atol=1e-4):
                    return 0
    except (AttributeError, RuntimeError, NotImplementedError):
        # These operators are torch's own, for its compiler; another version may have others.
        return 0
    for layer, call in zip(layers, calls, strict=True):
        layer.forward = call
    return len(layers)


def _packed(layer: Any) -> Callable[[Any], Any]:
    operators = import_torch().ops.mkldnn
    weight = operators._reorder_linear_weight(layer.weight.detach(), None)
    bias = None if layer.bias is None else layer.bias.detach()
    return lambda values: operators._linear_pointwise(values, weight, bias, "none", [], "")


def narrow_positions(model: Any) -> int:
    """Let DeBERTa v2 and v3 layers look at relative positions within reach only. Returns how many layers that are."""
    if getattr(getattr(model, "config", None), "model_type", "") != "deberta-v2":
        return 0
    layers = [module for module in model.modules() if hasattr(module, "disentangled_attention_bias")]
    for layer in layers:
        if "disentangled_attention_bias" not in vars(layer):
            layer.disentangled_attention_bias = _narrow(layer)
    return len(layers)


def _narrow(layer: Any) -> Callable[..., Any]:
    whole = type(layer).disentangled_attention_bias
    span = layer.pos_ebd_size

    def bias(queries: Any, keys: Any, positions: Any, embeddings: Any, scale: Any) -> Any:
        reach = min(span, _reach(queries.size(-2), layer.position_buckets, layer.max_relative_positions))
        # A copy, which shares the weights: threads may be in this layer with texts of other lengths.
        narrow = copy.copy(layer)
        narrow.pos_ebd_size = reach
        return whole(narrow, queries, keys, positions, embeddings[span - reach : span + reach], scale)

    return bias


@lru_cache(maxsize=4_096)
def _reach(length: int, buckets: int, most: int) -> int:
    """One more than the largest relative position, as the model buckets them, in a text of `length` subwords."""
    from transformers.models.deberta_v2.modeling_deberta_v2 import build_relative_position

    line = import_torch().empty(length, 1)
    return int(build_relative_position(line, line, bucket_size=buckets, max_position=most).abs().max()) + 1
