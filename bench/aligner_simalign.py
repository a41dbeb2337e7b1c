"""How many sentence pairs a second the aligner simalign does, and how many the package of that name.

    python bench/aligner_simalign.py --shared ../shared [--model FOLDER] [--pairs 200] [--rounds 3] [--methods itermax]

Both run in this process, turn by turn, on the same pairs of Meta4XNLI, with the same model: 12 layers of 768, random
weights unless --model names a checkpoint, embeddings of layer 8. Best of the rounds. On a GPU, where torch has one.
On a CPU that others use, too, the seconds that the processor spent say more than those that passed, and most with
OMP_NUM_THREADS=1, where no thread waits for another.
"""

import argparse
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.formats.text.tagged import read_tagged
from mlworkers.engines.aligners.simalign.aligner import SimAligner
from mlworkers.engines.torch_runtime import choose_device, import_torch, import_transformers

Pairs = list[tuple[tuple[str, ...], tuple[str, ...]]]
LETTERS = {"inter": "a", "itermax": "i", "mwmf": "m"}


def read(shared: Path, count: int) -> tuple[list[str], Pairs]:
    """All text of xnli_dev, and `count` pairs spread evenly over it."""
    root = shared / "data" / "meta4xnli" / "detection" / "source_datasets"
    sides = [
        [
            sentence.tokens
            for name in ("prem", "hyp")
            for sentence in read_tagged(root / language / f"xnli_dev_{name}.tsv").sentences
        ]
        for language in ("es", "en")
    ]
    pairs = list(zip(*sides, strict=True))
    return [" ".join(tokens) for side in sides for tokens in side], pairs[:: max(1, len(pairs) // count)][:count]


def make_model(folder: Path, text: list[str]) -> Path:
    """A BERT of the usual size with random weights, and a tokenizer trained on `text`."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    torch, transformers = import_torch(), import_transformers()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trained = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106
    trained.normalizer = normalizers.BertNormalizer(lowercase=False)
    trained.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trained.train_from_iterator(
        text, trainers.WordPieceTrainer(vocab_size=20_000, special_tokens=special, show_progress=False)
    )
    transformers.BertTokenizer(vocab=trained.get_vocab(), do_lower_case=False, model_max_length=512).save_pretrained(
        folder
    )
    torch.manual_seed(0)
    transformers.BertModel(transformers.BertConfig(vocab_size=trained.get_vocab_size())).save_pretrained(folder)
    return folder


def timed(work: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What `work` returns, and the seconds that passed and that the processor spent."""
    start = time.perf_counter(), time.process_time()
    found = work()
    return found, (time.perf_counter() - start[0], time.process_time() - start[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--methods", nargs="+", choices=LETTERS, default=list(LETTERS))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    # The same precision on both sides, so that the links can be compared.
    os.environ.setdefault("ENGINE_PRECISION", "fp32")
    torch = import_torch()
    from simalign import SentenceAligner

    logging.disable(logging.INFO)
    device = choose_device()
    hardware = torch.cuda.get_device_name(device.name) if device.is_gpu else f"{torch.get_num_threads()} CPU threads"
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "simalign"))
    print(f"{platform.machine()}, {hardware}, {device.precision}; Python {platform.python_version()}, {packages}")
    text, pairs = read(options.shared, options.pairs)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.model or make_model(Path(temporary) / "model", text)
        for method in options.methods:
            package = SentenceAligner(
                model=str(folder),
                token_type="bpe",  # noqa: S106
                matching_methods=LETTERS[method],
                device=device.name,
                layer=8,
            )
            ours = SimAligner.load(f"simalign:{folder}?method={method}")
            # What happens only once, such as choosing kernels, is not counted.
            ours.align(pairs[:8])
            package.get_word_aligns(list(pairs[0][0]), list(pairs[0][1]))
            theirs_times, our_times = [], []
            for _ in range(options.rounds):
                theirs, spent = timed(
                    lambda package=package: [package.get_word_aligns(list(left), list(right)) for left, right in pairs]
                )
                theirs_times.append(spent)
                links, spent = timed(lambda ours=ours: ours.align(pairs))
                our_times.append(spent)
            same = sum(
                [(link.source, link.target) for link in one] == other[method]
                for one, other in zip(links, theirs, strict=True)
            )
            print(f"{method}: the same links in {same} of {len(pairs)} pairs")
            for index, what in enumerate(["pairs/s", "pairs a second of processor time"][: 1 if device.is_gpu else 2]):
                rates = [len(pairs) / min(spent[index] for spent in times) for times in (theirs_times, our_times)]
                print(
                    f"  {what}: package {rates[0]:.1f}, ours {rates[1]:.1f}, {rates[1] / rates[0]:.1f} times",
                    flush=True,
                )


if __name__ == "__main__":
    main()
