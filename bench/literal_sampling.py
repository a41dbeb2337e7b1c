"""Can an expression alone tell whether it is a metaphor? With a naive sample of literal words it can; it should not.

    python bench/literal_sampling.py --shared SHARED [--seed 1]

Of Meta4XNLI's xnli_dev, in both languages: classifiers that see nothing but the expression, without its sentence, on
the sample of `annotator/domain/sampling/literal_sampling.py`, and on one with every other word as literal, of which as
many are
drawn by chance. One sees its words and letters, the other one how frequent and how long it is. Cross-validated over
five parts; the area under the curve, where 0.5 is chance.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline, make_union

from annotator.domain.sampling.literal_sampling import Labelled, sample_literal
from annotator.domain.text.frequencies import zipf_of
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.domain.text.tokens import word_of
from annotator.formats.text.tagged import read_tagged

LANGUAGES = ("es", "en")


def sentences_of(folder: Path, language: str) -> list[Labelled]:
    found = []
    for path in sorted((folder / language).glob("xnli_dev_*.tsv")):
        for number, sentence in enumerate(read_tagged(path).sentences):
            tokens = list(sentence.tokens)
            spans = [tuple(span.tokens) for span in sentence.read().spans]
            found.append(
                Labelled(
                    f"{path.stem}:{number}",
                    tokens,
                    lemmas_of(tokens, language),
                    content_words(tokens, language),
                    spans,
                )
            )
    return found


def area_by_letters(expressions: Sequence[str], labels: Sequence[bool], seed: int) -> float:
    """Area under the curve of a classifier that sees words and letters of the expressions alone."""
    seen = make_union(CountVectorizer(analyzer=str.split), CountVectorizer(analyzer="char_wb", ngram_range=(1, 4)))
    classifier = make_pipeline(seen, LogisticRegression(max_iter=1000, class_weight="balanced"))
    return _area(classifier, expressions, labels, seed)


def area_by_look(expressions: Sequence[str], labels: Sequence[bool], language: str, seed: int) -> float:
    """Area under the curve of a classifier that sees how frequent and how long the expressions are, and no letter."""
    seen = [
        [min(zipf_of(word, language) for word in words), len(expression), len(words)]
        for expression in expressions
        for words in [expression.split(" ")]
    ]
    return _area(HistGradientBoostingClassifier(max_iter=60, random_state=seed), seen, labels, seed)


def _area(classifier: Any, seen: Sequence[Any], labels: Sequence[bool], seed: int) -> float:
    parts = StratifiedKFold(5, shuffle=True, random_state=seed)
    scores = cross_val_predict(classifier, seen, labels, cv=parts, method="predict_proba")[:, 1]
    return float(roc_auc_score(labels, scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for language in LANGUAGES:
        sentences = sentences_of(arguments.shared / "data" / "meta4xnli" / "detection" / "source_datasets", language)
        by_uid = {sentence.uid: sentence for sentence in sentences}

        def words(uid: str, tokens: Sequence[int], by_uid: dict[str, Labelled] = by_uid) -> str:
            return " ".join(word_of(by_uid[uid].tokens[token]) for token in tokens)

        sample = sample_literal(sentences, zipf=partial(zipf_of, language=language), seed=arguments.seed)
        print(f"{language}: {sample.counts}, {sample.repeated} repeated, {len(sample.alone)} without a literal use")
        drawn = [(words(one.use.uid, one.use.tokens), one.is_metaphor) for one in sample.instances]
        metaphors = [expression for expression, is_metaphor in drawn if is_metaphor]
        others = [
            words(sentence.uid, [token])
            for sentence in sentences
            for token in range(len(sentence.tokens))
            if not any(token in tokens for tokens in sentence.expressions) and word_of(sentence.tokens[token])
        ]
        naive = [(one, True) for one in metaphors]
        naive += [(one, False) for one in random.Random(arguments.seed).sample(others, len(metaphors))]
        kept = [
            one
            for one, given in zip(drawn, sample.instances, strict=True)
            if given.found in ("labelled", "same-words", "same-lemmas")
        ]
        for name, rows in (("sample", drawn), ("its same words and lemmas alone", kept), ("naive", naive)):
            expressions, labels = [one for one, _label in rows], [label for _one, label in rows]
            letters = area_by_letters(expressions, labels, arguments.seed)
            look = area_by_look(expressions, labels, language, arguments.seed)
            print(f"  {name}: AUC by words and letters {letters:.3f}, by frequency and length {look:.3f} ({len(rows)})")


if __name__ == "__main__":
    main()
