"""Carries pair tags over to another language."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from annotator.machines.actions.transfers import transfer_tags
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named


class Command(BaseCommand):
    help = "Transfer the pair tags of a language to another one as silver, for review."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--source", required=True, help="language that has the tags")
        parser.add_argument("--target", required=True, help="language that gets them, as silver")

    def handle(self, *args: Any, **options: Any) -> None:
        summary = transfer_tags(
            project=project_named(options["slug"]), source=options["source"], target=options["target"], by=None
        )
        for name, count in asdict(summary).items():
            self.say(f"{name.replace('_', ' ')}: {count}")
