"""int8 on a CPU: nearly the same numbers, an export made once, and clear words where it cannot be had."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from mlworkers.engines.base import EngineError
from tests.mlworkers.checkpoints import NEEDS_EXTRA, OWN_NAMES, make_checkpoint
from tests.mlworkers.toy import DEV, TRAIN, make_encoder

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)
NEEDS_ONNX = 'needs the extra onnx, too: make test EXTRAS="transformers onnx"'
pytest.importorskip("onnx", reason=NEEDS_ONNX)
pytest.importorskip("onnxruntime", reason=NEEDS_ONNX)

from mlworkers.engines import torch_runtime  # noqa: E402
from mlworkers.engines.acceleration import narrow_positions  # noqa: E402
from mlworkers.engines.checkpoints import locate  # noqa: E402
from mlworkers.engines.detectors.int8 import cache_path, load_int8  # noqa: E402
from mlworkers.engines.detectors.recipe import Recipe  # noqa: E402
from mlworkers.engines.detectors.transformers_detector import TransformersDetector  # noqa: E402
from mlworkers.engines.detectors.transformers_training import train_transformers  # noqa: E402
from mlworkers.engines.registry import load_detector  # noqa: E402
from mlworkers.engines.subwords import WINDOWED  # noqa: E402

SENTENCES = [list(sentence.tokens) for sentence in DEV]
# The window is 128 subwords.
LONG = [token for tokens in SENTENCES for token in tokens]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No export, and no model, of another test is found."""
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "cache"))
    forget_models(monkeypatch)


def forget_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("random") / "model", names=OWN_NAMES)


def load(folder: Path, precision: str) -> TransformersDetector:
    return TransformersDetector.load(str(folder), language="es", precision=precision)


def model_of(folder: Path) -> Any:
    more = {"attn_implementation": "eager"}
    return transformers.AutoModelForTokenClassification.from_pretrained(folder, **more).eval()


# Those of the presets.
@pytest.mark.parametrize("kind", ["xlm-roberta", "deberta-v2"])
def test_the_labels_of_a_trained_model_stay(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_PRECISION", "int8")
    recipe = Recipe(epochs=10, learning_rate=3e-3)
    encoder = make_encoder(tmp_path / "encoder", kind)
    trained = train_transformers(str(encoder), "es", TRAIN, DEV, folder=tmp_path / "out", recipe=recipe)
    assert trained.settings["dev"]["f1"] > 80

    found = load_detector(f"transformers:{tmp_path / 'out'}", language="es")
    exact = load(tmp_path / "out", "fp32")

    pairs = [
        (one, other)
        for rows in zip(exact.predict([*SENTENCES, LONG]), found.predict([*SENTENCES, LONG]), strict=True)
        for one, other in zip(*rows, strict=True)
    ]
    assert len(pairs) == 2 * len(LONG)
    assert 1e-6 < max(abs(one - other) for one, other in pairs) < 0.05
    assert sum((one >= 0.5) == (other >= 0.5) for one, other in pairs) >= 0.99 * len(pairs)
    assert isinstance(found, TransformersDetector)
    assert found.notes() == exact.notes() == {WINDOWED: 1}
    # What is stored with a prediction tells the two apart.
    assert (exact.revision, found.revision) == (trained.revision, f"{trained.revision}+int8")


def test_a_checkpoint_is_exported_once(random: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(random, "int8").predict(SENTENCES)
    path = cache_path(locate(str(random)))
    before = path.stat()
    forget_models(monkeypatch)

    assert load(random, "int8").predict(SENTENCES) == first

    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [*path.parent.iterdir()] == [path]
    assert tmp_path in path.parents


def test_a_damaged_export_is_named_and_made_anew_when_it_is_gone(random: Path) -> None:
    path = cache_path(locate(str(random)))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half of it")
    with pytest.raises(EngineError, match=r"damaged.*Delete") as caught:
        load(random, "int8")
    assert str(path) in str(caught.value)

    path.unlink()
    assert load(random, "int8").predict(SENTENCES)


def test_what_tracing_gets_wrong_is_refused(tmp_path: Path) -> None:
    # The faster DeBERTa v2 looks at the length in Python, so that an export knows one length only.
    checkpoint = locate(str(make_checkpoint(tmp_path / "model", "deberta-v2", names=OWN_NAMES)))

    def narrow() -> Any:
        model = model_of(checkpoint.folder)
        assert narrow_positions(model)
        return model

    with pytest.raises(EngineError, match=r"deberta-v2 model, gives different numbers.*ENGINE_PRECISION=fp32"):
        load_int8(checkpoint, narrow)
    assert [*cache_path(checkpoint).parent.iterdir()] == []


def test_a_model_that_cannot_be_exported_is_refused(random: Path) -> None:
    class Strange(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, values: Any) -> Any:
            return torch.linalg.eigvalsh(values @ values.mT)[..., :3]

    def strange() -> Any:
        model = model_of(random)
        model.classifier = Strange()
        return model

    checkpoint = locate(str(random))
    with pytest.raises(EngineError, match=r"bert model, cannot be exported.*ENGINE_PRECISION=fp32"):
        load_int8(checkpoint, strange)
    assert [*cache_path(checkpoint).parent.iterdir()] == []


def test_a_checkpoint_that_classifies_no_tokens_is_refused_as_in_fp32(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not classify tokens"):
        load(make_encoder(tmp_path / "encoder"), "int8")


def test_a_cache_that_cannot_be_written_is_named(random: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(EngineError, match=r"cannot be written to .*HF_HOME"):
        load(random, "int8")


@pytest.mark.parametrize("package", ["onnx", "onnxruntime"])
def test_without_the_extra_the_error_says_how_to_get_it(
    random: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EngineError, match=rf"package {package}, which.*\[transformers,onnx\].*ENGINE_PRECISION=fp32"):
        load(random, "int8")


def test_what_fails_in_the_runtime_is_an_error_that_batches_know(random: Path) -> None:
    # Out of memory comes as one of these, too.
    model = load(random, "int8")._model.model
    with pytest.raises(RuntimeError, match=r"ONNXRuntimeError.*indices"):
        model(input_ids=torch.tensor([[10**6]]), attention_mask=torch.tensor([[1]]))
