import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain.labels.bio import BioError, read_bio, write_bio
from annotator.domain.labels.spans import Span
from tests.domain.strategies import sentences_with_spans, tag_sequences

M, N = "METAPHOR", "SIMILE"


def extents(tags):
    return [(span.tokens, span.label) for span in read_bio(tags).spans]


def test_b_begins_and_i_continues():
    assert extents(["O", "B-METAPHOR", "I-METAPHOR", "B-METAPHOR", "O"]) == [((1, 2), M), ((3,), M)]


def test_i_after_o_continues_the_nearest_earlier_span_of_its_label():
    reading = read_bio(["B-METAPHOR", "O", "B-METAPHOR", "O", "O", "I-METAPHOR"])
    assert [span.tokens for span in reading.spans] == [(0,), (2, 5)]
    assert reading.joined == (5,)
    assert reading.orphans == ()


def test_i_after_another_label_continues_its_own():
    assert extents(["B-METAPHOR", "B-SIMILE", "I-METAPHOR", "I-SIMILE"]) == [((0, 2), M), ((1, 3), N)]


def test_an_i_without_an_earlier_span_is_an_orphan():
    reading = read_bio(["O", "I-METAPHOR", "I-METAPHOR", "B-SIMILE", "I-METAPHOR"])
    assert reading.spans == (Span((1, 2, 4), M, {"bio": "orphan"}), Span((3,), N))
    assert reading.orphans == (1,)
    assert reading.joined == (4,)


def test_a_label_may_hold_a_hyphen():
    assert extents(["B-B-side", "I-B-side"]) == [((0, 1), "B-side")]


@given(tag_sequences())
@example(["I-METAPHOR", "B-METAPHOR", "I-METAPHOR"])
@example(["I-METAPHOR", "O", "I-METAPHOR", "B-METAPHOR"])
def test_every_valid_tag_sequence_is_written_as_it_was_read(tags):
    assert write_bio(read_bio(tags).spans, len(tags)) == tags


@given(st.lists(st.one_of(st.just("O"), st.text(min_size=1).flatmap(lambda t: st.sampled_from([f"B-{t}", f"I-{t}"])))))
def test_any_text_is_a_label(tags):
    assert write_bio(read_bio(tags).spans, len(tags)) == tags


@given(sentences_with_spans())
def test_spans_are_spelt_so_that_they_read_the_same_or_not_at_all(case):
    length, spans = case
    try:
        tags = write_bio(spans, length)
    except BioError:
        return
    assert sorted((s.tokens, s.label) for s in spans) == sorted(extents(tags))


@given(sentences_with_spans())
def test_contiguous_spans_without_overlap_can_always_be_spelt(case):
    length, spans = case
    free = set(range(length))
    chosen = []
    for span in spans:
        whole = range(span.first, span.last + 1)
        if free.issuperset(whole):
            free.difference_update(whole)
            chosen.append(Span(tuple(whole), span.label))
    assert len(write_bio(chosen, length)) == length


@pytest.mark.parametrize("tag", ["", "B", "B-", "I-", "X-METAPHOR", "b-METAPHOR", "METAPHOR", "o", "BMETAPHOR"])
def test_other_tags_are_refused(tag):
    with pytest.raises(BioError, match="Token 2"):
        read_bio(["O", tag])


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ([Span((0, 1), M), Span((1,), N)], "share token 2"),
        ([Span((0, 2), M), Span((1,), M)], "METAPHOR on token 2 from METAPHOR on tokens 1 and 3"),
        ([Span((0, 3), M), Span((1, 4), M)], "tokens 2 and 5"),
        ([Span((0,), M), Span((1,), M, {"bio": "orphan"})], "begins with I-"),
        ([Span((5,), M)], "has 5 tokens"),
    ],
)
def test_spans_that_bio_cannot_spell_are_refused_in_words(spans, words):
    with pytest.raises(BioError, match=words):
        write_bio(spans, 5)


def test_nothing_is_nothing():
    assert read_bio([]).spans == ()
    assert write_bio([], 0) == []
    assert write_bio([], 2) == ["O", "O"]
