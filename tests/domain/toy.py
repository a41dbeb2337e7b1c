"""A corpus of two premises and three pairs in two languages, written for these tests, in the published layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.corpora.meta4xnli import read_corpus
from annotator.formats.corpus.corpus import Corpus

DATASET = "toy_dev"
ES_PREM = "detection/source_datasets/es/toy_dev_prem.tsv"
ES_HYP = "detection/source_datasets/es/toy_dev_hyp.tsv"
EN_PREM = "detection/source_datasets/en/toy_dev_prem.tsv"
EN_HYP = "detection/source_datasets/en/toy_dev_hyp.tsv"
MET = "interpretation/source_datasets/toy_dev_met.tsv"
NONRELEVANT = "interpretation/source_datasets/toy_dev_nonrelevant.tsv"
NO_MET = "interpretation/source_datasets/toy_dev_no_met.tsv"
LABELLED = {
    "es": {
        "prem": ["Sus palabras|B eran cuchillos|B .", "El «tren» salió tarde."],
        "hyp": ["Habló con dureza.", "El tren voló|B ayer.", "Nadie\u00a0viajó\u2028en tren."],
    },
    "en": {
        "prem": ["His words were knives|B .", 'The "train" left late.'],
        "hyp": ["He spoke harshly.", "The train took|B finally off|I yesterday.", "Nobody\u0085went by train."],
    },
}
# pairID, promptID, inference, file, place of the hypothesis and of the premise in LABELLED
PAIRS = [
    ("3_toy.dev", "2_toy.dev", "entailment", "met", 0, 0),
    ("20_toy.dev", "10_toy.dev", "contradiction", "nonrelevant", 1, 1),
    ("100_toy.dev", "10_toy.dev", "neutral", "no_met", 2, 1),
]
HEADER = "language\tgold_label\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tsource_dataset\n"


def tokens_and_tags(sentence: str) -> list[tuple[str, str]]:
    """`knives|B` is the token knives with the tag B-METAPHOR."""
    parts = [[*token.split("|"), "O"][:2] for token in sentence.split(" ")]
    return [(token, "O" if tag == "O" else f"{tag}-METAPHOR") for token, tag in parts]


def text(sentence: str) -> str:
    return " ".join(token for token, _ in tokens_and_tags(sentence))


def files() -> dict[str, bytes]:
    """Path under the root to content."""
    result: dict[str, str] = {}
    for language, roles in LABELLED.items():
        for role, sentences in roles.items():
            lines = ["".join(f"{a}\t{b}\n" for a, b in tokens_and_tags(s)) + "\n" for s in sentences]
            result[f"detection/source_datasets/{language}/{DATASET}_{role}.tsv"] = "".join(lines)
    for kind in ("met", "nonrelevant", "no_met"):
        rows = [
            "\t".join(
                [
                    language,
                    inference,
                    text(roles["prem"][premise]),
                    text(roles["hyp"][hypothesis]),
                    prompt_id,
                    pair_id,
                    "letters" if premise else "fiction",
                    "toy.dev",
                ]
            )
            + "\n"
            for language, roles in LABELLED.items()
            for pair_id, prompt_id, inference, its_kind, hypothesis, premise in PAIRS
            if its_kind == kind
        ]
        result[f"interpretation/source_datasets/{DATASET}_{kind}.tsv"] = HEADER + "".join(rows)
    return {name: content.encode() for name, content in result.items()}


def write(root: Path, content: dict[str, bytes]) -> Path:
    for name, data in content.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def read(folder: Path, content: dict[str, bytes]) -> Corpus:
    return read_corpus(write(folder, content), DATASET)


def change(content: dict[str, bytes], name: str, old: str, new: str | bytes, count: int = -1) -> None:
    """Replace text in a file; the change must really change something."""
    before = content[name]
    content[name] = before.replace(old.encode(), new.encode() if isinstance(new, str) else new, count)
    assert content[name] != before


def refused(folder: Path, content: dict[str, bytes], name: str, line: int, *words: str) -> None:
    """Reading must fail at this file and line, with these words."""
    with pytest.raises(FormatError) as caught:
        read(folder, content)
    assert (caught.value.path, caught.value.line) == (name, line), str(caught.value)
    for word in words:
        assert word in str(caught.value)
