"""The aligner `simalign`: similarity of contextual embeddings, with the links of the `simalign` package.

Jalili Sabet et al., "SimAlign: High Quality Word Alignments Without Parallel Training Data Using Static and
Contextualized Embeddings" (2020). Every distinct sentence is embedded once, in batches of similar length; pairs are
compared and matched in batches, too. A link's score is the similarity of what it links: the cosine mapped to 0 to 1.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import torch
from torch import Tensor

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from mlworkers.engines.aligners.simalign.embeddings import Encoder, load_encoder
from mlworkers.engines.aligners.simalign.similarity_matching import METHODS, distort, hide_padding, match, similarity
from mlworkers.engines.base import EngineError, Link, SentencePair
from mlworkers.engines.subwords import WINDOWED, WITHOUT_SUBWORDS
from mlworkers.engines.torch_runtime import Batches, choose_device

TOKEN_TYPES = ("bpe", "word")

# Subwords whose embeddings are kept at a time, and numbers in one batch of comparisons, without and with a GPU.
_KEPT = {False: 65_536, True: 1_048_576}
_NUMBERS = {False: 4_194_304, True: 268_435_456}

Ints = np.ndarray[Any, np.dtype[np.int64]]
Sentence = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a text like `simalign:MODEL@REVISION?method=inter&layer=8&token_type=word&distortion=0.5` says."""

    model: str = "bert-base-multilingual-cased"
    revision: str | None = None
    method: str = "itermax"
    layer: int = 8
    token_type: str = "bpe"  # noqa: S105
    distortion: float = 0.0

    @classmethod
    def read(cls, spec: str) -> "Settings":
        """Read the text; what it leaves out is as above. Raises EngineError for what is not known."""
        head, _mark, query = spec.partition("?")
        model, revision = head.partition(":")[2], ""
        if not Path(model).is_dir():
            model, at, revision = model.partition("@")
            if at and not revision:
                raise EngineError(_("“%(spec)s” has no revision after the @. Add one, or remove the @."), spec=spec)
        values = dict(parse_qsl(query, keep_blank_values=True))
        unknown = set(values) - set(_CHOICES)
        if unknown or (query and not values):
            raise EngineError(
                _(
                    "The simalign aligner does not know “%(unknown)s”. Use %(choices)s after the question "
                    "mark, joined by &."
                ),
                unknown=min(unknown, default=query),
                choices=", ".join(f"{name}=" for name in _CHOICES),
            )
        for name, value in values.items():
            pattern, words = _CHOICES[name]
            if not re.fullmatch(pattern, value):
                raise EngineError(
                    _("The simalign aligner has no %(name)s “%(value)s”. It must be %(words)s."),
                    name=name,
                    value=value,
                    words=words,
                )
        given: dict[str, Any] = {name: _KINDS.get(name, str)(value) for name, value in values.items()}
        if model:
            given["model"] = model
        return cls(revision=revision or None, **given)


# What may be chosen: a pattern, and words for it.
_CHOICES = {
    "method": ("|".join(METHODS), message(_("one of: %(choices)s"), choices=", ".join(METHODS))),
    "layer": (r"[0-9]{1,3}", message(_("a whole number such as 8"))),
    "token_type": ("|".join(TOKEN_TYPES), message(_("one of: %(choices)s"), choices=", ".join(TOKEN_TYPES))),
    "distortion": (r"0(\.[0-9]+)?|1(\.0+)?", message(_("a number from 0 to 1, such as 0.5"))),
}
_KINDS = {"layer": int, "distortion": float}


@dataclass(frozen=True, slots=True)
class _Units:
    """What is compared of one sentence, subwords or words: the place of the first embedding, and each one's token."""

    start: int
    tokens: Ints


class SimAligner:
    """Links by the embeddings of one model; `Settings` says what can be chosen."""

    name = "simalign"

    def __init__(self, encoder: Encoder, settings: Settings) -> None:
        self.settings = settings
        self._met: dict[str, int] = {}
        self._encoder = encoder
        self._batches = Batches(
            encoder.device, _NUMBERS[encoder.device.is_gpu], unit=message(_("numbers that compare two sentences"))
        )
        checkpoint = encoder.checkpoint
        distortion = f" distortion={settings.distortion:g}" if settings.distortion else ""
        self.revision = (
            f"{checkpoint.name.rpartition('/')[2][:36]}@{checkpoint.revision[:12]} layer={settings.layer} "
            f"{settings.method} {settings.token_type}{distortion}"
        )

    @classmethod
    def load(cls, spec: str) -> "SimAligner":
        """The aligner that `spec` describes (see `Settings`).

        Raises EngineError when something in it is not known, there is no such model, or the hub does not answer.
        """
        settings = Settings.read(spec)
        return cls(load_encoder(settings.model, settings.revision, settings.layer, choose_device()), settings)

    def align(self, pairs: Sequence[SentencePair]) -> list[list[Link]]:
        """Link the tokens of sentence pairs; see `Aligner.align`.

        Tokens that the tokenizer turns into nothing have no links; `notes` counts them, and the sentences that do
        not fit into the model's window.
        """
        with torch.inference_mode():
            return self._align([(tuple(left), tuple(right)) for left, right in pairs])

    def notes(self) -> dict[str, int]:
        """What the last `align` met; see `Noting.notes`."""
        return self._met

    def _align(self, given: Sequence[tuple[Sentence, Sentence]]) -> list[list[Link]]:
        ids = self._subwords(given)
        links: list[list[Link]] = [[] for _pair in given]
        for block in _blocks(given, ids, _KEPT[self._encoder.device.is_gpu]):
            units, embeddings = self._embed({side for number in block for side in given[number]}, ids)
            sides = {number: (units[given[number][0]], units[given[number][1]]) for number in block}
            for number, link in self._links(sides, embeddings):
                links[number].append(link)
        return links

    def _subwords(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> dict[str, list[int]]:
        """The subwords of every distinct token; notes what there is to note."""
        words = list({word for pair in pairs for side in pair for word in side})
        ids = dict(zip(words, self._encoder.subwords(words), strict=True))
        empty = {word for word, found in ids.items() if not found}
        sides = [side for pair in pairs for side in pair]
        met = {
            WITHOUT_SUBWORDS: sum(word in empty for side in sides for word in side) if empty else 0,
            WINDOWED: sum(sum(len(ids[word]) for word in side) > self._encoder.room for side in sides),
        }
        self._met = {note: count for note, count in met.items() if count}
        return ids

    def _embed(self, sentences: set[Sentence], ids: dict[str, list[int]]) -> tuple[dict[Sentence, _Units], Tensor]:
        """The units of each sentence, and the embeddings of all of them, of length 1."""
        ordered = list(sentences)
        subwords = [[ids[word] for word in sentence] for sentence in ordered]
        embeddings = self._encoder.embed([[one for word in sentence for one in word] for sentence in subwords])
        tokens = [np.repeat(np.arange(len(sentence)), [len(word) for word in sentence]) for sentence in subwords]
        if self.settings.token_type == "word":  # noqa: S105
            embeddings, tokens = _averaged(embeddings, tokens)
        ends = np.cumsum([one.size for one in tokens])
        units = {
            sentence: _Units(int(end) - one.size, one) for sentence, one, end in zip(ordered, tokens, ends, strict=True)
        }
        return units, torch.nn.functional.normalize(embeddings, dim=1, eps=1e-30)

    def _links(self, sides: dict[int, tuple[_Units, _Units]], embeddings: Tensor) -> Iterator[tuple[int, Link]]:
        """The links of the pairs in `sides`, by pair, source and target."""
        numbers = [number for number, pair in sides.items() if all(units.tokens.size for units in pair)]
        longest = [max(units.tokens.size for units in sides[number]) for number in numbers]
        hidden = embeddings.shape[1]
        found: list[tuple[Ints, Ints, Ints, np.ndarray[Any, np.dtype[np.float32]]]] = []

        def work(batch: list[int]) -> None:
            chosen = [sides[numbers[index]] for index in batch]
            links, scores = self._match(chosen, embeddings)
            pair, left, right = links.cpu().numpy().T
            # From units to tokens.
            source = _flat(chosen, 0)[left + _offsets(chosen, 0)[pair]]
            target = _flat(chosen, 1)[right + _offsets(chosen, 1)[pair]]
            found.append((np.array([numbers[index] for index in batch])[pair], source, target, scores.cpu().numpy()))

        self._batches.run([size * (2 * hidden + size) for size in longest], work)
        if not found:
            return
        pair, source, target, scores = (np.concatenate(column) for column in zip(*found, strict=True))
        # Of the subwords that link the same two tokens the most similar ones give the score.
        order = np.lexsort((-scores, target, source, pair))
        pair, source, target, scores = pair[order], source[order], target[order], scores[order]
        first = np.ones(pair.size, bool)
        first[1:] = (pair[1:] != pair[:-1]) | (source[1:] != source[:-1]) | (target[1:] != target[:-1])
        scores = np.clip(scores, 0.0, 1.0)
        for number, *link in zip(*(column[first].tolist() for column in (pair, source, target, scores)), strict=True):
            yield number, Link(*link)

    def _match(self, pairs: Sequence[tuple[_Units, _Units]], embeddings: Tensor) -> tuple[Tensor, Tensor]:
        """Links as rows of (index into `pairs`, source unit, target unit), and the similarity of each."""
        (left, rows), (right, columns) = (_gathered([pair[side] for pair in pairs], embeddings) for side in (0, 1))
        similarities = similarity(left, right)
        if self.settings.distortion:
            similarities = distort(similarities, rows, columns, self.settings.distortion)
        links = match(hide_padding(similarities, rows, columns), rows, columns, self.settings.method)
        return links, similarities[links[:, 0], links[:, 1], links[:, 2]]


def _blocks(pairs: Sequence[tuple[Sentence, Sentence]], ids: dict[str, list[int]], most: int) -> Iterator[list[int]]:
    """The indices of the pairs, cut so that about `most` subwords of distinct sentences are in each piece."""
    block: list[int] = []
    seen: set[Sentence] = set()
    size = 0
    for number, pair in enumerate(pairs):
        for side in set(pair) - seen:
            seen.add(side)
            size += sum(len(ids[word]) for word in side)
        block.append(number)
        if size >= most:
            yield block
            block, seen, size = [], set(), 0
    if block:
        yield block


def _averaged(embeddings: Tensor, tokens: list[Ints]) -> tuple[Tensor, list[Ints]]:
    """The mean of each token's subwords; tokens without any are left out."""
    kept, counts = [], []
    for one in tokens:
        found, count = np.unique(one, return_counts=True)
        kept.append(found)
        counts.append(count)
    sizes = torch.from_numpy(np.concatenate(counts).astype(np.int64)).to(embeddings.device)
    owner = torch.repeat_interleave(sizes)
    sums = torch.zeros((sizes.numel(), embeddings.shape[1]), device=embeddings.device)
    return sums.index_add_(0, owner, embeddings) / sizes[:, None], kept


def _gathered(units: Sequence[_Units], embeddings: Tensor) -> tuple[Tensor, Tensor]:
    """The embeddings of each sentence, one row of a padded tensor, and how many there are in each."""
    sizes = torch.tensor([one.tokens.size for one in units])
    places = torch.tensor([[one.start] for one in units]) + torch.arange(int(sizes.max()))
    # Padding is taken from anywhere; it is hidden later.
    places = places.clamp_(max=embeddings.shape[0] - 1).to(embeddings.device)
    return embeddings[places], sizes.to(embeddings.device)


def _flat(pairs: Sequence[tuple[_Units, _Units]], side: int) -> Ints:
    return np.concatenate([pair[side].tokens for pair in pairs])


def _offsets(pairs: Sequence[tuple[_Units, _Units]], side: int) -> Ints:
    return np.cumsum([0, *(pair[side].tokens.size for pair in pairs)])[:-1]
