"""The torch engines with pretrained weights, which have far outlying values where random ones have none."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from annotator.domain.labels.bio import write_bio
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.evaluation.scores import evaluate_tagged
from tests.mlworkers.checkpoints import NEEDS_EXTRA, OWN_NAMES
from tests.mlworkers.odd import LONG, LONG_WORD, ODD
from tests.mlworkers.parallel import targets
from tests.mlworkers.real_encoders import e5, minilm

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines import torch_runtime  # noqa: E402  (needs torch)
from mlworkers.engines.aligners.simalign.similarity_matching import METHODS  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.recipe import Recipe  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.transformers_detector import TransformersDetector  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.transformers_training import TrainedTransformers, train_transformers  # noqa: E402  (needs torch)
from tests.mlworkers.aligners.test_simalign import load, plain, reference  # noqa: E402  (needs torch)
from tests.mlworkers.detectors.test_transformers_detector import Direct  # noqa: E402  (needs torch)

ENGLISH, SPANISH = targets()
PAIRS = [(one.tokens, other.tokens) for one, other in zip(ENGLISH, SPANISH, strict=True)][::2]
# The reference cuts long sentences off, and takes no lone surrogates.
SENTENCES = [list(tokens) for pair in PAIRS for tokens in pair] + [
    tokens for name, tokens in ODD.items() if name not in (LONG, LONG_WORD, "lone surrogates")
]
# Enough to learn what opinions are about, from a few dozen sentences.
RECIPE = Recipe(epochs=2, learning_rate=5e-4)


def tagged(name: str) -> list[TaggedSentence]:
    return [TaggedSentence(one.tokens, tuple(write_bio(one.spans, len(one.tokens)))) for one in targets(name)[0]]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reference and engine on the CPU in fp32; no model and no export of another test is kept."""
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module", params=["minilm", "e5"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp(request.param) / request.param
    return minilm(folder) if request.param == "minilm" else e5(folder, [" ".join(tokens) for tokens in SENTENCES])


def test_a_detector_has_the_numbers_of_transformers_directly(encoder: Path, tmp_path: Path) -> None:
    torch.manual_seed(1)
    model = transformers.AutoModelForTokenClassification.from_pretrained(encoder, id2label=OWN_NAMES)
    with torch.no_grad():
        # A new head says nearly the same of all words.
        model.classifier.weight.mul_(30)
    model.save_pretrained(tmp_path / "model")
    transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(tmp_path / "model")

    found = TransformersDetector.load(str(tmp_path / "model"), language="en").predict(SENTENCES)

    direct = Direct(tmp_path / "model")
    for tokens, row in zip(SENTENCES, found, strict=True):
        assert row == pytest.approx(direct.probabilities(tokens), abs=1e-4)
    numbers = [number for row in found for number in row if number]
    assert max(numbers) - min(numbers) > 0.3


@pytest.mark.parametrize("token_type", ["bpe", "word"])
def test_an_aligner_has_the_links_of_the_package(encoder: Path, token_type: str) -> None:
    layer = 4 if encoder.name == "minilm" else 8
    expected = reference(encoder, PAIRS, token_type=token_type, layer=layer)
    for method in METHODS:
        aligner = load(encoder, method=method, token_type=token_type, layer=layer)
        assert plain(aligner.align(PAIRS)) == expected[method], method


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedTransformers:
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENGINE_DEVICE", "cpu")
        return _train(minilm(folder / "encoder"), folder / "out")


def _train(
    encoder: Path, folder: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> TrainedTransformers:
    learnt = tagged("targets")[:64]
    return train_transformers(str(encoder), "en", learnt, folder=folder, recipe=RECIPE, progress=progress)


def test_training_resumed_ends_as_training_uninterrupted(trained: TrainedTransformers, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == total - 3:
            raise KeyboardInterrupt

    encoder = trained.folder.parent / "encoder"
    with pytest.raises(KeyboardInterrupt):
        _train(encoder, tmp_path / "out", stop)
    steps: list[int] = []
    resumed = _train(encoder, tmp_path / "out", lambda done, total: steps.append(done))

    assert steps[0] == 8
    assert resumed.revision == trained.revision


@pytest.mark.skipif(
    not all(map(find_spec, ("onnx", "onnxruntime"))), reason='needs the extra onnx, too: EXTRAS="transformers onnx"'
)
def test_in_int8_labels_are_those_of_fp32(trained: TrainedTransformers) -> None:
    others = tagged("targets-domains")
    # Of the export to ONNX itself, loading compares the numbers.
    exact, small = (
        TransformersDetector.load(str(trained.folder), language="en", precision=precision)
        for precision in ("fp32", "int8")
    )

    assert evaluate_tagged(exact, others).tokens.f1 > 70
    texts = [sentence.tokens for sentence in others]
    rows = zip(exact.predict(texts), small.predict(texts), strict=True)
    pairs = [pair for both in rows for pair in zip(*both, strict=True)]
    assert max(abs(one - other) for one, other in pairs) > 1e-6, "it is not int8 that was compared"
    assert sum((one >= 0.5) == (other >= 0.5) for one, other in pairs) >= 0.99 * len(pairs)
