"""Restore a project from its archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.backup.actions.looking import missing_releases, opened
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.queries.placeholders import placeholders_of
from annotator.core.processes.threads import switch_often
from annotator.domain.verbs import Verb
from annotator.management.base import Command as BaseCommand
from annotator.models import Event

NAMES = {"job": "jobs", "traineddetector": "trained detectors"}


class Command(BaseCommand):
    help = (
        "Restore a project backup that `archive_project` wrote. Its people are placeholders "
        "until `map_people` maps them to accounts. Jobs and trained detectors are not restored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the zip")
        parser.add_argument("--slug", default="", help="another short name, if the old one is taken")

    def handle(self, *args: Any, **options: Any) -> None:
        switch_often()
        try:
            with options["file"].open("rb") as file:
                project = restore_archive(file=file, slug=options["slug"], by=None)
                with opened(file) as archive:
                    missing = missing_releases(archive)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        self.say(f'Restored "{project.name}" ({project.slug}).')
        event = Event.objects.get(project=None, verb=Verb.PROJECT_RESTORED, subject_id=project.pk)
        for name, number in (event.after or {})["left_out"].items():
            self.note(f"Not restored: {NAMES[name]}: {number}.")
        for number in missing:
            self.note(f"Release {number} is restored without its file, which the backup lacks.")
        if people := placeholders_of(project):
            names = ", ".join(user.backup_name for user in people)
            self.note(f"Placeholders, until map_people maps them to accounts: {names}.")
