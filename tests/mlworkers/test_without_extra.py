"""An installation without the extra says how to get it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.transformers_training import train_transformers
from mlworkers.engines.registry import load_aligner, load_detector, load_embedder


@pytest.fixture(autouse=True)
def _without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, None)
    # These import torch when they are loaded, and may be loaded already.
    for name in ("aligners.simalign.aligner", "aligners.simalign.embeddings", "transformers_embedder"):
        monkeypatch.delitem(sys.modules, f"mlworkers.engines.{name}", raising=False)


@pytest.mark.parametrize(
    "load",
    [
        lambda: load_detector("transformers:mdeberta-base-metaphor-detection-es", language="es"),
        lambda: load_aligner("simalign", source="es", target="en", corpus=[]),
        lambda: load_embedder("transformers:name/model"),
    ],
    ids=["transformers", "simalign", "embedder"],
)
def test_the_error_says_how_to_install_what_is_missing(load: Callable[[], object]) -> None:
    with pytest.raises(EngineError, match=r"package torch, which is not installed.*\.\[transformers\]"):
        load()


def test_what_needs_no_extra_works_without_it() -> None:
    assert load_detector("crf", language="es").predict([["ola"]])
    assert load_aligner("lexical", source="es", target="en", corpus=[]).align([(["gato"], ["cat"])])


def test_training_says_it_too(tmp_path: Path) -> None:
    sentence = TaggedSentence(("ola",), ("B-METAPHOR",))
    with pytest.raises(EngineError, match=r"package torch, which is not installed.*\.\[transformers\]"):
        train_transformers("name/model", "es", [sentence], folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()
