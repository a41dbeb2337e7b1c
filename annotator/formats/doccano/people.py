"""doccano's export of a project in which people work apart: a file for each, named after them, of the same examples."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import CharSpan, Labels, Read, Record, Says, Text

# The file of a project in which people work together.
_TOGETHER = "all"

Row = dict[str, Any]
Rows = Callable[[SourceFile], Iterable[tuple[int, Row] | FormatWarning | FormatError]]
AsRecord = Callable[[Row, SourceFile, int], Record]


def read_people(files: Sequence[SourceFile], rows: Rows, as_record: AsRecord) -> Iterator[Read]:
    """The records of files in one language, each once: what several files say of it is what several people say.

    Files that share no example are not people's; their records come one after another. A person whose file has no
    label is left out with a warning, since doccano also writes files of members who did not work.
    """
    # On disk, since an example's other readings may stand anywhere in the other files.
    with closing(sqlite3.connect("")) as store:
        store.execute("CREATE TABLE rows (key TEXT, file INTEGER, line INTEGER, row TEXT)")
        worked: set[int] = set()
        for number, file in enumerate(files):
            for read in rows(file):
                if not isinstance(read, tuple):
                    yield read
                    continue
                line, row = read
                if any(row.get(name) for name in ("label", "labels", "entities", "cats", "annotations")):
                    worked.add(number)
                values = (_key(row, number, line), number, line, json.dumps(row))
                store.execute("INSERT INTO rows VALUES (?, ?, ?, ?)", values)
        store.execute("CREATE INDEX by_key ON rows (key, file)")
        shared = store.execute("SELECT 1 FROM rows GROUP BY key HAVING count(DISTINCT file) > 1 LIMIT 1").fetchone()
        if shared and worked:
            yield from _idle(files, worked)
        first = "SELECT key, min(rowid) AS place FROM rows GROUP BY key ORDER BY place"
        for key, _place in store.execute(first):
            found = store.execute("SELECT file, line, row FROM rows WHERE key = ? ORDER BY file, line", (key,))
            try:
                read_rows = [
                    (number, as_record(json.loads(row), files[number], line)) for number, line, row in found.fetchall()
                ]
            except FormatError as error:
                yield error
                continue
            if shared:
                yield joined([Reading(_person(files[number]), number in worked, one) for number, one in read_rows])
            else:
                yield from (one for _number, one in read_rows)


@dataclass(frozen=True, slots=True)
class Reading:
    """An example as it stands in one file. `person`: "" where people worked together."""

    person: str
    worked: bool
    record: Record


def _key(row: Mapping[str, Any], file: int, line: int) -> str:
    """What an example is the same by in several files; without an id it is its own."""
    if row.get("id") is None:
        return json.dumps([file, line])
    return json.dumps([str(row["id"]).removesuffix(".0"), row.get("text", row.get("data"))])


def _person(file: SourceFile) -> str:
    name = PurePosixPath(file.name).stem
    return "" if name == _TOGETHER else name


def _idle(files: Sequence[SourceFile], worked: set[int]) -> Iterator[FormatWarning]:
    for number, file in enumerate(files):
        if number not in worked:
            what = message(_("a file without labels, assumed to belong to a member who did not annotate"))
            yield FormatWarning(file.name, 1, what)


def joined(readings: Sequence[Reading]) -> Record:
    """One record with everybody's labels; categories that all chose alike are the sentence's."""
    answered = [one for one in readings if one.worked] or readings[:1]
    first = answered[0].record
    ((language, text),) = first.texts.items()
    texts = [next(iter(one.record.texts.values())) for one in answered]
    alike = all(dict(one.values) == dict(text.values) for one in texts)
    labels = [
        _labels(one.person, own, categories=not alike)
        for one, own in zip(answered, texts, strict=True)
        if one.worked and (own.labels or (own.values and not alike))
    ]
    return replace(first, texts={language: replace(text, labels=tuple(labels), values=text.values if alike else {})})


def _labels(person: str, text: Text, *, categories: bool) -> Labels:
    spans = [span for source in text.labels for span in source.spans]
    if categories:
        spans += [
            CharSpan((), value, {"layer": layer} if layer else {})
            for layer, values in text.values.items()
            for value in values
        ]
    return Labels(Says.PERSON if person else Says.GOLD, person, tuple(spans))
