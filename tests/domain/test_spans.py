import json
import pickle

import numpy as np
import pytest
from hypothesis import given

from annotator.domain.labels.bio import BioError, write_bio
from annotator.domain.labels.spans import Scheme, Span, SpanError, check_spans, named_tokens, sort_spans, token_labels
from tests.domain.strategies import sentences_with_spans

METAPHOR = Scheme(labels=("METAPHOR",))


def test_a_span_knows_its_extent_and_fragments():
    span = Span((2, 3, 6), "METAPHOR")
    assert (span.first, span.last, span.contiguous) == (2, 6, False)
    assert span.fragments() == ((2, 3), (6,))
    assert Span((4, 5), "METAPHOR").contiguous


@pytest.mark.parametrize(
    ("tokens", "label", "words"),
    [
        ((-1,), "METAPHOR", "negative"),
        ((3, 3), "METAPHOR", "token 4 comes after token 4"),
        ((3, 1), "METAPHOR", "token 2 comes after token 4"),
        ((1.5,), "METAPHOR", "whole numbers"),
        ((True,), "METAPHOR", "whole numbers"),
        ((0,), "", "token 1 needs a label"),
    ],
)
def test_malformed_spans_are_refused_in_words(tokens, label, words):
    with pytest.raises(SpanError, match=words):
        Span(tokens, label)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), "0.5", True])
def test_a_score_is_a_probability(score):
    with pytest.raises(SpanError, match="between 0 and 1"):
        Span((0,), "METAPHOR", score=score)


def test_spans_are_values():
    one = Span((0, 1), "METAPHOR", {"mrw": "indirect", "doubt": "yes"})
    two = Span((0, 1), "METAPHOR", {"doubt": "yes", "mrw": "indirect"})
    assert one == two
    assert len({one, two}) == 1
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own bytes
    with pytest.raises(TypeError):
        one.attributes["mrw"] = "direct"


@given(sentences_with_spans())
def test_json_gives_back_the_span(case):
    for span in case[1]:
        assert Span.from_json(json.loads(json.dumps(span.to_json()))) == span


def test_json_has_the_shape_that_everything_shares():
    span = Span((np.int64(3), 4), "METAPHOR", {"mrw": "direct"}, np.float32(0.5))
    assert json.loads(json.dumps(span.to_json())) == {
        "tokens": [3, 4],
        "label": "METAPHOR",
        "attributes": {"mrw": "direct"},
        "score": 0.5,
    }


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"tokens": "01", "label": "X"},
        {"tokens": [0]},
        {"tokens": [0], "label": 5},
        {"tokens": [[0]], "label": "X"},
        {"tokens": ["0"], "label": "X"},
        {"tokens": [0], "label": "X", "attributes": ["a"]},
        {"tokens": [0], "label": "X", "attributes": {"a": 1}},
        {"tokens": [0], "label": "X", "colour": "red"},
    ],
)
def test_json_that_is_no_span_is_refused(data):
    with pytest.raises(SpanError):
        Span.from_json(data)


def test_a_scheme_survives_json():
    scheme = Scheme(("METAPHOR", "MFlag"), discontinuous=False, attributes={"mrw": ("direct", "indirect"), "note": ()})
    assert Scheme.from_json(json.loads(json.dumps(scheme.to_json()))) == scheme
    assert hash(scheme) == hash(Scheme.from_json(scheme.to_json()))


@pytest.mark.parametrize("labels", [(), ("O",), ("A", "A"), ("two words",), ("tab\t",), ("",)])
def test_a_scheme_refuses_labels_that_files_could_not_carry(labels):
    with pytest.raises(SpanError):
        Scheme(labels)


def test_checked_spans_come_in_reading_order():
    late, early = Span((4,), "METAPHOR"), Span((0, 2), "METAPHOR")
    assert check_spans([late, early], length=5, scheme=METAPHOR) == (early, late)


@pytest.mark.parametrize(
    ("spans", "scheme", "words"),
    [
        (
            [Span((7,), "METAPHOR")],
            METAPHOR,
            "METAPHOR on token 8 does not fit: the sentence has no token 8, only 7",
        ),
        ([Span((0,), "SIMILE")], METAPHOR, "'SIMILE' on token 1 is not a label"),
        (
            [Span((0, 1), "METAPHOR"), Span((1, 2), "METAPHOR")],
            METAPHOR,
            "METAPHOR on tokens 2–3 overlaps with METAPHOR on tokens 1–2 at token 2",
        ),
        (
            [Span((0, 2), "METAPHOR")],
            Scheme(("METAPHOR",), discontinuous=False),
            "METAPHOR on tokens 1 and 3 skips token 2",
        ),
        ([Span((0,), "METAPHOR"), Span((0,), "METAPHOR")], Scheme(("METAPHOR",), overlaps=True), "appears twice"),
        ([Span((0,), "METAPHOR", {"mrw": "x"})], METAPHOR, "the attribute 'mrw'"),
        (
            [Span((0,), "METAPHOR", {"mrw": "x"})],
            Scheme(("METAPHOR",), attributes={"mrw": ("direct", "indirect")}),
            "must be one of direct, indirect",
        ),
    ],
)
def test_what_a_sentence_may_not_carry_is_said_in_words(spans, scheme, words):
    with pytest.raises(SpanError, match=words):
        check_spans(spans, length=7, scheme=scheme)


def test_a_scheme_can_allow_overlaps_and_free_attributes():
    scheme = Scheme(("A", "B"), overlaps=True, attributes={"note": ()})
    spans = (Span((0, 1), "A", {"note": "anything"}), Span((1,), "B"))
    assert check_spans(spans, length=2, scheme=scheme) == spans


def test_an_orphan_read_from_a_file_is_allowed_in_every_scheme():
    orphan = Span((0,), "METAPHOR", {"bio": "orphan"})
    assert check_spans([orphan], length=1, scheme=METAPHOR) == (orphan,)


@given(sentences_with_spans())
def test_without_overlaps_checked_spans_are_those_that_bio_can_spell(case):
    length, spans = case
    scheme = Scheme(("METAPHOR", "SIMILE", "B-side"))
    try:
        tags = write_bio(spans, length)
    except BioError:
        with pytest.raises(SpanError):
            check_spans(spans, length=length, scheme=scheme)
    else:
        assert check_spans(spans, length=length, scheme=scheme) == sort_spans(spans)
        assert len(tags) == length


def test_spans_of_one_label_must_not_nest_but_those_of_two_labels_may():
    outer = Span((0, 2), "METAPHOR")
    with pytest.raises(SpanError, match="lies inside METAPHOR on tokens 1 and 3"):
        check_spans([outer, Span((1,), "METAPHOR")], length=3, scheme=METAPHOR)
    both = Scheme(("METAPHOR", "SIMILE"))
    assert len(check_spans([outer, Span((1,), "SIMILE")], length=3, scheme=both)) == 2


def test_token_labels_pool_spans_by_token():
    spans = [Span((0, 2), "METAPHOR"), Span((2,), "B"), Span((2,), "B", {"note": "again"})]
    assert token_labels(spans, 4) == ["METAPHOR", "O", "B+METAPHOR", "O"]
    with pytest.raises(SpanError, match="token 5"):
        token_labels([Span((4,), "METAPHOR")], 4)


def test_tokens_are_named_from_one():
    assert str(named_tokens([0])) == "token 1"
    assert str(named_tokens([0, 1, 2, 5])) == "tokens 1–3 and 6"
    assert str(named_tokens([0, 2, 4])) == "tokens 1, 3 and 5"
