"""What each part of the lexical aligner brings.

    python bench/aligner_ablation.py --shared ../shared

Three measures per row, each F1:

- labels: gold Spanish labels of train and dev projected onto English, tokens, as in bench/projection.py,
  without a table; in brackets two halves of the sentences, by a hash of their text;
- targets: own English review sentences, opinion targets of one to seven words projected onto Spanish with the
  default rules, exact spans; aligned together with 2,600 pairs of the corpus, without a table;
- targets, table: the same with the shipped table.

First the aligner is built up from IBM model 2, then each part is left out of the whole.
"""

import argparse
import hashlib
import os
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.projection.carry import ProjectionRules
from annotator.domain.text.function_words import is_function_word
from bench.projection import Parallel, read, score_projected_spans, score_projection
from mlworkers.engines.aligners.lexical import aligner as lexical
from mlworkers.engines.aligners.lexical import fertility, frequencies, posteriors, symmetry, training
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats, Ints
from mlworkers.engines.aligners.lexical.posteriors import Block, Posterior
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.base import Link
from mlworkers.engines.words import STEM, Words
from tests.mlworkers.parallel import Marked, targets

BESIDE = 2600  # pairs of the corpus that the targets are aligned with

Change = tuple[object, str, object]


def unchained(
    candidates: CandidateLinks, parts: list[Block], side: int, translation: Floats, null: Floats, jumps: Floats
) -> tuple[Posterior, Floats]:
    return posteriors.diagonal(candidates, side, translation, null), np.zeros(jumps.size)


def indifferent(candidates: CandidateLinks, side: int, links: Floats, table: Floats) -> Floats:
    return np.ones(candidates.source.size)


def alike(words: object, vocabularies: object, left: Ints, right: Ints) -> Floats:
    return np.ones(left.size)


def nothing_inside(candidates: CandidateLinks, scores: Floats) -> Floats:
    return np.zeros(scores.size)


def first_letters(words: Words, token: str) -> str:
    """What a language without a lemma dictionary gets."""
    return words.word(token)[:STEM]


# What to change in the aligner to be without a part, in the order in which it is built up.
PARTS: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("lemmas", ((Words, "stem", Words.word),)),
    ("likeness in spelling", ((training, "LIKENESS_WEIGHT", 0.0), (lexical, "LIKENESS_WEIGHT", 0.0))),
    ("links that are the best for both words", ((symmetry, "MUTUAL_THRESHOLD", 1.0),)),
    ("agreement of both directions", ((training, "AGREEMENT", 0.0),)),
    ("neighbours' links (HMM)", ((posteriors, "chained", unchained),)),
    ("numbers of links (fertility)", ((fertility, "factors", indifferent),)),
    ("more words from none", ((posteriors, "NULL_CHAINED", 0.1),)),
    ("links for words left without", ((symmetry, "GROWN_THRESHOLD", 1.0),)),
    ("one occurrence shared by all", ((training, "SPREAD", 0.0),)),
    ("the share by frequency", ((frequencies, "likeness", alike),)),
    ("the mean of what was learnt", ((lexical, "expected", training.probabilities),)),
    ("words inside units", ((symmetry, "_inside", nothing_inside),)),
)


def aligned(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]], source: str, target: str, prior: Prior | None
) -> list[list[Link]]:
    return LexicalAligner.train(pairs, source=source, target=target, prior=prior).align(pairs)


def labels(corpus: Parallel) -> str:
    sources, sides = corpus[0], list(zip(*corpus, strict=True))
    links = aligned([(es.tokens, en.tokens) for es, en in sides], "es", "en", None)
    halves = np.array([hashlib.sha256(" ".join(sentence.tokens).encode()).digest()[-1] % 2 for sentence in sources])
    found = []
    for wanted in (halves >= 0, halves == 0, halves == 1):
        chosen = np.flatnonzero(wanted).tolist()
        scores = score_projection(
            [sides[index][0].read().spans for index in chosen],
            [links[index] for index in chosen],
            [sides[index][1].tokens for index in chosen],
            [sides[index][1].read().spans for index in chosen],
            rules=ProjectionRules(skip_function_words=True),
            is_function_word=is_function_word("en"),
        )
        found.append(scores.f1)
    return f"{found[0]:.2f} ({found[1]:.2f}, {found[2]:.2f})"


def spans(english: list[Marked], spanish: list[Marked], corpus: Parallel, prior: Prior | None) -> str:
    pairs = [(en.tokens, es.tokens) for en, es in zip(english, spanish, strict=True)]
    beside = [(en.tokens, es.tokens) for es, en in zip(*corpus, strict=True)][:BESIDE]
    links = aligned([*pairs, *beside], "en", "es", prior)[: len(pairs)]
    scores = score_projected_spans(
        [sentence.spans for sentence in english],
        links,
        [sentence.tokens for sentence in spanish],
        [sentence.spans for sentence in spanish],
        rules=ProjectionRules(),
    )
    return f"{scores.f1:.2f}"


def row(title: str, changes: Sequence[Change], corpus: Parallel) -> None:
    start = time.perf_counter()
    with ExitStack() as stack:
        for owner, name, value in changes:
            stack.enter_context(patch.object(owner, name, value))
        own = targets()
        figures = (labels(corpus), spans(*own, corpus, None), spans(*own, corpus, Prior.shipped("en", "es")))
    print(f"| {title} | {' | '.join(figures)} | {time.perf_counter() - start:.1f} s |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    shared = parser.parse_args().shared
    print(f"Python {platform.python_version()}, numpy {version('numpy')}, {os.cpu_count()} CPU cores")
    corpus = read(shared, "splits", "meta4xnli_train", "meta4xnli_dev")
    print("| | labels | targets | targets, table | time |\n|---|---|---|---|---|")
    row("IBM model 2", [change for _, changes in PARTS for change in changes], corpus)
    for count, (name, _) in enumerate(PARTS, start=1):
        row(f"+ {name}", [change for _, changes in PARTS[count:] for change in changes], corpus)
    row("first letters instead of lemmas", ((Words, "stem", first_letters),), corpus)
    for name, changes in PARTS:
        row(f"all without {name}", changes, corpus)


if __name__ == "__main__":
    main()
