"""What the engines are made of: words, features, candidates, likeness, digamma, thresholds, the registry."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.bio import chunks
from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import ProjectionRules
from annotator.formats.text.tagged import TaggedSentence
from bench.projection import score_projection
from mlworkers.engines.aligners.lexical.candidate_links import FULL_GRID, CandidateLinks
from mlworkers.engines.aligners.lexical.cognates import likeness
from mlworkers.engines.aligners.lexical.special import digamma
from mlworkers.engines.base import EngineError, Link, predictions
from mlworkers.engines.detectors.features import Features
from mlworkers.engines.detectors.spans import spans_of
from mlworkers.engines.evaluation.scores import (
    Scores,
    best_threshold,
    evaluate_tagged,
)
from mlworkers.engines.registry import load_aligner, load_detector, shipped_detectors
from mlworkers.engines.words import Words, has_frequencies, has_lemmas, shape


class Fixed:
    """A detector that always gives the same probabilities."""

    name = "fixed"
    revision = "1"
    language = "en"
    threshold = 0.5
    label = "METAPHOR"

    def __init__(self, *rows: list[float]) -> None:
        self.rows = list(rows)

    def predict(self, sentences: object) -> list[list[float]]:
        return self.rows


class Marking(Fixed):
    """One whose model says where labels begin."""

    def __init__(self, marks: list[list[str]], *rows: list[float]) -> None:
        super().__init__(*rows)
        self.marks = marks

    def predict_tags(self, sentences: object) -> tuple[list[list[float]], list[list[str]]]:
        return self.rows, self.marks


def test_words_are_looked_up_without_punctuation_and_case() -> None:
    words = Words("es-MX")
    assert words.word("¡Dijeron,") == "dijeron"
    assert words.lemma("«Dijeron»") == "decir"
    assert words.lemma("...") == ""
    assert words.zipf("casa") > words.zipf("dijeron") > words.zipf("qwxyz") == 0


def test_unknown_languages_say_so() -> None:
    assert has_lemmas("es") and has_frequencies("es")
    # There are frequencies for Spanish, which is not Basque.
    assert not has_lemmas("eu") and not has_frequencies("eu")
    words = Words("eu")
    assert words.lemma("Etxean,") == "etxean"
    assert words.zipf("etxean") == -1


@pytest.mark.parametrize(
    ("word", "expected"), [("Madrid", "Xx"), ("EE.UU", "X.X"), ("don't", "x'x"), ("2024", "d"), ("", "")]
)
def test_shape(word: str, expected: str) -> None:
    assert shape(word) == expected


def test_features_say_nothing_of_words_that_are_not_there() -> None:
    [row] = Features("en").sentence(["Falls."])
    assert {"w=falls", "l=fall", "first", "last", "after=.", "l-1=#", "l1=#"} <= set(row)
    assert Features("en").sentence([]) == []


def test_digamma_at_known_places() -> None:
    euler = 0.5772156649015329
    values = np.array([1.0, 2.0, 0.5, 10.0, 1e6])
    expected = [-euler, 1 - euler, -euler - 2 * math.log(2), 2.2517525890667211, math.log(1e6) - 5e-7]
    assert digamma(values) == pytest.approx(expected, abs=1e-9)
    assert values.tolist() == [1.0, 2.0, 0.5, 10.0, 1e6]


@given(st.floats(1e-3, 1e6))
def test_digamma_recurrence(x: float) -> None:
    below, above = digamma(np.array([x, x + 1]))
    assert above - below == pytest.approx(1 / x, rel=1e-6, abs=1e-8)


def test_likeness() -> None:
    left = ["nación", "1984", "casa", "madrid", "a", "9", "gato"]
    right = ["nation", "1984", "house", "madrid", "a", "9", "gatekeeper"]
    index = np.arange(len(left))
    found = likeness((left, right), index, index)
    assert found[0] > 0.6
    assert found.tolist()[1:] == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]


def test_candidate_links_are_all_word_pairs_in_order() -> None:
    candidates = CandidateLinks.of([([5, 6], [7, 8, 9]), ([], [1]), ([3], [4])])
    assert candidates.sources.tolist() == [5, 6, 3]
    assert candidates.targets.tolist() == [7, 8, 9, 1, 4]
    assert list(zip(candidates.source.tolist(), candidates.target.tolist(), strict=True)) == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 4),
    ]  # fmt: skip
    assert candidates.ends.tolist() == [6, 6, 7]
    assert candidates.distance[0] == pytest.approx(abs(0.5 / 2 - 0.5 / 3))
    assert candidates.distance[-1] == 0


def test_candidate_links_of_huge_pairs_keep_to_the_diagonal() -> None:
    candidates = CandidateLinks.of([(range(3000), range(2000))])
    assert candidates.source.size <= 1.1 * FULL_GRID
    assert set(candidates.source.tolist()) == set(range(3000))
    assert set(candidates.target.tolist()) == set(range(2000))
    assert candidates.distance.max() < 0.1


@pytest.mark.parametrize(
    ("probabilities", "gold", "threshold", "f1"),
    [
        ([0.9, 0.8, 0.1], [True, True, False], 0.45, 100.0),
        ([0.9, 0.1, 0.5], [True, False, False], 0.7, 100.0),
        ([0.5, 0.5, 0.5], [True, False, False], 0.25, 50.0),
        ([0.1, 0.9], [False, False], 0.5, 0.0),
        ([], [], 0.5, 0.0),
    ],
)
def test_best_threshold(probabilities: list[float], gold: list[bool], threshold: float, f1: float) -> None:
    found, scores = best_threshold(np.array(probabilities, float), gold)
    assert found == pytest.approx(threshold)
    assert scores.f1 == f1


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0]), st.booleans()), min_size=1, max_size=30))
def test_best_threshold_cannot_be_beaten(rows: list[tuple[float, bool]]) -> None:
    probabilities, gold = [p for p, _ in rows], [g for _, g in rows]
    threshold, scores = best_threshold(np.array(probabilities), gold)

    def at(value: float) -> float:
        taken = [p >= value for p in probabilities]
        return Scores.of(sum(t and g for t, g in zip(taken, gold, strict=True)), sum(taken), sum(gold)).f1

    assert at(threshold) == scores.f1
    assert all(at(value) <= scores.f1 for value in (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 1.0))


def test_evaluate() -> None:
    test = [TaggedSentence(("a", "b", "c"), ("B-X", "O", "B-X")), TaggedSentence(("d",), ("B-X",))]
    result = evaluate_tagged(Fixed([0.9, 0.6, 0.2], [0.5]), test).tokens
    assert (result.precision, result.recall, result.f1) == (66.67, 66.67, 66.67)
    assert (result.sentences, result.tokens) == (2, 4)
    assert result.to_json()["tokens_per_second"] > 0


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("", set()),
        ("O O", set()),
        ("B-A I-A O", {("A", 0, 1)}),
        ("B-A B-A", {("A", 0, 0), ("A", 1, 1)}),
        # What seqeval's default mode makes of an I with no B right before it.
        ("O I-A I-A", {("A", 1, 2)}),
        ("B-A O I-A", {("A", 0, 0), ("A", 2, 2)}),
        ("B-A I-B I-B", {("A", 0, 0), ("B", 1, 2)}),
        ("I-A", {("A", 0, 0)}),
    ],
)
def test_chunks_are_those_of_seqeval(tags: str, expected: set[tuple[str, int, int]]) -> None:
    assert chunks(tags.split()) == expected


def test_spans_count_when_they_begin_and_end_where_gold_has_them_and_have_its_label() -> None:
    gold = [
        TaggedSentence(("a", "b", "c", "d"), ("B-METAPHOR", "B-METAPHOR", "I-METAPHOR", "O")),
        TaggedSentence(("e",), ("B-IRONY",)),
    ]
    marks = [["B", "B", "I", "B"], ["B"]]
    found = evaluate_tagged(Marking(marks, [0.9, 0.8, 0.7, 0.6], [0.9]), gold)
    assert found.tokens.f1 == 88.89
    # Of four spans two are of gold, which has three.
    assert found.spans == Scores(50.0, 66.67, 57.14)
    assert found.to_json()["spans"]["f1"] == 57.14
    assert found.words == {}


def test_a_predicted_unit_of_two_words_matches_one_of_gold() -> None:
    gold = [TaggedSentence(("prices", "shot", "up", "today"), ("O", "B-METAPHOR", "I-METAPHOR", "O"))]
    for detector in (Fixed([0.1, 0.9, 0.8, 0.2]), Marking([["B", "B", "I", "I"]], [0.1, 0.9, 0.8, 0.2])):
        assert evaluate_tagged(detector, gold).spans == Scores(100.0, 100.0, 100.0)
    apart = Marking([["B", "B", "B", "B"]], [0.1, 0.9, 0.8, 0.2])
    assert evaluate_tagged(apart, gold).spans == Scores(0.0, 0.0, 0.0)
    assert evaluate_tagged(apart, gold).tokens.f1 == 100.0


def test_out_of_vocabulary_are_words_not_seen_in_training_whether_or_not_they_were_labelled() -> None:
    train = [TaggedSentence(("Prices", "«Soared»,", "calmly", "!"), ("O", "B-METAPHOR", "O", "O"))]
    test = [
        TaggedSentence(("Soared", "Calmly,", "rose", "fell", "!"), ("B-METAPHOR", "B-METAPHOR", "B-METAPHOR", "O", "O"))
    ]
    found = evaluate_tagged(Fixed([0.9, 0.2, 0.7, 0.9, 0.1]), test, train=train).to_json()
    # "soared" is found, "calmly" is not: both are there. Of "rose" and "fell" one is right; neither is there.
    assert found["in_vocabulary"] == {"precision": 100.0, "recall": 50.0, "f1": 66.67, "labelled": 2}
    assert found["out_of_vocabulary"] == {"precision": 50.0, "recall": 100.0, "f1": 66.67, "labelled": 1}
    assert found["labelled_in_training"] == {"precision": 100.0, "recall": 100.0, "f1": 100.0, "labelled": 1}
    assert found["not_labelled_in_training"] == {"precision": 50.0, "recall": 50.0, "f1": 50.0, "labelled": 2}


def test_words_are_known_when_they_are_labelled_in_training() -> None:
    train = [TaggedSentence(("Prices", "«Soared»,", "calmly", "!"), ("O", "B-METAPHOR", "O", "B-METAPHOR"))]
    test = [TaggedSentence(("soared.", "soared", "calmly", "rose", "!"), ("B-METAPHOR", "O", "B-METAPHOR", "O", "O"))]
    found = evaluate_tagged(Fixed([0.9, 0.6, 0.2, 0.7, 0.9]), test, train=train).to_json()
    assert found["labelled_in_training"] == {"precision": 50.0, "recall": 100.0, "f1": 66.67, "labelled": 1}
    assert found["not_labelled_in_training"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "labelled": 1}
    assert (found["precision"], found["recall"]) == (25.0, 50.0)


def test_score_projection_counts_tokens_of_sentences_with_a_source_label() -> None:
    span = Span((1,), "METAPHOR")
    scores = score_projection(
        [[span], []],
        [[Link(1, 0, 0.9), Link(1, 1, 0.9)], []],
        [["They", "fought", "on"], ["never", "counted"]],
        [[Span((1, 2), "METAPHOR")], [Span((0,), "METAPHOR")]],
        rules=ProjectionRules(skip_function_words=True),
        is_function_word=lambda token: token == "They",
    )
    assert scores == Scores(100.0, 50.0, 66.67)


@pytest.mark.parametrize(
    ("marks", "tokens"),
    [
        # Without tags of the model neighbours are one span.
        ("", [(0, 1), (3, 4, 5)]),
        ("I I I I I I", [(0, 1), (3, 4, 5)]),
        ("B I B B I I", [(0, 1), (3, 4, 5)]),
        ("B B B B B B", [(0,), (1,), (3,), (4,), (5,)]),
        ("I B I I B I", [(0,), (1,), (3,), (4, 5)]),
    ],
)
def test_predictions_are_spans_by_the_tags_of_the_model(marks: str, tokens: list[tuple[int, ...]]) -> None:
    rows = [0.9, 0.7, 0.2, 0.5, 0.6, 0.8]
    detector = Marking([marks.split()], rows) if marks else Fixed(rows)

    [prediction] = predictions(detector, [list("abcdef")])
    found = spans_of(prediction, "INDIRECT")

    assert prediction.probabilities == rows
    assert [span.tokens for span in found] == tokens
    assert {span.label for span in found} == {"INDIRECT"}
    assert found[-1].score == pytest.approx(sum(rows[token] for token in tokens[-1]) / len(tokens[-1]))
    assert prediction.tags[2] == "O"


def test_no_tokens_have_no_spans() -> None:
    assert spans_of(predictions(Fixed([]), [[]])[0], "METAPHOR") == []


def test_registry_knows_what_is_shipped() -> None:
    assert shipped_detectors() == ["en", "es"]
    assert load_detector("crf", language="es").language == "es"
    assert load_detector("crf", language="es-MX").language == "es"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("crf:/nowhere", "train_detector"),
        ("bert", "bert"),
        ("crf:", "crf:"),
    ],
)
def test_detectors_that_cannot_be_had(spec: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        load_detector(spec, language="es")


def test_no_detector_for_a_language_without_one() -> None:
    with pytest.raises(EngineError, match="shipped: en, es"):
        load_detector("crf", language="ca")


def test_a_model_of_another_language_is_refused() -> None:
    folder = Path(load_detector.__code__.co_filename).parent / "data" / "crf-es"
    assert load_detector(str(folder), language="es").revision == load_detector("crf", language="es").revision
    with pytest.raises(EngineError, match="for the language “es”"):
        load_detector(f"crf:{folder}", language="en")


@pytest.mark.parametrize("spec", ["eflomal", "giza"])
def test_aligners_that_cannot_be_had(spec: str) -> None:
    with pytest.raises(EngineError, match="lexical"):
        load_aligner(spec, source="es", target="en", corpus=[])
