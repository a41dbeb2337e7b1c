"""Pairs that stand in several files of one set, such as MABL's `sw.csv` and `categories/sw.csv`: each is imported once,
with what all of the files say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2s
from typing import Any

from annotator.domain.content.verdict import ACCEPT
from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile, up_to_its_end
from annotator.formats.common.records import Read, Record
from annotator.protocols.mabl.halves import VALIDITY

_ACCEPTED = {"verdict": ACCEPT}
Reading = Callable[[SourceFile], Iterator[Read]]
Again = tuple[int, str, int]
"""The line of a pair in a file, and the file and line where it stands first."""


def each_once(groups: Sequence[Sequence[SourceFile]], read: Reading) -> Iterator[Read]:
    """The records of files, group by group; those of a group that have the same pair as one."""
    for files in groups:
        if len(files) == 1:
            yield from up_to_its_end(partial(read, files[0]))
            continue
        group = _Group()
        for file in files:
            yield from group.take(file, read)
        yield from group.records
        yield from group.warnings()


def repeated(groups: Sequence[Sequence[SourceFile]], read: Reading) -> dict[str, dict[str, list[Any]]]:
    """By the name of a file, what its layout is to have: `again`, its pairs that were imported with an earlier one, and
    `accepted`, the lines of pairs that came in as rejected for another file's sake."""
    found: dict[str, dict[str, list[Any]]] = {}
    for files in groups:
        group = _Group()
        for file in files if len(files) > 1 else ():
            for _said in group.take(file, read):
                pass
        for name, again in group.again.items():
            found.setdefault(name, {})["again"] = [list(one) for one in again]
        for name, lines in group.accepted.items():
            found.setdefault(name, {})["accepted"] = list(lines)
    return found


class _Group:
    """The pairs of files that may have the same ones."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.again: dict[str, list[Again]] = {}
        self.accepted: dict[str, list[int]] = {}
        self._places: dict[bytes, tuple[str, int]] = {}
        self._otherwise: Counter[str] = Counter()
        self._first: dict[str, int] = {}

    def take(self, file: SourceFile, read: Reading) -> Iterator[FormatWarning | FormatError]:
        """Take the pairs of a file in; what they contain."""
        for one in up_to_its_end(partial(read, file)):
            if isinstance(one, FormatWarning | FormatError):
                yield one
            elif isinstance(one, Record):
                self._add(one)

    def _add(self, record: Record) -> None:
        ((language, text),) = record.texts.items()
        key = blake2s(repr((text.tokens, text.spaces)).encode(), digest_size=12).digest()
        name, place = self._places.setdefault(key, (record.file, len(self.records)))
        # A pair that stands twice in a file stays so: tables count rows.
        if name == record.file:
            self.records.append(record)
            return
        before = self.records[place]
        known = before.texts[language]
        contents, is_otherwise = _joined(known.contents, text.contents)
        for one, said in ((before, known.contents), (record, text.contents)):
            if contents.get(VALIDITY) != said.get(VALIDITY) == _ACCEPTED:
                self.accepted.setdefault(one.file, []).append(one.line)
        self.records[place] = replace(before, texts={language: replace(known, contents=contents)})
        self.again.setdefault(record.file, []).append((record.line, before.file, before.line))
        self._first.setdefault(record.file, record.line)
        self._otherwise[record.file] += is_otherwise

    def warnings(self) -> Iterator[FormatWarning]:
        for file, again in self.again.items():
            what = by_number(
                len(again),
                _("%(number)s pair is also in another file of this set and is imported once"),
                _("%(number)s pairs are also in another file of this set and are imported once"),
            )
            yield FormatWarning(file, self._first[file], message(what, number=len(again)))
            if number := self._otherwise[file]:
                what = by_number(
                    number,
                    _(
                        "%(number)s of them is judged differently there: a rejection counts, otherwise the first "
                        "judgement"
                    ),
                    _(
                        "%(number)s of them are judged differently there: a rejection counts, otherwise the first "
                        "judgement"
                    ),
                )
                yield FormatWarning(file, self._first[file], message(what, number=number))


def _joined(one: Any, other: Any) -> tuple[dict[str, Any], bool]:
    """What two files say of a pair, and whether they contradict each other."""
    found = {**other, **one}
    is_otherwise = any(name in other and other[name] != said for name, said in one.items())
    if VALIDITY in one and VALIDITY in other:
        rejected = [said for said in (one[VALIDITY], other[VALIDITY]) if said != _ACCEPTED]
        found[VALIDITY] = rejected[0] if rejected else one[VALIDITY]
    return found, is_otherwise
