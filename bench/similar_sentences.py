"""What the shipped encoder's vectors of whole sentences would be good for, beside the cheaper way.

    python bench/similar_sentences.py --shared ../shared [--queries 1000]

Needs the extra onnx, as bench/encoder_uses.py does. A sentence's vector is the mean of its tokens' after a layer, less
the mean of its language. Four questions on xnli_dev, where a premise and its three hypotheses are a family:

1. Which line is a line nearly the same as? QUERIES lines, each with one small change (a word left out, replaced or
   moved, a letter lost, another ending), against all lines of the language.
2. Which line is the translation of a line? Against all lines of the other language; the cheaper way is a table of
   words, shipped, or trained without these lines.
3. Which lines are like a line? Nobody judged that, so it is asked whether the nearest ones are of its family, whether
   the next ones outside it are of its genre, and whether they are the same in both languages.
4. What is left of it on the map, as its job draws it? QUERIES lines in both languages: how often a line is nearer to
   its translation than to another line (area under the ROC curve), and how many of the ten nearest lines of other
   families are of its genre. By UMAP, too, where it is installed.

Of 1 and 2: average precision over all pairs of lines, and the share of those sought that is found before one pair in
twenty is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt

from annotator.domain.plane import centred as from_means
from annotator.domain.plane import principal
from annotator.domain.sampling.likeness import MAX_SENTENCES, likeness, telling, weight_of
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.formats.corpora.meta4xnli import read_corpus
from bench.encoder_uses import Inside, auc, unit
from bench.projection import read, train, without
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.plane import in_plane
from mlworkers.engines.registry import load_embedder

Floats = npt.NDArray[np.float32]
Tokens = tuple[str, ...]
SEED = 1
NEAREST = 10
PRECISION = 0.95
LAYERS = (0, 4, 6, 7, 8, 10, 12)


@dataclass(frozen=True)
class Lines:
    """The sentences of both languages, line by line, with what is known of each line."""

    texts: Mapping[str, Sequence[Tokens]]
    family: npt.NDArray[np.str_]
    genre: npt.NDArray[np.str_]


def lines_of(shared: Path) -> Lines:
    corpus = read_corpus(shared / "data" / "meta4xnli", "xnli_dev")
    segments = corpus.segments
    return Lines(
        {language: [corpus.sentences[language][one.uid] for one in segments] for language in ("es", "en")},
        np.array([one.group for one in segments]),
        np.array([one.genre for one in segments]),
    )


class Weighted:
    """Cosine of tf-idf over whatever stands for a sentence."""

    def __init__(self, bags: Sequence[Sequence[str]]) -> None:
        frequency = Counter(word for bag in bags for word in dict.fromkeys(bag))
        self._idf = {word: float(np.log(len(bags) / count)) for word, count in frequency.items()}
        self._places = {word: place for place, word in enumerate(self._idf)}
        self._bags = self._matrix(bags)

    def _matrix(self, bags: Iterable[Mapping[str, float] | Sequence[str]]) -> Floats:
        rows = []
        for bag in bags:
            row = np.zeros(len(self._idf), np.float32)
            for word, times in (bag if isinstance(bag, Mapping) else Counter(bag)).items():
                if word in self._idf:
                    row[self._places[word]] += times * self._idf[word]
            rows.append(row)
        return unit(np.stack(rows))

    def near(self, bags: Iterable[Mapping[str, float] | Sequence[str]]) -> Floats:
        """Bags given by the lines."""
        found: Floats = self._matrix(bags) @ self._bags.T
        return found


def lemma_bag(tokens: Tokens, language: str) -> list[str]:
    """The lemmas of the content words, as the project stores them."""
    pairs = zip(lemmas_of(tokens, language), content_words(tokens, language), strict=True)
    return [lemma for lemma, is_content in pairs if is_content]


def jaccard(bags: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> Floats:
    """The share of words in common, as kinds/write_pair/similar.py has it."""
    sets = [set(other) for other in others]
    rows = [[len(one & other) / max(len(one | other), 1) for other in sets] for one in map(set, bags)]
    return np.array(rows, np.float32)


def precision_and_recall(near: Floats, right: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Average precision over all cells, and the recall at PRECISION; of equals, the wrong ones come first."""
    sought, others = np.sort(near[right])[::-1], np.sort(near[~right])
    found = np.arange(1, len(sought) + 1)
    precision = found / (found + len(others) - np.searchsorted(others, sought))
    reached = np.flatnonzero(precision >= PRECISION)
    return float(precision.mean()), float((reached[-1] + 1) / len(sought)) if len(reached) else 0.0


def edited(texts: Sequence[Tokens], chosen: Iterable[int]) -> list[Tokens]:
    """Each of the chosen sentences with one small change."""
    drawn = random.Random(SEED)
    words = sorted({token for tokens in texts for token in tokens if token.isalpha() and len(token) > 3})
    found = []
    for number, line in enumerate(chosen):
        tokens = list(texts[line])
        place = drawn.randrange(len(tokens))
        match number % 5:
            case 0:
                del tokens[place]
            case 1:
                tokens[place] = drawn.choice(words)
            case 2:
                tokens.insert(max(place - 1, 0), tokens.pop(place))
            case 3:
                tokens[place] = tokens[place][:-1] or "-"
            case _:
                tokens[-1] = tokens[-1].rstrip(".") + ("!" if tokens[-1].endswith(".") else ".")
        found.append(tuple(tokens))
    return found


def vectors(inside: Inside, texts: Iterable[Tokens]) -> Floats:
    """Lines by LAYERS by numbers."""
    return np.stack([inside.tokens(tokens)[list(LAYERS)].mean(1) for tokens in texts])


def centred(found: Floats, about: Floats) -> dict[str, Floats]:
    """By layer, of length 1, less the mean of `about`."""
    means = about.mean(0)
    return {f"vectors after {layer}": unit(found[:, at] - means[at]) for at, layer in enumerate(LAYERS)}


def duplicates(lines: Lines, inside: Inside, known: Mapping[str, Floats], queries: int) -> None:
    for language, texts in lines.texts.items():
        usable = [line for line, tokens in enumerate(texts) if len(tokens) > 3]
        chosen = np.random.default_rng(SEED).choice(usable, min(queries, len(usable)), replace=False).tolist()
        changed = edited(texts, chosen)
        right = np.array([[texts[line] == other for other in texts] for line in chosen])
        bags, own = ([lemma_bag(tokens, language) for tokens in some] for some in (texts, changed))
        forms, own_forms = ([[word.lower() for word in tokens] for tokens in some] for some in (texts, changed))
        ways = {
            "share of lemmas": jaccard(own, bags),
            "lemmas, tf-idf": Weighted(bags).near(own),
            "share of forms": jaccard(own_forms, forms),
            "forms, tf-idf": Weighted(forms).near(own_forms),
        }
        there = centred(known[language], known[language])
        for name, asked in centred(vectors(inside, changed), known[language]).items():
            ways[name] = asked @ there[name].T
        show(f"1. nearly the same, {language}", ways, right)


def show(title: str, ways: Mapping[str, Floats], right: npt.NDArray[np.bool_]) -> None:
    print(title)
    for name, near in ways.items():
        average, recall = precision_and_recall(near, right)
        print(f"   {name:24} average precision {average:.4f}, recall at {PRECISION:.2f} {recall:.4f}", flush=True)


def translations(lines: Lines, shared: Path, known: Mapping[str, Floats], queries: int) -> None:
    en = lines.texts["en"]
    chosen = np.random.default_rng(SEED).choice(len(en), min(queries, len(en)), replace=False)
    right = np.array([[en[line] == other for other in en] for line in chosen])
    dev = read(shared, "source_datasets", "xnli_dev_prem", "xnli_dev_hyp")
    rest = train(without(read(shared, "splits", "meta4xnli_train", "meta4xnli_dev"), dev), "es", "en", None).prior()
    bags = {language: [lemma_bag(tokens, language) for tokens in texts] for language, texts in lines.texts.items()}
    english = Weighted(bags["en"])
    shipped = Prior.shipped("es", "en")
    assert shipped is not None
    ways = {}
    for name, prior in (("shipped table", shipped), ("a table without them", rest)):
        table: dict[str, dict[str, float]] = {}
        for source, target, forward, _backward in prior:
            table.setdefault(source, {})[target] = forward
        ways[name] = english.near(translated(bags["es"][line], table) for line in chosen)
    es = centred(known["es"], known["es"])
    for name, there in centred(known["en"], known["en"]).items():
        ways[name] = es[name][chosen] @ there.T
    show("2. translations", ways, right)


def translated(bag: Sequence[str], table: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """What each lemma becomes by the table; one that is not in it stays, as names do."""
    found: Counter[str] = Counter()
    for lemma in bag:
        for target, share in table.get(lemma, {lemma: 1.0}).items():
            found[target] += share  # type: ignore[assignment]  # shares of words are no whole numbers
    return dict(found)


def by_weight(bags: Sequence[Sequence[str]]) -> Floats:
    """As search/queries/similar.py has it, but that it compares all lines."""
    sets = [set(bag) for bag in bags]
    places: dict[str, list[int]] = {}
    for line in np.random.default_rng(SEED).permutation(len(sets)).tolist():
        for lemma in sets[line]:
            places.setdefault(lemma, []).append(line)
    near = np.zeros((len(sets), len(sets)), np.float32)
    for line, own in enumerate(sets):
        found = {lemma: places[lemma][:MAX_SENTENCES] for lemma in telling(own)}
        weights = {lemma: weight_of(len(some)) for lemma, some in found.items()}
        for other in {other for some in found.values() for other in some}:
            near[line, other] = likeness(weights, sets[other])
    return near


def alike(lines: Lines, known: Mapping[str, Floats]) -> None:
    ways: dict[str, dict[str, Floats]] = {}
    for language, texts in lines.texts.items():
        bags = [lemma_bag(tokens, language) for tokens in texts]
        found = {
            "share of lemmas": jaccard(bags, bags),
            "lemmas, tf-idf": Weighted(bags).near(bags),
            "lemmas by weight (in use)": by_weight(bags),
        }
        for name, one in centred(known[language], known[language]).items():
            found[name] = one @ one.T
            found[f"lemmas and {name}"] = found["lemmas, tf-idf"] + found[name]
        for name, near in found.items():
            np.fill_diagonal(near, -2)
            ways.setdefault(name, {})[language] = near
    in_use = ways["lemmas by weight (in use)"]
    together = in_use["es"] + in_use["en"]
    ways["... of both languages (in use)"] = {"es": together, "en": together.copy()}
    same = lines.family[:, None] == lines.family[None, :]
    chance = float((lines.genre[:, None] == lines.genre[None, :])[~same].mean())
    print(f"3. like each other; genre by chance {chance:.4f}")
    for name, by_language in ways.items():
        outside, told = {}, []
        for language, near in by_language.items():
            order = np.argsort(-near, axis=1, kind="stable")
            rows = np.arange(len(near))
            first = same[rows, order[:, 0]].mean()
            in_ten = (same[rows[:, None], order[:, :NEAREST]].sum(1) / (same.sum(1) - 1)).mean()
            apart = np.where(same, -2, near)
            outside[language] = np.argsort(-apart, axis=1, kind="stable")[:, :NEAREST]
            genre = (lines.genre[outside[language][:, :5]] == lines.genre[:, None]).mean()
            told.append(
                f"{language}: nearest of the family {first:.4f}, family in {NEAREST} {in_ten:.4f}, genre {genre:.4f}"
            )
        both = np.mean([len(set(a) & set(b)) / NEAREST for a, b in zip(outside["es"], outside["en"], strict=True)])
        print(f"   {name:32}", "; ".join(told), f"; the same in both {both:.4f}", flush=True)


def planes(lines: Lines, queries: int) -> None:
    number = min(queries, len(lines.genre))
    chosen = np.random.default_rng(SEED).choice(len(lines.genre), number, replace=False)
    embedder = load_embedder("encoder")
    vectors = np.concatenate([embedder.embed([texts[line] for line in chosen]) for texts in lines.texts.values()])
    found = from_means(vectors, np.repeat(list(lines.texts), number))
    family, genre = np.tile(lines.family[chosen], 2), np.tile(lines.genre[chosen], 2)
    same = family[:, None] == family[None, :]
    chance = (genre[:, None] == genre[None, :])[~same].mean()
    print(f"4. on the map; genre by chance {chance:.4f}")
    uncentred = from_means(vectors, np.zeros(2 * number))
    ways = {"before": found, "PCA": principal(found), "PCA, not centred by language": principal(uncentred)}
    places, method = in_plane(found, seed=SEED)
    for name, points in {**ways, method: places}.items():
        line = np.arange(number)
        sizes = (points**2).sum(1)
        far = sizes[:, None] + sizes[None] - 2 * points @ points.T
        across = far[:number, number:]
        nearer = auc((-across[line, line]).tolist(), (-across[line, np.roll(line, 1)]).tolist())
        nearest = np.argsort(np.where(same, np.inf, far), axis=1, kind="stable")[:, :NEAREST]
        alike = (genre[nearest] == genre[:, None]).mean()
        print(f"   {name:28} translation nearer {nearer:.4f}, genre {alike:.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=1000)
    options = parser.parse_args()
    lines, inside = lines_of(options.shared), Inside()
    known = {language: vectors(inside, texts) for language, texts in lines.texts.items()}
    alike(lines, known)
    translations(lines, options.shared, known, options.queries)
    duplicates(lines, inside, known, options.queries)
    planes(lines, options.queries)


if __name__ == "__main__":
    main()
