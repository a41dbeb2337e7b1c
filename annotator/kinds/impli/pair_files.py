"""IMPLI's files: `premise TAB hypothesis TAB score` a line, and what the pairs are in the name of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2s
from math import isfinite
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from annotator.domain.content.verdict import ACCEPT
from annotator.domain.figurative_pairs import as_tokens
from annotator.domain.formats.base import NEAR, Guess, Options, SourceFile
from annotator.domain.formats.beginnings import beginning
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.features import Feature
from annotator.domain.formats.lines import LineStream
from annotator.domain.formats.records import PairRecord, Read, Record, Text
from annotator.domain.inference_pairs import UNIT_KIND, class_of, compared, has_published_way
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.domain.tokens import text_of
from annotator.kind import parts_of

SLUG = "impli"
VALIDITY = "validity"


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a file. `more`: what stands after the second sentence, with its tab; "" where there is none."""

    line: int
    premise: str
    hypothesis: str
    more: str


class Impli:
    """Files without a heading, whose names say whether the second sentence follows (`…_e.tsv`, `…_ne.tsv`)."""

    slug = SLUG
    title = "IMPLI"
    brings = "pairs"
    parallel = False
    kinds = ("rewrite", "define")
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """All names say a class, and the first lines have two or three cells.

        What only has a published name, or such a one without its label, is taken for a damaged file of these: `read`
        says what is wrong with it.
        """
        if not files or not all(_is_meant(file) for file in files):
            return None
        sure = 0.99 if all(class_of(file.name) and _looks_like_it(file) for file in files) else NEAR
        # "ne" in a name is no language here.
        only = languages[0] if len(languages) == 1 else ""
        found = tuple(replace(file, language=file.language if file.language in languages else only) for file in files)
        return Guess(self.slug, sure, found, Options())

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        for file in files:
            made = class_of(file.name)
            if made is None:
                expected = say(_("a name with “_e” or “_ne” in it, such as manual_e.tsv"))
                raise FormatError(file.name, 0, expected, quote(file.name))
            seen: dict[bytes, int] = {}
            for row in _rows(file):
                if isinstance(row, FormatError):
                    yield row
                    continue
                yield from _doubts(file, row, seen)
                tokens, spaces = as_tokens((row.premise, row.hypothesis))
                # What was published was accepted, with the label that the name says.
                verdict = {"verdict": ACCEPT, "second": made.follows}
                text = Text(tokens=tokens, spaces=spaces, contents={VALIDITY: verdict})
                yield Record(file.name, row.line, {file.language: text}, kind=UNIT_KIND)

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """Both sentences, and whether the second one follows, as the name of the file says."""
        found: list[tuple[object, str]] = list(
            zip(parts_of(UNIT_KIND), text_of(text.tokens, text.spaces).split("\n"), strict=False)
        )
        made = class_of(record.file)
        if made is not None:
            found.append((gettext("Label"), gettext("Follows") if made.entailed else gettext("Does not follow")))
        return found

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not here: releases write these files (`release.py`)."""
        raise NotImplementedError("IMPLI's files are written by releases.")

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        """What stands behind the sentences: as most lines have it, and by line where one differs."""
        data = file.path.read_bytes()
        rows = [row for row in _rows(file) if isinstance(row, _Row)]
        ends = [row.more for row in rows]
        usual = max(set(ends), key=ends.count) if ends else ""
        return {
            "bom": data.startswith(b"\xef\xbb\xbf"),
            "line_end": "\r\n" if b"\r\n" in data else "\n",
            "ended": data.endswith(b"\n"),
            "more": usual,
            "odd": {str(row.line): row.more for row in rows if row.more != usual},
        }


def _is_meant(file: SourceFile) -> bool:
    if class_of(file.name) and _looks_like_it(file):
        return True
    if not file.name.lower().endswith(".tsv") or not has_published_way(file.name):
        return False
    lines = [line.split("\t") for line in beginning(file) if line.strip()]
    if class_of(file.name):
        return bool(lines)
    # "manual.tsv" may be anything, unless most of its lines are two texts of several words.
    pairs = sum(len(cells) in (2, 3) and all(" " in cell.strip() for cell in cells[:2]) for cells in lines)
    return 2 * pairs > len(lines)


def _looks_like_it(file: SourceFile) -> bool:
    lines = [line for line in beginning(file) if line]
    return bool(lines) and "\t" in lines[0] and all(line.count("\t") <= 2 for line in lines)


def _rows(file: SourceFile) -> Iterator[_Row | FormatError]:
    with file.path.open("rb") as stream:
        for number, line in LineStream(stream, file.name, file.encoding or "utf-8"):
            cells = line.split("\t")
            if len(cells) not in (2, 3):
                yield FormatError(
                    file.name,
                    number,
                    say(_("two sentences, and at most a score, with tabs between them")),
                    say(_("%(count)d cells"), count=len(cells)),
                )
                continue
            empty = next((at for at, cell in enumerate(cells[:2]) if not cell.strip()), None)
            if empty is not None:
                which = _("a first sentence") if empty == 0 else _("a second sentence")
                yield FormatError(file.name, number, say(which), say(_("an empty cell")))
                continue
            score = cells[2] if len(cells) == 3 else ""
            if score.strip() and not _is_number(score):
                yield FormatError(file.name, number, say(_("a number, or nothing, as the score")), quote(score, 80))
                continue
            yield _Row(number, cells[0], cells[1], f"\t{score}" if len(cells) == 3 else "")


def _doubts(file: SourceFile, row: _Row, seen: dict[bytes, int]) -> Iterator[FormatWarning]:
    """What is odd about a line that comes in as it is. `seen`: by a checksum of both sentences, their first line."""
    if compared(row.premise) == compared(row.hypothesis):
        yield FormatWarning(
            file.name, row.line, say(_("both sentences have the same words: %(text)s"), text=quote(row.premise, 80))
        )
    key = blake2s(f"{row.premise}\t{row.hypothesis}".encode(), digest_size=8).digest()
    first = seen.setdefault(key, row.line)
    if first != row.line:
        yield FormatWarning(file.name, row.line, say(_("the same pair as in line %(line)d"), line=first))


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
