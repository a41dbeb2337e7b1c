import pytest

from annotator.domain.origins import TokenOrigins, token_origins
from annotator.domain.spans import Span
from annotator.domain.statistics import (
    CorrectionCount,
    PairCount,
    ProjectionCount,
    correction_rows,
    count_projected,
    count_sentence,
    count_unprojected,
    detection_rows,
    interpretation_rows,
    labelled_tokens,
    projection_rows,
)

M = "METAPHOR"


def test_detection_counts_tokens_and_sentences():
    rows = detection_rows(
        [
            count_sentence("es", "toy", "prem", [Span((0, 2), M)], 5),
            count_sentence("es", "toy", "hyp", [], 3),
            count_sentence("es", "toy", "hyp", [Span((0,), M), Span((1,), M)], 4),
            count_sentence("en", "toy", "hyp", [], 2),
        ]
    )
    assert [tuple(row.to_json().values()) for row in rows] == [
        ("es", "toy", "prem", 2, 5, 1, 1),
        ("es", "toy", "hyp", 2, 7, 1, 2),
        ("es", "toy", "all", 4, 12, 2, 3),
        ("en", "toy", "prem", 0, 0, 0, 0),
        ("en", "toy", "hyp", 0, 2, 0, 1),
        ("en", "toy", "all", 0, 2, 0, 1),
    ]
    assert list(rows[0].to_json()) == [
        "language",
        "dataset",
        "role",
        "labelled_tokens",
        "tokens",
        "labelled_sentences",
        "sentences",
    ]


def test_a_token_counts_once():
    assert labelled_tokens([Span((0, 1), "A"), Span((1,), "B")], 3) == 2


def test_interpretation_counts_pairs_by_inference():
    rows = interpretation_rows(
        [
            PairCount("toy", "neutral", "relevant"),
            PairCount("toy", "neutral", "no_metaphor"),
            PairCount("toy", "entailment", "non_relevant"),
        ]
    )
    assert [tuple(row.to_json().values()) for row in rows] == [
        ("toy", "entailment", 0, 1, 0, 1),
        ("toy", "neutral", 1, 0, 1, 2),
        ("toy", "contradiction", 0, 0, 0, 0),
        ("toy", "all", 1, 1, 1, 3),
    ]


def test_discarded_pairs_are_no_part_of_the_total_but_are_said():
    row = interpretation_rows([PairCount("toy", "neutral", "discarded")])[-1]
    assert (row.total, row.discarded) == (0, 1)
    assert row.to_json()["discarded"] == 1
    with pytest.raises(ValueError, match="'maybe'"):
        interpretation_rows([PairCount("toy", "neutral", "maybe")])


def test_correction_is_counted_in_tokens():
    rows = correction_rows(
        [
            CorrectionCount("es", "toy", "prem", token_origins([Span((0,), M)], [Span((1, 2), M)], 4)),
            CorrectionCount("es", "toy", "prem", TokenOrigins(3, 0, 1, 4)),
        ]
    )
    assert [tuple(row.to_json().values()) for row in rows] == [
        ("es", "toy", "prem", 4, 1, 3, 6),
        ("es", "toy", "hyp", 0, 0, 0, 0),
        ("es", "toy", "all", 4, 1, 3, 6),
    ]


def test_projection_adds_up_to_the_target_language():
    projected = count_projected(
        "toy",
        "hyp",
        source=[Span((0,), M), Span((2,), M)],
        source_length=3,
        projected=[Span((0, 1), M), Span((4,), M)],
        reviewed=[Span((1,), M), Span((4,), M), Span((5,), M)],
        length=6,
    )
    assert projected == ProjectionCount("toy", "hyp", source=2, projected=3, lost=1, gained=1, target=3)
    other = count_unprojected("toy", "hyp", predicted=[Span((0,), M)], revised=[Span((0, 1), M)], length=2)
    row = projection_rows([projected, other])[1]
    assert row.to_json() == {
        "dataset": "toy",
        "role": "hyp",
        "source": 2,
        "projected": 3,
        "lost": 1,
        "gained": 1,
        "target": 3,
        "predicted": 1,
        "revised": 2,
        "total": 5,
    }
