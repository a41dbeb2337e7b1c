"""Restore a project from its archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.actions.archive.restoring import restore_archive
from annotator.management.base import Command as BaseCommand
from annotator.threads import switch_often


class Command(BaseCommand):
    help = (
        "Restore a project that `archive_project` wrote. People are found by user name; who is not here gets an "
        "account without a password. What the file holds is believed: restore your own archives only."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the zip")
        parser.add_argument("--slug", default="", help="another short name, where the old one is taken")

    def handle(self, *args: Any, **options: Any) -> None:
        switch_often()
        try:
            with options["file"].open("rb") as file:
                project = restore_archive(file=file, slug=options["slug"], by=None)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        self.say(f'Restored "{project.name}" ({project.slug}).')
