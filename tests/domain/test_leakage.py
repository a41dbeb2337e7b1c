"""What parts have in common, against a comparison of everything with everything."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.splits import leakage
from annotator.domain.splits.items import NO_PART, number_of
from annotator.domain.splits.leakage import NEAR, Texts, common_names, same_translations
from annotator.domain.text.tokens import word_of

TEXT = st.lists(st.sampled_from(list("abcdefghij")), max_size=9)
PARTS = st.sampled_from([NO_PART, 0, 1, 2])


def texts_of(rows: list[list[str]]) -> Texts:
    texts = Texts()
    for place, row in enumerate(rows):
        texts.add(row, place)
    return texts


def expected_near(rows: list[list[str]], parts: list[int]) -> set[tuple[int, int]]:
    """By comparing every text with every other; of equal ones in a part, the first alone."""
    words = [[word for token in row if (word := word_of(token))] for row in rows]
    first = {(" ".join(words[place]) or str(place), parts[place]): place for place in reversed(range(len(rows)))}
    found = set()
    for one, other in combinations(sorted(first.values()), 2):
        if NO_PART in (parts[one], parts[other]) or parts[one] == parts[other] or words[one] == words[other]:
            continue
        mine, theirs = set(words[one]), set(words[other])
        if mine and theirs and len(mine & theirs) >= NEAR * len(mine | theirs) - 1e-9:
            found.add((one, other))
    return found


class TestNear:
    @given(rows=st.lists(st.tuples(TEXT, PARTS), max_size=40))
    def test_no_pair_is_missed_and_none_made_up(self, rows: list[tuple[list[str], int]]) -> None:
        texts, parts = [row[0] for row in rows], [row[1] for row in rows]
        wanted = expected_near(texts, parts)

        found = texts_of(texts).near(np.array(parts, np.int64), 3)

        for leak in found.leaks:
            mine = {
                pair if parts[pair[0]] == leak.parts[0] else pair[::-1]
                for pair in wanted
                if {parts[pair[0]], parts[pair[1]]} == set(leak.parts)
            }
            assert leak.shared == len(mine)
            for side, part in enumerate(leak.parts):
                alike = {" ".join(texts[pair[side]]) for pair in mine}
                assert leak.items[side] == sum(" ".join(row) in alike and where == part for row, where in rows)
            assert set(leak.examples) <= mine
        assert sum(leak.shared for leak in found.leaks) == len(wanted)
        assert found.spread == len({item for pair in wanted for item in pair})
        assert found.uncompared == 0

    def test_a_word_that_everybody_uses_does_not_make_it_quadratic(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leakage, "MAX_COMPARED", 3)
        rows = [["same", f"w{number}"] for number in range(50)] + [["same"]] * 20
        found = texts_of(rows).near(np.arange(70) % 2, 2)
        assert found.leaks == []
        # Each of the fifty has two words, of which the rarer is its own; equal texts are compared once.
        assert found.uncompared == 0
        several = [["a", "b", "c", "d", f"{number}"] for number in range(50)]
        assert texts_of(several).near(np.arange(50) % 2, 2).uncompared > 0

    def test_texts_are_compared_some_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        draw = Random(4)
        rows = [draw.choices("abcdefghijkl", k=5) for _ in range(60)]
        parts = np.arange(60) % 3
        whole = texts_of(rows).near(parts, 3)
        for name in ("CHUNK", "SLICE", "SORTED"):
            monkeypatch.setattr(leakage, name, 2)
        assert texts_of(rows).near(parts, 3) == whole
        assert whole.leaks

    def test_case_and_punctuation_make_no_difference(self) -> None:
        texts = texts_of([["Time", "flies."], ["“time", "flies”"], ["!", "?"], ["…"]])
        first, second, marks, dots = texts.equal.tolist()
        assert first == second
        assert len({first, marks, dots}) == 3


class TestNames:
    @given(rows=st.lists(st.tuples(st.lists(st.sampled_from("abcde"), max_size=3, unique=True), PARTS), max_size=30))
    def test_shared_names_are_counted(self, rows: list[tuple[list[str], int]]) -> None:
        names = np.array([number_of(name) for row, _part in rows for name in row], np.uint64)
        items = np.array([place for place, (row, _part) in enumerate(rows) for _name in row], np.int64)
        parts = np.array([part for _row, part in rows], np.int64)

        found = common_names(names, items, parts, 3)

        of_part = [{name for row, part in rows if part == wanted for name in row} for wanted in range(3)]
        assert found.names == len(set().union(*of_part))
        assert found.spread == sum(sum(name in one for one in of_part) > 1 for name in "abcde")
        assert {leak.parts: leak.shared for leak in found.leaks} == {
            (one, other): len(of_part[one] & of_part[other])
            for one, other in combinations(range(3), 2)
            if of_part[one] & of_part[other]
        }
        for leak in found.leaks:
            for side, part in enumerate(leak.parts):
                shared = of_part[leak.parts[0]] & of_part[leak.parts[1]]
                assert leak.items[side] == sum(where == part and bool(shared & {*row}) for row, where in rows)
            assert all((parts[one], parts[other]) == leak.parts for one, other in leak.examples)
            assert leak.examples

    def test_the_same_translation_of_another_text_is_told(self) -> None:
        sources = np.array([1, 2, 3, 3], np.uint64)
        translations = np.array([7, 7, 8, 8], np.uint64)
        found = same_translations(sources, translations, np.array([0, 1, 0, 1]), 2)
        assert [(leak.parts, leak.shared, leak.examples) for leak in found.leaks] == [((0, 1), 1, [(0, 1)])]

    def test_premises_in_two_or_three_parts_are_counted(self) -> None:
        """As in the published splits of pairs: what is dealt out pair by pair spreads nearly every premise."""
        draw = Random(1)
        groups = np.repeat(np.arange(300, dtype=np.uint64), 3)
        parts = np.array([draw.choices(range(3), (0.64, 0.16, 0.2))[0] for _ in groups])
        found = common_names(groups, np.arange(len(groups)), parts, 3)
        assert found.names == 300
        assert found.spread == sum(len(set(parts[3 * g : 3 * g + 3].tolist())) > 1 for g in range(300))
