"""Labels renamed, merged, split, added, removed: the scheme, and what becomes of contents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.relabel import LabelRow, Relabelling, labels_in, relabelled, relabelling
from annotator.domain.labels.spans import Scheme, Span, SpanError, check_spans, spans_from_json

SCHEME = {"labels": ["A", "B", "C"], "discontinuous": True, "overlaps": False, "attributes": {}}


def row(old: str, code: str, **more: str) -> LabelRow:
    return LabelRow(old, code, **more)


def span(label: str, *tokens: int) -> dict[str, object]:
    return Span(tokens, label).to_json()


KEEP = [row("A", "A"), row("B", "B"), row("C", "C")]


def test_a_label_is_renamed_and_described() -> None:
    change = relabelling(SCHEME, [row("A", "METAPHOR", name="Metaphor", key="1"), *KEEP[1:]])

    assert change.after["labels"] == ["METAPHOR", "B", "C"]
    assert change.after["details"] == {"METAPHOR": {"name": "Metaphor", "key": "1"}}
    assert (change.mapping, change.anew) == ({"A": "METAPHOR"}, frozenset())
    assert Relabelling.from_json(change.to_json()) == change
    assert Scheme.from_json(change.between).labels == ("METAPHOR", "B", "C", "A")


def test_two_labels_become_one() -> None:
    change = relabelling(SCHEME, [row("A", "AB"), row("B", "AB"), KEEP[2]])

    assert change.after["labels"] == ["AB", "C"]
    content = {"spans": [span("A", 0), span("C", 1), span("B", 2)]}
    assert [(one["label"], one["tokens"]) for one in relabelled(content, change.mapping)["spans"]] == [
        ("AB", [0]),
        ("C", [1]),
        ("AB", [2]),
    ]


def test_what_is_split_or_removed_is_decided_anew() -> None:
    split = relabelling(SCHEME, [*KEEP, row("", "A2", split_from="A")])
    removed = relabelling(SCHEME, [row("A", ""), *KEEP[1:]])

    assert (split.after["labels"], split.mapping, split.anew) == (["A", "B", "C", "A2"], {}, {"A"})
    assert (removed.after["labels"], removed.mapping, removed.anew) == (["B", "C"], {"A": ""}, {"A"})
    assert relabelled({"spans": [span("A", 0), span("B", 1)]}, removed.mapping)["spans"] == [span("B", 1)]


def test_what_names_labels_follows() -> None:
    scheme = {**SCHEME, "mappings": {"binary": {"A": "METAPHOR", "B": "METAPHOR", "C": ""}}}
    rows = [row("A", "X"), row("B", ""), KEEP[2], row("", "Y", split_from="A")]
    after = relabelling(scheme, rows).after
    assert after["mappings"] == {"binary": {"X": "METAPHOR", "C": "", "Y": "METAPHOR"}}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (KEEP[:2], "'C'"),
        ([*KEEP, KEEP[0]], "'A'"),
        ([*KEEP, row("", "A")], "Two labels"),
        ([*KEEP, row("", "D", split_from="Z")], "'Z'"),
        ([row("A", "with space"), *KEEP[1:]], "spaces"),
        ([row(label, "") for label in "ABC"], "at least one"),
    ],
)
def test_what_cannot_be_is_refused(rows: list[LabelRow], words: str) -> None:
    with pytest.raises(SpanError, match=words):
        relabelling(SCHEME, rows)


@st.composite
def contents(draw: st.DrawFn) -> list[Span]:
    """Spans that SCHEME lets stand on ten tokens."""
    owners = draw(st.lists(st.sampled_from(["", "A", "B", "C"]), min_size=10, max_size=10))
    found = [Span((place,), label) for place, label in enumerate(owners) if label]
    if draw(st.booleans()):
        wide = [place for place, label in enumerate(owners) if label == "A"]
        found = [one for one in found if one.label != "A"] + ([Span(tuple(wide), "A")] if wide else [])
    return found


@given(contents(), st.lists(st.sampled_from(["A", "B", "C", "X", ""]), min_size=3, max_size=3))
def test_every_content_fits_the_new_scheme(spans: list[Span], codes: list[str]) -> None:
    if not any(codes):
        return
    change = relabelling(SCHEME, [row(old, code) for old, code in zip("ABC", codes, strict=True)])
    before = {"spans": [one.to_json() for one in check_spans(spans, length=10, scheme=Scheme.from_json(SCHEME))]}

    after = relabelled(before, change.mapping)

    check_spans(spans_from_json(after["spans"]), length=10, scheme=Scheme.from_json(change.after))
    kept = dict(zip("ABC", codes, strict=True))
    assert labels_in(after) == {kept[label] for label in labels_in(before)} - {""}


def test_what_becomes_one_label_is_one_unit_where_it_meets() -> None:
    mapping = {"A": "AB", "B": "AB"}
    on_the_sentence = {"spans": [span("A"), span("B")]}
    assert relabelled(on_the_sentence, mapping)["spans"] == [span("AB")]
    for one, other in (((1,), (0, 1)), ((0, 1), (1, 2)), ((0, 2), (1,))):
        whole = tuple(sorted({*one, *other}))
        assert relabelled({"spans": [span("A", *one), span("B", *other)]}, mapping)["spans"] == [span("AB", *whole)]
    beside = {"spans": [span("A", 0), span("B", 1)]}
    assert relabelled(beside, mapping)["spans"] == [span("AB", 0), span("AB", 1)]


def test_what_a_scheme_says_of_a_label_besides_goes_with_it_and_what_is_for_it_alone_goes() -> None:
    scheme = {
        **SCHEME,
        "details": {"A": {"name": "Old", "anchor": "a", "tokenless": True}},
        "attributes": {"of": {"values": ["x"], "labels": ["A"]}, "both": {"values": ["x"], "labels": ["A", "B"]}},
    }
    renamed = relabelling(scheme, [row("A", "X", name="New"), *KEEP[1:]]).after
    removed = relabelling(scheme, [row("A", ""), *KEEP[1:]]).after

    assert renamed["details"] == {"X": {"name": "New", "anchor": "a", "tokenless": True}}
    assert {name: one["labels"] for name, one in renamed["attributes"].items()} == {"of": ["X"], "both": ["X", "B"]}
    assert {name: one["labels"] for name, one in removed["attributes"].items()} == {"both": ["B"]}
    assert "details" not in removed
