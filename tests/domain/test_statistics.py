import pytest

from annotator.domain.labels.origins import TokenOrigins, token_origins
from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import NotCarried, Outcome, SourceOutcome
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
    carried = [
        SourceOutcome(Span((0,), M), Outcome.PROJECTED, None, Span((0, 1), M)),
        SourceOutcome(Span((2,), M), Outcome.PROJECTED, None, Span((4,), M)),
        SourceOutcome(Span((3,), M), Outcome.UNALIGNED, NotCarried.UNLINKED, None),
    ]
    projected = count_projected("toy", "hyp", outcomes=carried, reviewed=[Span((1,), M), Span((4,), M)], length=6)
    other = count_unprojected(
        "toy", "hyp", predicted=[Span((0,), M)], revised=[Span((0, 1), M), Span((3,), M)], length=4
    )
    row = projection_rows([projected, other])[1]
    assert row.to_json() == {
        "dataset": "toy",
        "role": "hyp",
        "source": 3,
        "projected": 2,
        "unaligned": 1,
        "dropped": 0,
        "kept": 1,
        "shifted": 1,
        "lost": 1,
        "lost_not_projected": 1,
        "gained": 2,
        "target": 4,
        "labelled_tokens": 5,
        "predicted": 1,
        "revised": 2,
    }


def test_several_datasets_are_added_up_in_rows_of_their_own():
    detection = detection_rows(
        [
            count_sentence("es", "one", "prem", [Span((0,), M)], 5),
            count_sentence("es", "two", "hyp", [Span((0,), M)], 3),
            count_sentence("en", "one", "hyp", [], 2),
        ]
    )
    assert [tuple(row.to_json().values()) for row in detection[6:]] == [
        ("es", "all", "prem", 1, 5, 1, 1),
        ("es", "all", "hyp", 1, 3, 1, 1),
        ("es", "all", "all", 2, 8, 2, 2),
        ("en", "one", "prem", 0, 0, 0, 0),
        ("en", "one", "hyp", 0, 2, 0, 1),
        ("en", "one", "all", 0, 2, 0, 1),
    ]
    pairs = interpretation_rows([PairCount("one", "neutral", "relevant"), PairCount("two", "neutral", "relevant")])
    assert [(row.dataset, row.inference, row.total) for row in pairs[-3:]] == [
        ("all", "neutral", 2),
        ("all", "contradiction", 0),
        ("all", "all", 2),
    ]
    corrected = correction_rows([CorrectionCount("es", name, "prem", TokenOrigins(3, 1, 2, 4)) for name in ("a", "b")])
    assert tuple(corrected[-1].to_json().values()) == ("es", "all", "all", 6, 2, 4, 8)
    projected = projection_rows([ProjectionCount(name, "prem", projected=2, lost=1, gained=3) for name in ("a", "b")])
    assert (projected[-1].dataset, projected[-1].source, projected[-1].target) == ("all", 4, 8)
