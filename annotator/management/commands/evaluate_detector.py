"""Compare a detector with the labels of a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from annotator.domain.formats.tagged import TaggedSentence, read_tagged
from annotator.management.base import FileCommand
from mlworkers.engines.registry import load_detector

if TYPE_CHECKING:
    from mlworkers.engines.evaluation import Scores


class Command(FileCommand):
    help = (
        "Precision, recall and F1 (in per cent) of the labelled class over the tokens and the spans of a tagged file, "
        "and speed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", required=True, help="language code, such as es")
        parser.add_argument("--detector", required=True, help="crf, the folder of a trained one, or transformers:…")
        parser.add_argument("--test", required=True, type=Path, metavar="TSV", help="what it is compared with")
        parser.add_argument(
            "--train",
            nargs="+",
            default=[],
            type=Path,
            metavar="TSV",
            help="what the detector learnt from: adds scores for words that are labelled in it, and for all others",
        )
        parser.add_argument(
            "--format",
            choices=["text", "json"],
            default="text",
            help="a table (text), or the rows with the same numbers (json)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from mlworkers.engines.evaluation import evaluate_tagged

        detector = load_detector(options["detector"], language=options["language"])
        test = self._read(options["test"])
        train = [sentence for path in options["train"] for sentence in self._read(path)]
        found = evaluate_tagged(detector, test, train=train or None)
        if options["format"] == "json":
            about = {"detector": detector.name, "revision": detector.revision, "language": detector.language}
            self.say(json.dumps({**about, **found.to_json()}))
            return
        tokens = found.tokens
        self.say(f"{detector.name} {detector.revision} on {tokens.sentences} sentences, {tokens.tokens} tokens:")
        self.say(_line("tokens", tokens))
        self.say(_line("exact spans", found.spans))
        if found.in_vocabulary and found.out_of_vocabulary:
            known, new = found.in_vocabulary, found.out_of_vocabulary
            self.say(_line(f"words labelled in training ({known.labelled} labelled tokens)", known))
            self.say(_line(f"other words ({new.labelled} labelled tokens)", new))
        self.say(f"{tokens.tokens_per_second} tokens per second")

    def _read(self, path: Path) -> Sequence[TaggedSentence]:
        file = read_tagged(path)
        self.note_oddities(file.oddities)
        if not file.sentences:
            raise CommandError(f"{path} holds no sentence.")
        return file.sentences


def _line(what: str, scores: Scores) -> str:
    return f"{what}: precision {scores.precision}, recall {scores.recall}, F1 {scores.f1}"
