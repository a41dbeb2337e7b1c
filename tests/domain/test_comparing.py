"""Labels side by side: which belong together in two versions, and in two languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.comparing.languages import LinkedBy, Review, Where, link_expressions
from annotator.domain.comparing.versions import Change, Labelled, compare_labels, has_labels, labels_of
from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import Outcome, SourceOutcome
from annotator.domain.text.identity import key_of_tokens, standoff_text, text_key


def changes(left: list[Labelled], right: list[Labelled]) -> list[str]:
    return [one.change.value for one in compare_labels(left, right)]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([Labelled((1,), "A")], [Labelled((1,), "A")], ["same"]),
        ([Labelled((1,), "A")], [Labelled((1, 2), "A")], ["moved"]),
        ([Labelled((1,), "A")], [Labelled((1,), "B")], ["relabelled"]),
        ([Labelled((1,), "A")], [Labelled((1, 2), "B")], ["relabelled"]),
        ([Labelled((1,), "A")], [Labelled((2,), "A")], ["left", "right"]),
        ([Labelled((1,), "A", (("lemma", "x"),))], [Labelled((1,), "A")], ["attributes"]),
        ([Labelled((), "yes")], [Labelled((), "no")], ["relabelled"]),
        # The equal one is matched before one that only shares words.
        ([Labelled((1, 2), "A"), Labelled((2,), "A")], [Labelled((2,), "A")], ["same", "left"]),
        # Most shared words win.
        ([Labelled((1, 2, 3), "A")], [Labelled((1,), "A"), Labelled((2, 3), "A")], ["moved", "right"]),
    ],
)
def test_what_became_of_labels(left: list[Labelled], right: list[Labelled], expected: list[str]) -> None:
    assert changes(left, right) == expected


_LABELS = st.lists(st.builds(Labelled, st.sets(st.integers(0, 5)).map(sorted).map(tuple), st.sampled_from("AB")))


@given(_LABELS, _LABELS)
def test_every_label_is_in_one_row_and_both_directions_agree(left: list[Labelled], right: list[Labelled]) -> None:
    found = list(compare_labels(left, right))
    assert sorted((one.left for one in found if one.left), key=str) == sorted(left, key=str)
    assert sorted((one.right for one in found if one.right), key=str) == sorted(right, key=str)
    same = sum(one.change == Change.SAME for one in found)
    assert same == sum(one.change == Change.SAME for one in compare_labels(right, left))


def test_labels_of_contents() -> None:
    spans = {"spans": [{"tokens": [1], "label": "A", "attributes": {"bio": "orphan", "lemma": "x"}, "score": None}]}
    assert labels_of("spans", spans, length=3) == [Labelled((1,), "A", (("lemma", "x"),))]
    assert labels_of("choice", {"value": "relevant"}, length=0) == [Labelled((), "relevant")]
    assert has_labels("spans") and not has_labels("rewrite")


def test_texts_are_the_same_by_tokens_and_not_by_white_space() -> None:
    told = standoff_text(["don", "'t", "stop"], ["", "", "  ", ""])
    lengths = [end - begin for begin, end in told["positions"]]
    assert text_key(told["characters_sha256"], lengths) == key_of_tokens(["don", "'t", "stop"])
    assert key_of_tokens(["don", "'t"]) != key_of_tokens(["don't"])
    assert key_of_tokens(["a", "b"]) != key_of_tokens(["a", "c"])


def span(*tokens: int, label: str = "A") -> Span:
    return Span(tokens, label)


def linked(*args: object, **kwargs: object) -> list[tuple[object, object, str, str]]:
    rows = link_expressions(*args, **kwargs)  # type: ignore[arg-type]
    return [
        (row.source and row.source.tokens, row.target and row.target.tokens, row.where.value, row.outcome)
        for row in rows
    ]


def test_aligned_words_link_expressions_and_most_links_win() -> None:
    source, target = [span(0), span(2, 3)], [span(1), span(4, 5), span(7)]
    links = [(0, 1), (2, 4), (3, 5), (3, 1)]
    assert linked(source, target, links=links) == [
        ((0,), (1,), "both", ""), ((2, 3), (4, 5), "both", ""), (None, (7,), "target", ""),
    ]  # fmt: skip


def test_without_an_alignment_nothing_is_guessed() -> None:
    assert linked([span(0)], [span(0)], links=None) == [((0,), None, "unaligned", ""), (None, (0,), "unaligned", "")]
    # Where one text has no label, nothing could be linked.
    assert linked([span(0)], [], links=None) == [((0,), None, "source", "")]
    assert linked([], [span(0)], links=None) == [(None, (0,), "target", "")]


def test_without_gold_in_the_other_language_it_is_not_known() -> None:
    assert linked([span(0)], None) == [((0,), None, "undecided", "")]
    assert linked(None, [span(0)]) == [(None, (0,), "undecided", "")]


def test_labels_on_the_text_are_linked_by_their_name() -> None:
    assert linked([span(), span(label="B")], [span(label="B")], links=None)[:1] == [((), None, "source", "")]
    assert linked([span(label="B")], [span(label="B")], links=[]) == [((), (), "both", "")]


def outcome(source: Span, target: Span | None) -> SourceOutcome:
    return SourceOutcome(source, Outcome.PROJECTED if target else Outcome.UNALIGNED, None, target)


def test_a_review_says_kept_shifted_lost_and_gained() -> None:
    source = [span(0), span(1), span(2)]
    target = [span(0), span(1, 2), span(8)]
    review = Review([outcome(source[0], span(0)), outcome(source[1], span(1)), outcome(source[2], None)], {2})
    assert linked(source, target, links=[(2, 8)], review=review) == [
        ((0,), (0,), "both", "kept"),
        ((1,), (1, 2), "both", "shifted"),
        ((2,), None, "source", "lost"),
        (None, (8,), "target", "gained"),
    ]


def test_what_was_labelled_after_the_projection_is_linked_by_words() -> None:
    source, target = [span(0), span(5)], [span(0), span(6)]
    review = Review([outcome(source[0], span(0))])
    rows = list(link_expressions(source, target, links=[(5, 6)], review=review))
    assert [(row.where, row.outcome, row.by) for row in rows] == [
        (Where.BOTH, "kept", LinkedBy.REVIEW), (Where.BOTH, "gained", LinkedBy.ALIGNMENT),
    ]  # fmt: skip


_SPANS = st.lists(st.builds(Span, st.sets(st.integers(0, 5), min_size=1).map(sorted).map(tuple), st.sampled_from("AB")))


@given(_SPANS, _SPANS, st.none() | st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_every_expression_is_in_one_row(
    source: list[Span], target: list[Span], links: list[tuple[int, int]] | None
) -> None:
    rows = list(link_expressions(source, target, links=links))
    assert [row.source for row in rows if row.source] == source
    assert sorted((row.target for row in rows if row.target), key=str) == sorted(target, key=str)
    assert all((row.where == Where.BOTH) == (row.source is not None and row.target is not None) for row in rows)
