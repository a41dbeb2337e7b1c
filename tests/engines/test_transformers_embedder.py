"""Sentences as vectors of a checkpoint: the mean of its last layer, whatever they are given together with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import embedded_languages, load_embedder
from tests.engines.checkpoints import NEEDS_EXTRA, TEXT, make_checkpoint

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
