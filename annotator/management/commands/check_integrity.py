"""Check the integrity of a site."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotator.core.database.trouble import database_trouble
from annotator.integrity.checks import find_problems
from annotator.management.base import Command as BaseCommand


class Command(BaseCommand):
    help = (
        "Find problems: damaged tables, counters that differ from a recount, answers and gold "
        "that differ from the log, jobs that ended in the middle, missing files. It changes "
        "nothing, and people can keep working. Each line names a row, the problem and the "
        "remedy. The exit code is 1 if there is a problem."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--files", action="store_true", help="read every file and compare its SHA-256, too")

    def handle(self, *args: Any, **options: Any) -> None:
        # Every other finding would follow from it.
        if trouble := database_trouble():
            raise CommandError(trouble)
        problems = warnings = 0
        for finding in find_problems(contents=options["files"], now=timezone.now()):
            self.say(str(finding))
            problems += not finding.is_warning
            warnings += finding.is_warning
        if problems:
            raise CommandError(f"Problems: {problems}. Warnings: {warnings}.")
        self.say(f"No problems. Warnings: {warnings}.")
