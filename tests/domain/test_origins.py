from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.origins import TokenOrigins, origins, token_origins
from annotator.domain.labels.spans import Span
from tests.domain.strategies import spans

M = "METAPHOR"


def test_spans_are_kept_added_and_removed():
    suggested = [Span((0,), M, score=0.9), Span((2,), M, score=0.8), Span((4, 5), M)]
    annotated = [Span((4,), M), Span((2,), M, {"mrw": "direct"}), Span((7,), M)]
    result = origins(suggested, annotated)
    assert result.kept == (Span((2,), M, {"mrw": "direct"}),)
    assert result.added == (Span((4,), M), Span((7,), M))
    assert result.removed == (Span((0,), M, score=0.9), Span((4, 5), M))


def test_another_label_is_one_removed_and_one_added():
    assert token_origins([Span((0,), "A")], [Span((0,), "B")], 1) == TokenOrigins(1, 1, 1, 1)


def test_tokens_are_counted_where_a_span_was_only_shortened():
    assert token_origins([Span((0, 1), M)], [Span((1,), M)], 3) == TokenOrigins(predicted=2, removed=1, revised=1)


@given(st.lists(spans(9), max_size=5), st.lists(spans(9), max_size=5))
def test_the_counts_add_up(suggested, annotated):
    tokens = token_origins(suggested, annotated, 9)
    assert tokens.revised == tokens.predicted - tokens.removed + tokens.added
    by_span = origins(suggested, annotated)
    keys = {(s.tokens, s.label) for s in annotated}
    assert {(s.tokens, s.label) for s in (*by_span.kept, *by_span.added)} == keys
    assert token_origins(annotated, annotated, 9).added == 0
