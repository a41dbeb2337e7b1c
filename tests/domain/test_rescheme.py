"""Attributes renamed, merged, removed; units made to fit: the scheme, and what becomes of contents."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.fitting import fitted
from annotator.domain.labels.relabel import LabelRow, Relabelling, relabelling
from annotator.domain.labels.rescheme import AttributeRow, ValueRow, attribute_change, rules_change
from annotator.domain.labels.schemes import Attribute, Label, Scheme, SpanError
from annotator.domain.labels.spans import Span, check_spans, spans_from_json

SURE = ("yes", "maybe", "no")
SCHEME = Scheme(
    ("A", "B"),
    overlaps=True,
    attributes={"sure": Attribute(values=SURE), "source": Attribute(vocabulary=True)},
    details={"A": Label(tokenless=True)},
).to_json()
SOURCE = AttributeRow("source", "source", vocabulary=True)


def sure(*values: tuple[str, str], code: str = "sure", **more: Any) -> AttributeRow:
    given_values = values or tuple((value, value) for value in SURE)
    return AttributeRow("sure", code, values=tuple(ValueRow(*one) for one in given_values), **more)


def content(*attributes: dict[str, str], label: str = "A") -> dict[str, Any]:
    return {"spans": [Span((place,), label, one).to_json() for place, one in enumerate(attributes)]}


def said(found: dict[str, Any]) -> list[dict[str, str]]:
    return [span["attributes"] for span in found["spans"]]


def test_values_are_renamed_merged_and_taken_away() -> None:
    change = attribute_change(SCHEME, [sure(("yes", "sure"), ("maybe", "unsure"), ("no", "unsure")), SOURCE])
    assert change.after["attributes"]["sure"] == ["sure", "unsure"]
    both = content({"sure": "yes"}, {"sure": "maybe", "source": "WAR"}, {"sure": "no"})
    assert said(change.changed(both)) == [{"sure": "sure"}, {"sure": "unsure", "source": "WAR"}, {"sure": "unsure"}]
    assert not change.reopens(both)
    assert Relabelling.from_json(change.to_json()) == change

    gone = attribute_change(SCHEME, [sure(("yes", "yes"), ("maybe", ""), ("no", "no")), SOURCE])
    assert said(gone.changed(content({"sure": "maybe"}))) == [{}]
    assert gone.reopens(content({"sure": "maybe"})) and not gone.reopens(content({"sure": "no"}))


def test_an_attribute_is_renamed_and_another_taken_away_without_reopening_anything() -> None:
    change = attribute_change(SCHEME, [sure(code="certain"), AttributeRow("source", "")])
    assert list(change.after["attributes"]) == ["certain"]
    both = content({"sure": "yes", "source": "WAR"})
    assert said(change.changed(both)) == [{"certain": "yes"}]
    assert not change.reopens(both)


def test_free_text_becomes_a_list_and_a_list_free_text() -> None:
    listed = AttributeRow("source", "source", values=(ValueRow("", "WAR"), ValueRow("", "MONEY")))
    change = attribute_change(SCHEME, [sure(), listed])
    assert said(change.changed(content({"source": "WAR"}, {"source": "war"}))) == [{"source": "WAR"}, {}]
    assert change.reopens(content({"source": "war"}))
    free = attribute_change(SCHEME, [AttributeRow("sure", "sure"), SOURCE])
    assert not free.touches_contents


def test_other_labels_lose_an_attribute_that_is_not_for_them_any_more() -> None:
    change = attribute_change(SCHEME, [sure(labels=("B",)), SOURCE])
    assert said(change.changed(content({"sure": "yes"}))) == [{}]
    assert said(change.changed(content({"sure": "yes"}, label="B"))) == [{"sure": "yes"}]


def test_what_is_obligatory_is_asked_of_who_is_done() -> None:
    change = attribute_change(SCHEME, [sure(obligatory=True), SOURCE])
    scheme = Scheme.from_json(change.after)
    assert not change.touches_contents
    check_spans([Span((0,), "A")], length=2, scheme=scheme)
    check_spans([Span((0,), "A", {"sure": "no"})], length=2, scheme=scheme, done=True)
    with pytest.raises(SpanError, match="has no value for sure"):
        check_spans([Span((0,), "A")], length=2, scheme=scheme, done=True)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([sure()], "'source'"),
        ([sure(), SOURCE, SOURCE], "'source'"),
        ([sure(code="source"), SOURCE], "Two attributes"),
        ([sure(("yes", "yes")), SOURCE], "'maybe'"),
        ([sure(("yes", ""), ("maybe", ""), ("no", "")), SOURCE], "no values left"),
        ([sure(key="q"), AttributeRow("source", "source", key="q")], "twice"),
        ([sure(labels=("Z",)), SOURCE], "'Z'"),
        ([sure(("yes", "x" * 201), ("maybe", "maybe"), ("no", "no")), SOURCE], "200"),
    ],
)
def test_what_cannot_be_is_refused(rows: list[AttributeRow], words: str) -> None:
    with pytest.raises(SpanError, match=words):
        attribute_change(SCHEME, rows)


def test_a_label_that_may_no_longer_stand_alone_goes_from_the_sentence_and_reopens_gold() -> None:
    change = relabelling(SCHEME, [LabelRow("A", "A", tokenless=False), LabelRow("B", "B")])
    alone = {"spans": [Span((), "A").to_json(), Span((1,), "A").to_json()]}
    assert [span["tokens"] for span in change.changed(alone)["spans"]] == [[1]]
    assert change.reopens(alone)
    # Whoever saves while a job does it is not refused.
    assert Scheme.from_json(change.between).tokenless == ("A",)
    # Left out, it stays as it is.
    assert not relabelling(SCHEME, [LabelRow("A", "A"), LabelRow("B", "B")]).touches_contents


def test_units_are_cut_and_the_longer_one_stays() -> None:
    change = rules_change(SCHEME, discontinuous=False, overlaps=False, several=False)
    units = [Span((0, 1, 2), "A"), Span((1, 2), "B"), Span((4, 6), "B"), Span((6,), "A")]
    after = change.changed({"spans": [unit.to_json() for unit in units]})
    # Of two that are equally long the scheme's first label stays.
    assert [(span["label"], span["tokens"]) for span in after["spans"]] == [("A", [0, 1, 2]), ("B", [4]), ("A", [6])]
    assert change.reopens({"spans": [unit.to_json() for unit in units]})
    more = rules_change({**SCHEME, "overlaps": False}, discontinuous=True, overlaps=True, several=True)
    assert not more.touches_contents


def test_several_labels_on_a_unit_stay_where_units_may_overlap() -> None:
    before = {**SCHEME, "several": True}
    assert not rules_change(before, discontinuous=True, overlaps=True, several=False).touches_contents
    assert rules_change(
        {**before, "overlaps": False}, discontinuous=True, overlaps=False, several=False
    ).touches_contents


@st.composite
def units(draw: st.DrawFn) -> list[Span]:
    """Units that the widest scheme lets stand on eight tokens."""
    unit = st.builds(
        lambda tokens, label: Span(tuple(sorted(tokens)), label),
        st.sets(st.integers(0, 7), max_size=4),
        st.sampled_from(["A", "B"]),
    )
    found = draw(st.lists(unit, max_size=6, unique_by=lambda one: (one.tokens, one.label)))
    return [one for one in found if one.tokens or one.label == "A"]


@given(units(), st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_what_is_fitted_fits_and_what_fits_stays(
    spans: list[Span], discontinuous: bool, overlaps: bool, several: bool, tokenless: bool
) -> None:
    scheme = Scheme(
        ("A", "B"),
        discontinuous=discontinuous,
        overlaps=overlaps,
        several=several,
        details={"A": Label(tokenless=tokenless)},
    )
    before = {"spans": [one.to_json() for one in spans]}
    after = fitted(before, scheme)
    checked = check_spans(spans_from_json(after["spans"]), length=8, scheme=scheme)
    assert [one.to_json() for one in checked] == after["spans"]
    assert fitted(after, scheme) == after
