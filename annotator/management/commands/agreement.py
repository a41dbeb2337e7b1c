"""Cohen's kappa of two annotators."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from annotator.management.base import Command as BaseCommand
from annotator.management.base import language_of, project_named, user_named
from annotator.management.tables import agreement_text
from annotator.reports.queries.agreement import question
from annotator.reports.queries.agreement_runs import compute


class Command(BaseCommand):
    help = (
        "Print Cohen's kappa of two people over what both have finished: per role (pairs: per "
        "inference label) and overall."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--annotators", nargs=2, required=True, metavar=("A", "B"), help="usernames")
        parser.add_argument(
            "--layer",
            required=True,
            help="tokens (the project's labels), pairs (its tags), or the slug of a layer",
        )
        parser.add_argument("--dimension", default="", help="what to compare (default: the first one of the layer)")
        parser.add_argument("--language", default="", help="language (default: the project's source language)")
        parser.add_argument(
            "--mapping", default="", help="a mapping of the scheme under which labels are compared, such as metaphor"
        )
        parser.add_argument(
            "--format",
            choices=["text", "json"],
            default="text",
            help="a table (text), or the rows with the same numbers (json)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        a, b = map(user_named, options["annotators"])
        if a == b:
            raise CommandError("Agreement needs two different annotators.")
        language = language_of(project, options["language"])
        try:
            asked = question(
                project,
                a=a,
                b=b,
                layer=options["layer"],
                language=language,
                dimension=options["dimension"],
                mapping=options["mapping"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        found = compute(asked, now=timezone.now())
        if options["format"] == "json":
            said = found.agreement.to_json() | {"inputs": asdict(found.inputs)}
            self.say(json.dumps(said, ensure_ascii=False, indent=1))
        else:
            self.say(agreement_text(found.agreement))
