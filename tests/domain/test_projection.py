import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.bio import write_bio
from annotator.domain.labels.spans import Scheme, Span, check_spans
from annotator.domain.projection.carry import Outcome, ProjectionError, ProjectionRules, project
from annotator.domain.text.function_words import is_function_word
from tests.domain.strategies import LABELS, spans

M = "METAPHOR"
EN = is_function_word("en")
WORD_LEVEL = ProjectionRules(skip_function_words=True)


def projected(source, links, target, **rules):
    result = project(source, links, target.split(" "), rules=ProjectionRules(**rules))
    return [(span.tokens, span.label) for span in result.spans]


def word_level(source, links, target):
    result = project(source, links, target.split(" "), rules=WORD_LEVEL, is_function_word=EN)
    return [span.tokens for span in result.spans]


def test_a_span_goes_to_all_tokens_linked_to_it():
    assert projected([Span((1, 2), M)], [(0, 0), (1, 3), (2, 2), (2, 3)], "a b c d") == [((2, 3), M)]


def test_an_unlinked_span_is_unaligned():
    result = project([Span((1,), M)], [(0, 0)], ["a"])
    assert result.spans == ()
    assert [(o.outcome, o.reason, o.target) for o in result.outcomes] == [(Outcome.UNALIGNED, "unlinked", None)]


def test_punctuation_is_dropped_and_a_span_of_it_alone_says_so():
    result = project([Span((0,), M), Span((1,), M)], [(0, 0), (0, 1), (1, 2)], ["fire", ",", "—"])
    assert [span.tokens for span in result.spans] == [(0,)]
    first, second = result.outcomes
    assert (first.outcome, first.reason, first.left_out) == (Outcome.PROJECTED, None, ((1, "punctuation"),))
    assert (second.outcome, second.reason, second.target) == (Outcome.DROPPED, "punctuation", None)


def test_a_short_gap_is_filled():
    assert projected([Span((0,), M)], [(0, 0), (0, 2)], "a b c") == [((0, 1, 2), M)]
    assert projected([Span((0,), M)], [(0, 0), (0, 2)], "a b c", fill_gap=0) == [((0,), M)]
    assert projected([Span((0,), M)], [(0, 0), (0, 3)], "a b c d") == [((0,), M)]
    assert projected([Span((0,), M)], [(0, 0), (0, 3)], "a b c d", fill_gap=2) == [((0, 1, 2, 3), M)]


def test_the_gap_rule_of_easy_label_projection_looks_at_the_whole_span():
    links = [(0, 0), (0, 1), (0, 3)]
    assert projected([Span((0,), M)], links, "a b c d") == [((0, 1, 2, 3), M)]
    assert projected([Span((0,), M)], links, "a b c d", gap_rule="elp") == [((0, 1), M)]
    assert projected([Span((0,), M)], [(0, 0), (0, 2)], "a b c", gap_rule="elp") == [((0, 1, 2), M)]
    assert projected([Span((0,), M)], links, "a b c d", gap_rule="elp", fill_gap=2) == [((0, 1, 2, 3), M)]


def test_the_largest_fragment_stays_the_earliest_on_a_tie():
    links = [(0, 0), (0, 3), (0, 4), (0, 7), (0, 8)]
    result = project([Span((0,), M)], links, list("abcdefghi"))
    assert [span.tokens for span in result.spans] == [(3, 4)]
    assert result.outcomes[0].left_out == ((0, "fragment"), (7, "fragment"), (8, "fragment"))


def test_discontinuous_spans_keep_all_fragments():
    assert projected([Span((0,), M)], [(0, 0), (0, 4)], "a b c d e", discontinuous=True) == [((0, 4), M)]


def test_spans_come_in_target_order_and_outcomes_in_source_order():
    result = project([Span((0,), M), Span((1,), "B")], [(0, 2), (1, 0)], ["a", "b", "c"])
    assert [span.label for span in result.spans] == ["B", M]
    assert [outcome.source.label for outcome in result.outcomes] == [M, "B"]


def test_overlapping_spans_of_one_label_merge_and_share_their_target():
    result = project([Span((0,), M), Span((1,), M)], [(0, 0), (0, 1), (1, 1), (1, 2)], ["a", "b", "c"])
    assert result.spans == (Span((0, 1, 2), M),)
    assert [outcome.target for outcome in result.outcomes] == [result.spans[0]] * 2


def test_neighbouring_spans_of_one_label_stay_apart():
    assert projected([Span((0,), M), Span((1,), M)], [(0, 0), (1, 1)], "a b") == [((0,), M), ((1,), M)]


def test_of_different_labels_the_longer_wins():
    result = project([Span((0,), "A"), Span((1,), "B")], [(0, 0), (0, 1), (1, 1)], ["a", "b"])
    assert result.spans == (Span((0, 1), "A"),)
    assert (result.outcomes[1].outcome, result.outcomes[1].reason) == (Outcome.DROPPED, "overlap")


def test_of_different_labels_and_equal_length_the_later_wins():
    assert projected([Span((0,), "A"), Span((1,), "B")], [(0, 0), (0, 1), (1, 1), (1, 2)], "a b c") == [((1, 2), "B")]


def test_a_span_that_lost_takes_nothing_from_others():
    source = [Span((0,), "A"), Span((1,), "B"), Span((2,), "C")]
    links = [(0, 0), (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (2, 5), (2, 6)]
    assert projected(source, links, "a b c d e f g") == [((0, 1), "A"), ((3, 4, 5, 6), "C")]


def test_interleaved_spans_of_one_label_merge_since_bio_cannot_tell_them_apart():
    source = [Span((0,), M), Span((1,), M)]
    links = [(0, 0), (0, 4), (1, 2)]
    assert projected(source, links, "a b c d e", discontinuous=True) == [((0, 2, 4), M)]


def test_a_verb_does_not_take_its_pronoun_along():
    assert word_level([Span((0,), M)], [(0, 0), (0, 1)], "They fought") == [(1,)]
    assert word_level([Span((0,), M)], [(0, 0), (0, 1), (0, 2)], "they have fought.") == [(2,)]


def test_function_words_stay_when_there_is_no_content_word():
    assert word_level([Span((0,), M)], [(0, 0), (0, 1)], "they have") == [(0, 1)]
    assert word_level([Span((0,), M)], [(0, 0)], "they fought") == [(0,)]


def test_filling_a_gap_never_brings_an_edge_back():
    assert word_level([Span((0,), M)], [(0, 0), (0, 2)], "they never fought") == [(2,)]


def test_function_words_inside_a_multi_word_unit_stay():
    assert word_level([Span((0,), M)], [(0, i) for i in range(4)], "they kick the bucket") == [(1, 2, 3)]
    assert word_level([Span((0,), M)], [(0, 1), (0, 3)], "they kick the bucket") == [(1, 2, 3)]
    assert word_level([Span((0,), M)], [(0, i) for i in range(4)], "kick it of ashes") == [(0, 1, 2, 3)]


def test_function_words_are_left_out_only_on_demand():
    target = ["They", "fought"]
    links = [(0, 0), (0, 1)]
    assert project([Span((0,), M)], links, target, is_function_word=EN).spans == (Span((0, 1), M),)
    result = project([Span((0,), M)], links, target, rules=WORD_LEVEL, is_function_word=EN)
    assert result.outcomes[0].left_out == ((0, "function word"),)


def test_attributes_travel_and_scores_do_not():
    source = [Span((0,), M, {"mrw": "direct", "note": "x", "bio": "orphan"}, 0.9), Span((1,), M, {"mrw": "direct"})]
    result = project(source, [(0, 0), (1, 0)], ["a"])
    assert result.spans == (Span((0,), M, {"mrw": "direct"}),)


@pytest.mark.parametrize("link", [(0, 2), (0, -1), (-1, 0)])
def test_a_link_to_a_token_that_is_not_there_is_an_error(link):
    with pytest.raises(ProjectionError, match=f"{link[0]}-{link[1]}"):
        project([Span((0,), M)], [link], ["a", "b"])


@pytest.mark.parametrize("rules", [{"fill_gap": -1}, {"gap_rule": "near"}])
def test_rules_are_checked(rules):
    with pytest.raises(ProjectionError):
        ProjectionRules(**rules)


def test_outcomes_as_json():
    source = [Span((0,), M), Span((1,), M), Span((2,), M)]
    outcomes = project(source, [(0, 0), (1, 1)], ["a", "."]).outcomes
    assert [(outcome.outcome, outcome.reason) for outcome in outcomes] == [
        ("projected", None),
        ("dropped", "punctuation"),
        ("unaligned", "unlinked"),
    ]
    assert outcomes[1].to_json() == {
        "source": source[1].to_json(),
        "outcome": "dropped",
        "reason": "punctuation",
        "target": None,
        "left_out": [{"token": 1, "reason": "punctuation"}],
    }


WORDS = ("they", "the", "fought", "fire", "kick", "of", ",", "—")
RULES = st.builds(
    ProjectionRules,
    fill_gap=st.integers(0, 3),
    gap_rule=st.sampled_from(["between", "elp"]),
    discontinuous=st.booleans(),
    skip_function_words=st.booleans(),
)


@st.composite
def cases(draw):
    target = draw(st.lists(st.sampled_from(WORDS), max_size=12))
    links = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, len(target) - 1)), max_size=25)) if target else []
    return draw(st.lists(spans(9), max_size=6)), links, target, draw(RULES)


@given(cases())
def test_whatever_the_links_the_result_is_sound(case):
    source, links, target, rules = case
    result = project(source, links, target, rules=rules, is_function_word=EN)

    assert [outcome.source for outcome in result.outcomes] == source
    scheme = Scheme(LABELS, discontinuous=rules.discontinuous)
    assert check_spans(result.spans, length=len(target), scheme=scheme) == result.spans
    write_bio(result.spans, len(target))
    assert {o.target for o in result.outcomes if o.target is not None} == set(result.spans)

    linked = {s: {t for s2, t in links if s2 == s} for s in range(10)}
    for outcome in result.outcomes:
        reached = set().union(*(linked[token] for token in outcome.source.tokens))
        assert (outcome.outcome is Outcome.UNALIGNED) == (not reached)
        assert (outcome.outcome is Outcome.PROJECTED) == (outcome.target is not None) == (outcome.reason is None)
        covered = set(outcome.target.tokens) if outcome.target else set()
        assert {token for token, _ in outcome.left_out} == reached - covered
        if outcome.target:
            assert outcome.target.label == outcome.source.label
            assert covered & reached
        if outcome.outcome is Outcome.DROPPED and outcome.reason == "punctuation":
            assert {target[token] for token in reached} <= {",", "—"}


@given(cases())
def test_the_order_of_links_does_not_matter(case):
    source, links, target, rules = case
    once = project(source, links, target, rules=rules, is_function_word=EN)
    assert project(source, [*reversed(links), *links], target, rules=rules, is_function_word=EN) == once


@given(cases())
def test_with_a_content_word_no_edge_is_a_function_word(case):
    source, links, target, rules = case
    for span in source:
        # Where only function words are linked they stay, whatever word the filling of a gap puts between them.
        if not {target[t] for s, t in links if s in span.tokens} & {"fought", "fire", "kick"}:
            continue
        one = project(
            [span],
            links,
            target,
            rules=ProjectionRules(rules.fill_gap, rules.gap_rule, False, True),
            is_function_word=EN,
        )
        assert target[one.spans[0].first] not in ("they", "the", "of")
        assert target[one.spans[0].last] not in ("they", "the", "of")
