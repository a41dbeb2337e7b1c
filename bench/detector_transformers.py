"""The transformers detector against the token-classification pipeline of transformers, on the same sentences.

    python bench/detector_transformers.py
    python bench/detector_transformers.py --sentences 20000 --shared ../shared --model xlm-roberta-large

Both sides run the same checkpoint in one process, in the same precision, on the GPU where there is one: a model of the
published size with random weights, and a tokenizer trained on the sentences. The pipeline gets the words as they are,
in batches of as many sentences as the detector's have on average, of 64, and on a CPU one by one, too. Sides take
turns. Then labels are compared: a word's first subword, labelled or not.
"""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import transformers

from bench.random_models import LANGUAGES, MODELS, pairs, random_checkpoint
from bench.side_by_side import alternate, machine, report
from mlworkers.engines.detectors.transformers_detector import TransformersDetector
from mlworkers.engines.torch_runtime import Batches, choose_device

# With two classes the likelier one is what the detector's threshold asks for.
NAMES = {0: "O", 1: "METAPHOR"}
PIPELINE_BATCH = 64
OURS = "detector"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="take the sentences from the corpora in this folder")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--model", default="mdeberta-v3-base", choices=sorted(MODELS))
    parser.add_argument("--precision", default="", help="fp32, bf16 or fp16, for both sides; default: the device's")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    device = choose_device(precision=options.precision)
    sentences = [spanish for spanish, _english in pairs(options.sentences, options.shared)]
    print(machine(device.name, "torch", "transformers", "tokenizers"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = random_checkpoint(Path(scratch) / "model", options.model, sentences, names=NAMES)
        detector = TransformersDetector.load(str(folder), language=LANGUAGES[0], precision=options.precision)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        pipeline = transformers.pipeline(
            "token-classification",
            model=transformers.AutoModelForTokenClassification.from_pretrained(folder, dtype=device.dtype).eval(),
            tokenizer=tokenizer,
            device=device.name,
            ignore_labels=[],
        )
    lists = [list(tokens) for tokens in sentences]
    encoded = tokenizer(lists, is_split_into_words=True)
    batches: list[list[int]] = []
    Batches(device).run([len(ids) for ids in encoded["input_ids"]], batches.append)
    same = round(len(lists) / len(batches))
    print(
        f"{options.model}, random weights, {device.precision} on {device.name}; {len(lists)} sentences, "
        f"{sum(map(len, lists))} words, {sum(map(len, encoded['input_ids']))} subwords; {same} sentences a batch"
    )

    def piped(some: list[list[str]], size: int) -> Any:
        return pipeline(some, is_split_into_words=True, batch_size=size)

    sizes = sorted({same, PIPELINE_BATCH} | (set() if device.is_gpu else {1}))
    # The first calls start threads and kernels.
    warm = lists if device.is_gpu else lists[:4]
    detector.predict(warm)
    piped(warm, same)
    sides = {OURS: lambda: detector.predict(lists)}
    sides |= {f"pipeline, batch_size={size}": partial(piped, lists, size) for size in sizes}
    found = alternate(sides, options.rounds)
    report(found, OURS, len(lists), "sentences", on_gpu=device.is_gpu)
    ours = [number >= detector.threshold for row in found[OURS].result for number in row]
    theirs = labels(found[f"pipeline, batch_size={same}"].result, [encoded.word_ids(row) for row in range(len(lists))])
    agreeing = sum(one == other for one, other in zip(ours, theirs, strict=True))
    print(f"  the same label for {agreeing} of {len(ours)} words, of which the detector labels {sum(ours)}")


def labels(answers: list[list[dict[str, Any]]], words: list[list[int | None]]) -> list[bool]:
    """Whether the pipeline labels the first subword of each word."""
    found = []
    for answer, owners in zip(answers, words, strict=True):
        by_place = {one["index"]: one["entity"] != NAMES[0] for one in answer}
        firsts = {word: place for place, word in reversed(list(enumerate(owners))) if word is not None}
        found += [by_place[firsts[word]] for word in sorted(firsts)]
    return found


if __name__ == "__main__":
    main()
