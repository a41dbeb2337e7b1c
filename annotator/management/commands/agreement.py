"""Cohen's kappa of two annotators."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotator.management.base import Command as BaseCommand
from annotator.management.base import language_of, project_named, user_named
from annotator.management.tables import agreement_text
from annotator.reports.queries.agreement import agreement


class Command(BaseCommand):
    help = "Cohen's kappa per role (of pairs: per inference label), and overall, over what both have done."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--annotators", nargs=2, required=True, metavar=("A", "B"), help="user names")
        parser.add_argument(
            "--layer",
            required=True,
            help="tokens (the project's labels), pairs (its tags), or the slug of a layer",
        )
        parser.add_argument("--dimension", default="", help="what is counted; the layer's first one when not given")
        parser.add_argument("--language", default="", help="the project's source language when not given")
        parser.add_argument(
            "--mapping", default="", help="a mapping of the labels' scheme under which they are compared, as metaphor"
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
            found = agreement(
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
        if options["format"] == "json":
            self.say(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
        else:
            self.say(agreement_text(found))
