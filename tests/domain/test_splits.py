"""How items are dealt out to parts: proportions, groups, expressions, the same in any order."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.splits.assignment import assign
from annotator.domain.splits.items import NO_PART, Items
from annotator.domain.splits.lexical import assign_lexical

Row = tuple[str, str, tuple[str, ...], tuple[str, ...]]
SHARES = st.sampled_from([(0.6, 0.2, 0.2), (0.8, 0.1, 0.1), (0.5, 0.5), (0.2,) * 5, (1 / 3,) * 3])
SINGLE = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["prem", "hyp"])), min_size=1, max_size=120)


def items_of(rows: list[Row], seed: int = 1) -> Items:
    """Rows are name, group, strata and expressions."""
    items = Items(seed)
    for name, group, strata, expressions in rows:
        items.add(group or name, strata, expressions)
    return items


def corpus(groups: int, *, seed: int = 5, expressions: int = 40) -> list[Row]:
    """Premises with three hypotheses each, some labelled, as inference corpora have them."""
    draw = Random(seed)
    rows: list[Row] = []
    for number in range(groups):
        dataset = draw.choice(["news", "talk"])
        for role in ("prem", "hyp", "hyp", "hyp"):
            labelled = draw.random() < (0.25 if role == "prem" else 0.1)
            # A few are frequent, most are rare.
            found = {f"e{int(draw.paretovariate(0.7)) % expressions}"} if labelled else set()
            state = "labelled" if labelled else "none"
            name = f"{number}:{len(rows)}"
            rows.append((name, f"g{number}", (f"{dataset} {role} {state}",), tuple(found)))
    return rows


class TestProportions:
    @given(rows=SINGLE, shares=SHARES, seed=st.integers(1, 2**31 - 1))
    def test_each_stratum_has_the_asked_proportions(
        self, rows: list[tuple[str, str]], shares: tuple[float, ...], seed: int
    ) -> None:
        items = items_of([(str(place), "", (" ".join(row),), ()) for place, row in enumerate(rows)], seed)

        parts = assign(items, shares)

        for stratum, total in Counter(rows).items():
            of_part = Counter(part for part, row in zip(parts.tolist(), rows, strict=True) if row == stratum)
            assert sum(of_part.values()) == total
            for part, share in enumerate(shares):
                assert abs(of_part[part] - share * total) < 1

    def test_whole_groups_keep_the_proportions_of_each_stratum(self) -> None:
        rows = corpus(800)

        parts = assign(items_of(rows), (0.6, 0.2, 0.2))

        together = defaultdict(set)
        strata: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for part, (_name, group, [stratum], _expressions) in zip(parts.tolist(), rows, strict=True):
            together[group].add(part)
            strata[stratum][part] += 1
        assert all(len(found) == 1 for found in together.values())
        for of_part in strata.values():
            for part, share in enumerate((0.6, 0.2, 0.2)):
                # A group has up to three sentences of a stratum.
                assert abs(of_part[part] - share * of_part.total()) <= 3

    def test_documents_of_any_size_are_not_torn_apart(self) -> None:
        draw = Random(3)
        sizes = [draw.randint(1, 60) for _ in range(150)]
        rows: list[Row] = [
            (f"{doc}:{place}", f"d{doc}", (draw.choice(["x", "y"]),), ())
            for doc, size in enumerate(sizes)
            for place in range(size)
        ]

        parts = assign(items_of(rows), (0.7, 0.15, 0.15)).tolist()

        assert len({(row[1], part) for row, part in zip(rows, parts, strict=True)}) == len(sizes)
        for stratum in "xy":
            of_part = Counter(part for row, part in zip(rows, parts, strict=True) if row[2] == (stratum,))
            for part, share in enumerate((0.7, 0.15, 0.15)):
                assert abs(of_part[part] - share * of_part.total()) < 0.01 * of_part.total()

    def test_several_strata_of_an_item_are_kept_each(self) -> None:
        """A sentence is labelled in one language and not in the other."""
        draw = Random(8)
        rows: list[Row] = [
            (str(place), "", (f"es {draw.random() < 0.14}", f"en {draw.random() < 0.2}"), ()) for place in range(3320)
        ]

        parts = assign(items_of(rows), (0.6, 0.2, 0.2)).tolist()

        strata: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for part, row in zip(parts, rows, strict=True):
            for stratum in row[2]:
                strata[stratum][part] += 1
        for of_part in strata.values():
            for part, share in enumerate((0.6, 0.2, 0.2)):
                assert abs(of_part[part] - share * of_part.total()) <= 2

    def test_nothing_is_dealt_out_where_there_is_nothing(self) -> None:
        assert assign(Items(1), (0.5, 0.5)).tolist() == []
        assert assign_lexical(Items(1), (0.5, 0.5), 1).tolist() == []


class TestSeeds:
    @given(shuffled=st.randoms(use_true_random=False), seed=st.integers(1, 2**31 - 1), lexical=st.booleans())
    def test_the_order_of_the_items_does_not_matter(self, shuffled: Random, seed: int, lexical: bool) -> None:
        rows = corpus(40)
        mixed = rows[:]
        shuffled.shuffle(mixed)

        def parts_of(given: list[Row]) -> dict[str, int]:
            items = items_of(given, seed)
            found = assign_lexical(items, (0.6, 0.2, 0.2), 2) if lexical else assign(items, (0.6, 0.2, 0.2))
            return dict(zip([row[0] for row in given], found.tolist(), strict=True))

        assert parts_of(rows) == parts_of(mixed)

    def test_another_seed_gives_another_split(self) -> None:
        rows = corpus(100)
        found = {tuple(assign(items_of(rows, seed), (0.6, 0.2, 0.2)).tolist()) for seed in range(1, 6)}
        assert len(found) == 5


class TestLexical:
    @given(
        groups=st.lists(st.lists(st.sets(st.sampled_from("abcdefghij"), max_size=3), min_size=1, max_size=4)),
        seed=st.integers(1, 2**31 - 1),
    )
    def test_no_expression_of_the_test_part_is_elsewhere(self, groups: list[list[set[str]]], seed: int) -> None:
        rows: list[Row] = [
            (f"{number}:{place}", f"g{number}", ("all",), tuple(sorted(expressions)))
            for number, members in enumerate(groups)
            for place, expressions in enumerate(members)
        ]

        parts = assign_lexical(items_of(rows, seed), (0.6, 0.2, 0.2), 2).tolist()

        held_out = {one for part, row in zip(parts, rows, strict=True) if part == 2 for one in row[3]}
        elsewhere = {one for part, row in zip(parts, rows, strict=True) if part in (0, 1) for one in row[3]}
        assert not held_out & elsewhere
        by_group = {(row[1], part) for part, row in zip(parts, rows, strict=True)}
        assert len(by_group) == len({row[1] for row in rows})

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_the_test_part_gets_its_share_and_little_is_left_out(self, seed: int) -> None:
        rows = [(name, "", strata, words) for name, _group, strata, words in corpus(1500, expressions=900)]

        parts = assign_lexical(items_of(rows, seed), (0.6, 0.2, 0.2), 2)

        labelled = np.array([bool(row[3]) for row in rows])
        assert (parts[labelled] == 2).mean() == pytest.approx(0.2, abs=0.02)
        assert (parts[labelled] == NO_PART).mean() < 0.1
        assert (parts[~labelled] != NO_PART).all()
        assert (parts[~labelled] == 2).mean() == pytest.approx(0.2, abs=0.01)

    def test_what_has_chosen_and_other_expressions_is_in_no_part(self) -> None:
        rows: list[Row] = [(f"{n}", "", ("s",), (f"only {n}",)) for n in range(10)]
        rows += [("mixed", "", ("s",), tuple(f"only {n}" for n in range(10)))]

        parts = assign_lexical(items_of(rows), (0.5, 0.5), 1).tolist()

        assert parts[-1] == NO_PART
        assert Counter(parts[:-1]) == {0: 5, 1: 5} or Counter(parts[:-1]) == {0: 4, 1: 6}
