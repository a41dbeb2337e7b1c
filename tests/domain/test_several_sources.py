"""Which of several projections is the better one, and where they agree."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import Outcome, SourceOutcome, project
from annotator.domain.projection.several_sources import better_first, projection_score, span_sources
from tests.domain.strategies import sentences_with_spans

LANGUAGES = ["es", "en", "ca", "eu"]
scores = st.floats(0, 1, allow_nan=False)


@st.composite
def projections(draw: st.DrawFn) -> tuple[tuple[SourceOutcome, ...], list[tuple[int, int, float]]]:
    """What the rules make of random labels and links."""
    length, spans = draw(sentences_with_spans())
    target = draw(st.lists(st.sampled_from(["word", "other", ","]), min_size=1, max_size=8))
    pairs = st.tuples(st.integers(0, length - 1), st.integers(0, len(target) - 1))
    links = draw(st.dictionaries(pairs, scores, max_size=20))
    found = project(spans, links, target)
    return found.outcomes, [(source, at, score) for (source, at), score in links.items()]


def outcome(source: tuple[int, ...], target: tuple[int, ...] | None) -> SourceOutcome:
    reached = None if target is None else Span(target, "METAPHOR")
    state = Outcome.UNALIGNED if target is None else Outcome.PROJECTED
    return SourceOutcome(Span(source, "METAPHOR"), state, None, reached)


class TestScore:
    @pytest.mark.parametrize(
        ("outcomes", "links", "expected"),
        [
            ([outcome((1,), (2,))], [(1, 2, 0.8)], 0.8),
            # Of a token's links the best one into the span counts; one to elsewhere does not.
            ([outcome((1,), (2, 3))], [(1, 2, 0.4), (1, 3, 0.6), (1, 5, 1.0)], 0.6),
            # A token without a link halves what the other one brings.
            ([outcome((1, 2), (2,))], [(1, 2, 0.8)], 0.4),
            # What was lost counts.
            ([outcome((1,), (2,)), outcome((4,), None)], [(1, 2, 0.8)], 0.4),
            ([outcome((), ())], [], 1.0),
            ([outcome((4,), None)], [(4, 1, 0.9)], 0.0),
            ([], [], 0.0),
        ],
    )
    def test_the_formula(
        self, outcomes: list[SourceOutcome], links: list[tuple[int, int, float]], expected: float
    ) -> None:
        assert projection_score(outcomes, links) == expected

    @pytest.mark.parametrize(
        ("opinions", "expected"), [([], 0.4), ([None, None], 0.4), ([0.2, None], 0.25), ([1.0, 0.5], 0.575)]
    )
    def test_a_second_opinion_counts_as_much_as_the_links(self, opinions: list[float | None], expected: float) -> None:
        outcomes = [outcome((1,), (2,)), outcome((4,), None)]
        assert projection_score(outcomes, [(1, 2, 0.8)], opinions) == expected

    @given(projections())
    def test_it_is_between_nothing_and_certain(
        self, given: tuple[tuple[SourceOutcome, ...], list[tuple[int, int, float]]]
    ) -> None:
        outcomes, links = given
        assert 0.0 <= projection_score(outcomes, links) <= 1.0

    @given(projections(), st.randoms(use_true_random=False))
    def test_order_changes_nothing(
        self, given: tuple[tuple[SourceOutcome, ...], list[tuple[int, int, float]]], random: object
    ) -> None:
        outcomes, links = given
        shuffled, turned = list(links), list(outcomes)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        random.shuffle(turned)  # type: ignore[attr-defined]
        assert projection_score(turned, shuffled) == projection_score(outcomes, links)

    @given(projections(), st.data())
    def test_a_surer_link_never_lowers_it(
        self, given: tuple[tuple[SourceOutcome, ...], list[tuple[int, int, float]]], data: st.DataObject
    ) -> None:
        outcomes, links = given
        if not links:
            return
        at = data.draw(st.integers(0, len(links) - 1))
        source, target, score = links[at]
        surer = [*links[:at], (source, target, data.draw(st.floats(score, 1))), *links[at + 1 :]]
        assert projection_score(outcomes, surer) >= projection_score(outcomes, links)

    @given(projections())
    def test_what_is_stored_gives_it_again(
        self, given: tuple[tuple[SourceOutcome, ...], list[tuple[int, int, float]]]
    ) -> None:
        outcomes, links = given
        stored = [SourceOutcome.from_json(one.to_json()) for one in outcomes]
        rounded = [(source, target, round(score, 4)) for source, target, score in links]
        assert projection_score(stored, rounded) == projection_score(outcomes, links)


class TestOrder:
    @given(
        st.dictionaries(st.sampled_from(LANGUAGES), st.none() | scores, min_size=1), st.randoms(use_true_random=False)
    )
    def test_the_highest_first_and_ties_by_the_project(self, rows: dict[str, float | None], random: object) -> None:
        given_order = list(rows)
        random.shuffle(given_order)  # type: ignore[attr-defined]
        order = sorted(given_order, key=lambda one: better_first(rows[one], one, LANGUAGES))
        worth = [-1.0 if (score := rows[one]) is None else score for one in order]
        assert worth == sorted(worth, reverse=True)
        for before, after in pairwise(order):
            if rows[before] == rows[after]:
                assert LANGUAGES.index(before) < LANGUAGES.index(after)

    def test_a_language_that_the_project_does_not_name_comes_last_of_equals(self) -> None:
        assert better_first(0.5, "oc", LANGUAGES) > better_first(0.5, "eu", LANGUAGES)


class TestAgreement:
    def test_the_same_tokens_and_label_agree(self) -> None:
        found = span_sources(
            {
                "es": [Span((1,), "METAPHOR"), Span((3, 4), "METAPHOR")],
                "en": [Span((1,), "METAPHOR", score=0.4), Span((4,), "METAPHOR")],
                "eu": [Span((1,), "SIMILE")],
            }
        )
        assert found == {"es": [["es", "en"], ["es"]], "en": [["en", "es"], ["en"]], "eu": [["eu"]]}

    @given(st.dictionaries(st.sampled_from(LANGUAGES), sentences_with_spans().map(lambda found: found[1])))
    def test_agreement_is_mutual_and_ones_own_source_comes_first(self, rows: dict[str, list[Span]]) -> None:
        found = span_sources(rows)
        assert {language: len(each) for language, each in found.items()} == {
            language: len(spans) for language, spans in rows.items()
        }
        for language, spans in rows.items():
            for span, sources in zip(spans, found[language], strict=True):
                assert sources[0] == language
                assert len(set(sources)) == len(sources)
                for other, theirs in rows.items():
                    has = any((one.tokens, one.label) == (span.tokens, span.label) for one in theirs)
                    assert (other in sources) == has
