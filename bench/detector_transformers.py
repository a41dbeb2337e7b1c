"""The transformers detector against the token-classification pipeline of transformers, on the same sentences.

    python bench/detector_transformers.py --shared ../shared --sentences 300

Both sides run the same checkpoint in one process, on the GPU where there is one: a model of the kind and size asked
for with random weights (speed does not depend on them) and a tokenizer trained on the sentences. The pipeline gets
the words as they are, in batches of 64, as its documentation shows. Sides take turns; the best of each counts.
"""

import argparse
import os
import platform
import random
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
import transformers

from annotator.formats.text.tagged import read_tagged
from mlworkers.engines.detectors.transformers_detector import TransformersDetector
from mlworkers.engines.torch_runtime import choose_device
from tests.mlworkers.checkpoints import OWN_NAMES, make_checkpoint, make_tokenizer

PIPELINE_BATCH = 64

SIZES = {
    "small": {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 6, "intermediate_size": 1_536},
    "base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3_072},
    "large": {"hidden_size": 1_024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4_096},
}


def read(shared: Path, count: int) -> list[tuple[str, ...]]:
    """`count` Spanish sentences of the training set, drawn with a fixed seed."""
    path = shared / "data" / "meta4xnli" / "detection" / "splits" / "es" / "meta4xnli_train.tsv"
    sentences = [sentence.tokens for sentence in read_tagged(path).sentences]
    random.Random(0).shuffle(sentences)
    return sentences[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--kind", default="xlm-roberta", choices=["bert", "xlm-roberta", "roberta", "deberta-v2"])
    parser.add_argument("--size", default="base", choices=sorted(SIZES))
    parser.add_argument("--precision", default="", help="fp32, bf16 or fp16, for both sides; default: the device's")
    parser.add_argument("--budget", type=int, help="padded tokens a batch")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    device = choose_device(precision=options.precision)
    sentences = read(options.shared, options.sentences)
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = make_tokenizer(options.kind, [" ".join(tokens) for tokens in sentences], subwords=8_000)
        folder = make_checkpoint(
            Path(scratch) / "model",
            options.kind,
            names=OWN_NAMES,
            positions=512,
            tokenizer=tokenizer,
            initializer_range=0.02,
            **SIZES[options.size],
        )
        detector = TransformersDetector.load(str(folder), language="es", precision=options.precision)
        batches = detector._model.batches
        batches.budget = options.budget or batches.budget
        model = transformers.AutoModelForTokenClassification.from_pretrained(folder, dtype=device.dtype)
        pipeline = transformers.pipeline(
            "token-classification",
            model=model.eval(),
            tokenizer=transformers.AutoTokenizer.from_pretrained(folder),
            device=device.name,
            batch_size=PIPELINE_BATCH,
        )
        ours, theirs = [], []
        lists = [list(tokens) for tokens in sentences]
        # The first calls start threads and kernels.
        warm = lists[: min(128, len(lists))] if device.is_gpu else lists[:4]
        detector.predict(warm)
        pipeline(warm, is_split_into_words=True)
        for _ in range(options.rounds):
            start = time.perf_counter()
            found = detector.predict(lists)
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            pipeline(lists, is_split_into_words=True)
            theirs.append(time.perf_counter() - start)
        share = same_labels(folder, lists, found) if device.is_gpu else None
    print(machine(device.name), f"precision {device.precision}, budget {batches.budget}", sep="; ")
    print(", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers")))
    print(f"{options.kind} {options.size}, {len(sentences)} sentences, {sum(map(len, sentences))} tokens")
    print(f"detector {len(sentences) / min(ours):8.1f} sentences/s   {[round(seconds, 2) for seconds in ours]}")
    print(f"pipeline {len(sentences) / min(theirs):8.1f} sentences/s   {[round(seconds, 2) for seconds in theirs]}")
    print(f"ratio    {min(theirs) / min(ours):8.2f}")
    if share is not None:
        print(f"labels equal to fp32: {100 * share:.3f} % of tokens")


def same_labels(folder: Path, sentences: list[list[str]], found: list[list[float]]) -> float:
    """The share of tokens that get the label they get in fp32."""
    exact = TransformersDetector.load(str(folder), language="es", precision="fp32")
    pairs = [
        (one >= exact.threshold, other >= exact.threshold)
        for row, wanted in zip(found, exact.predict(sentences), strict=True)
        for one, other in zip(row, wanted, strict=True)
    ]
    return sum(one == other for one, other in pairs) / len(pairs)


def machine(device: str) -> str:
    """What this ran on, and how busy it was."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    name = torch.cuda.get_device_name(device) if device != "cpu" else f"{cpu}, {torch.get_num_threads()} threads"
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    return f"{time.strftime('%Y-%m-%d')}; {name}; load average {load}; Python {platform.python_version()}"


if __name__ == "__main__":
    main()
