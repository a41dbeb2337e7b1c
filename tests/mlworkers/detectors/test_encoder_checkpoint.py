"""The shipped encoder as a checkpoint: it labels as the packed one, and a training goes on from what it knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import load_detector
from tests.mlworkers.checkpoints import NEEDS_EXTRA, TEXT
from tests.mlworkers.encoder import needs_encoder
from tests.mlworkers.odd import LONG, LONG_WORD, ODD
from tests.mlworkers.parallel import targets

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines.checkpoints import content_hash  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.encoder.checkpoint import write_checkpoint  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.encoder.detector import EncoderDetector  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.recipe import Recipe  # noqa: E402  (needs torch)
from mlworkers.engines.detectors.transformers_training import train_transformers  # noqa: E402  (needs torch)

pytestmark = needs_encoder

SENTENCES = [line.split() for line in TEXT] + [list(one.tokens) for one in targets()[1]]


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("checkpoint") / "encoder"
    write_checkpoint(made, "es")
    return made


def test_it_labels_as_the_packed_one(folder: Path) -> None:
    packed, found = load_detector("encoder", language="es"), load_detector(f"transformers:{folder}", language="es")
    assert found.label == packed.label
    both = zip(packed.predict(SENTENCES), found.predict(SENTENCES), strict=True)
    pairs = [pair for rows in both for pair in zip(*rows, strict=True)]
    assert 5 < sum(one >= packed.threshold for one, _other in pairs) < len(pairs) / 2
    assert sum((one >= packed.threshold) == (other >= 0.5) for one, other in pairs) >= 0.99 * len(pairs)


def test_words_are_cut_into_the_same_pieces(folder: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer, detector = AutoTokenizer.from_pretrained(folder), load_detector("encoder", language="es")
    assert isinstance(detector, EncoderDetector)
    for tokens in [*SENTENCES, *(ODD[name] for name in ODD if name not in (LONG, LONG_WORD, "lone surrogates"))]:
        pieces = [number for token in tokens for number in detector.pieces.of(token)]
        wanted = [detector.begin, *pieces, detector.end]
        found = tokenizer(tokens, is_split_into_words=True)["input_ids"]
        # Text that spells a special piece is one to transformers.
        assert found == wanted or "<s>" in tokens


def test_written_again_it_is_the_same(folder: Path, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "encoder", "es")
    assert content_hash(tmp_path / "encoder") == content_hash(folder)


def test_a_language_that_it_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"does not support the language “ca”"):
        train_transformers("encoder", "ca", [TaggedSentence(("ola",), ("B-METAPHOR",))], folder=tmp_path / "out")


def test_a_training_goes_on_from_what_it_knows(tmp_path: Path) -> None:
    # What it labels already, and once no word at all.
    sentences = [TaggedSentence(tuple(line.split()), ("O",) * len(line.split())) for line in TEXT[::2]]
    sentences[0] = TaggedSentence(("los", "precios", "golpean"), ("O", "O", "B-METAPHOR"))
    recipe = Recipe(epochs=1, learning_rate=1e-7)
    trained = train_transformers("encoder", "es", sentences, folder=tmp_path / "out", recipe=recipe)

    assert trained.settings["model"]["name"] == "encoder"
    assert not trained.settings["model"]["new_head"]
    before, after = load_detector("encoder", language="es"), trained.detector()
    both = zip(before.predict(SENTENCES), after.predict(SENTENCES), strict=True)
    pairs = [pair for rows in both for pair in zip(*rows, strict=True)]
    assert sum((one >= before.threshold) == (other >= 0.5) for one, other in pairs) >= 0.99 * len(pairs)
