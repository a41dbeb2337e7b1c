"""Align two text files word by word."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.domain.text.tokens import tokenise
from annotator.formats.parallel.pharaoh import format_links
from annotator.formats.text.plain import read_plain
from annotator.management.base import FileCommand, write_whole
from mlworkers.engines.base import Noting
from mlworkers.engines.registry import load_aligner


class Command(FileCommand):
    help = "Align two files with one sentence per line and tokens split at spaces. Writes Pharaoh links (0-0 1-2)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--source", required=True, type=Path, metavar="F", help="text, one sentence per line")
        parser.add_argument("--target", required=True, type=Path, metavar="G", help="its translation, line by line")
        parser.add_argument("--source-language", required=True, help="language code, such as es")
        parser.add_argument("--target-language", required=True, help="language code, such as en")
        parser.add_argument(
            "--out", required=True, type=Path, metavar="LINKS", help="links, one line per sentence pair"
        )
        parser.add_argument("--aligner", default="lexical", help="aligner (default: lexical, trained on the two files)")

    def handle(self, *args: Any, **options: Any) -> None:
        source, target = read_plain(options["source"]), read_plain(options["target"])
        self.note_warnings((*source.warnings, *target.warnings))
        if len(source.lines) != len(target.lines):
            raise CommandError(
                f"{options['source']} has {len(source.lines)} lines and {options['target']} has "
                f"{len(target.lines)}; line k of one must be the translation of line k of the other. "
                "Nothing was written."
            )
        pairs = [(tokenise(a), tokenise(b)) for a, b in zip(source.lines, target.lines, strict=True)]
        aligner = load_aligner(
            options["aligner"], source=options["source_language"], target=options["target_language"], corpus=pairs
        )
        links = aligner.align(pairs)
        write_whole(
            options["out"],
            "".join(format_links((link.source, link.target) for link in one) + "\n" for one in links),
        )
        for note, count in aligner.notes().items() if isinstance(aligner, Noting) else ():
            self.note(f"{count} {note}")
        empty = sum(not (a and b) for a, b in pairs)
        self.say(
            f"{aligner.name}: {len(pairs)} sentence pairs, {sum(map(len, links))} links written to {options['out']}"
            + (f"; {empty} pairs with an empty side have no links." if empty else ".")
        )
