"""Small checkpoints made on the spot: trained tokenizers, random weights, written by save_pretrained."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

NEEDS_EXTRA = "needs the extra transformers: make test EXTRAS=transformers"

TEXT = [
    "La ola de despidos golpea a las familias del país , que no saben cómo salir del pozo .",
    "The wave of layoffs hits families across the country , who cannot see a way out of the pit .",
    "Los precios se disparan y la inflación devora los ahorros de 2020 : nadie lo vio venir .",
    "Prices are shooting up and inflation eats the savings of 2020 : nobody saw it coming .",
    "Querían atacar la raíz del problema , pero la raíz era muy honda .",
    "They wanted to attack the root of the problem , but the root was very deep .",
]

# The kinds of checkpoint that are made here: which model, and which tokenizer goes with it.
KINDS = ("bert", "xlm-roberta", "roberta", "deberta-v2")

HITZ_MAP = "LABEL_0=B-METAPHOR,LABEL_1=I-METAPHOR,LABEL_2=O"
OWN_NAMES = {0: "O", 1: "B-METAPHOR", 2: "I-METAPHOR"}

_ANGLED = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
_SQUARE = ("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]")


def make_tokenizer(kind: str, text: Sequence[str] = TEXT, subwords: int = 150) -> Any:
    """A tokenizer of `kind` (one of KINDS), trained on `text`, with about so many `subwords`."""
    transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    if kind == "bert":
        return transformers.BertTokenizer(vocab=_word_subwords(tuple(text), subwords), do_lower_case=False)
    if kind == "roberta":
        model = _byte_pairs(tuple(text), 200 + subwords)
        merges = [tuple(pair) for pair in model["merges"]]
        return transformers.RobertaTokenizer(vocab=model["vocab"], merges=merges)
    if kind == "xlm-roberta":
        return transformers.XLMRobertaTokenizer(vocab=_unigrams(tuple(text), subwords, _ANGLED, "<unk>"))
    return transformers.DebertaV2Tokenizer(vocab=_unigrams(tuple(text), subwords, _SQUARE, "[UNK]"))


def make_checkpoint(
    folder: Path,
    kind: str = "bert",
    *,
    names: dict[int, str] | None = None,
    positions: int = 128,
    head: str = "TokenClassification",
    seed: int = 0,
    tokenizer: Any = None,
    **sizes: float,
) -> Path:
    """Write a checkpoint of `kind` with random weights into `folder`, and return it.

    `names` are its labels (default: LABEL_0 to LABEL_2); `positions` the window; `head` the class of model;
    `tokenizer` one from `make_tokenizer` (default: trained on TEXT); `sizes` go into the configuration.
    """
    transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    import torch

    tokenizer = tokenizer or make_tokenizer(kind)
    settings: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        # Far enough from zero for probabilities that differ from word to word.
        "initializer_range": 0.3,
        "max_position_embeddings": positions,
    }
    if kind == "deberta-v2":
        settings |= {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False}
        settings |= {"position_buckets": 16, "share_att_key": True, "norm_rel_ebd": "layer_norm", "type_vocab_size": 0}
    elif kind != "bert":
        # Positions of this family begin behind the padding's.
        settings |= {"max_position_embeddings": positions + tokenizer.pad_token_id + 1, "type_vocab_size": 1}
    labels = names or {number: f"LABEL_{number}" for number in range(3)}
    config = transformers.AutoConfig.for_model(kind, id2label=labels, **(settings | sizes))
    torch.manual_seed(seed)
    model = getattr(transformers, f"AutoModelFor{head}").from_config(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# Random weights go with subwords by their place, so that a vocabulary has to be the same in every run: near ties
# between embeddings would otherwise come and go. The trainers of the tokenizers package do not promise that.
@cache
def _word_subwords(text: tuple[str, ...], subwords: int) -> dict[str, int]:
    """Every character, and the beginnings and ends of words that cover most of the text."""
    words = Counter(word for line in text for word in re.findall(r"\w+|[^\w\s]", line))
    letters = sorted({letter for word in words for letter in word})
    found: Counter[str] = Counter()
    for word, count in words.items():
        for cut in range(2, len(word) + 1):
            found[word[:cut]] += count * cut
        for cut in range(1, len(word) - 1):
            found["##" + word[cut:]] += count * (len(word) - cut)
    known = [*_SQUARE, *letters, *(f"##{letter}" for letter in letters)]
    common = sorted(found, key=lambda piece: (-found[piece], piece))[: max(0, subwords - len(known))]
    return {piece: number for number, piece in enumerate([*known, *common])}


@cache
def _unigrams(text: tuple[str, ...], subwords: int, special: tuple[str, ...], unknown: str) -> list[tuple[str, float]]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=subwords, special_tokens=list(special), unk_token=unknown, show_progress=False
    )
    tokenizer.train_from_iterator(text, trainer)
    found = [tuple(one) for one in json.loads(tokenizer.to_str())["model"]["vocab"]]
    learned = [(subword, round(score, 3)) for subword, score in found[len(special) :]]
    return found[: len(special)] + sorted(learned, key=lambda one: (-one[1], one[0]))


@cache
def _byte_pairs(text: tuple[str, ...], subwords: int) -> dict[str, Any]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=subwords,
        special_tokens=list(_ANGLED),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(text, trainer)
    model: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return model
