"""Pre-labels the sentences of a language."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from annotator.jobs.actions import IN_USE
from annotator.management.jobs import JobCommand
from annotator.models import JobKind


class Command(JobCommand):
    help = "Pre-label all sentences of a language that have no person's labels."
    kind = JobKind.PREDICT

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--language", required=True, help="the language whose sentences are pre-labelled")
        parser.add_argument(
            "--detector",
            default=IN_USE,
            help="the active one (default), encoder, crf, trained:NUMBER (the project's own), a folder, transformers:…",
        )
        parser.add_argument(
            "--only-unprojected", action="store_true", help="leave out sentences that a projection reached"
        )
        parser.add_argument("--chunk", type=int, default=100, help="sentences stored at once")

    def params(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {name: options[name] for name in ("language", "detector", "only_unprojected", "chunk")}
