"""Compare one or several detectors with the labels of a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from annotator.management.base import FileCommand
from mlworkers.engines.registry import load_detector

if TYPE_CHECKING:
    from mlworkers.engines.evaluation.scores import Report


class Command(FileCommand):
    help = (
        "Measure detectors on a tagged file: precision, recall and F1 (as percentages) of the "
        "labelled class over tokens and spans, and speed. Of several detectors, such as the "
        "seeds of one training, also the mean and standard deviation."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", required=True, help="language code, such as es")
        parser.add_argument(
            "--detector",
            required=True,
            nargs="+",
            metavar="DETECTOR",
            help="encoder, crf, the folder of a trained one, transformers:…; several for mean and standard deviation",
        )
        parser.add_argument("--test", required=True, type=Path, metavar="TSV", help="what it is compared with")
        parser.add_argument(
            "--train",
            nargs="+",
            default=[],
            type=Path,
            metavar="TSV",
            help="what the detector learnt from: adds scores for words seen and not seen in it, and for "
            "words labelled and not labelled in it",
        )
        parser.add_argument(
            "--format",
            choices=["text", "json"],
            default="text",
            help="a table (text), or the rows with the same numbers (json)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        test = self._read(options["test"])
        train = [sentence for path in options["train"] for sentence in self._read(path)]
        # One after the other, so that no more than one need be in memory.
        found = [
            _measure(spec, options["language"], test, train or None) for spec in dict.fromkeys(options["detector"])
        ]
        say = self._say_one if len(found) == 1 else self._say_several
        say(found, options["format"])

    def _say_one(self, found: Sequence[Measured], form: str) -> None:
        about, report = found[0].about, found[0].report
        if form == "json":
            self.say(json.dumps({**about, **report.to_json()}))
            return
        tokens = report.tokens
        self.say(f"{about['detector']} {about['revision']} on {tokens.sentences} sentences, {tokens.tokens} tokens:")
        for what, place in _groups(report):
            self.say(f"{what}: {_scores(report.to_json(), place)}")
        self.say(f"{tokens.tokens_per_second} tokens per second")

    def _say_several(self, found: Sequence[Measured], form: str) -> None:
        from mlworkers.engines.evaluation.scores import spread

        mean, deviation = spread([one.report for one in found])
        if form == "json":
            rows = [{"given": one.spec, **one.about, **one.report.to_json()} for one in found]
            self.say(json.dumps({"detectors": rows, "mean": mean, "standard_deviation": deviation}))
            return
        first = found[0].report
        self.say(f"{len(found)} detectors on {first.tokens.sentences} sentences, {first.tokens.tokens} tokens:")
        for one in found:
            scores = one.report.to_json()
            self.say(f"{one.spec} {one.about['revision']}: {_scores(scores)}; exact spans: {_scores(scores, 'spans')}")
        self.say("Mean and standard deviation:")
        for what, place in _groups(first):
            self.say(f"{what}: {_scores(mean, place, deviation)}")
        self.say(f"{_number('tokens_per_second', mean, deviation)} tokens per second")

    def _read(self, path: Path) -> Sequence[TaggedSentence]:
        file = read_tagged(path)
        self.note_warnings(file.warnings)
        if not file.sentences:
            raise CommandError(f"{path} contains no sentences.")
        return file.sentences


# The kinds of words of a report (`mlworkers.engines.evaluation.scores`).
_WORDS = {
    "in_vocabulary": "words seen in training",
    "out_of_vocabulary": "words not seen in training, out of vocabulary",
    "labelled_in_training": "words labelled in training",
    "not_labelled_in_training": "words not labelled in training",
}


@dataclass(frozen=True)
class Measured:
    """A detector as it was given, what it is, and its scores."""

    spec: str
    about: dict[str, str]
    report: Report


def _measure(
    spec: str, language: str, test: Sequence[TaggedSentence], train: Sequence[TaggedSentence] | None
) -> Measured:
    from mlworkers.engines.evaluation.scores import evaluate_tagged

    detector = load_detector(spec, language=language)
    about = {"detector": detector.name, "revision": detector.revision, "language": detector.language}
    return Measured(spec, about, evaluate_tagged(detector, test, train=train))


def _groups(report: Report) -> list[tuple[str, str]]:
    """What precision, recall and F1 are given for, in words, and where a report's JSON has them."""
    words = [(f"{_WORDS[kind]} ({scores.labelled} labelled tokens)", kind) for kind, scores in report.words.items()]
    return [("tokens", ""), ("exact spans", "spans"), *words]


def _scores(numbers: Mapping[str, Any], place: str = "", deviation: Mapping[str, Any] | None = None) -> str:
    """Precision, recall and F1 at `place`, with deviations when there are any."""
    scores = numbers[place] if place else numbers
    around = deviation[place] if deviation is not None and place else deviation
    precision, recall, f1 = (_number(name, scores, around) for name in ("precision", "recall", "f1"))
    return f"precision {precision}, recall {recall}, F1 {f1}"


def _number(name: str, numbers: Mapping[str, Any], deviation: Mapping[str, Any] | None) -> str:
    return str(numbers[name]) if deviation is None else f"{numbers[name]:.2f} ± {deviation[name]:.2f}"
