"""Import a dataset in the published Meta4XNLI layout."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.formats.corpora.meta4xnli import list_datasets
from annotator.imports.writing.imports import LABELS, import_meta4xnli
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named


class Command(BaseCommand):
    help = "Import sentences, pairs and, with --labels gold, labels and pair tags. Importing again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("root", type=Path, help="folder that holds detection/ and interpretation/")
        parser.add_argument("--dataset", required=True, help="such as xnli_dev")
        parser.add_argument("--labels", choices=LABELS, default="none", help="gold: take labels and tags as gold")

    def handle(self, *args: Any, **options: Any) -> None:
        project, root = project_named(options["slug"]), options["root"]
        if not (found := list_datasets(root)):
            raise CommandError(
                f"{root} contains no corpus. It must be the folder in which detection/source_datasets/ and "
                "interpretation/source_datasets/ are."
            )
        if options["dataset"] not in found:
            raise CommandError(f'{root} has no dataset "{options["dataset"]}". Available: {", ".join(found)}.')
        summary = import_meta4xnli(
            project=project,
            root=root,
            dataset=options["dataset"],
            labels=options["labels"],
            by=None,
        )
        self.say(f"Imported {summary.dataset} into {options['slug']}:")
        for line in summary.lines():
            self.say(f"  {line}")
        self.note_warnings(summary.warnings)
