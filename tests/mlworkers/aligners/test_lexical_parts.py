"""The parts of the lexical aligner, each by itself: posteriors, numbers of links, the choice of links."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mlworkers.engines.aligners.lexical import fertility, frequencies, posteriors, symmetry
from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats
from mlworkers.engines.words import Words


def grid(rows: int, columns: int) -> CandidateLinks:
    """The candidates of one pair of `rows` by `columns` words, all different."""
    return CandidateLinks.of([(list(range(rows)), list(range(columns)))])


def by_enumeration(emission: Floats, none: Floats, jumps: Floats) -> tuple[Floats, Floats]:
    """The posteriors of `chained`, side 0, for one pair by going through every way to link it."""
    given, words = emission.shape
    links, nowhere = np.zeros(emission.shape), np.zeros(words)
    at = lambda jump: jumps[jump + posteriors.REACH]  # noqa: E731
    # A state is a place and whether the word comes from it or from none.
    for path in itertools.product(itertools.product(range(given), (True, False)), repeat=words):
        likely, before = 1.0, None
        for word, (place, linked) in enumerate(path):
            if linked:
                likely *= (1 - posteriors.NULL_CHAINED) * emission[place, word]
                origin = -1 if before is None else before
                likely *= at(place - origin) / sum(at(other - origin) for other in range(given))
            else:
                stays = 1.0 / given if before is None else float(place == before)
                likely *= posteriors.NULL_CHAINED * none[word] * stays
            before = place
        for word, (place, linked) in enumerate(path):
            if linked:
                links[place, word] += likely
            else:
                nowhere[word] += likely
    total = (links.sum(axis=0) + nowhere)[0]
    return links / total, nowhere / total


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 3), (2, 4), (4, 2)])
def test_chained_posteriors_are_those_of_going_through_every_way(rows: int, columns: int) -> None:
    random = np.random.default_rng(rows * 10 + columns)
    candidates = grid(rows, columns)
    emission, jumps = random.random((rows, columns)), random.random(2 * posteriors.REACH + 1)
    none = random.random(max(rows, columns))
    wanted = by_enumeration(emission, none, jumps / jumps.sum())

    found, counts = posteriors.chained(candidates, posteriors.blocks(candidates), 0, emission.ravel(), none, jumps)
    mirrored, _ = posteriors.chained(
        grid(columns, rows), posteriors.blocks(grid(columns, rows)), 1, emission.T.ravel(), none, jumps
    )

    np.testing.assert_allclose(found.links.reshape(rows, columns), wanted[0])
    np.testing.assert_allclose(found.null, wanted[1])
    np.testing.assert_allclose(mirrored.links.reshape(columns, rows).T, wanted[0])
    assert 0 <= counts.sum() <= columns - 1


def test_posteriors_of_a_pair_do_not_depend_on_the_pairs_beside_it() -> None:
    random = np.random.default_rng(1)
    sentences = [([*range(rows)], [*range(columns)]) for rows, columns in ((3, 4), (2, 1), (0, 3), (9, 7), (3, 3))]
    translation, none = random.random(90), random.random(9)
    jumps = posteriors.first_jumps()
    together = CandidateLinks.of(sentences)
    for side in (0, 1):
        found, _ = posteriors.chained(
            together, posteriors.blocks(together), side, translation[: together.source.size], none, jumps
        )
        start = 0
        for pair, end in zip(sentences, together.ends.tolist(), strict=True):
            alone = CandidateLinks.of([pair])
            expected, _ = posteriors.chained(alone, posteriors.blocks(alone), side, translation[start:end], none, jumps)
            np.testing.assert_allclose(found.links[start:end], expected.links)
            start = end


def test_pairs_too_large_to_chain_go_by_the_diagonal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posteriors, "CHAINED_GRID", 5)
    candidates = CandidateLinks.of([([0, 1, 2], [0, 1, 2]), ([0, 1], [1, 0])])
    translation, none = np.linspace(0.1, 0.9, 13), np.full(3, 0.1)

    found, _ = posteriors.chained(
        candidates, posteriors.blocks(candidates), 0, translation, none, posteriors.first_jumps()
    )

    by_diagonal = posteriors.diagonal(candidates, 0, translation, none)
    np.testing.assert_allclose(found.links[:9], by_diagonal.links[:9])
    assert not np.allclose(found.links[9:], by_diagonal.links[9:])


def test_a_word_that_has_its_link_hardly_takes_another() -> None:
    candidates = grid(2, 2)
    table = fertility.first_ratios(2)
    free, taken = (fertility.factors(candidates, 0, np.array(links), table)[1] for links in ([0.0] * 4, [1.0, 0, 0, 0]))
    assert free > 1 > taken


def test_a_word_that_had_two_links_everywhere_takes_two() -> None:
    # Word 0 of the source has both target words in each of 50 pairs, word 1 none.
    candidates = CandidateLinks.of([([0, 1], [0, 1])] * 50)
    table = fertility.ratios(candidates, 0, np.array([1.0, 1.0, 0.0, 0.0] * 50), 2)
    assert table[0, 1] > 0 > table[0, 2]
    assert table[1, 0] < 0
    assert len(table) == 3


def chosen(values: list[list[float]]) -> set[tuple[int, int]]:
    array = np.array(values)
    candidates = grid(*array.shape)
    found = np.flatnonzero(symmetry.choose(candidates, array.ravel()))
    return {(int(candidates.source[candidate]), int(candidates.target[candidate])) for candidate in found}


def test_likely_links_and_mutual_favourites_are_chosen() -> None:
    assert chosen([[0.9, 0.0], [0.0, 0.3]]) == {(0, 0), (1, 1)}
    assert chosen([[0.9, 0.0], [0.0, 0.1]]) == {(0, 0)}


def test_a_word_without_link_joins_its_best_one_when_that_is_linked_nearby() -> None:
    # wine list: carta de vinos. Only wine is sure; "carta" goes along.
    assert chosen([[0.22, 0.0, 0.9], [0.0, 0.0, 0.0]]) == {(0, 0), (0, 2)}
    far = [[0.22, *[0.0] * symmetry.NEAR, 0.9]]
    assert chosen(far) == {(0, symmetry.NEAR + 1)}


ROOFTOP_TERRACE = [[0.0, 0.0, 0.0, 0.8], [0.9, 0.0, 0.0, 0.0]]


def test_function_words_inside_a_unit_whose_words_change_places_go_with_the_word_after_them() -> None:
    # rooftop terrace: terraza de la azotea.
    assert chosen(ROOFTOP_TERRACE) == {(0, 2), (0, 3), (1, 0)}
    assert symmetry.choose(grid(2, 4), np.array(ROOFTOP_TERRACE).ravel()).tolist() == [0, 0, 0.8, 0.8, 0.9, 0, 0, 0]
    # In the same order they may be two phrases: recommend waiters, recomiendo a los camareros.
    assert chosen(ROOFTOP_TERRACE[::-1]) == {(0, 0), (1, 3)}
    # A word in between: rooftop and terrace.
    assert chosen([ROOFTOP_TERRACE[0], [0.0] * 4, ROOFTOP_TERRACE[1]]) == {(0, 3), (2, 0)}
    # One word needs no link, and too many are no unit.
    assert chosen([[0.0, 0.0, 0.8], [0.9, 0.0, 0.0]]) == {(0, 2), (1, 0)}
    many = [0.0] * (symmetry.INSIDE + 1)
    assert chosen([[0.0, *many, 0.8], [0.9, *many, 0.0]]) == {(0, symmetry.INSIDE + 2), (1, 0)}


def test_words_of_like_frequency_are_alike() -> None:
    words, vocabularies = (Words("en"), Words("es")), (["the", "towel"], ["de", "toalla"])
    places = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    the_de, the_toalla, towel_de, towel_toalla = frequencies.likeness(words, vocabularies, *places).tolist()
    assert min(the_de, towel_toalla) > 0.5 > 0.05 > max(the_toalla, towel_de)
    assert frequencies.likeness((words[0], Words("eu")), vocabularies, *places).tolist() == [0.0] * 4


def test_the_choice_is_the_same_from_both_sides() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        values = random.random((5, 6)) * random.random((5, 6))
        assert chosen(values.tolist()) == {(i, j) for j, i in chosen(values.T.tolist())}


def test_words_of_languages_without_lemmas_are_compared_by_their_first_letters() -> None:
    basque = Words("eu")
    assert basque.stem("Etxearen") == basque.stem("etxeak,") == "etxea"
    assert basque.stem("1984.05") == "1984.05"
    assert basque.stem("ura") == "ura"
    assert Words("es").stem("comieron") == "comer"
