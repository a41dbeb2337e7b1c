"""Split a corpus into parts."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from annotator.management.base import project_named
from annotator.management.jobs import JobCommand
from annotator.models import JobKind, SplitMethod
from annotator.splits.queries.stored import STRATA


class Command(JobCommand):
    help = "Split the corpus into parts for training and evaluation, the same in all languages."
    kind = JobKind.SPLIT

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", help="the split; files are called by it")
        parser.add_argument("--layer", default="labels", help="the layer whose items and gold count (labels)")
        parser.add_argument(
            "--method",
            choices=[SplitMethod.RATIO.value, SplitMethod.FOLDS.value, SplitMethod.LEXICAL.value],
            default=SplitMethod.RATIO.value,
            help="lexical: no labelled expression of the last part is in another part",
        )
        parser.add_argument(
            "--parts",
            nargs="+",
            type=_part,
            default=[("train", 60.0), ("dev", 20.0), ("test", 20.0)],
            metavar="NAME=SHARE",
            help="the parts and their shares (train=60 dev=20 test=20)",
        )
        parser.add_argument(
            "--strata",
            nargs="*",
            choices=STRATA,
            default=["dataset", "role", "label"],
            help="every part gets its share of each of these (dataset role label)",
        )
        parser.add_argument("--apart", action="store_true", help="do not keep groups together")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same split (1)")

    def params(self, options: Mapping[str, Any]) -> dict[str, Any]:
        layer = project_named(options["slug"]).layers.filter(slug=options["layer"]).first()
        if layer is None:
            raise CommandError(f"There is no layer “{options['layer']}” in this project.")
        return {
            "name": options["name"],
            "layer": layer.pk,
            "method": options["method"],
            "parts": [name for name, _share in options["parts"]],
            "shares": [share for _name, share in options["parts"]],
            "strata": options["strata"],
            "together": not options["apart"],
            "seed": options["seed"],
        }


def _part(text: str) -> tuple[str, float]:
    name, _sign, share = text.partition("=")
    try:
        return name, float(share)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a name and its share, such as train=60") from None
