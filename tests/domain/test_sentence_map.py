"""Which sentences are drawn for a map, and where vectors lie in a plane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.plane import SIDE, centred, fitted, principal
from annotator.domain.sentence_map import MAX_POINTS, Drawn, drawn, each, read, stored

UIDS = st.lists(st.text(max_size=8), unique=True, max_size=30)


class TestDrawn:
    @given(UIDS, st.integers(0, 40), st.integers(1, 5))
    def test_as_many_as_there_are_whatever_their_order(self, uids: list[str], count: int, seed: int) -> None:
        all_of_them = [(uid, Drawn(number)) for number, uid in enumerate(uids)]
        found = drawn(all_of_them, count, seed)
        assert len(found) == len(set(found)) == min(count, len(uids))
        assert drawn(all_of_them[::-1], count, seed) == found

    def test_another_seed_draws_others(self) -> None:
        sentences = [(f"set:{number}", Drawn(number)) for number in range(200)]
        assert drawn(sentences, 20, 1) == drawn(sentences, 20, 1) != drawn(sentences, 20, 2)

    def test_translations_are_drawn_together(self) -> None:
        es, en = ([(f"set:{number}", Drawn(2 * number + which)) for number in range(100)] for which in (0, 1))
        assert [one.unit // 2 for one in drawn(es, 10, 1)] == [one.unit // 2 for one in drawn(en, 10, 1)]

    def test_so_are_the_sentences_of_one_text(self) -> None:
        lines = [(f"set:{number}", Drawn(number, line)) for number in range(100) for line in (0, 1)]
        found = drawn(lines, 10, 1)
        assert {line for _unit, line in found} == {0, 1}
        assert len({unit for unit, _line in found}) == 5

    def test_what_is_added_draws_no_other_of_those_there(self) -> None:
        sentences = [(f"set:{number}", Drawn(number)) for number in range(100)]
        more = [*sentences, *((f"more:{number}", Drawn(1000 + number)) for number in range(100))]
        assert {one for one in drawn(more, 20, 1) if one.unit < 1000} <= set(drawn(sentences, 20, 1))

    def test_many_languages_have_fewer_each(self) -> None:
        assert [each(1000, languages) for languages in (0, 1, 6, 12)] == [1000, 1000, 1000, MAX_POINTS // 12]


@given(st.integers(1), st.none() | st.integers(0, 9), st.tuples(st.integers(0, SIDE), st.integers(0, SIDE)))
def test_points_are_read_as_they_were_stored(unit: int, line: int | None, place: tuple[int, int]) -> None:
    assert read(stored(Drawn(unit, line), place)) == ((unit, line), place)


def test_points_of_earlier_maps_are_whole_units() -> None:
    assert read([7, 10, 20]) == (Drawn(7, None), (10, 20))


class TestPrincipal:
    def test_the_longest_axes_of_a_cloud_in_their_order(self) -> None:
        drawn_ones = np.random.default_rng(1).normal(size=(500, 5)) * [1, 9, 0.1, 3, 0.1]
        points = principal((drawn_ones - drawn_ones.mean(0)).astype(np.float32))
        for axis, column in ((0, 1), (1, 3)):
            assert np.corrcoef(points[:, axis], drawn_ones[:, column])[0, 1] == pytest.approx(1, abs=0.01)

    def test_distances_in_a_plane_stay(self) -> None:
        flat = np.zeros((40, 8), np.float32)
        flat[:, 2:4] = np.random.default_rng(2).normal(size=(40, 2))
        flat -= flat.mean(0)
        points = principal(flat)
        assert np.linalg.norm(points[0] - points[1]) == pytest.approx(np.linalg.norm(flat[0] - flat[1]), rel=1e-4)

    def test_always_the_same(self) -> None:
        vectors = np.random.default_rng(3).normal(size=(30, 6)).astype(np.float32)
        vectors -= vectors.mean(0)
        assert np.array_equal(principal(vectors), principal(vectors.copy()))
        # Which of them come first does not turn the map over.
        assert np.allclose(principal(vectors[::-1]), principal(vectors)[::-1], atol=1e-4)


def test_a_group_has_its_own_middle_and_length_does_not_count() -> None:
    vectors = np.array([[3, 0], [0, 4], [5, 0], [0, 0]], np.float32)
    found = centred(vectors, np.array(["es", "es", "en", "en"]))
    assert found.tolist() == [[0.5, -0.5], [-0.5, 0.5], [0.5, 0], [-0.5, 0]]
    assert vectors[0].tolist() == [3, 0]


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=1, max_size=20))
def test_points_lie_in_the_square(points: list[tuple[float, float]]) -> None:
    places = fitted(np.array(points, np.float32))
    assert all(0 <= one <= SIDE for place in places for one in place)


def test_both_axes_have_one_scale_and_one_place_is_in_the_middle() -> None:
    assert fitted(np.array([[0, 0], [4, 2]], np.float32)) == [(0, SIDE // 4), (SIDE, 3 * SIDE // 4)]
    assert fitted(np.array([[7, 7]], np.float32)) == [(SIDE // 2, SIDE // 2)]
