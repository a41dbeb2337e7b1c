"""The lexical aligner: trained in the test on own sentences, and with the shipped table."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.projection.carry import ProjectionRules
from bench.projection import Parallel, measure, read, score_projected_spans, train, without
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.base import EngineError, Link, SentencePair
from mlworkers.engines.registry import load_aligner
from tests.corpora import SHARED, needs_meta4xnli
from tests.mlworkers.parallel import TARGETS, links, pairs, targets

VERB_MOVES = ("Cada mañana lee mi hermana el periódico.", "My sister reads the newspaper every morning.")


@pytest.fixture(scope="module")
def prior() -> Prior:
    found = Prior.shipped("es", "en")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def aligner(prior: Prior) -> LexicalAligner:
    return LexicalAligner.train(pairs(), source="es", target="en", prior=prior)


def test_aligns_its_own_text(aligner: LexicalAligner) -> None:
    found = links(aligner, "La ciudad duerme bajo la lluvia.", "The city sleeps under the rain.")
    assert {("ciudad", "city"), ("duerme", "sleeps"), ("bajo", "under"), ("lluvia.", "rain.")} <= found


def test_follows_words_that_move(aligner: LexicalAligner) -> None:
    found = links(aligner, *VERB_MOVES)
    assert {("lee", "reads"), ("hermana", "sister"), ("periódico.", "newspaper"), ("mañana", "morning.")} <= found


def test_one_new_pair_of_an_empty_project_is_aligned_from_the_shipped_table() -> None:
    aligner = load_aligner("lexical", source="es", target="en", corpus=[])
    found = links(aligner, "Los soldados lucharon contra el enemigo.", "They fought the enemy.")
    assert ("lucharon", "fought") in found
    assert ("enemigo.", "enemy.") in found


def test_table_helps_a_tiny_project(prior: Prior) -> None:
    tiny = pairs()[:2]
    alone = LexicalAligner.train(tiny, source="es", target="en")
    helped = LexicalAligner.train(tiny, source="es", target="en", prior=prior)
    wanted = {("lee", "reads"), ("hermana", "sister"), ("mañana", "morning.")}
    assert wanted <= links(helped, *VERB_MOVES)
    assert not wanted <= links(alone, *VERB_MOVES)


def test_own_text_counts_beside_the_table(prior: Prior) -> None:
    # An invented word, which no table can know.
    text = [
        ("El guagua llega tarde.", "The zorbus arrives late."),
        ("Espero un guagua azul.", "I await a blue zorbus."),
        ("Un guagua para aquí.", "A zorbus stops here."),
        ("Mañana sale otro guagua.", "Another zorbus leaves tomorrow."),
        ("Aquel guagua era viejo.", "That zorbus was old."),
    ]
    corpus = [(left.split(), right.split()) for left, right in text]
    aligner = LexicalAligner.train(corpus, source="es", target="en", prior=prior)
    assert ("guagua", "zorbus.") in links(aligner, "Espero un guagua azul.", "I await a blue zorbus.")


def test_works_for_languages_without_table_and_without_lemmas() -> None:
    text = [(left, right) for left, right in pairs()]
    aligner = load_aligner("lexical", source="eu", target="xx", corpus=text)
    assert ("duerme", "sleeps") in links(aligner, "El gato duerme en la casa.", "The cat sleeps in the house.")


@pytest.mark.parametrize("text", ["Uno dos tres cuatro cinco", "la casa de la madre de la niña", "no, no, no: ¡NO!"])
def test_identical_sentences_align_diagonally(text: str) -> None:
    aligner = load_aligner("lexical", source="xx", target="yy", corpus=[])
    tokens = text.split()
    [found] = aligner.align([(tokens, tokens)])
    assert [(link.source, link.target) for link in found] == [(n, n) for n in range(len(tokens))]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ([("el gat menja peix", "the cat eats fish"), ("la casa és gran", "the house is big")], [4, 4]),
        ([("我 爱 你", "i love you"), ("他 爱 她", "he loves her")], [3, 3]),
        ([("uno", "un")], [1]),
        ([("", "")], [0]),
        ([], []),
    ],
)
def test_a_few_sentences_without_table_follow_the_diagonal_and_are_not_taken_for_words_from_none(
    corpus: list[tuple[str, str]], expected: list[int]
) -> None:
    pairs = [(left.split(), right.split()) for left, right in corpus]

    found = LexicalAligner.train(pairs, source="xx", target="yy").align(pairs)

    assert [[(link.source, link.target) for link in links] for links in found] == [
        [(index, index) for index in range(count)] for count in expected
    ]


def test_numbers_and_cognates_are_linked_without_having_been_seen() -> None:
    aligner = load_aligner("lexical", source="ca", target="en", corpus=[])
    found = links(aligner, "El 1984 , Barcelona va celebrar la democràcia.", "Barcelona celebrated democracy in 1984.")
    assert {
        ("1984", "1984."),
        ("Barcelona", "Barcelona"),
        ("celebrar", "celebrated"),
        ("democràcia.", "democracy"),
    } <= found


def test_punctuation_is_not_linked_and_indices_are_those_of_the_tokens(aligner: LexicalAligner) -> None:
    [found] = aligner.align([(["—", "«", "El", "gato", "»", "duerme", "."], ["“", "The", "cat", "”", "sleeps", "."])])
    assert {(link.source, link.target) for link in found} == {(2, 1), (3, 2), (5, 4)}


def test_links_are_sorted_and_scored(aligner: LexicalAligner) -> None:
    for found in aligner.align(pairs()):
        assert found == sorted(found, key=lambda link: (link.source, link.target))
        assert all(isinstance(link, Link) and 0.2 < link.score <= 1.0 for link in found)
        assert len({(link.source, link.target) for link in found}) == len(found)


def test_odd_sentences() -> None:
    aligner = load_aligner("lexical", source="es", target="en", corpus=pairs())
    odd = [
        ([], []),
        ([], ["word"]),
        (["palabra"], []),
        (["..."], ["—", "!"]),
        (["🙂", "hola"], ["hello", "🙂"]),
        (["\u0301"], ["\u0301"]),
        (["مرحبا", "42"], ["42", "שלום"]),
        (["\ud800", "a\nb"], ["\ud800", "a\nb"]),
    ]
    found = aligner.align(odd)
    assert [[(link.source, link.target) for link in row] for row in found[:4]] == [[], [], [], []]
    assert {(0, 1), (1, 0)} == {(link.source, link.target) for link in found[4]}
    assert (1, 0) in {(link.source, link.target) for link in found[6]}
    assert aligner.align([]) == []


def test_odd_sentences_can_be_trained_on() -> None:
    odd = [([], []), ([], ["word"]), (["..."], ["—"]), (["\ud800", "a\nb"], ["x", "y"])]
    assert len(LexicalAligner.train(odd, source="xx", target="yy").align(odd)) == 4


def test_five_thousand_tokens() -> None:
    words = [f"{random.Random(n).randrange(10**6)}" for n in range(5000)]
    aligner = load_aligner("lexical", source="es", target="en", corpus=[])
    [found] = aligner.align([(words, words)])
    assert sum(link.source == link.target for link in found) > 4900


def test_pairs_do_not_influence_each_other(aligner: LexicalAligner) -> None:
    together = aligner.align([*pairs(), (["zzz"], ["qqq"])])
    apart = [aligner.align([pair])[0] for pair in pairs()]
    for left, right in zip(together, apart, strict=False):
        assert [(link.source, link.target) for link in left] == [(link.source, link.target) for link in right]
        assert [link.score for link in left] == pytest.approx([link.score for link in right])


def test_the_opposite_direction_is_the_mirror(prior: Prior) -> None:
    there = load_aligner("lexical", source="es", target="en", corpus=pairs()).align(pairs())
    mirrored = [(right, left) for left, right in pairs()]
    back = load_aligner("lexical", source="en", target="es", corpus=mirrored).align(mirrored)
    for one, other in zip(there, back, strict=True):
        assert {(link.source, link.target) for link in one} == {(link.target, link.source) for link in other}


def test_is_the_same_every_time(aligner: LexicalAligner, prior: Prior) -> None:
    again = LexicalAligner.train(pairs(), source="es", target="en", prior=prior)
    assert again.revision == aligner.revision
    assert again.align(pairs()) == aligner.align(pairs())


def test_revision_depends_on_the_text(aligner: LexicalAligner, prior: Prior) -> None:
    other = LexicalAligner.train(pairs()[:-1], source="es", target="en", prior=prior)
    assert other.revision != aligner.revision


def test_saved_model_aligns_the_same(aligner: LexicalAligner, tmp_path: Path) -> None:
    aligner.save(tmp_path / "model.npz")
    loaded = LexicalAligner.load(tmp_path / "model.npz")
    assert loaded.revision == aligner.revision
    assert loaded.align(pairs()) == aligner.align(pairs())


def test_damaged_model_is_an_error_in_words(aligner: LexicalAligner, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    aligner.save(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(EngineError, match="Train it again"):
        LexicalAligner.load(path)
    with pytest.raises(EngineError, match="Train it again"):
        LexicalAligner.load(tmp_path / "nowhere.npz")
    np.savez(tmp_path / "pickle.npz", format=np.array([{}], dtype=object))
    with pytest.raises(EngineError, match="Train it again"):
        LexicalAligner.load(tmp_path / "pickle.npz")


def test_table_of_the_wrong_direction_is_refused(prior: Prior) -> None:
    with pytest.raises(EngineError, match="mirrored"):
        LexicalAligner.train(pairs(), source="en", target="es", prior=prior)


def test_table_round_trip(aligner: LexicalAligner, tmp_path: Path) -> None:
    table = aligner.prior()
    table.save(tmp_path / "table.npz")
    loaded = Prior.load(tmp_path / "table.npz")
    assert [entry[:2] for entry in loaded] == [entry[:2] for entry in table]
    assert loaded.mirrored().mirrored() == loaded
    with pytest.raises(EngineError, match="translation table"):
        Prior.load(tmp_path / "nowhere.npz")


def test_table_of_a_regional_project_serves_its_language() -> None:
    table = LexicalAligner.train(pairs(), source="es-MX", target="en-GB").prior()
    assert (table.source, table.target) == ("es", "en")
    assert LexicalAligner.train([], source="es", target="en-US", prior=table).source == "es"


def test_shipped_table_serves_both_directions_and_regions(prior: Prior) -> None:
    backward = Prior.shipped("en", "es")
    assert backward is not None
    assert backward.mirrored() == prior
    assert Prior.shipped("es-MX", "en_GB") is prior
    assert Prior.shipped("ca", "en") is None
    assert all(0.0 <= forward <= 1.0 and 0.0 <= back <= 1.0 for _, _, forward, back in prior)


@cache
def published(folder: str, *names: str) -> Parallel:
    """Sentences of the published corpus, in both languages."""
    return read(SHARED, folder, *names)


def exact_targets(corpus: Sequence[SentencePair], prior: Prior | None, name: str = "targets") -> float:
    """F1 of own opinion targets as whole spans, projected from left to right with the default rules."""
    left, right = targets(name)
    own = [(there.tokens, here.tokens) for there, here in zip(left, right, strict=True)]
    source, target = TARGETS[name]
    found = LexicalAligner.train([*own, *corpus], source=source, target=target, prior=prior).align(own)
    return score_projected_spans(
        [sentence.spans for sentence in left],
        found,
        [sentence.tokens for sentence in right],
        [sentence.spans for sentence in right],
        rules=ProjectionRules(),
    ).f1


def test_spans_of_several_words_come_out_whole() -> None:
    assert exact_targets([], Prior.shipped("en", "es")) >= 90


def test_a_project_of_a_few_sentences_without_table_gets_most_of_them() -> None:
    assert exact_targets([], None) >= 88
    assert exact_targets([], None, "targets-ca") >= 85


@needs_meta4xnli
def test_spans_of_several_words_come_out_whole_beside_other_text() -> None:
    es, en = published("splits", "meta4xnli_train")
    beside = [(right.tokens, left.tokens) for left, right in zip(es, en, strict=True)][:1000]
    assert exact_targets(beside, Prior.shipped("en", "es")) >= 94
    assert exact_targets(beside, None) >= 94


@needs_meta4xnli
def test_projection_is_as_good_as_promised() -> None:
    xnli_dev = published("source_datasets", "xnli_dev_prem", "xnli_dev_hyp")
    train_set, dev_set = published("splits", "meta4xnli_train"), published("splits", "meta4xnli_dev")
    splits = (train_set[0] + dev_set[0], train_set[1] + dev_set[1])
    shipped, _ = measure(xnli_dev, "es", "en", Prior.shipped("es", "en"))
    assert shipped.f1 >= 89.7
    unseen, _ = measure(xnli_dev, "es", "en", train(without(splits, xnli_dev), "es", "en", None).prior())
    assert unseen.f1 >= 89.6
    # The processor's seconds: whatever else runs on the machine, the other tests to begin with, is not the aligner's.
    start = time.process_time()
    alone, _ = measure(splits, "es", "en", None)
    assert alone.f1 >= 88
    assert time.process_time() - start < 20


@needs_meta4xnli
def test_one_new_pair_takes_less_than_twenty_milliseconds(tmp_path: Path) -> None:
    es, en = published("splits", "meta4xnli_dev")
    corpus = [(left.tokens, right.tokens) for left, right in zip(es, en, strict=True)]
    LexicalAligner.train(corpus, source="es", target="en").save(tmp_path / "model.npz")
    stored = LexicalAligner.load(tmp_path / "model.npz")
    seconds = []
    for pair in corpus[:50]:
        start = time.process_time()
        stored.align([pair])
        seconds.append(time.process_time() - start)
    assert sorted(seconds)[25] < 0.02
