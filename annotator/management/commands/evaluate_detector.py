"""Compare a detector with the labels of a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.domain.formats.tagged import read_tagged
from annotator.domain.spans import OUTSIDE
from annotator.management.base import FileCommand
from mlworkers.engines.registry import load_detector


class Command(FileCommand):
    help = "Precision, recall and F1 (in per cent) of the labelled class over the tokens of a tagged file, and speed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", required=True, help="language code, such as es")
        parser.add_argument("--detector", required=True, help="crf, the folder of a trained one, or transformers:…")
        parser.add_argument("--test", required=True, type=Path, metavar="TSV", help="what it is compared with")
        parser.add_argument(
            "--format",
            choices=["text", "json"],
            default="text",
            help="a table (text), or the rows with the same numbers (json)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from mlworkers.engines.evaluation import evaluate

        detector = load_detector(options["detector"], language=options["language"])
        file = read_tagged(options["test"])
        self.note_oddities(file.oddities)
        if not file.sentences:
            raise CommandError(f"{options['test']} holds no sentence.")
        found = evaluate(
            detector,
            [sentence.tokens for sentence in file.sentences],
            [[tag != OUTSIDE for tag in sentence.tags] for sentence in file.sentences],
        )
        if options["format"] == "json":
            about = {"detector": detector.name, "revision": detector.revision, "language": detector.language}
            self.say(json.dumps({**about, **found.to_json()}))
            return
        self.say(f"{detector.name} {detector.revision} on {found.sentences} sentences, {found.tokens} tokens:")
        self.say(f"precision {found.precision}, recall {found.recall}, F1 {found.f1}")
        self.say(f"{found.tokens_per_second} tokens per second")
