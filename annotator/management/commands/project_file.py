"""Carry labels from one file to another along word links."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.domain.labels.bio import write_bio
from annotator.domain.projection.carry import Outcome, ProjectionRules, project
from annotator.domain.text.tokens import tokenise
from annotator.formats.common.errors import FormatError
from annotator.formats.common.lines import read_bytes
from annotator.formats.parallel.pharaoh import parse_links
from annotator.formats.text.plain import read_plain
from annotator.formats.text.tagged import TaggedFile, TaggedSentence, parse_tagged, tag_column, write_tagged
from annotator.management.base import FileCommand, write_whole


class Command(FileCommand):
    help = (
        "Project the BIO labels of TAGGED onto TEXT. TAGGED: token<TAB>tag per line, other "
        "columns ignored, a blank line after each sentence. CoNLL-2003 works too: columns split "
        "at tabs or spaces, the tag in the last one. TEXT: one sentence per line, tokens split "
        "at spaces. LINKS: Pharaoh, one sentence pair per line."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--source", required=True, type=Path, metavar="TAGGED", help="sentences with labels")
        parser.add_argument(
            "--target", required=True, type=Path, metavar="TEXT", help="their translation, one sentence per line"
        )
        parser.add_argument("--links", required=True, type=Path, help="word links, as align writes them")
        parser.add_argument("--out", required=True, type=Path, metavar="TAGGED", help="the translation with labels")
        parser.add_argument(
            "--fill-gap", type=int, default=1, metavar="N", help="join fragments with at most N tokens between (1)"
        )
        parser.add_argument(
            "--gap-rule",
            choices=["between", "elp"],
            default="between",
            help="elp joins only when the joined span is at most N + 2 tokens long, as Easy-Label-Projection does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["fill_gap"] < 0:
            raise CommandError(f"--fill-gap must be 0 or more, got {options['fill_gap']}.")
        rules = ProjectionRules(fill_gap=options["fill_gap"], gap_rule=options["gap_rule"])
        source, target, links = _read_source(options["source"]), read_plain(options["target"]), options["links"]
        link_file = read_plain(links)
        self.note_warnings((*source.warnings, *target.warnings, *link_file.warnings))
        counts = {
            f"{options['source']} has {len(source.sentences)} sentences": len(source.sentences),
            f"{options['target']} has {len(target.lines)} lines": len(target.lines),
            f"{links} has {len(link_file.lines)} lines": len(link_file.lines),
        }
        if len(set(counts.values())) != 1:
            raise CommandError(f"{', '.join(counts)}; all three must be the same number. Nothing was written.")

        outcomes: Counter[str] = Counter()
        written = []
        for number, (tagged, text, line) in enumerate(
            zip(source.sentences, target.lines, link_file.lines, strict=True), start=1
        ):
            tokens = tokenise(text)
            if not tokens:
                # It would vanish from the output, and every later sentence would answer to the wrong one.
                raise FormatError(str(options["target"]), number, "a sentence", "an empty line")
            pairs = parse_links(
                line,
                name=str(links),
                number=number,
                source_length=len(tagged.tokens),
                target_length=len(tokens),
            )
            result = project(tagged.read().spans, pairs, tokens, rules=rules)
            for outcome in result.outcomes:
                outcomes[f"{outcome.outcome}: {outcome.reason}" if outcome.reason else outcome.outcome] += 1
            written.append(TaggedSentence(tokens, tuple(write_bio(result.spans, len(tokens)))))
        write_whole(options["out"], write_tagged(written))
        projected = outcomes.pop(Outcome.PROJECTED, 0)
        lost = "".join(f", {count} {name}" for name, count in sorted(outcomes.items()))
        self.say(
            f"{len(written)} sentences, {projected + outcomes.total()} source spans: {projected} projected{lost}. "
            f"Written to {options['out']}."
        )


def _read_source(path: Path) -> TaggedFile:
    data = read_bytes(path, str(path))
    return parse_tagged(data, str(path), columns=tag_column(data))
