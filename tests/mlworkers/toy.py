"""Something small to learn: drawn words, three of which are always labelled, and encoders that know them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from annotator.formats.text.tagged import TaggedSentence
from tests.mlworkers.checkpoints import NEEDS_EXTRA, make_checkpoint, make_tokenizer

LABELLED = ("golpea", "devora", "zumban")
PLAIN = ("ola", "pozo", "raíz", "precios", "familias", "país", "la", "de", "que", "no")
SQUARE = ("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]")


def corpus(count: int, seed: int, tag: str = "B-METAPHOR") -> list[TaggedSentence]:
    """Sentences of drawn words, of which three kinds are always labelled."""
    draw = random.Random(seed)
    sentences = []
    for _ in range(count):
        tokens = tuple(draw.choice(LABELLED if draw.random() < 0.25 else PLAIN) for _ in range(draw.randint(4, 9)))
        sentences.append(TaggedSentence(tokens, tuple(tag if token in LABELLED else "O" for token in tokens)))
    return sentences


TRAIN, DEV = corpus(60, 1), corpus(30, 2)


def make_encoder(folder: Path, kind: str = "bert") -> Path:
    """An encoder as it is pretrained, without a head that classifies tokens, but of random weights."""
    return make_checkpoint(folder, kind, head="MaskedLM", tokenizer=_tokenizer(kind), initializer_range=0.02)


def _tokenizer(kind: str) -> Any:
    """One that has every word but zumban as a subword, and letters for all others."""
    transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    words = (*PLAIN, *LABELLED[:2])
    letters = sorted({letter for word in (*PLAIN, *LABELLED) for letter in word})
    if kind == "roberta":
        return make_tokenizer(kind, [" ".join(words)] * 20)
    if kind == "bert":
        subwords = [*SQUARE, *words, *letters, *(f"##{letter}" for letter in letters)]
        vocabulary = {subword: number for number, subword in enumerate(dict.fromkeys(subwords))}
        return transformers.BertTokenizer(vocab=vocabulary, do_lower_case=False)
    special = SQUARE if kind == "deberta-v2" else ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    scored = [*((subword, 0.0) for subword in special), *((f"▁{word}", -1.0) for word in words), ("▁", -5.0)]
    scored += [(letter, -5.0) for letter in letters]
    made = transformers.DebertaV2Tokenizer if kind == "deberta-v2" else transformers.XLMRobertaTokenizer
    return made(vocab=scored)
