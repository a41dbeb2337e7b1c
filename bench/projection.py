"""How well projected labels agree with the published ones, and how long it takes.

    python bench/projection.py --shared ../shared

Gold Spanish labels of xnli_dev are projected onto English over the lexical aligner's links and
compared with the published English gold, over the tokens of sentences with a Spanish label. Also with
a table trained without xnli_dev, and without any, which is what other corpora and languages can expect.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import ProjectionRules, project
from annotator.domain.text.function_words import is_function_word
from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.base import Link, Tokens
from mlworkers.engines.evaluation.scores import Scores

Parallel = tuple[list[TaggedSentence], list[TaggedSentence]]


def read(shared: Path, folder: str, *names: str) -> Parallel:
    """The sentences of `names`, in both languages."""
    root = shared / "data" / "meta4xnli" / "detection" / folder
    es, en = (
        [sentence for name in names for sentence in read_tagged(root / language / f"{name}.tsv").sentences]
        for language in ("es", "en")
    )
    return es, en


def without(corpus: Parallel, other: Parallel) -> Parallel:
    """The pairs of `corpus` whose text is in neither side of `other`."""
    seen = [{sentence.tokens for sentence in side} for side in other]
    pairs = [(es, en) for es, en in zip(*corpus, strict=True) if es.tokens not in seen[0] and en.tokens not in seen[1]]
    return [es for es, _ in pairs], [en for _, en in pairs]


def train(corpus: Parallel, source: str, target: str, prior: Prior | None) -> LexicalAligner:
    pairs = [(es.tokens, en.tokens) for es, en in zip(*corpus, strict=True)]
    return LexicalAligner.train(pairs, source=source, target=target, prior=prior)


def measure(corpus: Parallel, source: str, target: str, prior: Prior | None) -> tuple[Scores, float]:
    """Scores of projecting `corpus`' first side onto its second, trained on itself, and seconds for all of it."""
    start = time.perf_counter()
    scores = aligned(corpus, train(corpus, source, target, prior))
    return scores, time.perf_counter() - start


def aligned(corpus: Parallel, aligner: LexicalAligner) -> Scores:
    """Scores of projecting `corpus`' first side onto its second over an aligner's links."""
    sources, targets = corpus
    links = aligner.align([(left.tokens, right.tokens) for left, right in zip(sources, targets, strict=True)])
    return score_projection(
        [sentence.read().spans for sentence in sources],
        links,
        [sentence.tokens for sentence in targets],
        [sentence.read().spans for sentence in targets],
        rules=ProjectionRules(skip_function_words=True),
        is_function_word=is_function_word(aligner.target),
    )


def score_projection(
    sources: Sequence[Sequence[Span]],
    links: Sequence[Sequence[Link]],
    targets: Sequence[Tokens],
    gold: Sequence[Iterable[Span]],
    *,
    rules: ProjectionRules,
    is_function_word: Callable[[str], bool] | None = None,
) -> Scores:
    """Project the source spans of every sentence over its links and compare with the target's gold.

    All four sequences have one entry per sentence pair. Only pairs whose source has a span count, over
    all tokens of their target sentence.
    """
    both = predicted = labelled = 0
    for spans, sentence_links, tokens, truth in zip(sources, links, targets, gold, strict=True):
        if not spans:
            continue
        result = project(
            spans,
            ((link.source, link.target) for link in sentence_links),
            tokens,
            rules=rules,
            is_function_word=is_function_word,
        )
        found = {token for span in result.spans for token in span.tokens}
        expected = {token for span in truth for token in span.tokens}
        both += len(found & expected)
        predicted += len(found)
        labelled += len(expected)
    return Scores.of(both, predicted, labelled)


def score_projected_spans(
    sources: Sequence[Sequence[Span]],
    links: Sequence[Sequence[Link]],
    targets: Sequence[Tokens],
    gold: Sequence[Iterable[Span]],
    *,
    rules: ProjectionRules,
) -> Scores:
    """The same over whole spans: one counts only when it covers exactly the tokens of a gold span of its label."""
    both = predicted = labelled = 0
    for spans, sentence_links, tokens, truth in zip(sources, links, targets, gold, strict=True):
        if not spans:
            continue
        result = project(spans, ((link.source, link.target) for link in sentence_links), tokens, rules=rules)
        found = {(span.tokens, span.label) for span in result.spans}
        expected = {(span.tokens, span.label) for span in truth}
        both += len(found & expected)
        predicted += len(found)
        labelled += len(expected)
    return Scores.of(both, predicted, labelled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    shared = parser.parse_args().shared
    print(f"Python {platform.python_version()}, numpy {version('numpy')}, {os.cpu_count()} CPU cores")
    xnli_dev = read(shared, "source_datasets", "xnli_dev_prem", "xnli_dev_hyp")
    rest = without(read(shared, "splits", "meta4xnli_train", "meta4xnli_dev"), xnli_dev)
    table_of_rest = train(rest, "es", "en", None).prior()
    table_of_dev = train(xnli_dev, "es", "en", None).prior()
    runs = (
        ("xnli_dev es-en, shipped table", xnli_dev, "es", "en", Prior.shipped("es", "en")),
        ("xnli_dev es-en, table trained without xnli_dev", xnli_dev, "es", "en", table_of_rest),
        ("xnli_dev es-en, no table", xnli_dev, "es", "en", None),
        ("the rest es-en, table trained on xnli_dev", rest, "es", "en", table_of_dev),
        ("the rest es-en, no table", rest, "es", "en", None),
        ("xnli_dev en-es, shipped table", xnli_dev[::-1], "en", "es", Prior.shipped("en", "es")),
    )
    for title, corpus, source, target, prior in runs:
        scores, seconds = measure(corpus, source, target, prior)
        print(
            f"{title}: {len(corpus[0])} pairs, P {scores.precision:.2f} R {scores.recall:.2f} F1 {scores.f1:.2f}, "
            f"{seconds:.1f} s"
        )


if __name__ == "__main__":
    main()
