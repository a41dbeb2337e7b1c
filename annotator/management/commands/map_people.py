"""Say which accounts the people of a restored project are."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotator.backup.actions.people import map_person
from annotator.backup.queries.placeholders import placeholders_of
from annotator.core.errors import ActionError
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named, user_named


class Command(BaseCommand):
    help = (
        "Map people of a project backup to accounts of this site: their answers and role become "
        "the account's. Without a pair, list the people who are not mapped yet."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("pairs", nargs="*", metavar="name=username", help="name in the backup, and the account's")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        waiting = {user.backup_name: user for user in placeholders_of(project)}
        if not options["pairs"]:
            self.say("\n".join(waiting) or "Everyone from a backup is mapped to an account.")
        for pair in options["pairs"]:
            name, _equals, username = pair.partition("=")
            if name not in waiting:
                raise CommandError(f'Nobody of the backup is called "{name}". Available: {", ".join(waiting)}.')
            try:
                map_person(project=project, placeholder=waiting[name], account=user_named(username), by=None)
            except ActionError as error:
                raise CommandError(str(error)) from error
            self.say(f"{name} is {username}.")
