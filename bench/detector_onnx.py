"""ENGINE_PRECISION=int8 against fp32: the same sentences through both detectors, turn by turn, on the CPU.

    pip install -c constraints.txt -e '.[transformers,onnx]'
    python bench/detector_onnx.py --model mdeberta-v3-base
    python bench/detector_onnx.py --checkpoint FOLDER --test TSV --language es

The first is about speed alone: a model with random weights. The second says of a trained checkpoint (a folder, a preset
or a hub id, with its label map behind a colon where it needs one) what int8 does to its labels; there may be several
files to test on. The best round counts. `small_encoder.py` makes a model that can be trained where there is no hub.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import huggingface_hub.constants

from annotator.formats.text.tagged import read_tagged
from bench.random_models import MODELS, pairs, random_checkpoint
from bench.side_by_side import machine
from mlworkers.engines.base import Detector
from mlworkers.engines.evaluation.scores import Scores
from mlworkers.engines.registry import load_detector
from mlworkers.engines.torch_runtime import import_transformers
from tests.mlworkers.checkpoints import OWN_NAMES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="mdeberta-v3-base", choices=sorted(MODELS), help="with random weights")
    parser.add_argument("--sentences", type=int, default=128, help="how many of them, with random weights")
    parser.add_argument("--shared", type=Path, help="take these from the corpora in this folder")
    parser.add_argument("--checkpoint", help="a trained model, instead")
    parser.add_argument("--test", type=Path, nargs="+", default=[], help="tagged sentences to compare the labels with")
    parser.add_argument("--language", default="es")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if bool(options.checkpoint) != bool(options.test):
        parser.error("--checkpoint and --test go together")
    # Without its progress bars.
    import_transformers()
    print(machine("cpu", "torch", "transformers", "onnxruntime"))
    with tempfile.TemporaryDirectory() as scratch:
        # Where exports are kept; the hub's own cache stays where it is.
        huggingface_hub.constants.HF_HOME = scratch
        if not options.checkpoint:
            sentences = [spanish for spanish, _english in pairs(options.sentences, options.shared)]
            print(f"{options.model}, random weights")
            source = random_checkpoint(Path(scratch) / "model", options.model, sentences, names=OWN_NAMES)
            compare(detectors(str(source), options.language), sentences, None, options.rounds)
            return
        found = detectors(options.checkpoint, options.language)
        print(found["int8"].name, found["int8"].revision)
        for path in options.test:
            tagged = read_tagged(path).sentences
            gold = [tag != "O" for sentence in tagged for tag in sentence.tags]
            print(path.name)
            compare(found, [sentence.tokens for sentence in tagged], gold, options.rounds)


def detectors(source: str, language: str) -> dict[str, Detector]:
    """The checkpoint in both precisions, as a worker loads it."""
    os.environ["ENGINE_DEVICE"] = "cpu"
    found = {}
    for precision in ("fp32", "int8"):
        os.environ["ENGINE_PRECISION"] = precision
        start = time.perf_counter()
        found[precision] = load_detector(f"transformers:{source}", language=language)
        print(f"{precision} loaded in {time.perf_counter() - start:.1f} s{' and exported' * (precision == 'int8')}")
    return found


def compare(
    found: dict[str, Detector], sentences: Sequence[Sequence[str]], gold: Sequence[bool] | None, rounds: int
) -> None:
    """Print how fast both are, how far apart their probabilities and labels, and with `gold` the F1 of each."""
    seconds: dict[str, list[float]] = {name: [] for name in found}
    numbers: dict[str, list[float]] = {}
    for detector in found.values():
        # The first call starts threads.
        detector.predict(sentences[:4])
    for _ in range(rounds):
        for name, detector in found.items():
            start = time.perf_counter()
            rows = detector.predict(sentences)
            seconds[name].append(time.perf_counter() - start)
            numbers[name] = [number for row in rows for number in row]
    labels = {name: [number >= found[name].threshold for number in values] for name, values in numbers.items()}
    exact, small = numbers["fp32"], numbers["int8"]
    print(f"  {len(sentences)} sentences, {len(exact)} tokens")
    for name, times in seconds.items():
        speed = f"{len(sentences) / min(times):8.1f} sentences/s   {[round(value, 2) for value in times]}"
        print(f"  {name} {speed}{f'   F1 {f1(labels[name], gold):.2f}' if gold else ''}")
    print(f"  ratio {min(seconds['fp32']) / min(seconds['int8']):.2f}")
    same = sum(one == other for one, other in zip(labels["fp32"], labels["int8"], strict=True))
    largest = max(abs(one - other) for one, other in zip(exact, small, strict=True))
    print(f"  equal labels {100 * same / len(exact):.3f} %, {len(exact) - same} differ; up to {largest:.4f} apart")


def f1(labels: Sequence[bool], gold: Sequence[bool]) -> float:
    """Of the labelled class over tokens."""
    both = sum(one and other for one, other in zip(labels, gold, strict=True))
    return Scores.of(both, sum(labels), sum(gold)).f1


if __name__ == "__main__":
    main()
