"""Can an expression alone tell whether it is a metaphor? With a naive sample of literal words it can; it should not.

    python bench/literal_sampling.py --shared SHARED [--seed 1]

Of Meta4XNLI's xnli_dev, in both languages: a classifier that sees nothing but the expression, without its sentence, on
the sample of `annotator/domain/literal_sampling.py`, and on one with every other word as literal, of which as many are
drawn by chance. Cross-validated over five parts; the area under the curve, where 0.5 is chance.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline, make_union

from annotator.domain.formats.tagged import read_tagged
from annotator.domain.lemmas import content_words, lemmas_of
from annotator.domain.literal_sampling import Labelled, sample_literal
from annotator.domain.tokens import word_of

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


def judged(expressions: Sequence[str], labels: Sequence[bool], seed: int) -> tuple[float, float]:
    """Area under the curve and balanced accuracy of a classifier that sees the expressions alone."""
    seen = make_union(CountVectorizer(analyzer=str.split), CountVectorizer(analyzer="char_wb", ngram_range=(1, 4)))
    classifier = make_pipeline(seen, LogisticRegression(max_iter=1000, class_weight="balanced"))
    parts = StratifiedKFold(5, shuffle=True, random_state=seed)
    scores = cross_val_predict(classifier, expressions, labels, cv=parts, method="predict_proba")[:, 1]
    return float(roc_auc_score(labels, scores)), float(balanced_accuracy_score(labels, scores > 0.5))


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

        sample = sample_literal(sentences, seed=arguments.seed)
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
            area, accuracy = judged([one for one, _label in rows], [label for _one, label in rows], arguments.seed)
            print(f"  {name}: AUC {area:.3f}, balanced accuracy {accuracy:.3f} ({len(rows)} instances)")


if __name__ == "__main__":
    main()
