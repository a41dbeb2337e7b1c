"""A small encoder with random weights and a tokenizer trained on a corpus, where no pretrained one can be had.

    python bench/small_encoder.py --kind deberta-v2 --text TRAIN.tsv --out ENCODER
    python manage.py train_detector --engine transformers --model ENCODER --language es --train TRAIN.tsv \\
        --dev DEV.tsv --epochs 3 --batch 16 --learning-rate 5e-4 --out DETECTOR

What is trained from it knows no more of the language than the tagged sentences say: to compare ways of running a model,
not to label with.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.formats.text.tagged import read_tagged
from tests.mlworkers.checkpoints import KINDS, OWN_NAMES, make_checkpoint, make_tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", default="xlm-roberta", choices=KINDS)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="tagged sentences")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--subwords", type=int, default=8_000, help="in the tokenizer's vocabulary")
    options = parser.parse_args()
    text = [" ".join(sentence.tokens) for path in options.text for sentence in read_tagged(path).sentences]
    make_checkpoint(
        options.out,
        options.kind,
        names=OWN_NAMES,
        positions=256,
        tokenizer=make_tokenizer(options.kind, text, subwords=options.subwords),
        hidden_size=options.width,
        num_hidden_layers=options.layers,
        intermediate_size=4 * options.width,
        initializer_range=0.02,
    )


if __name__ == "__main__":
    main()
