"""Edits of the lines of a draft's files (remove, insert, merge, swap), and windows that show two files side by side.
The files stay unchanged: their edits are stored as a list, and can be undone."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.domain.text.line_lengths import Shift, first_shift
from annotator.formats.common.errors import FormatError
from annotator.formats.common.line_edits import KINDS, MAX_EDITS, EditedLines, LineEdit, Origin, merged
from annotator.formats.common.lines import LineStream, open_bytes
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.side_by_side import sets_of
from annotator.formats.registry import reads_lines
from annotator.imports.drafts.drafts import editable, in_line
from annotator.imports.drafts.files import weigh
from annotator.imports.drafts.sources import edits_of, file_format, groups_of, source_of_file
from annotator.models import ImportDraft, User

# Lines on a page; those before the one that it was opened for; lines whose lengths are compared in a request.
SHOWN = 25
LEAD = 4
COMPARED = 10_000
# With more files, side-by-side editing is not offered: matching them takes too long.
MAX_FILES = 1000
# Displayed characters of a line.
MAX_TEXT = 2000
_PIECE = 1024 * 1024
# Encodings in which the byte of a line feed is nothing else, so that lines can be passed by without reading them.
_COUNTED = ("ascii", "utf-8", "cp125", "iso8859", "mac-", "gb18030", "shift_jis")


@dataclass(frozen=True, slots=True)
class LineShown:
    """A line of one file: its text, and the lines of the file that it consists of."""

    text: str
    origin: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SideShown:
    """One of two files: `lines` are those of the window, `total` how many it has now."""

    id: str
    name: str
    language: str
    total: int
    edits: int
    lines: list[LineShown]


@dataclass(frozen=True, slots=True)
class LinesShown:
    """Two files side by side, from line `start` on. `place`: where they seem to start to differ; `compared`: the
    last compared line. `problem`: why the rest of a file cannot be read."""

    sides: tuple[SideShown, SideShown]
    start: int
    place: Shift | None
    compared: int
    problem: FormatError | None

    @property
    def total(self) -> int:
        """Lines of the longer one."""
        return max(side.total for side in self.sides)

    @property
    def shortest(self) -> int:
        """Lines of the shorter one."""
        return min(side.total for side in self.sides)

    @property
    def rows(self) -> list[tuple[int, list[tuple[SideShown, LineShown | None]]]]:
        """The lines of the window with their numbers; None where a file has ended."""
        size = max(len(side.lines) for side in self.sides)
        return [
            (
                self.start + place,
                [(side, side.lines[place] if place < len(side.lines) else None) for side in self.sides],
            )
            for place in range(size)
        ]


@transaction.atomic
def edit_line(*, draft: ImportDraft, file: str, what: str, line: int, seen: int, by: User | None) -> ImportDraft:
    """Edit a line of a file, by its current number; see `formats.common.line_edits`.

    `seen`: how many edits the person saw. Raises ActionError where the file has others by now, or no such line.
    """
    row = editable(draft)
    one = _file(row, file, seen)
    edit = LineEdit(what, line)
    if what not in KINDS:
        raise ActionError(_("Lines can be removed, inserted, merged and swapped."))
    total = total_lines(source_of_file(row, one), one)
    if not (line >= 1 and edit.lasts_to <= EditedLines(edits_of(one)).count(total)):
        raise ActionError(_("This line does not exist in the file."))
    if seen >= MAX_EDITS:
        raise ActionError(
            _("A file can have at most %(most)d edits. Edit it on your computer, then choose it again.")
            % {"most": MAX_EDITS}
        )
    said = {"what": what, "line": line, "by": by.username if by else "", "at": timezone.now().isoformat()}
    one["edits"] = [*one.get("edits", ()), said]
    weigh(row)
    row.save()
    return in_line(draft, row)


@transaction.atomic
def undo_line_edits(*, draft: ImportDraft, file: str, seen: int, by: User | None, every: bool = False) -> ImportDraft:
    """Undo the last edit of a file's lines, or `every` one. Raises ActionError where somebody made another one."""
    row = editable(draft)
    one = _file(row, file, seen)
    if not seen:
        raise ActionError(_("There is no edit to undo."))
    one["edits"] = [] if every else one["edits"][:-1]
    weigh(row)
    row.save()
    return in_line(draft, row)


def line_pairs(draft: ImportDraft) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The files whose lines go together: the first of each document with each other one in another language."""
    by_name = {one["stored"]: one for one in draft.files}
    found = []
    for group in groups_of(draft):
        if not reads_lines(group.format.slug) or len(group.files) > MAX_FILES:
            continue
        try:
            sets = sets_of([file for file in group.files if file.language])
        except FormatError:
            # Two files of one language: the check reports this error first.
            continue
        for _document, files in sets:
            first, *others = (by_name[file.path.name] for file in files)
            found += [(first, other) for other in others]
    return found


def lines_side_by_side(
    draft: ImportDraft,
    pair: Sequence[Mapping[str, Any]],
    *,
    start: int = 0,
    file: str = "",
    line: int = 0,
    after: int = 0,
) -> LinesShown:
    """A window of two files: from line `start` on, around the line of a `file` as it came, or where they may differ.

    That is looked for where nothing else is asked for, and from line `after` on, in at most COMPARED lines.
    """
    sources = [source_of_file(draft, one) for one in pair]
    edited = [EditedLines(edits_of(one)) for one in pair]
    totals = [now.count(total_lines(source, one)) for now, source, one in zip(edited, sources, pair, strict=True)]
    problem, place, compared = None, None, 0
    if line:
        mine = next((number for number, one in enumerate(pair) if one["id"] == file), 0)
        start = edited[mine].line_of(line) - LEAD
    elif after or not start:
        after = max(1, min(after, max(totals)))
        compared = min(after + COMPARED - 1, *totals)
        try:
            place = _place([_Side(*side) for side in zip(sources, edited, pair, totals, strict=True)], after)
        except FormatError as error:
            problem = error
        start = start or (place.line - LEAD if place is not None else after)
    start = max(1, min(start, max(totals)))
    sides = []
    for one, source, now, total in zip(pair, sources, edited, totals, strict=True):
        lines: list[LineShown] = []
        try:
            lines = _window(_Side(source, now, one, total), start)
        except FormatError as error:
            problem = error
        sides.append(SideShown(one["id"], one["name"], one["language"], total, len(one.get("edits", ())), lines))
    return LinesShown((sides[0], sides[1]), start, place, compared, problem)


def total_lines(source: SourceFile, one: Mapping[str, Any]) -> int:
    """How many lines a file has as it came: as they were counted when it was stored, but for UTF-16 and the like."""
    if one["lines"] is not None and _is_counted(source):
        return int(one["lines"])
    try:
        return sum(1 for _line in _lines_from(source, 1))
    except FormatError:
        return 0


def _file(row: ImportDraft, file: str, seen: int) -> dict[str, Any]:
    one: dict[str, Any] | None = next((one for one in row.files if one["id"] == file), None)
    if one is None:
        raise ActionError(_("This file is not part of the import."))
    if not reads_lines(file_format(row, one)):
        raise ActionError(_("Lines can be edited only in text files with one sentence per line."))
    if len(one.get("edits", ())) != seen:
        raise ActionError(_("The lines were edited in another window. Look at them again."))
    return one


@dataclass(frozen=True, slots=True)
class _Side:
    source: SourceFile
    now: EditedLines
    one: Mapping[str, Any]
    total: int

    def texts(self, start: int, count: int) -> Iterator[tuple[Origin, str]]:
        """Some lines and what they consist of. Reads no more of the file than that; raises FormatError."""
        origins = self.now.origins(start, min(count, self.total - start + 1)) if start <= self.total else []
        wanted = {number for origin in origins for number in origin}
        texts: dict[int, str] = {}
        if wanted:
            last = max(wanted)
            for number, text in _lines_from(self.source, min(wanted), self.one.get("marks", ())):
                if number in wanted:
                    texts[number] = text[:MAX_TEXT]
                if number >= last:
                    break
        return ((origin, merged([texts.get(number, "") for number in origin])) for origin in origins)


def _window(side: _Side, start: int) -> list[LineShown]:
    return [LineShown(text[:MAX_TEXT], origin) for origin, text in side.texts(start, SHOWN)]


def _place(sides: Sequence[_Side], after: int) -> Shift | None:
    """Where lengths begin to differ, by the number of the line."""
    first, second = ([len(text) for _origin, text in side.texts(after, COMPARED)] for side in sides)
    found = first_shift(first, second)
    return None if found is None else Shift(found.line + after, found.by)


def _lines_from(source: SourceFile, first: int, marks: Sequence[tuple[int, int]] = ()) -> Iterator[tuple[int, str]]:
    """The lines of a file from one on, with their numbers. Raises FormatError. `marks` as `files.Stored` has them."""
    with open_bytes(source.path, source.name) as stream:
        passed = first - 1
        if not _is_counted(source):
            yield from islice(LineStream(stream, source.name, source.encoding), passed, None)
            return
        # One before the end of the line to skip: a mark can be in the middle of a line.
        begin, left = next(((byte, passed - ends) for byte, ends in reversed(marks) if ends < passed), (0, passed))
        stream.seek(begin)
        while left and (piece := stream.read(_PIECE)):
            ends = piece.count(b"\n")
            if ends < left:
                left -= ends
                continue
            at = -1
            for _line in range(left):
                at = piece.index(b"\n", at + 1)
            stream.seek(at + 1 - len(piece), 1)
            left = 0
        if left:
            return
        try:
            for number, text in LineStream(stream, source.name, source.encoding):
                yield number + passed, text
        except FormatError as error:
            raise FormatError(error.path, error.line + passed, error.expected, error.got) from error


def _is_counted(source: SourceFile) -> bool:
    try:
        return codecs.lookup(source.encoding).name.startswith(_COUNTED)
    except LookupError:
        return False
