"""Literal uses of the expressions that are metaphors elsewhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.sampling.literal_sampling import Found, Labelled, Sample, Use, marked, sample_literal
from annotator.domain.text.frequencies import zipf_of
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.domain.text.tokens import word_of


def labelled(uid: str, text: str, *expressions: tuple[int, ...], parts: str = "", language: str = "en") -> Labelled:
    tokens = text.split(" ")
    return Labelled(
        uid, tokens, lemmas_of(tokens, language), content_words(tokens, language), expressions, parts.split()
    )


def drawn_from(sentences: Sequence[Labelled], seed: int) -> Sample:
    return sample_literal(sentences, zipf=partial(zipf_of, language="en"), seed=seed)


def literal(sentences: Sequence[Labelled], seed: int = 1) -> dict[Use, tuple[Use | None, Found]]:
    sample = drawn_from(sentences, seed)
    return {one.use: (one.like, one.found) for one in sample.instances if not one.is_metaphor}


FIRE = labelled("a", "Her words fanned the flames.", (4,))


def test_the_same_word_comes_first() -> None:
    same = labelled("b", "The flames, they went out.")
    lemma = labelled("c", "A flame burned here.")
    assert literal([FIRE, lemma, same]) == {Use("b", (1,)): (Use("a", (4,)), Found.WORDS)}
    assert literal([FIRE, lemma]) == {Use("c", (1,)): (Use("a", (4,)), Found.LEMMAS)}


def test_a_part_of_speech_does_where_no_lemma_is_found() -> None:
    fire = labelled("a", "They fanned flames.", (2,), parts="PRON VERB NOUN")
    others = labelled("b", "He sings songs.", parts="PRON VERB NOUN")
    assert literal([fire, others]) == {Use("b", (2,)): (Use("a", (2,)), Found.PARTS_OF_SPEECH)}
    # A class is asked of sentences alone that have no parts of speech.
    assert literal([fire, labelled("c", "He sings songs.")]) == {}


def test_without_parts_of_speech_a_content_word_does_for_one() -> None:
    found = literal([labelled("a", "flames.", (0,)), labelled("b", "of the song.")])
    assert found == {Use("b", (2,)): (Use("a", (0,)), Found.WORD_CLASS)}


def test_of_several_the_one_that_looks_most_like_it_is_taken() -> None:
    metaphor = labelled("a", "They attacked.", (1,))
    others = [
        labelled("b", "He repainted."),  # rarer
        labelled("c", "He selected."),
        labelled("d", "He selects."),
        labelled("e", "He met."),
    ]
    for seed in range(5):
        assert literal([metaphor, *others], seed) == {Use("c", (1,)): (Use("a", (1,)), Found.WORD_CLASS)}
    assert literal([metaphor, *others[2:]]) == {Use("d", (1,)): (Use("a", (1,)), Found.WORD_CLASS)}


def test_each_is_taken_once() -> None:
    metaphors = [labelled("a", "attacked attacked attacked", (0,), (1,), (2,))]
    found = literal([*metaphors, labelled("b", "selected selected dogs")])
    assert set(found) == {Use("b", (0,)), Use("b", (1,)), Use("b", (2,))}


def test_words_that_stand_apart_are_sought_with_the_same_distance() -> None:
    away = labelled("a", "Take it away now.", (0, 2))
    assert literal([away, labelled("b", "Take the dog away now.")], 3).get(Use("b", (0, 3))) is None
    assert literal([away, labelled("b", "I take them away.")]) == {Use("b", (1, 3)): (Use("a", (0, 2)), Found.WORDS)}


def test_what_is_labelled_is_no_literal_use_and_no_metaphor_goes_missing() -> None:
    other = labelled("b", "Old flames burn.", (1,))
    sample = drawn_from([FIRE, other], 1)
    assert {one.use for one in sample.instances if one.is_metaphor} == {Use("a", (4,)), Use("b", (1,))}
    assert Use("a", (4,)) not in literal([FIRE, other])
    assert Use("b", (1,)) not in literal([FIRE, other])


def test_what_has_no_literal_use_is_named() -> None:
    sample = drawn_from([labelled("a", "Flames!", (0,))], 1)
    assert (sample.alone, sample.counts) == ((Use("a", (0,)),), {"labelled": 1})


def test_the_same_text_comes_once() -> None:
    twin = labelled("b", "Her words fanned the flames.", (4,))
    calm = [labelled(uid, "The flames.") for uid in "cd"]
    sample = drawn_from([FIRE, twin, *calm], 1)
    assert sample.repeated == 1
    assert [one.use.uid for one in sample.instances if one.is_metaphor] == ["a"]
    # Two metaphors on one text, and that text without them twice: one literal use.
    second = labelled("e", "Old flames.", (1,))
    assert len([use for use in literal([FIRE, second, *calm]) if use.uid in "cd" and use.tokens == (1,)]) == 1


@pytest.mark.parametrize(
    ("tokens", "spaces", "expression", "text"),
    [
        (["Take", "it", "away", "now."], (), (0, 2), "<PME>Take</PME> it <PME>away</PME> now."),
        (["in", "full", "swing"], (), (1, 2), "in <PME>full swing</PME>"),
        (["时间", "飞逝", "。"], ("", "", "", "\n"), (1,), "时间<PME>飞逝</PME>。\n"),
        (["so", "😀é"], (" ", "\t", ""), (1,), " so\t<PME>😀é</PME>"),
    ],
)
def test_marks_stand_around_each_part(
    tokens: list[str], spaces: tuple[str, ...], expression: tuple[int, ...], text: str
) -> None:
    sentence = Labelled("a", tokens, tokens, [True] * len(tokens), [expression], spaces=spaces)
    assert marked(sentence, expression) == text


def test_what_is_labelled_as_literal_comes_first_and_is_in_the_sample_in_any_case() -> None:
    drawn = labelled("b", "The flames, they went out.")
    said = replace(labelled("c", "Flames ate the barn slowly."), literal=[(0,), (3,)])
    sample = drawn_from([FIRE, drawn, said], 1)
    assert [(one.use, one.is_metaphor, one.found, one.like) for one in sample.instances] == [
        (Use("a", (4,)), True, Found.LABELLED, None),
        (Use("c", (0,)), False, Found.LABELLED, Use("a", (4,))),
        (Use("c", (3,)), False, Found.LABELLED, None),
    ]
    # The other metaphor of the word has what nobody labelled.
    second = labelled("d", "Flames of love.", (0,))
    assert literal([FIRE, second, drawn, said])[Use("b", (1,))][1] == Found.WORDS


def test_a_labelled_literal_use_is_never_drawn_for_a_metaphor_and_never_twice() -> None:
    house = labelled("a", "A house of cards.", (3,))
    both = replace(labelled("b", "Two cards.", (1,)), literal=[(1,)])
    again = replace(labelled("c", "My cards."), literal=[(1,)])
    sample = drawn_from([house, both, again], 1)
    assert sample.repeated == 1
    said = [one.use for one in sample.instances if not one.is_metaphor and one.found == Found.LABELLED]
    assert said == [Use("c", (1,))]


WORDS = ("fire", "fires", "burns", "the", "of", "cold", "...")


@st.composite
def corpora(draw: st.DrawFn) -> list[Labelled]:
    made = []
    for number in range(draw(st.integers(1, 8))):
        text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)))
        tokens = range(len(text.split(" ")))
        spans = draw(st.lists(st.sets(st.sampled_from(tokens), min_size=1, max_size=2), max_size=2))
        expressions = []
        for span in spans:
            if not any(token in taken for taken in expressions for token in span):
                expressions.append(tuple(sorted(span)))
        made.append(labelled(f"s{number}", text, *expressions))
    return made


@given(corpora(), st.integers(1, 5), st.integers(0, 9))
def test_what_always_holds(sentences: list[Labelled], seed: int, order: int) -> None:
    sample = drawn_from(sentences, seed)
    by_uid = {sentence.uid: sentence for sentence in sentences}
    metaphors = [one for one in sample.instances if one.is_metaphor]
    literals = [one for one in sample.instances if not one.is_metaphor]
    # Every metaphor is there or repeats one that is, with at most one literal use.
    assert len(metaphors) + sample.repeated == sum(len(set(sentence.expressions)) for sentence in sentences)
    assert len(literals) + len(sample.alone) == len(metaphors)
    assert len({one.like for one in literals}) == len(literals)
    # No token of a literal use is labelled, or in another one.
    places = [(one.use.uid, token) for one in literals for token in one.use.tokens]
    assert len(set(places)) == len(places)
    marked_as = {(s.uid, token) for s in sentences for tokens in s.expressions for token in tokens}
    assert marked_as.isdisjoint(places)
    texts = [(tuple(by_uid[one.use.uid].tokens), one.use.tokens) for one in sample.instances]
    assert len(set(texts)) == len(texts)
    # Each was found as it says.
    for one in literals:
        assert one.like is not None
        own, other = by_uid[one.use.uid], by_uid[one.like.uid]
        words = [word_of(own.tokens[token]) for token in one.use.tokens]
        sought = [word_of(other.tokens[token]) for token in one.like.tokens]
        assert (words == sought) == (one.found == Found.WORDS)
        if one.found == Found.LEMMAS:
            assert [own.lemmas[token] for token in one.use.tokens] == [other.lemmas[t] for t in one.like.tokens]
    # The order in which sentences come changes nothing.
    random.Random(order).shuffle(sentences)
    assert drawn_from(sentences, seed) == sample
