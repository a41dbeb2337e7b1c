"""What the shipped encoder's inner vectors would be good for, beside the cheaper way.

    python bench/encoder_uses.py --shared ../shared [--lines 1000]

Needs the extra onnx, since the shipped graph gives away the inner vectors of one layer. Three questions, for those
after each layer (0: before the first):

1. Which line of the other language is the translation of a line? A sentence's vector is the mean of its pieces', less
   the mean of its language. Accuracy over LINES lines of xnli_dev.
2. Is a line, given the one that it should be a translation of, the wrong one? Area under the ROC curve, against random
   lines, and against random ones of the same length, beside what the aligner's links say.
3. Which projected sentence is wrong? Area under the ROC curve over xnli_dev's sentences with a label in the source,
   of the links' score, of that with the second opinion as it is shipped, and of the vectors alone.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime

from annotator.domain.projection.carry import Outcome, ProjectionRules, SourceOutcome, project
from annotator.domain.projection.several_sources import projection_score
from annotator.domain.text.function_words import is_function_word
from bench.projection import Parallel, read, train
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.base import Link
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.detectors.encoder.network import GRAPH
from mlworkers.engines.registry import load_detector
from mlworkers.engines.second_opinion import SecondOpinion, margin

Floats = npt.NDArray[np.float32]
SEED = 1


class Inside:
    """The encoder with the vectors after each of its layers."""

    def __init__(self) -> None:
        found = load_detector("encoder", language="es")
        assert isinstance(found, EncoderDetector)
        self.encoder = found
        network: Any = found.network
        model = onnx.ModelProto.FromString((found._folder / GRAPH).read_bytes())
        self.names = sorted(
            (name for node in model.graph.node for name in node.output if name.endswith(".end")),
            key=lambda name: int(name.partition(".")[0]),
        )
        for name in {*self.names} - {output.name for output in model.graph.output}:
            model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        settings.add_external_initializers(list(network._values), list(network._values.values()))
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), settings, providers=["CPUExecutionProvider"]
        )

    def tokens(self, sentence: Sequence[str]) -> Floats:
        """Layers by tokens by numbers; a token's vector is the mean of its pieces', 0 without any."""
        [part] = self.encoder._inputs(sentence)
        network: Any = self.encoder.network
        start = network._vectors(part.ids)[None]
        layers = np.stack([start[0], *(found[0] for found in self.session.run(self.names, {"vectors": start}))])
        vectors = np.zeros((len(layers), len(sentence), layers.shape[2]), np.float32)
        ends = [*part.firsts[1:], len(part.ids) - 1]
        for word, first, end in zip(part.words, part.firsts, ends, strict=True):
            vectors[:, word] = layers[:, first:end].mean(1)
        return vectors


def unit(values: Floats) -> Floats:
    found: Floats = values / np.maximum(np.linalg.norm(values, axis=-1, keepdims=True), 1e-9)
    return found


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often a right one has the higher score than a wrong one, ties half."""
    ranks = np.concatenate([right, wrong])
    order = np.unique(ranks, return_inverse=True)[1]
    counts = np.bincount(order)
    places = (np.cumsum(counts) - (counts - 1) / 2)[order]
    n, m = len(right), len(wrong)
    return float((places[:n].sum() - n * (n + 1) / 2) / (n * m))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=1000)
    options = parser.parse_args()
    inside = Inside()
    sources, targets = read(options.shared, "source_datasets", "xnli_dev_prem", "xnli_dev_hyp")
    pairs = [(left.tokens, right.tokens) for left, right in zip(sources, targets, strict=True)]
    aligner = train((sources, targets), "es", "en", Prior.shipped("es", "en"))

    chosen = np.random.default_rng(SEED).choice(len(pairs), min(options.lines, len(pairs)), replace=False)
    some = [pairs[number] for number in chosen]
    start = time.perf_counter()
    left = np.stack([inside.tokens(source).mean(1) for source, _target in some])
    right = np.stack([inside.tokens(target).mean(1) for _source, target in some])
    print(f"{1000 * (time.perf_counter() - start) / (2 * len(some)):.1f} ms a sentence, all layers, one core")
    near = [
        unit(left[:, k] - left[:, k].mean(0)) @ unit(right[:, k] - right[:, k].mean(0)).T for k in range(left.shape[1])
    ]
    print("1. translations found, by layer:", *(f"{(one.argmax(1) == np.arange(len(one))).mean():.3f}" for one in near))
    for title, others in (("any line", np.roll(np.arange(len(some)), 1)), ("a line as long", as_long(some))):
        mixed = [(some[number][0], some[other][1]) for number, other in enumerate(others)]
        linked = auc(
            *([weight(pair, found) for pair, found in zip(ps, aligner.align(ps), strict=True)] for ps in (some, mixed))
        )
        by_layer = [auc(np.diag(one), one[np.arange(len(one)), others]) for one in near]
        print(f"2. wrong line, {title}: links {linked:.4f}; by layer:", *(f"{value:.4f}" for value in by_layer))
    es_en = (sources, targets)
    projections(inside, es_en, "es", "en", Prior.shipped("es", "en"))
    projections(inside, es_en, "es", "en", None)
    projections(inside, es_en[::-1], "en", "es", Prior.shipped("en", "es"))


def as_long(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> npt.NDArray[np.intp]:
    """For each pair, another whose target is about as long: its neighbour by length."""
    order = np.argsort([len(target) for _source, target in pairs], kind="stable")
    other = np.empty(len(pairs), np.intp)
    other[order] = np.roll(order, 1)
    return other


def weight(pair: tuple[Sequence[str], Sequence[str]], links: Sequence[Link]) -> float:
    """The mean, over the words of both, of the best score of a link."""
    best: dict[tuple[int, int], float] = {}
    for link in links:
        for end in ((0, link.source), (1, link.target)):
            best[end] = max(best.get(end, 0.0), link.score)
    return sum(best.values()) / (len(pair[0]) + len(pair[1]))


def projections(inside: Inside, corpus: Parallel, source: str, target: str, prior: Prior | None) -> None:
    rules, closed, second = ProjectionRules(skip_function_words=True), is_function_word(target), SecondOpinion.load()
    aligner = train(corpus, source, target, prior)
    scores: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    margins: dict[bool, list[Any]] = {True: [], False: []}
    for left, right in zip(*corpus, strict=True):
        spans = left.read().spans
        if not spans:
            continue
        [links] = aligner.align([(left.tokens, right.tokens)])
        scored = [(link.source, link.target, link.score) for link in links]
        result = project(spans, [link[:2] for link in scored], right.tokens, rules=rules, is_function_word=closed)
        is_right = covered(result.spans) == covered(right.read().spans)
        opinions = second.of(left.tokens, right.tokens, result.outcomes)
        scores[is_right].append(
            (projection_score(result.outcomes, scored), projection_score(result.outcomes, scored, opinions))
        )
        near = np.einsum("lsd,ltd->lst", unit(inside.tokens(left.tokens)), unit(inside.tokens(right.tokens)))
        margins[is_right].append(
            np.mean([[of_outcome(layer, outcome) for outcome in result.outcomes] for layer in near], axis=1)
        )
    alone, both = (auc([row[k] for row in scores[True]], [row[k] for row in scores[False]]) for k in (0, 1))
    title = f"{source}-{target}, {'shipped table' if prior else 'no table'}"
    counts = f"{len(scores[True])} projected as in the gold, {len(scores[False])} not"
    print(f"3. {title}: {counts}: links {alone:.4f}, both {both:.4f}")
    good, bad = np.array(margins[True]), np.array(margins[False])
    print("   vectors alone, by layer:", *(f"{auc(good[:, k], bad[:, k]):.4f}" for k in range(good.shape[1])))


def of_outcome(near: Floats, outcome: SourceOutcome) -> float:
    """What the second opinion rests on; 0 for what was not projected."""
    if outcome.outcome != Outcome.PROJECTED or outcome.target is None:
        return 0.0
    return margin(near, outcome.source.tokens, outcome.target.tokens)


def covered(spans: Any) -> set[int]:
    return {token for span in spans for token in span.tokens}


if __name__ == "__main__":
    main()
