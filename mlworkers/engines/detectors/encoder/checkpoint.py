"""The shipped encoder as a checkpoint of transformers, from which a training can start where torch is installed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.domain.labels.spans import OUTSIDE
from mlworkers.engines.base import DATA
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.detectors.encoder.network import BLOCK, MIDDLE, WEIGHTS, Floats
from mlworkers.engines.torch_runtime import import_package, import_torch, import_transformers

Stored = Mapping[str, npt.NDArray[Any]]

LAYERS = HEADS = 12
# Normalisations add it to the variance.
EPSILON = 1e-12
PADDING = 1
# How likely it is that a span goes on, as a logit: the encoder tells labelled words, and not where spans begin.
NEVER = -20.0


def write_checkpoint(folder: Path, language: str) -> None:
    """Write the shipped encoder into `folder`, as a classifier that labels words of `language` as the encoder does.

    Its weights are those of the packed network, in fp32; the head is moved so that the threshold is 0.5. Raises
    EngineError when the extra transformers is not installed, or the encoder does not know the language.
    """
    transformers, torch = import_transformers(), import_torch()
    shipped = DATA / EncoderDetector.name
    detector = EncoderDetector.load(shipped, language=language)
    with np.load(shipped / WEIGHTS) as stored:
        weights = _weights({name: stored[name] for name in stored.files})
    weights["classifier.weight"], weights["classifier.bias"] = _head(detector, weights.pop("head"), weights.pop("bias"))
    names = [OUTSIDE, f"B-{detector.label}", f"I-{detector.label}"]
    config = transformers.BertConfig(
        vocab_size=len(detector.network.vocabulary.pieces),
        hidden_size=detector.network.width,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=len(weights["bert.encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=detector.network.size,
        type_vocab_size=1,
        layer_norm_eps=EPSILON,
        pad_token_id=PADDING,
        id2label=dict(enumerate(names)),
        label2id={name: number for number, name in enumerate(names)},
    )
    with torch.device("meta"):
        model = transformers.BertForTokenClassification(config)
    tensors = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in weights.items()}
    model.load_state_dict(tensors, strict=True, assign=True)
    model.save_pretrained(folder)
    _tokenizer(detector).save_pretrained(folder)


def _weights(stored: Stored) -> dict[str, Floats]:
    """The weights by the names that transformers has for them, and "head" and "bias" of the last product."""
    blocks = stored["vectors"].reshape(len(stored["vectors"]), -1, BLOCK // 2)
    numbers = np.concatenate([blocks & 15, blocks >> 4], axis=2).astype(np.float32) - MIDDLE
    vectors = numbers * stored["vectors.scales"].astype(np.float32)[:, :, None]
    own = "bert.embeddings"
    found: dict[str, Floats] = {
        f"{own}.word_embeddings.weight": vectors.reshape(len(vectors), -1),
        # Types of segments are part of them.
        f"{own}.position_embeddings.weight": stored["places"],
        f"{own}.token_type_embeddings.weight": np.zeros((1, stored["places"].shape[1]), np.float32),
        f"{own}.LayerNorm.weight": stored["first.scale"],
        f"{own}.LayerNorm.bias": stored["first.shift"],
        "head": stored["head.weight"][:, 0],
        "bias": stored["head.bias"],
    }
    for number in range(LAYERS):
        layer = f"bert.encoder.layer.{number}"
        together = np.split(_product(stored, f"{number}.in"), 3)
        biases = np.split(stored[f"{number}.in.bias"], 3)
        for part, weight, bias in zip(("query", "key", "value"), together, biases, strict=True):
            found[f"{layer}.attention.self.{part}.weight"] = weight
            found[f"{layer}.attention.self.{part}.bias"] = bias
        for theirs, product, added in (
            ("attention.output.dense", "out", "middle"),
            ("intermediate.dense", "wide", "wide"),
            ("output.dense", "narrow", "end"),
        ):
            found[f"{layer}.{theirs}.weight"] = _product(stored, f"{number}.{product}")
            found[f"{layer}.{theirs}.bias"] = stored[f"{number}.{added}.bias"]
        for theirs, normalisation in (("attention.output", "middle"), ("output", "end")):
            found[f"{layer}.{theirs}.LayerNorm.weight"] = stored[f"{number}.{normalisation}.scale"]
            found[f"{layer}.{theirs}.LayerNorm.bias"] = stored[f"{number}.{normalisation}.shift"]
    return found


def _product(stored: Stored, name: str) -> Floats:
    """Weights, outputs by inputs, of a product whose inputs were made even."""
    found: Floats = (stored[f"{name}.codes"] * stored[f"{name}.scales"]).T * stored[f"{name}.even"]
    return found


def _head(detector: EncoderDetector, weight: Floats, bias: Floats) -> tuple[Floats, Floats]:
    """A classifier's weights and biases: outside, beginning a span, going on with it."""
    logits = np.linspace(-20, 20, 40_001)
    calibrated = detector.calibration(1 / (1 + np.exp(-logits)))
    threshold = logits[int(np.searchsorted(calibrated, detector.threshold))]
    nothing = np.zeros_like(weight)
    return np.stack([nothing, weight, nothing]), np.array([0.0, bias[0] - threshold, NEVER], np.float32)


def _tokenizer(detector: EncoderDetector) -> Any:
    """What cuts words into the same pieces, for transformers."""
    transformers, tokenizers = import_transformers(), import_package("tokenizers")
    begin, end = "<s>", "</s>"
    special = {detector.begin: begin, PADDING: "<pad>", detector.end: end, detector.unknown: "<unk>"}
    vocabulary = detector.network.vocabulary
    pieces = [special.get(number, piece) for number, piece in enumerate(vocabulary.pieces)]
    scored = list(zip(pieces, vocabulary.scores, strict=True))
    made = tokenizers.Tokenizer(tokenizers.models.Unigram(scored, unk_id=detector.unknown, byte_fallback=False))
    made.normalizer = tokenizers.normalizers.Sequence(
        [tokenizers.normalizers.NFKC(), tokenizers.normalizers.Replace(tokenizers.Regex(" {2,}"), " ")]
    )
    made.pre_tokenizer, made.decoder = tokenizers.pre_tokenizers.Metaspace(), tokenizers.decoders.Metaspace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, detector.begin), (end, detector.end)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token=begin,
        cls_token=begin,
        eos_token=end,
        sep_token=end,
        unk_token=special[detector.unknown],
        pad_token=special[PADDING],
        model_max_length=detector.network.size,
    )
