"""Take an import back, while nobody has worked on it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotator.imports.queries.imports import imports_of
from annotator.imports.undo.undo_import import undo_import
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named, user_named


class Command(BaseCommand):
    help = (
        "Undo an import if nobody has worked on it: everything it added is deleted. Without a number, list the imports."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("number", nargs="?", type=int, help="of the import")
        parser.add_argument("--by", default="", help="who undoes it: a username")

    def handle(self, *args: Any, **options: Any) -> None:
        imports = imports_of(project_named(options["slug"]))
        if options["number"] is None:
            for one in imports:
                self.say(f"{one.pk}: {one.dataset}, {one.published_at:%Y-%m-%d %H:%M}")
            return
        chosen = imports.filter(pk=options["number"]).first()
        if chosen is None:
            raise CommandError(f"Unknown import {options['number']}. Leave the number out for a list.")
        dataset = chosen.dataset
        undo_import(imported=chosen, by=user_named(options["by"]) if options["by"] else None)
        self.say(f"The import of {dataset} was undone.")
