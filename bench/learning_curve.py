"""How soon a crf that learns from a project is better than the one it starts with.

    python bench/learning_curve.py --shared ../shared [--encoder] [--english-encoder FOLDER]

SHARED holds data/meta4xnli, data/cometa and data/vua. Two projects are played. In the first the text is unlike what the
detector in use knows: that one is trained on the Spanish train split of Meta4XNLI alone, people label CoMeta's train
file, and CoMeta's test file is held out. In the second it is of the same kind: the shipped English detector is in use,
people label sentences of Meta4XNLI's dev split, and 600 others of it are held out. Each row: F1 on the held-out
sentences after so many labelled ones, of a model that builds on the one in use, as projects train it, and of one that
does not.

With --encoder the encoder is in use; the columns are then of a model that builds on the encoder, and on the shipped
crf. In another kind of text people label sentences of VUA's train file, and 600 of its dev file are held out. In the
same kind they label Meta4XNLI's dev split in Spanish and in English, of which 600 are held out; the encoder's
thresholds were chosen on these, so it looks a little better than it is. It knows CoMeta, so another kind of Spanish
text needs another encoder: with --english-encoder, one that `pack_encoder.py` wrote of a training on English alone is
in use, people label CoMeta's train file, and CoMeta's test file is held out.
"""

import argparse
import platform
import random
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.base import DATA, Detector, Tokens
from mlworkers.engines.detectors.crf import Base, CrfDetector
from mlworkers.engines.detectors.crf_training import train_crf
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.evaluation.scores import evaluate_tagged
from mlworkers.engines.registry import load_detector

HELD_OUT = 600
# Sentences of VUA that are labelled.
MAX_SENTENCES = 1_600
SEEDS = (1, 2, 3)
# What people label, in their order; what is held out.
Project = tuple[list[TaggedSentence], list[TaggedSentence]]


def read(path: Path) -> list[TaggedSentence]:
    return list(read_tagged(path).sentences)


class Remembering:
    """A detector that computes a sentence once: the encoder sees the same ones for every row."""

    def __init__(self, detector: EncoderDetector) -> None:
        self.name, self.revision, self.language = detector.name, detector.revision, detector.language
        self.threshold, self.label, self.save = detector.threshold, detector.label, detector.save
        self._detector = detector
        self._known: dict[tuple[str, ...], list[float]] = {}

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        keys = [tuple(tokens) for tokens in sentences]
        new = list({key: None for key in keys if key not in self._known})
        self._known.update(zip(new, self._detector.predict(new), strict=True))
        return [self._known[key] for key in keys]


def f1(detector: Detector, held_out: Sequence[TaggedSentence]) -> float:
    return evaluate_tagged(detector, held_out).tokens.f1


def course(
    title: str,
    base: Base,
    projects: Sequence[Project],
    other: tuple[str, Base | None] = ("learnt alone", None),
) -> None:
    """One table; figures are means over the projects."""
    print(f"\n{title}\n")
    print(f"| labelled | with a label | in use | learnt, building on it | {other[0]} |")
    print("|---:|---:|---:|---:|---:|")
    most = min(len(work) for work, _held_out in projects)
    for number in [n for n in (100, 200, 400, 800, 1_600) if n < most] + [most]:
        rows = []
        for work, held_out in projects:
            done = work[:number]
            rows.append(
                (
                    sum(any(tag != "O" for tag in sentence.tags) for sentence in done),
                    f1(base, held_out),
                    f1(train_crf(base.language, done, base=base), held_out),
                    f1(train_crf(base.language, done, base=other[1]), held_out),
                )
            )
        labelled, *scores = (sum(column) / len(rows) for column in zip(*rows, strict=True))
        print(f"| {number:,} | {labelled:.0f} | " + " | ".join(f"{score:.1f}" for score in scores) + " |", flush=True)


def with_shipped_encoder(data: Path) -> None:
    def course_of(title: str, language: str, projects: Sequence[Project]) -> None:
        encoder = load_detector("encoder", language=language)
        assert isinstance(encoder, EncoderDetector)
        other = "building on the shipped crf", CrfDetector.load(DATA / f"crf-{language}")
        course(f"{title}, beginning with the encoder ({language})", Remembering(encoder), projects, other)

    work, dev = (read(data / "vua" / f"vua_{part}.tsv") for part in ("train", "dev"))
    projects = [(random.Random(seed).sample(work, MAX_SENTENCES), dev[:HELD_OUT]) for seed in SEEDS]
    course_of("Another kind of text: VUA", "en", projects)
    for language in ("es", "en"):
        course_of("The same kind of text: Meta4XNLI dev", language, parts_of_dev(data, language))


def with_english_encoder(data: Path, folder: Path) -> None:
    encoder = EncoderDetector.load(folder, language="es")
    cometa, held_out = (read(data / "cometa" / f"cometa_{part}.tsv") for part in ("train", "test"))
    projects = [(random.Random(seed).sample(cometa, len(cometa)), held_out) for seed in SEEDS]
    # The shipped crf learnt from both files.
    title = "Another kind of text, in another language: CoMeta, beginning with an encoder of English labels (es)"
    course(title, Remembering(encoder), projects)


def parts_of_dev(data: Path, language: str) -> list[Project]:
    """Meta4XNLI's dev split in several orders, the first sentences of each held out."""
    found = []
    for seed in SEEDS:
        dev = read(data / "meta4xnli" / "detection" / "splits" / language / "meta4xnli_dev.tsv")
        random.Random(seed).shuffle(dev)
        found.append((dev[HELD_OUT:], dev[:HELD_OUT]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--encoder", action="store_true")
    parser.add_argument("--english-encoder", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    data = options.shared / "data"
    print(f"Python {platform.python_version()}, {platform.machine()}; means over {len(SEEDS)} random orders")

    if options.encoder or options.english_encoder:
        if options.encoder:
            with_shipped_encoder(data)
        if options.english_encoder:
            with_english_encoder(data, options.english_encoder)
        return
    splits = data / "meta4xnli" / "detection" / "splits"
    unlike = train_crf("es", read(splits / "es" / "meta4xnli_train.tsv"))
    cometa, held_out = (read(data / "cometa" / f"cometa_{part}.tsv") for part in ("train", "test"))
    projects = [(random.Random(seed).sample(cometa, len(cometa)), held_out) for seed in SEEDS]
    course("Another kind of text: CoMeta, beginning with a model of Meta4XNLI (es)", unlike, projects)

    shipped = CrfDetector.load(DATA / "crf-en")
    projects = parts_of_dev(data, "en")
    course("The same kind of text: Meta4XNLI dev, beginning with the shipped model (en)", shipped, projects)


if __name__ == "__main__":
    main()
