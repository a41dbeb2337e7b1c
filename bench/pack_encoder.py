"""Make the shipped detector `encoder` of what bench/train_encoder.py left, and measure it.

    python bench/pack_encoder.py --shared SHARED --base BASE --weights RUN/average-4.pt… --out OUT

OUT is mlworkers/engines/data/encoder. Of several files of weights the mean is taken. Needs torch, transformers, onnx.
Matrices are kept in BITS bits, one scale for each output; word pieces' vectors at 4 bits, which is how they came.
Threshold and calibration are fitted on dev, and measured by cross-validation within it: each tenth of the sentences by
what was fitted on the others.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper
from tokenizers import Tokenizer

from annotator.formats.text.tagged import TaggedSentence
from bench.train_encoder import (
    LANGUAGES,
    Example,
    Tagger,
    examples,
    load_tagger,
    read,
    split,
    tensors,
    training_sentences,
)
from mlworkers.engines.detectors.encoder.detector import FORMAT, SETTINGS, EncoderDetector
from mlworkers.engines.detectors.encoder.network import BLOCK, GRAPH, MIDDLE, OUTPUTS, WEIGHTS, Network, digest
from mlworkers.engines.evaluation.calibration import UNCHANGED, Calibration
from mlworkers.engines.evaluation.scores import Scores, best_threshold

# With the eighth bit, sums overflow on processors without instructions for int8 products.
BITS = 7
# How much of the difference in size between a layer's inputs goes over to its weights; 0.5 to 0.8 were tried.
SHIFT = 0.7
LABEL = "METAPHOR"
FOLDS = 10
# Training sentences on which layers' inputs are measured.
HEARD = 400
SPECIAL = {"begin": "<s>", "end": "</s>", "unknown": "<unk>"}
MICROSOFT = "com.microsoft"

Weights = dict[str, npt.NDArray[Any]]
Floats = npt.NDArray[np.float32]
Inputs = tuple[Floats, Floats]
# Nothing is divided by less.
LEAST = 1e-5


@dataclass(frozen=True)
class Linear:
    """A layer's weights (outputs × inputs) and bias; of its inputs the mean and the largest size."""

    weight: Floats
    bias: Floats
    mean: Floats
    largest: Floats


class Graph:
    """The network as ONNX Runtime takes it; its weights are given when it is loaded."""

    def __init__(self, *, width: int, heads: int, epsilon: float) -> None:
        self.width, self.heads, self.epsilon = width, heads, epsilon
        self.nodes: list[Any] = []
        self.weights: Weights = {}

    def add(self, kind: str, inputs: Sequence[str], output: str, **more: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **more))
        return output

    def keep(self, name: str, value: npt.ArrayLike) -> str:
        self.weights[name] = np.ascontiguousarray(value)
        return name

    def product(self, values: str, name: str, linear: Linear) -> tuple[str, Floats]:
        """`values` times the rounded weights, and the bias, which makes up for what rounding does on the mean.

        All inputs share a scale, and a few are far larger than the others. So these are made smaller and their weights
        larger (Xiao et al., "SmoothQuant", ICML 2023).
        """
        columns = np.maximum(np.abs(linear.weight).max(0), LEAST)
        size = np.maximum(linear.largest, LEAST) ** SHIFT / columns ** (1 - SHIFT)
        size = np.maximum(size / np.median(size), 1e-3).astype(np.float32)
        weight = linear.weight * size
        scale = np.maximum(np.abs(weight).max(1), LEAST) / (2 ** (BITS - 1) - 1)
        codes = np.rint(weight / scale[:, None]).astype(np.int8)
        lost = weight - codes * scale[:, None]
        even = self.add("Mul", [values, self.keep(f"{name}.even", 1 / size)], f"{name}.evened")
        names = [self.keep(f"{name}.codes", codes.T), self.keep(f"{name}.scales", scale.astype(np.float32))]
        found = self.add("DynamicQuantizeMatMul", [even, *names], f"{name}.product", domain=MICROSOFT)
        return found, (linear.bias + lost @ (linear.mean / size)).astype(np.float32)

    def normalised(self, values: str, beside: str, name: str, scale: Any, shift: Any, bias: Any) -> str:
        names = [self.keep(f"{name}.scale", scale), self.keep(f"{name}.shift", shift), self.keep(f"{name}.bias", bias)]
        return self.add(
            "SkipLayerNormalization", [values, beside, *names], name, domain=MICROSOFT, epsilon=self.epsilon
        )

    def model(self, outputs: Sequence[str]) -> bytes:
        declared = []
        for name, value in self.weights.items():
            tensor = TensorProto(name=name, dims=value.shape, data_location=TensorProto.EXTERNAL)
            tensor.data_type = helper.np_dtype_to_tensor_dtype(value.dtype)
            tensor.external_data.add(key="location", value=WEIGHTS)
            declared.append(tensor)
        vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["sequences", "pieces", self.width])
        found = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None) for output in outputs]
        graph = helper.make_graph(self.nodes, "encoder", [vectors], found, declared)
        versions = [helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)]
        return bytes(helper.make_model(graph, opset_imports=versions, ir_version=9).SerializeToString())


def graph_of(state: Mapping[str, Any], inputs: Mapping[str, Inputs], config: Any) -> Graph:
    made = Graph(width=config.hidden_size, heads=config.num_attention_heads, epsilon=config.layer_norm_eps)
    before = "encoder.embeddings.LayerNorm"
    names = [made.keep("first.scale", state[f"{before}.weight"]), made.keep("first.shift", state[f"{before}.bias"])]
    values = made.add("LayerNormalization", ["vectors", *names], "first", axis=-1, epsilon=made.epsilon)
    for number in range(config.num_hidden_layers):
        values = _layer(made, values, str(number), Layer(f"encoder.encoder.layer.{number}", state, inputs))
    names = [made.keep("head.weight", state["head.weight"].T), made.keep("head.bias", state["head.bias"])]
    values = made.add("MatMul", [values, names[0]], "head.product")
    made.add("Add", [values, names[1]], "logits")
    return made


@dataclass(frozen=True)
class Layer:
    """One layer of the trained encoder."""

    name: str
    state: Mapping[str, Any]
    inputs: Mapping[str, Inputs]

    def linear(self, *parts: str) -> Linear:
        """Layers with the same input as one."""
        weights, biases = (
            np.concatenate([self.state[f"{self.name}.{part}.{what}"] for part in parts]) for what in ("weight", "bias")
        )
        return Linear(weights, biases, *self.inputs[f"{self.name}.{parts[0]}"])

    def normalisation(self, part: str) -> tuple[Any, Any]:
        return tuple(self.state[f"{self.name}.{part}.LayerNorm.{what}"] for what in ("weight", "bias"))


def _layer(made: Graph, values: str, name: str, theirs: Layer) -> str:
    own = [f"attention.self.{part}" for part in ("query", "key", "value")]
    together, bias = made.product(values, f"{name}.in", theirs.linear(*own))
    outputs = [f"{name}.query", f"{name}.key", f"{name}.value"]
    made.nodes.append(helper.make_node("Split", [together], outputs, axis=2, num_outputs=3))
    inputs = [*outputs, made.keep(f"{name}.in.bias", bias)]
    seen = made.add("MultiHeadAttention", inputs, f"{name}.seen", domain=MICROSOFT, num_heads=made.heads)

    product, bias = made.product(seen, f"{name}.out", theirs.linear("attention.output.dense"))
    values = made.normalised(product, values, f"{name}.middle", *theirs.normalisation("attention.output"), bias)

    wide, bias = made.product(values, f"{name}.wide", theirs.linear("intermediate.dense"))
    wide = made.add("BiasGelu", [wide, made.keep(f"{name}.wide.bias", bias)], f"{name}.gelu", domain=MICROSOFT)

    product, bias = made.product(wide, f"{name}.narrow", theirs.linear("output.dense"))
    return made.normalised(product, values, f"{name}.end", *theirs.normalisation("output"), bias)


def inputs_of(tagger: Tagger, sentences: Sequence[Example]) -> dict[str, Inputs]:
    """What goes into each linear layer: the mean over all pieces of `sentences`, and the largest size."""
    sums: dict[str, Any] = {}
    largest: dict[str, Any] = {}

    def listen(name: str) -> Any:
        def heard(_module: Any, inputs: tuple[Any, ...]) -> None:
            values = inputs[0].flatten(0, -2)
            sums[name] = sums.get(name, 0) + values.sum(0, dtype=torch.float64)
            largest[name] = torch.maximum(largest.get(name, torch.zeros(values.shape[1])), values.abs().amax(0))

        return heard

    modules = {name: one for name, one in tagger.named_modules() if isinstance(one, torch.nn.Linear)}
    hooks = [module.register_forward_pre_hook(listen(name)) for name, module in modules.items()]
    tagger.eval()
    with torch.inference_mode():
        for example in sentences:
            tagger(*tensors([example], 0))
    for hook in hooks:
        hook.remove()
    pieces = sum(len(example.ids) for example in sentences)
    return {name: ((sums[name] / pieces).numpy().astype(np.float32), largest[name].numpy()) for name in modules}


def vectors(table: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """Pieces' vectors at 4 bits: codes, two to a byte, and a scale for each block of numbers."""
    blocks = table.reshape(len(table), -1, BLOCK)
    # The number of largest size has code 0 or 15.
    best = np.zeros(blocks.shape[:2], np.float16)
    least = np.full(blocks.shape[:2], np.inf)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(2)[:, :, None], 2)[:, :, 0]
    for divisor in (-8.0, -7.0, 7.0, 8.0):
        scale = (largest / divisor).astype(np.float16)
        with np.errstate(divide="ignore", invalid="ignore"):
            codes = np.nan_to_num(np.clip(np.rint(blocks / scale[:, :, None].astype(np.float32)), -MIDDLE, MIDDLE - 1))
        error = np.square(codes * scale[:, :, None].astype(np.float32) - blocks).sum(2)
        best, least = np.where(error < least, scale, best), np.minimum(error, least)
    scale = best.astype(np.float32)[:, :, None]
    codes = np.clip(np.rint(np.divide(blocks, scale, where=scale != 0, out=np.zeros_like(blocks))), -MIDDLE, MIDDLE - 1)
    whole = (codes + MIDDLE).astype(np.uint8)
    packed = whole[:, :, : BLOCK // 2] | whole[:, :, BLOCK // 2 :] << 4
    print(f"vectors: largest error {np.abs(codes * scale - blocks).max():.2e}")
    return packed.reshape(len(table), -1), best


def pack(base: Path, files: Sequence[Path], out: Path, heard: Sequence[TaggedSentence]) -> dict[str, int]:
    """Write graph and weights into `out`; the numbers of the special pieces. `heard`: some training sentences."""
    tagger = load_tagger(base)
    states = [torch.load(file, weights_only=True)["tagger"] for file in files]
    state = {
        name: np.mean([one[name].float().numpy() for one in states], axis=0, dtype=np.float32) for name in states[0]
    }
    tagger.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    made = graph_of(state, inputs_of(tagger, examples(tokenizer, heard)), tagger.encoder.config)
    own = "encoder.embeddings"
    places = state[f"{own}.position_embeddings.weight"] + state[f"{own}.token_type_embeddings.weight"][:1]
    codes, scales = vectors(state[f"{own}.word_embeddings.weight"])
    vocabulary = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    special = {use: [piece for piece, _score in vocabulary].index(name) for use, name in SPECIAL.items()}
    # Text cannot spell a special piece.
    pieces = ["" if piece in {*SPECIAL.values(), "<pad>"} else piece for piece, _score in vocabulary]
    out.mkdir(parents=True, exist_ok=True)
    (out / GRAPH).write_bytes(made.model(OUTPUTS))
    np.savez_compressed(
        out / WEIGHTS,
        pieces=np.frombuffer("\n".join(pieces).encode(), np.uint8),
        scores=np.array([score for _piece, score in vocabulary], np.float32),
        vectors=codes,
        **{"vectors.scales": scales, "places": places, **made.weights},
    )
    return special


def fitted(raw: Sequence[Sequence[float]], gold: Sequence[Sequence[bool]]) -> tuple[Calibration, float]:
    values = np.concatenate([np.asarray(row) for row in raw])
    truth = [label for row in gold for label in row]
    calibration = Calibration.fit(values, truth)
    return calibration, best_threshold(calibration(values), truth)[0]


def cross_validated(raw: Sequence[Sequence[float]], gold: Sequence[Sequence[bool]]) -> dict[str, float]:
    """The scores when each part of the sentences is judged by the threshold of the others."""
    both = predicted = 0
    for fold in range(FOLDS):
        others = [number for number in range(len(raw)) if number % FOLDS != fold]
        calibration, threshold = fitted([raw[number] for number in others], [gold[number] for number in others])
        for number in range(fold, len(raw), FOLDS):
            taken = calibration(raw[number]) >= threshold
            both += int((taken & np.asarray(gold[number], bool)).sum())
            predicted += int(taken.sum())
    return _json(Scores.of(both, predicted, sum(map(sum, gold))))


def _json(scores: Scores) -> dict[str, float]:
    return {"precision": scores.precision, "recall": scores.recall, "f1": scores.f1}


def labelled(sentences: Sequence[TaggedSentence]) -> list[list[bool]]:
    return [[tag != "O" for tag in sentence.tags] for sentence in sentences]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    learnt = training_sentences(options.shared, LANGUAGES)
    special = pack(options.base, options.weights, options.out, learnt[:: len(learnt) // HEARD])
    own = options.weights[0].parent / "settings.json"
    training = json.loads(own.read_text()) if own.exists() else {}
    settings: dict[str, Any] = {
        "format": FORMAT,
        "name": EncoderDetector.name,
        "label": LABEL,
        "files": digest(options.out),
        "special": special,
        "languages": {},
        "training": training
        | {"provenance": PROVENANCE, "mean_of": [f"{one.parent.name}/{one.stem}" for one in options.weights]},
        "packed_with": {"onnx": onnx.__version__, "onnxruntime": version("onnxruntime"), "bits": BITS},
    }
    plain = {"threshold": 0.5, "calibration": dict(zip("abc", UNCHANGED, strict=True))}
    network = Network(options.out, threads=2)
    for language in LANGUAGES:
        dev = split(options.shared, language, "dev")
        gold = labelled(dev)
        draft = settings | {"languages": {language: plain}}
        start = time.perf_counter()
        raw = EncoderDetector(network, draft, language=language, folder=options.out).predict(
            [one.tokens for one in dev]
        )
        seconds = time.perf_counter() - start
        calibration, threshold = fitted(raw, gold)
        scores = cross_validated(raw, gold)
        settings["languages"][language] = {
            "threshold": round(threshold, 4),
            "calibration": {"a": calibration.a, "b": calibration.b, "c": calibration.c},
            "dev": scores | {"sentences": len(dev), "labelled_tokens": sum(map(sum, gold))},
        }
        best = best_threshold(np.concatenate(raw), [label for row in gold for label in row])[1]
        print(f"{language} dev: cross-validated {scores}, at the best threshold {best.f1}; {seconds:.1f} s", flush=True)
    (options.out / SETTINGS).write_text(json.dumps(settings, ensure_ascii=False, indent=2, sort_keys=True) + "\n")
    cometa = read(options.shared / "data" / "cometa" / "cometa_test.tsv")
    found = EncoderDetector.load(options.out, language="es")
    rows, gold = found.predict([one.tokens for one in cometa]), labelled(cometa)
    taken = [[value >= found.threshold for value in row] for row in rows]
    both = sum(a and b for row, truth in zip(taken, gold, strict=True) for a, b in zip(row, truth, strict=True))
    print(f"es CoMeta test: {_json(Scores.of(both, sum(map(sum, taken)), sum(map(sum, gold))))}")
    print({file.name: f"{file.stat().st_size / 1e6:.2f} MB" for file in sorted(options.out.iterdir())}, found.revision)


PROVENANCE = "Meta4XNLI, detection, train split (es, en), and CoMeta, train; from multilingual-e5-small"

if __name__ == "__main__":
    main()
