"""Write the gold in the published Meta4XNLI layout."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named, write_all
from annotator.releases.queries.published_layout import LEFT_OUT, partial_files, published_layout


class Command(BaseCommand):
    help = (
        "Write detection/ and interpretation/ from gold. Refuses while anything lacks gold, unless --partial, which "
        f"leaves it out, in every language, and lists it in {LEFT_OUT}. Discarded pairs are always left out and listed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("out", type=Path, help="folder to write into; created if it does not exist")
        parser.add_argument("--partial", action="store_true", help="leave out what has no gold")
        parser.add_argument(
            "--mapping", default="", help="a mapping of the scheme under which labels are written, such as metaphor"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        out = options["out"]
        project = project_named(options["slug"])
        export = published_layout(project, {}, partial=options["partial"], mapping=options["mapping"])
        write_all(out, export.files)
        if not export.left_out:
            # Of an earlier, partial export into the same folder: they would belie this one.
            for path in partial_files(export.corpora):
                (out / path).unlink(missing_ok=True)
        for corpus in export.corpora:
            for language in corpus.languages:
                self.say(
                    f"{corpus.dataset} {language}: {len(corpus.spans[language])} sentences, "
                    f"{len(corpus.tags[language])} pairs"
                )
        self.say(f"{len(export.files)} files written to {out}.")
        if export.left_out:
            self.say(f"{len(export.left_out)} left out, counted in each language; {out / LEFT_OUT} lists them:")
            for one in export.left_out[:20]:
                self.say(f"  {one.kind} {one.id} [{one.language}]: {one.reason}")
            if len(export.left_out) > 20:
                self.say(f"  … and {len(export.left_out) - 20} more")
