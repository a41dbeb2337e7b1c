"""Faster forward passes say the same."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.mlworkers.checkpoints import NEEDS_EXTRA, make_checkpoint

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines.acceleration import accelerate, narrow_positions, pack_linears  # noqa: E402
from mlworkers.engines.torch_runtime import Device  # noqa: E402


def model_of(folder: Path, **more: Any) -> Any:
    return transformers.AutoModelForTokenClassification.from_pretrained(folder, **more).eval()


def run(model: Any, length: int, rows: int = 3) -> Any:
    torch.manual_seed(length)
    ids = torch.randint(5, model.config.vocab_size, (rows, length))
    mask = torch.ones_like(ids)
    mask[0, length // 2 + 1 :] = 0
    with torch.inference_mode():
        return model(input_ids=ids, attention_mask=mask).logits[mask.bool()]


@pytest.mark.parametrize("more", [{}, {"share_att_key": False}, {"position_buckets": -1}, {"position_buckets": 64}])
@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 33, 100])
def test_narrow_positions_change_nothing(tmp_path: Path, length: int, more: dict[str, Any]) -> None:
    folder = make_checkpoint(tmp_path / "model", "deberta-v2")
    config = transformers.AutoConfig.from_pretrained(folder)
    for name, value in more.items():
        setattr(config, name, value)
    torch.manual_seed(0)
    plain = transformers.AutoModelForTokenClassification.from_config(config).eval()
    narrow = copy.deepcopy(plain)
    assert narrow_positions(narrow) == config.num_hidden_layers
    assert run(narrow, length).numpy() == pytest.approx(run(plain, length).numpy(), abs=1e-5)


def test_packed_layers_change_nothing(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "model", "bert", hidden_size=64, intermediate_size=128)
    plain, packed = model_of(folder), model_of(folder)
    # Four of attention and two more in each of two layers; the head is small.
    assert pack_linears(packed) == 12
    assert pack_linears(packed) == 0, "once is enough"
    for length in (1, 5, 64):
        assert run(packed, length).numpy() == pytest.approx(run(plain, length).numpy(), abs=1e-5)


def test_only_fp32_on_a_cpu_is_packed(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "model", "bert", hidden_size=64)
    half = model_of(folder, dtype=torch.bfloat16)
    accelerate(half, Device("cpu", "bf16"))
    assert not [module for module in half.modules() if "forward" in vars(module)]
    full = model_of(folder)
    accelerate(full, Device("cpu", "fp32"))
    assert [module for module in full.modules() if "forward" in vars(module)]
