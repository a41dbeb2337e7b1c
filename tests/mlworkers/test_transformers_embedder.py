"""Sentences as vectors of a checkpoint: pooled as it says itself, else the mean of its last layer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import embedded_languages, load_embedder
from tests.mlworkers.checkpoints import NEEDS_EXTRA, TEXT, make_checkpoint

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

SENTENCES = [text.split() for text in TEXT]


@pytest.fixture(autouse=True)
def _cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("models") / "small", "bert")


def test_the_mean_of_the_last_layer(folder: Path) -> None:
    embedder = load_embedder(f"transformers:{folder}")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    found = embedder.embed(SENTENCES)

    for row, words in zip(found, SENTENCES, strict=True):
        given = tokenizer(words, is_split_into_words=True, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**given).last_hidden_state[0, 1:-1]
        assert np.allclose(row, hidden.mean(0).numpy(), atol=1e-4)


def test_nothing_that_it_is_given_together_with_changes_it(folder: Path) -> None:
    embedder = load_embedder(f"transformers:{folder}")
    together = embedder.embed([*SENTENCES, [], ["a"] * 300])
    assert not together[len(SENTENCES)].any()
    assert np.isfinite(together).all()
    for row, words in zip(together, SENTENCES, strict=False):
        assert np.allclose(row, embedder.embed([words])[0], atol=1e-4)


def test_what_is_known_of_it(folder: Path) -> None:
    embedder = load_embedder(f"transformers:{folder}")
    assert embedder.name == "transformers:small"
    assert embedder.revision
    assert embedded_languages(f"transformers:{folder}") is None


def test_a_folder_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"config\.json"):
        load_embedder(f"transformers:{tmp_path}")


# As its makers pool


def whole(folder: Path, name: str, **config: Any) -> Path:
    """A small BERT with the pooled output that such checkpoints have, in a folder of this name."""
    made = make_checkpoint(folder / name, "bert")
    torch.manual_seed(3)
    transformers.BertModel(transformers.BertConfig.from_pretrained(made, **config)).save_pretrained(made)
    return made


def with_modules(folder: Path, pooling: dict[str, Any], *after: str, kinds: tuple[str, ...] = ()) -> Path:
    """The files that sentence-transformers writes beside a model."""
    steps = [("", "Transformer"), ("1_Pooling", "Pooling")]
    steps += [(f"{number}_{kind}", kind) for number, kind in enumerate(after or kinds, start=2)]
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, (path, kind) in enumerate(steps)
    ]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"word_embedding_dimension": 32, **pooling}), encoding="utf-8"
    )
    if "Dense" in after:
        from safetensors.torch import save_file

        dense = folder / f"{2 + after.index('Dense')}_Dense"
        dense.mkdir()
        settings = {"in_features": 32, "out_features": 8, "bias": True}
        settings["activation_function"] = "torch.nn.modules.activation.Tanh"
        (dense / "config.json").write_text(json.dumps(settings), encoding="utf-8")
        torch.manual_seed(4)
        save_file({"linear.weight": torch.randn(8, 32), "linear.bias": torch.randn(8)}, dense / "model.safetensors")
    return folder


def direct(folder: Path, words: list[str]) -> tuple[Any, Any]:
    """The last layer of a sentence with what frames it, and the pooled output, by transformers alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        found = model(**tokenizer(words, is_split_into_words=True, return_tensors="pt"))
    return found.last_hidden_state[0], found.pooler_output[0]


@pytest.mark.parametrize("name", ["LaBSE", "smaller-labse-15lang"])
def test_labse_has_its_pooled_output(tmp_path: Path, name: str) -> None:
    folder = whole(tmp_path, name)
    found = load_embedder(f"transformers:{folder}").embed(SENTENCES)
    for row, words in zip(found, SENTENCES, strict=True):
        hidden, pooled = direct(folder, words)
        assert np.allclose(row, pooled.numpy(), atol=1e-4)
        assert not np.allclose(row, hidden[1:-1].mean(0).numpy(), atol=1e-2)


def test_labse_is_known_by_its_word_pieces_too(tmp_path: Path) -> None:
    folder = whole(tmp_path, "mine", vocab_size=501_153)
    [row] = load_embedder(f"transformers:{folder}").embed(SENTENCES[:1])
    assert np.allclose(row, direct(folder, SENTENCES[0])[1].numpy(), atol=1e-4)


def test_a_labse_without_its_pooled_output_is_refused(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "LaBSE", "bert")
    with pytest.raises(EngineError, match="lacks the weights of its pooled output"):
        load_embedder(f"transformers:{folder}")


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"pooling_mode_cls_token": True}, lambda hidden: hidden[0]),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, lambda hidden: hidden.mean(0)),
        ({"pooling_mode_max_tokens": True}, lambda hidden: hidden.amax(0)),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, lambda hidden: hidden.sum(0) / len(hidden) ** 0.5),
        ({"pooling_mode_lasttoken": True}, lambda hidden: hidden[-1]),
        (
            {"pooling_mode_weightedmean_tokens": True},
            lambda hidden: (hidden * torch.arange(1, len(hidden) + 1)[:, None]).sum(0) / sum(range(len(hidden) + 1)),
        ),
        (
            {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True},
            lambda hidden: torch.cat([hidden[0], hidden.mean(0)]),
        ),
        ({"pooling_mode": "mean"}, lambda hidden: hidden.mean(0)),
        ({"pooling_mode": ["cls", "max"]}, lambda hidden: torch.cat([hidden[0], hidden.amax(0)])),
    ],
    ids=["cls", "mean", "max", "sqrt", "last", "weighted", "cls and mean", "named", "several named"],
)
def test_a_checkpoint_s_own_pooling_is_read(
    tmp_path: Path, config: dict[str, Any], expected: Callable[[Any], Any]
) -> None:
    folder = with_modules(whole(tmp_path, "LaBSE"), config)
    found = load_embedder(f"transformers:{folder}").embed(SENTENCES)
    for row, words in zip(found, SENTENCES, strict=True):
        assert np.allclose(row, expected(direct(folder, words)[0]).numpy(), atol=1e-4)


def test_a_linear_layer_and_length_1_come_after_it(tmp_path: Path) -> None:
    folder = with_modules(whole(tmp_path, "own"), {"pooling_mode_cls_token": True}, "Dense", "Normalize")
    found = load_embedder(f"transformers:{folder}").embed(SENTENCES)
    torch.manual_seed(4)
    weight, bias = torch.randn(8, 32), torch.randn(8)
    for row, words in zip(found, SENTENCES, strict=True):
        vector = torch.tanh(weight @ direct(folder, words)[0][0] + bias)
        assert np.allclose(row, (vector / vector.norm()).numpy(), atol=1e-4)


def test_small_letters_where_the_checkpoint_reads_them(tmp_path: Path) -> None:
    folder = with_modules(whole(tmp_path, "own"), {"pooling_mode_mean_tokens": True})
    (folder / "sentence_bert_config.json").write_text('{"do_lower_case": true}', encoding="utf-8")
    embedder = load_embedder(f"transformers:{folder}")
    assert np.allclose(embedder.embed([["LA", "Ola"]]), embedder.embed([["la", "ola"]]))


def test_long_sentences_and_empty_ones_have_vectors_whatever_they_are_given_with(tmp_path: Path) -> None:
    folder = with_modules(whole(tmp_path, "own"), {"pooling_mode_mean_tokens": True})
    embedder = load_embedder(f"transformers:{folder}")
    together = embedder.embed([*SENTENCES, [], ["ola"] * 300])
    assert not together[len(SENTENCES)].any()
    assert together[-1].any() and np.isfinite(together).all()
    for row, words in zip(together, SENTENCES, strict=False):
        assert np.allclose(row, embedder.embed([words])[0], atol=1e-4)


@pytest.mark.parametrize(
    ("pooling", "kinds", "said"),
    [
        ({"pooling_mode_cls_token": True}, ("CNN",), "CNN"),
        ({}, (), "Pooling"),
        ({"pooling_mode": "magic"}, (), "magic"),
    ],
)
def test_what_is_not_known_is_refused_by_name(
    tmp_path: Path, pooling: dict[str, Any], kinds: tuple[str, ...], said: str
) -> None:
    folder = with_modules(whole(tmp_path, "own"), pooling, kinds=kinds)
    with pytest.raises(EngineError, match=f"not supported .{said}"):
        load_embedder(f"transformers:{folder}")


def test_a_checkpoint_without_the_folders_that_it_names_is_refused(tmp_path: Path) -> None:
    folder = with_modules(whole(tmp_path, "own"), {"pooling_mode_cls_token": True})
    (folder / "1_Pooling" / "config.json").unlink()
    with pytest.raises(EngineError, match="cannot be read"):
        load_embedder(f"transformers:{folder}")
