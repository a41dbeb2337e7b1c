"""Aligns two languages and projects the labels of one onto the other."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from annotator.domain.projection.carry import LabelSource
from annotator.management.jobs import JobCommand
from annotator.models import JobKind


class Command(JobCommand):
    help = "Align two languages, and project the labels of the source onto the target."
    kind = JobKind.PROJECT

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--source", required=True, help="language that has the labels")
        parser.add_argument("--target", required=True, help="language that gets them")
        parser.add_argument(
            "--aligner", default="lexical", help="aligner (default: lexical, trained on the project's text)"
        )
        parser.add_argument(
            "--labels",
            choices=[source.value for source in LabelSource],
            default=LabelSource.ANNOTATIONS.value,
            help="project only gold, or also finished annotations where there is no gold",
        )

    def params(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {name: options[name] for name in ("source", "target", "aligner", "labels")}
