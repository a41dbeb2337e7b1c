"""Gwet's AC1, against figures that were published; Conger's kappa by hand and by properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement.chance_corrected import conger_kappa, gwet_ac1
from annotator.domain.agreement.kappa import cohen_kappa


def raters(*cells: tuple[str, str, int]) -> tuple[list[str], list[str]]:
    return (
        [one for one, _other, count in cells for _ in range(count)],
        [other for _one, other, count in cells for _ in range(count)],
    )


def test_two_abstractors() -> None:
    """The table `cont3x3abstractors` in the overview of Gwet's R package irrCAC 1.0, from his Handbook of Inter-Rater
    Reliability (4th edition, 2014): κ = 0.7964094, γ = 0.8493305."""
    a, b = raters(
        ("Ectopic", "Ectopic", 13), ("AIU", "AIU", 20), ("AIU", "NIU", 7), ("NIU", "AIU", 4), ("NIU", "NIU", 56)
    )  # fmt: skip
    assert cohen_kappa(a, b).value == pytest.approx(0.7964094, abs=5e-8)
    assert gwet_ac1(a, b) == pytest.approx(0.8493305, abs=5e-8)


def test_where_nearly_all_is_of_one_category_kappa_drops_and_gamma_does_not() -> None:
    a, b = raters(("+", "+", 118), ("+", "-", 5), ("-", "+", 2), ("-", "-", 0))
    # p_o = 118/125, the mean share of "+" 243/250: p_e = 2 · 243/250 · 7/250.
    by_chance = 2 * 243 * 7 / 250**2
    assert gwet_ac1(a, b) == pytest.approx((118 / 125 - by_chance) / (1 - by_chance))
    kappa = cohen_kappa(a, b).value
    assert kappa is not None
    assert kappa < 0


def test_by_hand_with_three_labels() -> None:
    # p_o = 7/10; shares 9/20, 7/20, 4/20: p_e = (0.2475 + 0.2275 + 0.16) / 2 = 0.3175.
    a, b = raters(("x", "x", 4), ("y", "y", 2), ("z", "z", 1), ("x", "y", 1), ("y", "z", 2))
    assert gwet_ac1(a, b) == pytest.approx((0.7 - 0.3175) / (1 - 0.3175))


def test_a_label_that_nobody_used_counts_among_the_possible_ones() -> None:
    a, b = raters(("x", "x", 3), ("x", "y", 1))
    without, with_third = gwet_ac1(a, b), gwet_ac1(a, b, ["x", "y", "z"])
    assert without == pytest.approx((0.75 - 0.21875) / (1 - 0.21875))
    assert with_third == pytest.approx((0.75 - 0.109375) / (1 - 0.109375))


def test_nothing_one_label_and_lists_that_do_not_fit() -> None:
    assert gwet_ac1([], []) is None
    assert gwet_ac1(["x"], ["x"]) == 1.0
    with pytest.raises(ValueError, match="same items"):
        gwet_ac1(["x"], [])


class TestConger:
    # By item, what Ana, Ben and Cai said of it.
    ITEMS = ("111", "101", "001", "000")

    def test_by_hand_with_three_people(self) -> None:
        # p_o: 3/4, 3/4, 2/4, on average 2/3. p_e of Ana and Ben: 1/2 · 1/4 + 1/2 · 3/4 = 1/2; of Ana and Cai the same;
        # of Ben and Cai: 1/4 · 3/4 · 2 = 3/8. On average 11/24.
        found = conger_kappa([dict(enumerate(labels)) for labels in self.ITEMS])
        assert found == pytest.approx((2 / 3 - 11 / 24) / (1 - 11 / 24))

    @given(st.lists(st.dictionaries(st.integers(1, 4), st.sampled_from("xyz")), max_size=12), st.permutations(range(5)))
    def test_the_order_of_people_and_items_does_not_tell(self, items: list[dict[int, str]], order: list[int]) -> None:
        named = [{order[person]: item[person] for person in sorted(item, key=order.index)} for item in items]
        assert conger_kappa(named[::-1]) == conger_kappa(items)

    @given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), max_size=20))
    def test_of_two_people_it_is_cohens(self, pairs: list[tuple[str, str]]) -> None:
        cohens = cohen_kappa([a for a, _b in pairs], [b for _a, b in pairs]).value
        found = conger_kappa([{"ana": a, "ben": b} for a, b in pairs])
        assert found == (None if cohens is None else pytest.approx(cohens))

    def test_what_one_person_labelled_alone_tells_nothing(self) -> None:
        items = [dict(enumerate(labels)) for labels in self.ITEMS]
        assert conger_kappa([*items, {0: "1"}, {}]) == conger_kappa(items)
        assert conger_kappa([{0: "1"}, {1: "1"}]) is None

    def test_two_people_who_never_met_are_not_compared(self) -> None:
        # Ana and Ben on four items, Ben and Cai on two: their tables side by side.
        items = [{"ana": a, "ben": b} for a, b in ("11", "10", "00", "00")]
        items += [{"ben": "1", "cai": "1"}, {"cai": "0", "ben": "0"}]
        # p_o = 5/6; p_e = (4 · 1/2 + 2 · 1/2) / 6.
        assert conger_kappa(items) == pytest.approx((5 / 6 - 1 / 2) / (1 - 1 / 2))
