"""Nouns whose plural the dictionary takes for a form of a rare verb."""

from __future__ import annotations

import pytest

from annotator.domain.text.lemmas import lemma_of


@pytest.mark.parametrize(
    ("word", "lemma"),
    [("thieves", "thief"), ("Housewives", "housewife"), ("loaves", "loaf"), ("werewolves", "werewolf")],
)
def test_their_lemma_is_the_noun(word: str, lemma: str) -> None:
    assert lemma_of(word, "en") == lemma


@pytest.mark.parametrize(("word", "lemma"), [("sleeves", "sleeve"), ("olives", "olive"), ("gives", "give")])
def test_others_in_ves_stay_as_they_were(word: str, lemma: str) -> None:
    assert lemma_of(word, "en") == lemma
