"""Write a layer's labels in a format that another tool reads."""

from __future__ import annotations

import shutil
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named
from annotator.releases.actions.label_exports import checked_choice, write_export
from annotator.releases.queries.label_export import ExportChoice, Whose, writers


class Command(BaseCommand):
    help = (
        "Write the sentences of a project with the labels, categories or pair tags of one layer: gold, a person's, or "
        "a model's. Sentences without such an answer are left out and counted, unless --undecided."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("out", type=Path, help="folder to write into; created if it does not exist")
        parser.add_argument("--format", required=True, help=", ".join(writers()))
        parser.add_argument("--layer", default="", help="its short name; without it, only the text")
        parser.add_argument("--language", action="append", default=[], help="repeat it for several (default: all)")
        parser.add_argument(
            "--whose",
            choices=[one.value for one in Whose],
            default=Whose.GOLD.value,
            help="whose labels; gold by default",
        )
        parser.add_argument("--name", default="", help="a person's username, or a model's name")
        parser.add_argument("--undecided", action="store_true", help="include sentences without such an answer")

    def handle(self, *args: Any, **options: Any) -> None:
        project, out = project_named(options["slug"]), options["out"]
        wanted = ExportChoice(
            options["format"],
            options["layer"],
            tuple(options["language"]),
            Whose(options["whose"]),
            options["name"],
            options["undecided"],
        )
        choice = checked_choice(project, wanted)
        out.mkdir(parents=True, exist_ok=True)
        # Beside the files, so that these are there as a whole or not at all.
        with tempfile.TemporaryDirectory(dir=out, prefix=".export-") as folder:
            paths, counts = write_export(project=project, choice=choice, folder=Path(folder))
            for path in paths:
                place = out / path.relative_to(folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(path, place)
        for language in choice.languages:
            left = counts.undecided[language]
            what = "without an answer" if choice.undecided else "left out, without an answer"
            note = f", {left} {what}" if left else ""
            self.say(f"{language}: {counts.sentences[language]} sentences{note}")
        if counts.pairs:
            self.say(f"{counts.pairs} pairs")
        for feature, number in counts.without.items():
            if number:
                self.note(f"{choice.format} cannot store {feature}: left out on {number} labels.")
        if counts.not_publishable:
            self.note(f"{counts.not_publishable} of the written sentences have text that must not be published.")
        self.say(f"{len(paths)} files written to {out}.")
