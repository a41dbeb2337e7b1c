"""Edits of the lines of a text file, stored as a list: the file itself stays unchanged.

An edit names a line by its number after the earlier edits. A line of an edited file consists of lines
of the file: of one, of several that were merged, or of none where it was inserted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

DROP, INSERT, MERGE, SWAP = "drop", "insert", "merge", "swap"
KINDS = (DROP, INSERT, MERGE, SWAP)
# Maximum number of edits per file.
MAX_EDITS = 1000
# Later than any line of a file.
_END = 10**12

# The numbers of the lines of the file that a line consists of, from 1.
Origin = tuple[int, ...]
_Other = TypeVar("_Other")


@dataclass(frozen=True, slots=True)
class LineEdit:
    """An edit of a line: remove it, insert an empty one before it, merge or swap it with the next."""

    what: str
    line: int

    @property
    def lasts_to(self) -> int:
        """The last line that the edit needs."""
        return {INSERT: self.line - 1, DROP: self.line}.get(self.what, self.line + 1)


class EditedLines:
    """The lines of a file to read, in order. Its size depends on the edits, not on the file."""

    def __init__(self, edits: Iterable[LineEdit] = ()) -> None:
        # Lines in their order, as runs of untouched ones and single ones. Runs never change places.
        self._runs: list[range | Origin] = [range(1, _END)]
        self._more = 0
        for edit in edits:
            self.apply(edit)

    def apply(self, edit: LineEdit) -> None:
        """Apply another edit."""
        place = self._cut(edit.line)
        if edit.what == INSERT:
            self._runs.insert(place, ())
            self._more += 1
            return
        if edit.what == DROP:
            self._single(place)
            del self._runs[place]
            self._more -= 1
            return
        first = self._single(place)
        second = self._single(place + 1)
        if edit.what == SWAP:
            self._runs[place : place + 2] = [second, first]
        else:
            self._runs[place : place + 2] = [first + second]
            self._more -= 1

    def count(self, lines: int) -> int:
        """The number of lines after the edits, for a file with this many lines."""
        return lines + self._more

    def origins(self, start: int, count: int) -> list[Origin]:
        """The origins of some lines from `start` on."""
        found: list[Origin] = []
        before = 1
        for run in self._runs:
            size = len(run) if isinstance(run, range) else 1
            first = max(start - before, 0)
            if first < size:
                found += self._of(run, first, count - len(found))
            before += size
            if len(found) >= count:
                break
        return found

    def line_of(self, number: int) -> int:
        """The line that contains a line of the file, or the next one if it was removed."""
        before, after = 1, 0
        for run in self._runs:
            if number in run:
                return before + (run.index(number) if isinstance(run, range) else 0)
            if not after and run and run[0] > number:
                after = before
            before += len(run) if isinstance(run, range) else 1
        return after or before

    def read(self, lines: Iterable[tuple[int, str] | _Other]) -> Iterator[tuple[int, str] | _Other]:
        """The lines of a file, numbered from 1, as they are now, each with the number of its first line in the file.

        What else comes with them is passed on. Holds no more lines than there are edits.
        """
        source = _Source(lines, {number for run in self._runs if isinstance(run, tuple) for number in run})
        last = 1
        for run in self._runs:
            if isinstance(run, range):
                for number, text in source.run(run):
                    last = number
                    yield number, text
            else:
                texts = [text for text in map(source.take, run) if text is not None]
                last = run[0] if run else last
                if texts or not run:
                    yield last, merged(texts)
        yield from source.others

    def _of(self, run: range | Origin, first: int, count: int) -> list[Origin]:
        return [(number,) for number in run[first : first + count]] if isinstance(run, range) else [run]

    def _cut(self, line: int) -> int:
        """The place of a line among the runs."""
        before = 1
        for place, run in enumerate(self._runs):
            if line == before:
                return place
            size = len(run) if isinstance(run, range) else 1
            if isinstance(run, range) and line < before + size:
                self._runs[place : place + 1] = [run[: line - before], run[line - before :]]
                return place + 1
            before += size
        return len(self._runs)

    def _single(self, place: int) -> Origin:
        """Split the line at a place off its run, and return it."""
        run = self._runs[place]
        if isinstance(run, tuple):
            return run
        self._runs[place : place + 1] = [(run[0],), run[1:]] if len(run) > 1 else [(run[0],)]
        return (run[0],)


class _Source(Generic[_Other]):
    """A reader of lines that keeps `loose` ones, which may be needed later."""

    def __init__(self, lines: Iterable[tuple[int, str] | _Other], loose: set[int]) -> None:
        self.others: list[_Other] = []
        self._lines = self._numbered(lines)
        self._loose = loose
        self._held: dict[int, str] = {}

    def run(self, run: range) -> Iterator[tuple[int, str]]:
        if not run:
            return
        for number, text in self._lines:
            if number >= run.start:
                yield number, text
            elif number in self._loose:
                self._held[number] = text
            if number == run.stop - 1:
                return

    def take(self, wanted: int) -> str | None:
        if wanted in self._held:
            return self._held.pop(wanted)
        for number, text in self._lines:
            if number == wanted:
                return text
            if number in self._loose:
                self._held[number] = text
        return None

    def _numbered(self, lines: Iterable[tuple[int, str] | _Other]) -> Iterator[tuple[int, str]]:
        for one in lines:
            if isinstance(one, tuple):
                yield one
            else:
                self.others.append(one)


def merged(texts: Sequence[str]) -> str:
    """Several lines as one; those without text add nothing."""
    return texts[0] if len(texts) == 1 else " ".join(text for text in map(str.strip, texts) if text)
