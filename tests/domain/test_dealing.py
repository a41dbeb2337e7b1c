"""Dealing items to people: nothing is lost or given twice, shares are exact, samples can be drawn again."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.dealing.deal import Amount, Candidate, Order, Turns, deal, part
from annotator.domain.dealing.drawing import draw, shares

PEOPLE = [11, 12, 13, 14]


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    number = draw(st.integers(0, 40))
    return [
        Candidate(
            item=item,
            stratum=draw(st.sampled_from("abc")),
            people=draw(st.frozensets(st.sampled_from([*PEOPLE, 99]))),
            places=draw(st.integers(0, 3)),
            untouched=draw(st.booleans()),
        )
        for item in range(number)
    ]


orders = st.builds(
    Order,
    amount=st.sampled_from(Amount),
    number=st.integers(0, 60),
    seed=st.none() | st.integers(0, 5),
    shared_amount=st.sampled_from([Amount.NUMBER, Amount.SHARE]),
    shared=st.integers(0, 60),
    sharers=st.integers(2, 4),
    turns=st.sampled_from(Turns),
)
loads = st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 20))


@given(candidates(), orders, loads)
def test_nothing_is_given_twice_or_to_someone_who_cannot_have_it(
    found: list[Candidate], order: Order, loads: dict[int, int]
) -> None:
    plan = deal(found, PEOPLE, order, loads)
    known = {one.item: one for one in found}
    takers: Counter[int] = Counter()
    for person, items in plan.given.items():
        assert len(items) == len(set(items))
        assert all(person in known[item].people for item in items)
        assert list(items) == sorted(items)
        takers.update(items)
    for item, number in takers.items():
        one = known[item]
        can = len(one.people & set(PEOPLE))
        assert number == (order.sharers if item in plan.shared else min(one.places, can))
        assert item not in plan.shared or one.untouched
    assert plan.shared <= set(takers)
    assert deal(found, PEOPLE, order, loads) == plan


@given(candidates(), orders, loads)
def test_as_many_as_asked_for_are_dealt_where_there_are_so_many(
    found: list[Candidate], order: Order, loads: dict[int, int]
) -> None:
    plan = deal(found, PEOPLE, order, loads)
    can = [one for one in found if one.places and one.people & set(PEOPLE)]
    if order.amount == Amount.EACH:
        sizes = Counter(one.stratum for one in can)
        given = Counter(one.stratum for one in can if one.item in plan.items)
        assert given == +Counter({name: min(order.number, size) for name, size in sizes.items()})
        assert plan.asked == order.number * len(sizes)
    else:
        assert plan.asked == part(order.amount, order.number, len(can))
        assert len(plan.items) == min(plan.asked, len(can))
    chosen = [one for one in can if one.item in plan.items]
    sharable = [one for one in chosen if one.untouched and len(one.people & set(PEOPLE)) >= order.sharers]
    assert len(plan.shared) == min(plan.asked_shared, len(sharable))
    if order.seed is None and order.amount != Amount.EACH:
        assert chosen == can[: len(chosen)]


@given(st.integers(0, 60), loads, st.sampled_from(Turns))
def test_people_end_up_with_as_much_as_each_other(number: int, loads: dict[int, int], turns: Turns) -> None:
    everyone = [Candidate(item, "", frozenset(PEOPLE)) for item in range(number)]
    plan = deal(everyone, PEOPLE, Order(turns=turns), loads)
    new = {person: len(items) for person, items in plan.given.items()}
    if turns == Turns.IN_TURN:
        assert max(new.values()) - min(new.values()) <= 1
        return
    ends = {person: loads.get(person, 0) + new[person] for person in PEOPLE}
    # Nobody who was given something has more than one above somebody else.
    assert all(ends[person] - min(ends.values()) <= 1 for person in PEOPLE if new[person])


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 500), max_size=8), st.integers(0, 1000))
def test_strata_have_their_share(sizes: dict[str, int], count: int) -> None:
    found = shares(sizes, count)
    total = sum(sizes.values())
    assert sum(found.values()) == min(count, total)
    for name, number in found.items():
        assert 0 <= number <= sizes[name]
        assert abs(number - sizes[name] * min(count, total) / max(total, 1)) < 1


@given(st.lists(st.sampled_from("abc"), max_size=60), st.integers(0, 70), st.integers(0, 3))
def test_a_sample_can_be_drawn_again(strata: list[str], count: int, seed: int) -> None:
    rows = list(enumerate(strata))
    drawn = draw(rows, count, seed=seed)
    assert drawn == draw(rows, count, seed=seed) == sorted(set(drawn))
    assert Counter(strata[place] for place in drawn) == Counter(shares(Counter(strata), count))


def test_another_seed_draws_another_sample() -> None:
    rows = [(place, "") for place in range(100)]
    assert draw(rows, 10, seed=1) != draw(rows, 10, seed=2)
