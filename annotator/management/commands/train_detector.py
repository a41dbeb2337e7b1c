"""Train a crf detector from tagged files."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.domain.formats.tagged import TaggedSentence, read_tagged
from annotator.management.base import FileCommand, write_all


class Command(FileCommand):
    help = (
        "Train a crf detector on files of token<TAB>tag; threshold and calibration come from cross-validation on them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", required=True, help="language code, such as es")
        parser.add_argument("--train", required=True, nargs="+", type=Path, metavar="TSV", help="what it learns from")
        parser.add_argument("--dev", nargs="+", default=[], type=Path, metavar="TSV", help="what it is measured on")
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the model")
        parser.add_argument("--label", help="what its spans shall be called, when the files have several labels")

    def handle(self, *args: Any, **options: Any) -> None:
        from mlworkers.engines.crf import train_crf

        train, dev = self._read(options["train"]), self._read(options["dev"])
        names = ", ".join(path.name for path in options["train"])
        trained = train_crf(options["language"], train, dev, label=options["label"], provenance=names)
        with tempfile.TemporaryDirectory() as folder:
            trained.save(folder)
            # In the order in which they were written: model.json names the weights, so it comes last.
            files = sorted(Path(folder).iterdir(), key=lambda path: (path.suffix == ".json", path.name))
            write_all(options["out"], {path.name: path.read_bytes() for path in files})
        learnt, validated = trained.settings["training"], trained.settings["cross_validation"]
        self.say(
            f"Trained on {learnt['sentences']} sentences, {learnt['tokens']} tokens, "
            f"{learnt['labelled_tokens']} of them labelled."
        )
        self.say(f"Threshold {trained.settings['threshold']} by cross-validation: {_scores(validated)}.")
        if not validated["f1"]:
            self.note("No threshold finds a label there, so this one is a guess. Give --train more labelled sentences.")
        if dev:
            measured = trained.settings["dev"]
            self.say(f"On {measured['sentences']} development sentences: {_scores(measured)}.")
            if not measured["labelled_tokens"]:
                self.note("None of them has a label, so these scores say nothing.")
        self.say(f"Model {trained.revision} written to {options['out']}.")

    def _read(self, paths: Sequence[Path]) -> list[TaggedSentence]:
        sentences: list[TaggedSentence] = []
        for path in paths:
            file = read_tagged(path)
            self.note_oddities(file.oddities)
            if not file.sentences:
                raise CommandError(f"{path} holds no sentence.")
            sentences += file.sentences
        return sentences


def _scores(found: Mapping[str, float]) -> str:
    return f"precision {found['precision']}, recall {found['recall']}, F1 {found['f1']}"
