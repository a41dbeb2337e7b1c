"""The tables of a project."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named
from annotator.management.tables import report_text
from annotator.reports.queries.tables import EVALUATIONS, FURTHER, REPORTS, report_named


class Command(BaseCommand):
    help = "Print a table: labels, pair tags, what correction changed, outcomes of projected labels."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "report",
            choices=[*REPORTS, *EVALUATIONS, *FURTHER],
            help="the table; docs/reference/reports.md explains its columns",
        )
        parser.add_argument(
            "--format",
            choices=["text", "json"],
            default="text",
            help="a table (text), or the rows with the same numbers (json)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        report = report_named(options["report"]).compute(project_named(options["slug"]))
        if options["format"] == "json":
            self.say(json.dumps(report.rows, ensure_ascii=False, indent=1))
        else:
            self.say(report_text(report))
