"""How many sentence pairs a second the aligner simalign does, and how many the package of that name.

    python bench/aligner_simalign.py
    python bench/aligner_simalign.py --pairs 5000 --shared ../shared --methods inter itermax mwmf

Both run in this process, turn by turn, on the same pairs, on the GPU where there is one, with the same model: the size
of multilingual BERT with random weights, unless --model names a checkpoint, and embeddings of layer 8. The package
computes in fp32; so does the aligner, and beside it in the device's own precision where that is another one. On a CPU
that others use, too, OMP_NUM_THREADS=1 says most: no thread waits for another.
"""

import argparse
import logging
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from simalign import SentenceAligner

from bench.random_models import pairs, random_checkpoint
from bench.side_by_side import alternate, machine, report
from mlworkers.engines.aligners.simalign.aligner import SimAligner
from mlworkers.engines.base import Link
from mlworkers.engines.torch_runtime import PRECISION_VARIABLE, choose_device, import_transformers

LETTERS = {"inter": "a", "itermax": "i", "mwmf": "m"}
LIKE = "bert-base-multilingual-cased"
LAYER = 8
PACKAGE = "package simalign, fp32"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="take the pairs from the corpora in this folder")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--methods", nargs="+", choices=LETTERS, default=["itermax"])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    logging.disable(logging.INFO)
    import_transformers()
    devices = {one.precision: one for one in (choose_device(precision="fp32"), choose_device())}
    device = devices["fp32"]
    found = pairs(options.pairs, options.shared)
    print(machine(device.name, "torch", "transformers", "simalign"))
    print(f"{options.model or LIKE + ', random weights'}, layer {LAYER}, on {device.name}; {len(found)} pairs")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.model or random_checkpoint(
            Path(scratch) / "model", LIKE, [side for pair in found for side in pair], names={0: "O"}, head="MaskedLM"
        )
        for method in options.methods:
            package = SentenceAligner(
                model=str(folder),
                token_type="bpe",  # noqa: S106
                matching_methods=LETTERS[method],
                device=device.name,
                layer=LAYER,
            )
            spec = f"simalign:{folder}?method={method}&layer={LAYER}"
            aligners = {}
            for precision in devices:
                os.environ[PRECISION_VARIABLE] = precision
                aligners[f"aligner, {precision}"] = SimAligner.load(spec)
            # What happens only once, such as choosing kernels, is not counted.
            package.get_word_aligns(list(found[0][0]), list(found[0][1]))
            for aligner in aligners.values():
                aligner.align(found if device.is_gpu else found[:8])
            sides = {name: partial(aligner.align, found) for name, aligner in aligners.items()}
            sides[PACKAGE] = lambda package=package, method=method: [
                package.get_word_aligns(list(left), list(right))[method] for left, right in found
            ]
            times = alternate(sides, options.rounds)
            print(method)
            for name in aligners:
                report({name: times[name], PACKAGE: times[PACKAGE]}, name, len(found), "pairs", on_gpu=device.is_gpu)
                compare(times[name].result, times[PACKAGE].result)


def compare(ours: list[list[Link]], theirs: list[list[tuple[int, int]]]) -> None:
    """Print in how many pairs the links are the same, and how many links both have."""
    links = [
        ({(link.source, link.target) for link in one}, set(other)) for one, other in zip(ours, theirs, strict=True)
    ]
    same = sum(one == other for one, other in links)
    both, either = sum(len(one & other) for one, other in links), sum(len(one | other) for one, other in links)
    print(f"  the same links in {same} of {len(links)} pairs; {both} of {either} links are on both sides")


if __name__ == "__main__":
    main()
