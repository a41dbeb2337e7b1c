"""Literal uses to set beside metaphors, for the question "is this expression metaphorical here?".

Where every other word is taken for literal, a classifier answers from the expression alone, since most words are never
metaphors. So literal uses are taken from expressions that are metaphors elsewhere: the same words, else the same
lemmas, else words of the same class (Boisson, Espinosa-Anke and Camacho-Collados, "Construction Artifacts in Metaphor
Identification Datasets", EMNLP 2023, section 2.4). Of several, the one is taken whose words look most like the
metaphor's, so that frequency, length and ending do not give away which is which either. Uses that people labelled as
literal are all in the sample.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from annotator.domain.sampling.looks import Look, Looks
from annotator.domain.text.tokens import word_of

OPENS, CLOSES = "<PME>", "</PME>"


class Found(StrEnum):
    """How an instance came into a sample."""

    LABELLED = "labelled"
    WORDS = "same-words"
    LEMMAS = "same-lemmas"
    PARTS_OF_SPEECH = "same-parts-of-speech"
    # Where parts of speech are not known: content words for content words, function words for function words.
    WORD_CLASS = "same-word-class"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence in which every token is decided.

    `expressions`: the tokens of each metaphor, ascending; `literal`: those of each use that is labelled as literal.
    `lemmas` and `content` have an entry a token, `parts_of_speech` either that or none.
    """

    uid: str
    tokens: Sequence[str]
    lemmas: Sequence[str]
    content: Sequence[bool]
    expressions: Sequence[tuple[int, ...]]
    parts_of_speech: Sequence[str] = ()
    spaces: Sequence[str] = ()
    literal: Sequence[tuple[int, ...]] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """An expression in a sentence: the sentence's uid, and its tokens, ascending."""

    uid: str
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A use with its label. `like`: of a literal one, the metaphor that it stands beside.

    A use that was labelled as literal has none where no metaphor has its words or lemmas.
    """

    use: Use
    is_metaphor: bool
    found: Found
    like: Use | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """Every metaphor, at most one literal use for each, and all that is labelled as literal, in the order of sentences.

    `repeated`: labelled uses left out, since another sentence has the same text and the same expression. `alone`:
    metaphors for which no literal use was found.
    """

    instances: tuple[Instance, ...]
    repeated: int
    alone: tuple[Use, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many instances were found in which way."""
        found = Counter(instance.found for instance in self.instances)
        return {str(way): found[way] for way in Found if found[way]}


# An expression's shape, and what makes another one like it: distances between tokens, and a value for each token.
_Key = tuple[tuple[int, ...], tuple[str, ...]]
_Values = Callable[[Labelled], Sequence[str]]
# What makes two uses the same row: the tokens of the sentence, and which of them are the expression.
_Text = tuple[tuple[str, ...], tuple[int, ...]]


def sample_literal(sentences: Iterable[Labelled], *, zipf: Callable[[str], float], seed: int) -> Sample:
    """The metaphors of the sentences, with a literal use for each where there is one, and all labelled literal uses.

    `zipf`: how frequent a word is in the language, on the Zipf scale.

    A metaphor has a use beside it that is labelled as literal, of the same words, else of the same lemmas, where there
    is one. The others look for the same words in what nobody labelled, then those that are left for the same lemmas,
    then for the same parts of speech, and each takes the one that looks most like it (`Looks`); chance decides between
    equal ones. No token is in two uses that were found so, none in one of them that is
    labelled, and no text comes twice with the same expression. The same sentences, in any order, and the same seed
    give the same sample.
    """
    ordered = sorted(sentences, key=lambda sentence: sentence.uid)
    by_uid = {sentence.uid: sentence for sentence in ordered}
    taken = {
        (sentence.uid, token)
        for sentence in ordered
        for tokens in (*sentence.expressions, *sentence.literal)
        for token in tokens
    }
    texts: set[_Text] = set()
    metaphors, repeated = _labelled(ordered, lambda sentence: sentence.expressions, texts)
    literals, repeated_literals = _labelled(ordered, lambda sentence: sentence.literal, texts)
    chance = random.Random(seed)  # noqa: S311  # a sample that can be drawn again, not a secret
    waiting = list(metaphors)
    chance.shuffle(waiting)
    instances = [Instance(use, True, Found.LABELLED) for use in metaphors]
    beside = _beside(waiting, literals, by_uid)
    instances += [Instance(use, False, Found.LABELLED, beside.get(use)) for use in literals]
    having = set(beside.values())
    waiting = [use for use in waiting if use not in having]
    for way, values in _WAYS.items():
        index = _Index(ordered, values, zipf)
        left = []
        for use in waiting:
            # What does not do for this one does for none: it is not offered again.
            for literal in index.candidates(by_uid[use.uid], use.tokens, chance):
                places = {(literal.uid, token) for token in literal.tokens}
                text = _text(by_uid[literal.uid], literal.tokens)
                if taken.isdisjoint(places) and text not in texts:
                    taken |= places
                    texts.add(text)
                    instances.append(Instance(literal, False, way, use))
                    break
            else:
                left.append(use)
        waiting = left
    return Sample(
        tuple(sorted(instances, key=lambda one: (one.use.uid, one.use.tokens))),
        repeated + repeated_literals,
        tuple(sorted(waiting, key=lambda use: (use.uid, use.tokens))),
    )


def marked(sentence: Labelled, tokens: Sequence[int]) -> str:
    """The sentence's text with the expression between `<PME>` and `</PME>`; around each part where it is not whole."""
    inside = set(tokens)
    words = []
    for index, token in enumerate(sentence.tokens):
        opens = OPENS if index in inside and index - 1 not in inside else ""
        closes = CLOSES if index in inside and index + 1 not in inside else ""
        before = sentence.spaces[index] if sentence.spaces else " " if index else ""
        # White space within an expression stays between its marks.
        words.append(f"{before}{opens}{token}{closes}")
    return "".join(words) + (sentence.spaces[-1] if sentence.spaces else "")


def _labelled(
    sentences: Sequence[Labelled], of: Callable[[Labelled], Sequence[tuple[int, ...]]], seen: set[_Text]
) -> tuple[list[Use], int]:
    """The labelled uses, each text and expression once and none that is in `seen`, and how many were left out."""
    uses = []
    repeated = 0
    for sentence in sentences:
        for tokens in sorted(set(of(sentence))):
            text = _text(sentence, tokens)
            if text in seen:
                repeated += 1
            else:
                seen.add(text)
                uses.append(Use(sentence.uid, tokens))
    return uses, repeated


def _beside(metaphors: Sequence[Use], literals: Sequence[Use], by_uid: Mapping[str, Labelled]) -> dict[Use, Use]:
    """Of labelled literal uses, the metaphor of the same words, else of the same lemmas; each metaphor once.

    Distances between words make no difference: that both are one expression was decided by people.
    """
    found: dict[Use, Use] = {}
    for values in (_words, _lemmas):
        having = set(found.values())
        free = defaultdict(list)
        for use in metaphors:
            if use not in having:
                free[_values_of(use, by_uid, values)].append(use)
        for use in literals:
            if use not in found and (like := free[_values_of(use, by_uid, values)]):
                found[use] = like.pop()
    return found


def _values_of(use: Use, by_uid: Mapping[str, Labelled], values: _Values) -> tuple[str, ...]:
    of_sentence = values(by_uid[use.uid])
    return tuple(of_sentence[token] for token in use.tokens)


def _text(sentence: Labelled, tokens: tuple[int, ...]) -> _Text:
    return tuple(sentence.tokens), tokens


def _words(sentence: Labelled) -> Sequence[str]:
    return list(map(word_of, sentence.tokens))


def _lemmas(sentence: Labelled) -> Sequence[str]:
    # Punctuation has a lemma, too, and is not an expression.
    return [lemma if word_of(token) else "" for token, lemma in zip(sentence.tokens, sentence.lemmas, strict=True)]


def _parts_of_speech(sentence: Labelled) -> Sequence[str]:
    return sentence.parts_of_speech


def _word_class(sentence: Labelled) -> Sequence[str]:
    """Of sentences without parts of speech alone: where they are known, they have been asked."""
    if sentence.parts_of_speech:
        return ()
    return [
        ("content" if is_content else "function") if word_of(token) else ""
        for token, is_content in zip(sentence.tokens, sentence.content, strict=True)
    ]


_WAYS: Mapping[Found, _Values] = {
    Found.WORDS: _words,
    Found.LEMMAS: _lemmas,
    Found.PARTS_OF_SPEECH: _parts_of_speech,
    Found.WORD_CLASS: _word_class,
}


class _Index:
    """Where expressions are that have given values; tokens without one are in no expression."""

    def __init__(self, sentences: Sequence[Labelled], values: _Values, zipf: Callable[[str], float]) -> None:
        self._values = {sentence.uid: values(sentence) for sentence in sentences}
        self._words = {sentence.uid: sentence.tokens for sentence in sentences}
        self._zipf = zipf
        self._first: defaultdict[str, list[Use]] = defaultdict(list)
        for uid, of_sentence in self._values.items():
            for index, value in enumerate(of_sentence):
                self._first[value].append(Use(uid, (index,)))
        self._candidates: dict[_Key, Looks[Use]] = {}

    def candidates(self, sentence: Labelled, tokens: tuple[int, ...], chance: random.Random) -> Iterator[Use]:
        """The uses of such an expression in all sentences, its own among them, those that look most like it first.

        Each is offered once, whatever expression asks for such.
        """
        own = self._values[sentence.uid]
        if not own or not all(own[token] for token in tokens):
            return iter(())
        steps = tuple(after - before for before, after in pairwise(tokens))
        key = (steps, tuple(own[token] for token in tokens))
        if key not in self._candidates:
            found = [use for first in self._first[key[1][0]] if (use := self._whole(first, key))]
            chance.shuffle(found)
            self._candidates[key] = Looks((self._look(use), use) for use in found)
        return self._candidates[key].taken_like(self._look(Use(sentence.uid, tokens)))

    def _look(self, use: Use) -> Look:
        words = [word_of(self._words[use.uid][token]) for token in use.tokens]
        return Look(" ".join(words), min(map(self._zipf, words)))

    def _whole(self, first: Use, key: _Key) -> Use | None:
        steps, values = key
        of_sentence = self._values[first.uid]
        places = list(first.tokens)
        for step, value in zip(steps, values[1:], strict=True):
            places.append(places[-1] + step)
            if places[-1] >= len(of_sentence) or of_sentence[places[-1]] != value:
                return None
        return Use(first.uid, tuple(places))
