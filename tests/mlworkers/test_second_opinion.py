"""What the encoder says of labels that an aligner carried over."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import ProjectionRules, project
from annotator.domain.projection.several_sources import projection_score
from annotator.domain.text.function_words import is_function_word
from bench.projection import read
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.second_opinion import MAX_TOKENS, SecondOpinion
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.mlworkers.encoder import needs_encoder

pytestmark = needs_encoder

SPANISH, ENGLISH = ["La", "crisis", "golpea", "la", "ciudad"], ["The", "crisis", "hits", "the", "town"]


@pytest.fixture(scope="module")
def second() -> SecondOpinion:
    return SecondOpinion.load()


def said(second: SecondOpinion, *links: tuple[int, int], span: tuple[int, ...] = (2,)) -> list[float | None]:
    outcomes = project([Span(span, "METAPHOR")], links, ENGLISH).outcomes
    return second.of(SPANISH, ENGLISH, outcomes)


def test_the_right_word_is_surer_than_another(second: SecondOpinion) -> None:
    [right], [wrong] = said(second, (2, 2)), said(second, (2, 4))
    assert right is not None and wrong is not None
    assert 0 <= wrong < 0.5 < right <= 1


def test_it_says_nothing_of_what_was_not_projected_or_bears_no_words(second: SecondOpinion) -> None:
    assert said(second) == [None]
    assert said(second, span=()) == [None]


def test_a_span_over_the_whole_sentence_has_nothing_outside(second: SecondOpinion) -> None:
    [one] = said(second, *((number, number) for number in range(5)), span=(0, 1, 2, 3, 4))
    assert one is not None and one > 0.5


def test_it_leaves_very_long_sentences_alone(second: SecondOpinion) -> None:
    source = SPANISH * (MAX_TOKENS // 5) + ["fin"]
    assert second.of(source, ENGLISH, project([Span((2,), "METAPHOR")], [(2, 2)], ENGLISH).outcomes) == [None]


def test_it_names_the_encoder_and_its_revision(second: SecondOpinion) -> None:
    name, _, revision = second.name.partition("@")
    assert name == "encoder" and len(revision) == 12


@needs_meta4xnli
def test_projections_that_differ_from_the_gold_come_sooner_with_it(second: SecondOpinion) -> None:
    """bench/encoder_uses.py measures the same on all sentences, and not every second one: 0.71 without it, 0.80 with
    it."""
    both_sides = zip(*read(META4XNLI.parents[1], "source_datasets", "xnli_dev_prem", "xnli_dev_hyp"), strict=True)
    sources, targets = zip(*(pair for pair in both_sides if pair[0].read().spans), strict=True)
    pairs = [(left.tokens, right.tokens) for left, right in zip(sources, targets, strict=True)]
    links = LexicalAligner.train(pairs, source="es", target="en", prior=Prior.shipped("es", "en")).align(pairs)
    rows = []
    for source, target, found in islice(zip(sources, targets, links, strict=True), 0, None, 2):
        scored = [(link.source, link.target, link.score) for link in found]
        result = project(
            source.read().spans,
            [link[:2] for link in scored],
            target.tokens,
            rules=ProjectionRules(skip_function_words=True),
            is_function_word=is_function_word("en"),
        )
        opinions = second.of(source.tokens, target.tokens, result.outcomes)
        is_right = {token for span in result.spans for token in span.tokens} == {
            token for span in target.read().spans for token in span.tokens
        }
        scores = projection_score(result.outcomes, scored), projection_score(result.outcomes, scored, opinions)
        rows.append((is_right, *scores))
    right, alone, both = (np.array(column) for column in zip(*rows, strict=True))
    assert sooner(right, both) > sooner(right, alone) + 0.04


def sooner(right: np.ndarray, scores: np.ndarray) -> float:
    """How often a wrong one has the lower score than a right one, ties half: the area under the ROC curve."""
    good, bad = scores[right.astype(bool)][:, None], scores[~right.astype(bool)][None]
    return float(((good > bad) + (good == bad) / 2).mean())
