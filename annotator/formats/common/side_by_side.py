"""Files of one language each, whose k-th sentences belong together: how formats without columns are parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError, FormatWarning, UnevenError, quote
from annotator.formats.common.names import document_of, folders_of
from annotator.formats.common.protocol import SourceFile, up_to_its_end
from annotator.formats.common.records import Read, Record, Text


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of one file, in its one language. A text without characters and tokens holds its place."""

    line: int
    text: Text
    id: str = ""
    group: str = ""


Rows = Iterator[Row | FormatWarning | FormatError]


@dataclass
class _Side:
    """A file that is being read; `line` is where its last sentence stands."""

    file: SourceFile
    rows: Rows
    count: int = 0
    line: int = 0
    failed: bool = False

    def next(self) -> Iterator[FormatWarning | FormatError]:
        """Read up to the next sentence, which is then `row`, and give what was said on the way."""
        self.row: Row | None = None
        self.failed = False
        for read in self.rows:
            if isinstance(read, FormatWarning):
                yield read
                continue
            self.count += 1
            self.line = read.line
            if isinstance(read, FormatError):
                self.failed = True
                yield read
            else:
                self.row = read
            return

    @property
    def ended(self) -> bool:
        return self.row is None and not self.failed


def side_by_side(files: Sequence[SourceFile], rows: Callable[[SourceFile], Rows]) -> Iterator[Read]:
    """The sentences of files, each record with the languages of the files that belong together.

    Files belong together when they have the same role and, where a language comes more than once, the same name apart
    from the language ("one.ca.txt" and "one.es.txt"); that name is then the group. Where one of them has more sentences
    than the other, those come alone, and an UnevenError follows. Where ids differ, nothing more of these files is
    understood, and the next ones are read. Raises FormatError for a file without a language, and for two in one
    language.
    """
    for file in files:
        if not file.language:
            raise file.error(0, _("a language for this file"), _("none"))
    for group, parallel in sets_of(files):
        sides = [_Side(file, rows(file)) for file in parallel]
        yield from up_to_its_end(partial(_records, sides, group))
        # Where they cannot be put beside each other any more, the rest of each may have faults of its own.
        for side in sides:
            yield from (read for read in up_to_its_end(partial(iter, side.rows)) if isinstance(read, FormatError))


def sets_of(files: Sequence[SourceFile]) -> list[tuple[str, list[SourceFile]]]:
    """The files that belong together, in order, with the name of their document where there are several."""
    sets: dict[tuple[str, str], list[SourceFile]] = {}
    for file in files:
        rivals = [other for other in files if other.role == file.role and other.language == file.language]
        document = document_of(file) if len(rivals) > 1 else ""
        if any(document_of(other) == document for other in rivals if other is not file):
            # Two documents of one name, in folders of their own.
            document = "/".join([*folders_of(file), document])
        sets.setdefault((file.role, document), []).append(file)
    for together in sets.values():
        languages = [file.language for file in together]
        twice = next((file for n, file in enumerate(together) if file.language in languages[:n]), None)
        if twice is not None:
            other = together[languages.index(twice.language)]
            raise FormatError(
                twice.name,
                0,
                message(_("one file per language")),
                message(
                    _("a second one in %(language)s, besides %(name)s: remove one, or correct its language"),
                    language=twice.language,
                    name=other.name,
                ),
            )
    return [(document, together) for (_, document), together in sets.items()]


def _records(sides: list[_Side], group: str) -> Iterator[Read]:
    first = sides[0]
    while True:
        for side in sides:
            yield from side.next()
        if all(side.ended for side in sides):
            yield from _uneven(sides)
            return
        if any(side.failed for side in sides):
            continue
        rows = [(side, side.row) for side in sides if side.row is not None]
        named = next(((side, row) for side, row in rows if row.id), None)
        if named is not None:
            for side, row in rows:
                if row.id and row.id != named[1].id:
                    raise side.file.error(
                        row.line,
                        _("the sentence %(id)s, as at %(name)s:%(line)s"),
                        quote(row.id),
                        id=quote(named[1].id),
                        name=named[0].file.name,
                        line=named[1].line,
                    )
        texts = {
            side.file.language: replace(row.text, file=side.file.name, line=row.line)
            for side, row in rows
            if row.text.text.strip() or row.text.tokens
        }
        for side, row in rows:
            if side.file.language not in texts:
                yield FormatWarning(side.file.name, row.line, message(_("a blank line, which is not a sentence")))
        if texts:
            lead = next(row for side, row in rows if side.file.language in texts)
            file = next(side.file for side, _ in rows if side.file.language in texts)
            yield Record(
                file.name,
                lead.line,
                texts,
                id=named[1].id if named else "",
                role=first.file.role,
                group=lead.group or group,
            )


def _uneven(sides: list[_Side]) -> Iterator[UnevenError]:
    """That one file has fewer sentences than another. Both are read to the end, so that the places can be found."""
    longest = max(sides, key=lambda side: side.count)
    shortest = min(sides, key=lambda side: side.count)
    if shortest.count < longest.count:
        yield UnevenError(
            shortest.file.name,
            shortest.line,
            message(_("%(count)s sentences, as in %(name)s"), count=longest.count, name=longest.file.name),
            message(_("the end of the file after %(count)s"), count=shortest.count),
        )
