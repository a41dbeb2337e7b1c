"""Train and measure detectors as a file describes, and print the table."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotator.management.base import FileCommand, write_all


class Command(FileCommand):
    help = "Train detectors on some files, measure them on others, over several seeds; a table of the scores."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="a TOML file that describes it, or a preset's name")
        parser.add_argument("--data", type=Path, metavar="DIR", help="folder of its files, if they are not beside it")
        parser.add_argument(
            "--format", choices=["text", "markdown", "json"], default="text", help="how the table is printed"
        )
        parser.add_argument(
            "--out", type=Path, metavar="DIR", help="folder that gets results.txt, results.md and results.json"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from mlworkers.experiments.reading import read_experiment
        from mlworkers.experiments.running import run
        from mlworkers.experiments.tables import as_json, as_markdown, as_text

        experiment = read_experiment(_file(options["name"]), options["data"])
        rows = run(experiment, progress=self.note)
        tables = {
            "text": as_text(experiment, rows),
            "markdown": as_markdown(experiment, rows),
            "json": json.dumps(as_json(experiment, rows), ensure_ascii=False, indent=2) + "\n",
        }
        if options["out"]:
            names = {"results.txt": "text", "results.md": "markdown", "results.json": "json"}
            write_all(options["out"], {name: tables[kind].encode() for name, kind in names.items()})
        self.stdout.write(tables[options["format"]], ending="")


def _file(name: str) -> Path:
    path = Path(name)
    presets = settings.BASE_DIR / "mlworkers" / "experiments" / "presets"
    if path.is_file() or path.suffix == ".toml":
        return path
    if (preset := presets / f"{name}.toml").is_file():
        return preset
    known = ", ".join(sorted(file.stem for file in presets.glob("*.toml"))) or "none here"
    raise CommandError(f'"{name}" is neither a file nor a preset. Presets: {known}.')
