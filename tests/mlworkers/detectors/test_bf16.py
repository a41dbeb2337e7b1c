"""In bf16 a trained model says the same labels as transformers run directly in fp32, one sentence at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlworkers.engines.detectors.transformers_detector import TransformersDetector
from tests.mlworkers.checkpoints import NEEDS_EXTRA
from tests.mlworkers.toy import DEV, TRAIN, corpus, make_encoder

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines.detectors.recipe import Recipe  # noqa: E402
from mlworkers.engines.detectors.transformers_training import train_transformers  # noqa: E402

SENTENCES = [list(sentence.tokens) for sentence in corpus(400, 3)]


def directly(folder: Path) -> list[list[float]]:
    """Per word, one minus the probability of O at its first subword."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForTokenClassification.from_pretrained(folder).eval()
    outside = {label: number for number, label in model.config.id2label.items()}["O"]
    rows = []
    for tokens in SENTENCES:
        encoded = tokenizer(tokens, is_split_into_words=True, return_tensors="pt")
        words = encoded.word_ids()
        with torch.inference_mode():
            numbers = model(**encoded).logits[0].softmax(-1)
        rows.append([1 - float(numbers[words.index(word), outside]) for word in range(len(tokens))])
    return rows


@pytest.mark.parametrize("kind", ["xlm-roberta", "deberta-v2"])
def test_labels_are_those_of_fp32(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    recipe = Recipe(epochs=10, learning_rate=3e-3)
    encoder = make_encoder(tmp_path / "encoder", kind)
    trained = train_transformers(str(encoder), "es", TRAIN, DEV, folder=tmp_path / "out", recipe=recipe)
    assert trained.settings["dev"]["f1"] > 80

    detector = TransformersDetector.load(str(tmp_path / "out"), language="es", precision="bf16")
    found = detector.predict(SENTENCES)

    pairs = [pair for rows in zip(directly(tmp_path / "out"), found, strict=True) for pair in zip(*rows, strict=True)]
    assert len(pairs) > 2_000
    assert max(abs(one - other) for one, other in pairs) > 1e-6, "it is not bf16 that was compared"
    assert sum((one >= 0.5) == (other >= 0.5) for one, other in pairs) >= 0.999 * len(pairs)
