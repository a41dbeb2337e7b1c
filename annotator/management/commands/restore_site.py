"""Restore the whole site from a site backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotator.core.files.site_mark import claim_storage
from annotator.core.files.storage import site_files
from annotator.integrity.checks import find_problems
from annotator.management.base import Command as BaseCommand
from annotator.site_backup.restoring import restore_site


class Command(BaseCommand):
    help = (
        "Restore a site backup into an empty data folder and database, migrate it to this version, and check it. Stop "
        "the web server and the workers first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the zip that backup_site wrote")
        parser.add_argument(
            "--set-aside",
            action="store_true",
            help="if there are people or projects already: keep them in a folder before-restore-… of the "
            "data folder (SQLite and local files; PostgreSQL needs an empty database)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        manifest, aside = restore_site(path=options["file"], set_aside=options["set_aside"], now=now)
        # The workers of the restored site know it by a mark, which its new storage lacks or has another of.
        claim_storage()
        counts = ", ".join(f"{name}: {number}" for name, number in manifest.counts.items())
        place = site_files().place
        self.say(f"Restored the site of {manifest.made_at} into {place}: {counts}. Files: {len(list(manifest.files))}.")
        if aside is not None:
            self.say(f"What was there before is in {aside}.")
        for name, says in manifest.missing.items():
            self.note(f"Missing in the backup: {name} ({says}).")
        problems = [finding for finding in find_problems(contents=True, now=now) if not finding.is_warning]
        for finding in problems:
            self.say(str(finding))
        if problems:
            raise CommandError(f"The site is restored as it was, with problems: {len(problems)}, see above.")
        self.say("No problems. Start the web server and the workers. Everyone must sign in again.")
