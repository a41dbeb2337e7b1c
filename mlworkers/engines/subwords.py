"""The subwords that a checkpoint's tokenizer makes of words, in sequences that its model takes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError, Tokens
from mlworkers.engines.checkpoints import Checkpoint
from mlworkers.engines.windows import windows
from mlworkers.engines.words import clean

# Byte-level tokenizers that know a word's beginning by the space before it, which words given one by one lack.
NEED_PREFIX_SPACE = ("bloom", "deberta", "gpt2", "roberta")

# What can be met in texts; the notes' keys.
WITHOUT_SUBWORDS = "tokens that the tokenizer made nothing of"
CUT_WORDS = "tokens cut, longer than half the model's window"
WINDOWED = "sentences longer than the model's window"


@dataclass(frozen=True, slots=True)
class Input:
    """A sequence of subwords, and which of them (indices) are the first and the last of which `words`."""

    ids: list[int]
    firsts: list[int]
    lasts: list[int]
    words: list[int]


def load_tokenizer(transformers: Any, checkpoint: Checkpoint, config: Any) -> Any:
    """The tokenizer of a checkpoint, for sentences that are split into words.

    Raises EngineError for one that cannot say which word a subword belongs to.
    """
    more = {"add_prefix_space": True} if config.model_type in NEED_PREFIX_SPACE else {}
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint.folder, **more)
    if not tokenizer.is_fast:
        raise EngineError(
            _(
                "The tokenizer of %(checkpoint)s cannot say which word a subword belongs to. Give a checkpoint with a "
                "tokenizer.json."
            ),
            checkpoint=checkpoint.name,
        )
    return tokenizer


def window(tokenizer: Any, model: Any) -> int:
    """How many subwords, with those that frame a sentence, the model takes at most."""
    sizes = [int(tokenizer.model_max_length)]
    positions = getattr(model.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        # Models of the RoBERTa family count positions from the one after padding's.
        reserved = [
            module.padding_idx + 1
            for name, module in model.base_model.named_modules()
            if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None
        ]
        sizes.append(positions - max(reserved, default=0))
    return min(sizes)


class Cutter:
    """Makes inputs of at most `size` subwords, those that frame a sentence included.

    Sentences that are longer go through overlapping windows that begin and end between words; every word's first
    subword is named in exactly one of them. `name` is the checkpoint's, for messages.
    """

    def __init__(self, tokenizer: Any, *, size: int, name: str) -> None:
        self.tokenizer = tokenizer
        self._prefix, self._suffix = _frame(tokenizer, name)
        self.room = size - len(self._prefix) - len(self._suffix)

    def inputs(self, texts: Sequence[Tokens], starts: Sequence[int], met: Counter[str]) -> Iterator[Input]:
        """The inputs for `texts`; the words of each are numbered from its number in `starts`; counts go into `met`."""
        full = [index for index, tokens in enumerate(texts) if tokens]
        if not full:
            return
        encoded = self.tokenizer(
            [[clean(token) for token in texts[index]] for index in full],
            is_split_into_words=True,
            truncation=False,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        for row, index in enumerate(full):
            ids = encoded["input_ids"][row]
            words, firsts = _first_subwords(encoded.encodings[row].word_ids)
            subwords: list[Sequence[int]] = [()] * len(texts[index])
            for word, first, end in zip(words, firsts, [*firsts[1:], len(ids) - len(self._suffix)], strict=False):
                subwords[word] = ids[first:end]
            yield from inputs(
                subwords, self._prefix, self._suffix, room=self.room, met=met, number_from=int(starts[index])
            )


def inputs(
    subwords: Sequence[Sequence[int]],
    prefix: Sequence[int],
    suffix: Sequence[int],
    *,
    room: int,
    met: Counter[str],
    number_from: int = 0,
) -> Iterator[Input]:
    """The inputs for a sentence, given the subwords of each word; none when no word has one.

    Every word's first subword is in exactly one of them. A sentence with more than `room` subwords goes through
    overlapping windows, which begin and end between words; a word longer than half a window is cut to that. Both are
    counted in `met`, and words without a subword. Words are numbered from `number_from`.
    """
    whole = [(number, ids) for number, ids in enumerate(subwords, start=number_from) if ids]
    if len(whole) < len(subwords):
        met[WITHOUT_SUBWORDS] += len(subwords) - len(whole)
    if sum(len(ids) for _number, ids in whole) > room:
        met[WINDOWED] += 1
        # Room for context on its side, even if one word alone would fill a window.
        most = max(1, room // 2)
        met.update({CUT_WORDS: longer} if (longer := sum(len(ids) > most for _number, ids in whole)) else {})
        whole = [(number, ids[:most]) for number, ids in whole]
    for part in windows([len(ids) for _number, ids in whole], room) if whole else ():
        row, at = list(prefix), {}
        for index in range(part.first, part.last):
            at[index] = len(row)
            row += whole[index][1]
        yield Input(
            [*row, *suffix],
            [at[index] for index in part.keep],
            [at[index] + len(whole[index][1]) - 1 for index in part.keep],
            [whole[index][0] for index in part.keep],
        )


def _frame(tokenizer: Any, name: str) -> tuple[list[int], list[int]]:
    """The subwords that the tokenizer puts before and after every sentence."""
    encoded = tokenizer(["a"], is_split_into_words=True)
    ids, words = list(encoded["input_ids"]), encoded.word_ids()
    inside = [index for index, word in enumerate(words) if word is not None]
    if not inside:
        raise EngineError(_("The tokenizer of %(name)s finds no subword in “a”. It may be damaged."), name=name)
    return ids[: inside[0]], ids[inside[-1] + 1 :]


def _first_subwords(word_ids: Sequence[int | None]) -> tuple[list[int], list[int]]:
    """The words that have subwords, and where the first of each is."""
    words: list[int] = []
    subwords: list[int] = []
    before: int | None = None
    for subword, word in enumerate(word_ids):
        if word is not None and word != before:
            words.append(word)
            subwords.append(subword)
            before = word
    return words, subwords
