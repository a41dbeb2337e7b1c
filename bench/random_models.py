"""Models of published sizes with random weights, and sentences for them: speed does not depend on what a model knows.

Nothing is fetched: sentences are those of the sample project, or of the corpora in a folder, and tokenizers are trained
on them.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.formats.text.tagged import read_tagged
from tests.mlworkers.checkpoints import make_checkpoint, make_tokenizer

Tokens = tuple[str, ...]

SAMPLE = Path(__file__).parents[1] / "annotator/sample/detection/source_datasets"
CORPUS = Path("data/meta4xnli/detection/source_datasets")
LANGUAGES = ("es", "en")
# Subwords of the tokenizers. A vocabulary has its published size, whatever part of it is used.
SUBWORDS = 8_000
_BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3_072}
_LARGE = {"hidden_size": 1_024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4_096}


@dataclass(frozen=True)
class Size:
    """The configuration of a published model: the kind (see `tests.mlworkers.checkpoints.KINDS`) and its numbers."""

    kind: str
    numbers: dict[str, int] = field(hash=False)


MODELS = {
    "mdeberta-v3-base": Size("deberta-v2", _BASE | {"vocab_size": 251_000, "position_buckets": 256}),
    "deberta-v3-large": Size("deberta-v2", _LARGE | {"vocab_size": 128_100, "position_buckets": 256}),
    "xlm-roberta-base": Size("xlm-roberta", _BASE | {"vocab_size": 250_002}),
    "xlm-roberta-large": Size("xlm-roberta", _LARGE | {"vocab_size": 250_002}),
    "bert-base-multilingual-cased": Size("bert", _BASE | {"vocab_size": 119_547}),
}


def random_checkpoint(
    folder: Path, model: str, sentences: Sequence[Tokens], *, names: dict[int, str], head: str = "TokenClassification"
) -> Path:
    """Write a checkpoint of one of MODELS into `folder`, and return it; `names` are its labels."""
    size = MODELS[model]
    tokenizer = make_tokenizer(size.kind, [" ".join(tokens) for tokens in sentences], subwords=SUBWORDS)
    return make_checkpoint(
        folder,
        size.kind,
        names=names,
        head=head,
        positions=512,
        tokenizer=tokenizer,
        initializer_range=0.02,
        **size.numbers,
    )


def pairs(count: int, shared: Path | None) -> list[tuple[Tokens, Tokens]]:
    """`count` distinct pairs of sentences, Spanish and English: of Meta4XNLI below `shared`, or of the sample project.

    Where there are fewer, the beginnings of some are joined to the ends of others.
    """
    root = shared / CORPUS if shared else SAMPLE
    sides = [
        [
            sentence.tokens
            for path in sorted((root / language).glob("*.tsv"))
            for sentence in read_tagged(path).sentences
        ]
        for language in LANGUAGES
    ]
    found = list(dict.fromkeys(zip(*sides, strict=True)))
    draw = random.Random(0)
    draw.shuffle(found)
    made = dict.fromkeys(found[:count])
    while len(made) < count:
        first, last = draw.choice(found), draw.choice(found)
        made[_joined(first[0], last[0]), _joined(first[1], last[1])] = None
    return list(made)


def _joined(first: Tokens, last: Tokens) -> Tokens:
    return first[: (len(first) + 1) // 2] + last[len(last) // 2 :]
