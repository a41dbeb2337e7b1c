"""Write the whole site into one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotator.core.database.trouble import database_trouble
from annotator.management.base import Command as BaseCommand
from annotator.site_backup.databases.base import NAMES
from annotator.site_backup.writing import back_up_site


class Command(BaseCommand):
    help = (
        "Write a site backup: the database in one state and all files, in one file that is read "
        "again and compared. People can keep working. `restore_site` restores it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the zip to write; it must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        if trouble := database_trouble():
            raise CommandError(trouble)
        manifest = back_up_site(path=path.absolute(), now=timezone.now())
        counts = ", ".join(f"{name}: {number}" for name, number in manifest.counts.items())
        self.say(f"{path}: {path.stat().st_size:,} bytes, written and read again.")
        self.say(f"{NAMES[manifest.engine]}: {counts}. Files: {len(list(manifest.files))}.")
        for name, says in manifest.missing.items():
            self.note(f"Missing: {name} ({says}). The backup does not contain it.")
