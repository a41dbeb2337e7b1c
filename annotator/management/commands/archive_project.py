"""Write a whole project into one file."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotator.backup.actions.writing import write_archive
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named


class Command(BaseCommand):
    help = (
        "Write a project backup: the whole project in one file (texts in all revisions, "
        "annotations, gold, events, jobs, settings, guidelines, people, releases). "
        "`restore_project` restores it on any server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("file", type=Path, help="the zip to write")
        parser.add_argument("--pseudonyms", action="store_true", help="call people person-1, person-2, …")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        project = project_named(options["slug"])
        beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with beside.open("xb") as file:
                written = write_archive(project=project, file=file, pseudonyms=options["pseudonyms"])
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        self.say(f"{path}: {path.stat().st_size:,} bytes.")
        for number in written.missing_releases:
            self.note(f"Release {number} is in the backup without its file, which is missing or damaged here.")
