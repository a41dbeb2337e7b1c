"""Build everything in mlworkers/engines/data again from the published corpora, and print dev figures.

    python bench/train_shipped.py --shared ../shared [--only crf-es crf-en lexical-es-en]

SHARED holds data/meta4xnli and data/cometa. Takes about two minutes on 2 CPU cores.
"""

import argparse
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.aligners.lexical.aligner import LexicalAligner
from mlworkers.engines.base import DATA, SentencePair
from mlworkers.engines.detectors.crf_training import train_crf

PARTS = ("crf-es", "crf-en", "lexical-es-en")


def read(path: Path) -> list[TaggedSentence]:
    return list(read_tagged(path).sentences)


def splits(shared: Path, language: str, *names: str) -> list[TaggedSentence]:
    folder = shared / "data" / "meta4xnli" / "detection" / "splits" / language
    return [sentence for name in names for sentence in read(folder / f"meta4xnli_{name}.tsv")]


def detector(shared: Path, language: str) -> None:
    train = splits(shared, language, "train")
    provenance = f"Meta4XNLI, detection, train split ({language})"
    if language == "es":
        cometa = shared / "data" / "cometa"
        train += read(cometa / "cometa_train.tsv") + read(cometa / "cometa_test.tsv")
        provenance = "Meta4XNLI, detection, train split (es), and CoMeta, train and test"
    start = time.perf_counter()
    trained = train_crf(language, train, splits(shared, language, "dev"), provenance=provenance)
    trained.save(DATA / f"crf-{language}")
    settings = trained.settings
    print(
        f"crf-{language}: {len(train)} sentences in {time.perf_counter() - start:.1f} s; "
        f"{len(trained.weights) / 1e6:.1f} MB; revision {trained.revision}; "
        f"threshold {settings['threshold']}, calibration {settings['calibration']}"
    )
    for name in ("cross_validation", "dev"):
        found = settings[name]
        print(f"  {name}: P {found['precision']:.2f} R {found['recall']:.2f} F1 {found['f1']:.2f}")


def parallel(shared: Path) -> list[SentencePair]:
    """Every distinct sentence pair of the train and dev splits and of xnli_dev."""
    pairs: dict[SentencePair, None] = {}
    sides = [splits(shared, language, "train", "dev") for language in ("es", "en")]
    folder = shared / "data" / "meta4xnli" / "detection" / "source_datasets"
    for side, language in zip(sides, ("es", "en"), strict=True):
        for name in ("xnli_dev_prem.tsv", "xnli_dev_hyp.tsv"):
            side.extend(read(folder / language / name))
    for source, target in zip(*sides, strict=True):
        pairs[source.tokens, target.tokens] = None
    return list(pairs)


def table(shared: Path) -> None:
    pairs = parallel(shared)
    start = time.perf_counter()
    prior = LexicalAligner.train(pairs, source="es", target="en").prior()
    path = DATA / "lexical-es-en.npz"
    prior.save(path)
    print(
        f"lexical-es-en: {len(pairs)} sentence pairs in {time.perf_counter() - start:.1f} s; {len(prior)} word pairs; "
        f"{path.stat().st_size / 1e6:.2f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    packages = ("numpy", "python-crfsuite", "simplemma", "wordfreq")
    print(f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in packages))
    for part in options.only:
        if part.startswith("crf-"):
            detector(options.shared, part.removeprefix("crf-"))
        else:
            table(options.shared)


if __name__ == "__main__":
    main()
