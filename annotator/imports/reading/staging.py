"""What a check has seen of its files, on disk: it may be a million sentences."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, overload

from annotator.formats.common.records import Record

if TYPE_CHECKING:
    from annotator.domain.parallel_check import ParallelReport

AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Came:
    """Something that came before: what stands for it, and where it was."""

    digest: bytes
    file: str
    line: int

    @property
    def place(self) -> str:
        """For messages."""
        return f"{self.file}:{self.line}" if self.line else self.file or "–"


class Scratch:
    """A database in a temporary file, gone when the check ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.executescript(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -4000;
            CREATE TABLE seen (key TEXT PRIMARY KEY, digest BLOB, file TEXT, line INT) WITHOUT ROWID;
            CREATE TABLE text (
                language TEXT, number INT, tokens TEXT, file TEXT, line INT, PRIMARY KEY (language, number)
            ) WITHOUT ROWID;
            BEGIN;
            """
        )

    def seen(self, keys: Sequence[str]) -> dict[str, Came]:
        """Those of the keys that were added before."""
        found: dict[str, Came] = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ", ".join("?" * len(some))
            for key, digest, file, line in self._database.execute(
                f"SELECT key, digest, file, line FROM seen WHERE key IN ({marks})",  # noqa: S608 -- question marks
                some,
            ):
                found[key] = Came(digest, file, line)
        return found

    def add(self, rows: Iterable[tuple[str, bytes, str, int]]) -> None:
        """Key, digest, file and line of what came; a key that is there stays as it is."""
        self._database.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", rows)

    def add_texts(self, rows: Iterable[tuple[str, int, Sequence[str], str, int]]) -> None:
        """Language, number and tokens of sentences, to be read as `texts`, with file and line."""
        self._database.executemany(
            "INSERT OR REPLACE INTO text VALUES (?, ?, ?, ?, ?)",
            ((language, number, json.dumps(tokens), *place) for language, number, tokens, *place in rows),
        )

    def place(self, language: str, number: int) -> tuple[str, int]:
        """File and line of a sentence, or of the last one before it that the files have in its language."""
        row = self._database.execute(
            "SELECT file, line FROM text WHERE language = ? AND number <= ? AND file != '' "
            "ORDER BY number DESC LIMIT 1",
            (language, number),
        ).fetchone()
        return row or ("", 0)

    def texts(self, language: str, count: int) -> Texts:
        """The sentences 0 to `count` of a language; those that it does not have are empty."""
        return Texts(self._database, language, range(count))

    def finish(self) -> None:
        """Nothing more is added; others can read it now."""
        self._database.execute("COMMIT")

    def close(self) -> None:
        self._database.close()


class Seen:
    """What the files had before, in this batch of records or an earlier one."""

    def __init__(self, scratch: Scratch, keys: Sequence[str]) -> None:
        self._scratch = scratch
        self._found = scratch.seen(keys)
        self._new: list[tuple[str, bytes, str, int]] = []

    def get(self, key: str) -> Came | None:
        """What came under this key before."""
        return self._found.get(key)

    def add(self, key: str, mine: bytes, file: str, line: int) -> None:
        """It has come; the first one stays."""
        if key not in self._found:
            self._found[key] = Came(mine, file, line)
            self._new.append((key, mine, file, line))

    def save(self) -> None:
        """Keep it for the batches that follow."""
        self._scratch.add(self._new)


class Texts(Sequence[Sequence[str]]):
    """Sentences on disk, as the check of parallel texts wants them: by length and slices."""

    def __init__(self, database: sqlite3.Connection, language: str, numbers: range) -> None:
        self._database = database
        self._language = language
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Sequence[str]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[str]]: ...

    def __getitem__(self, index: int | slice) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(index, slice):
            return list(self._read(self._numbers[index]))
        return next(self._read(range(self._numbers[index], self._numbers[index] + 1)))

    def __iter__(self) -> Iterator[Sequence[str]]:
        for start in range(0, len(self), AT_ONCE):
            yield from self._read(self._numbers[start : start + AT_ONCE])

    def _read(self, numbers: range) -> Iterator[Sequence[str]]:
        if not numbers:
            return
        low, high = min(numbers), max(numbers)
        rows = self._database.execute(
            "SELECT number, tokens FROM text WHERE language = ? AND number BETWEEN ? AND ?", (self._language, low, high)
        )
        found = dict(rows)
        for number in numbers:
            yield json.loads(found[number]) if number in found else []


def compared_in(
    path: Path,
    languages: Sequence[tuple[str, str]],
    number: int,
    uneven: bool,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[ParallelReport]:
    """How each two languages go together, by the sentences that a scratch keeps under `path`.

    `uneven`: files end before others. What they have no line for is missing then, and no blank line.
    """
    # Here, since it needs NumPy, which the web process does not load for anything else.
    from annotator.domain.parallel_check import check as check_parallel

    with closing(sqlite3.connect(path)) as database:

        def texts(language: str) -> Texts:
            query = "SELECT coalesce(max(number), -1) + 1 FROM text WHERE language = ?"
            end = database.execute(query, (language,)).fetchone()[0] if uneven else number
            return Texts(database, language, range(min(number, end)))

        return [check_parallel(texts(a), texts(b), progress=progress) for a, b in languages]


@contextmanager
def scratch() -> Iterator[Scratch]:
    """A scratch for the time of a check."""
    with tempfile.TemporaryDirectory() as folder:
        opened = Scratch(Path(folder) / "scratch.sqlite3")
        try:
            yield opened
        finally:
            opened.close()


def digest(*parts: Iterable[str]) -> bytes:
    """Stands for texts: the same for the same ones only."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        # Each text ends in the first character, each part in the second.
        found.update(("\x00".join([*part, ""]) + "\x01").encode("utf-8", "surrogatepass"))
    return found.digest()


def details(record: Record) -> bytes:
    """What a record says of its segment, as `seen` keeps it."""
    return _details(record.role, record.group, record.genre, record.source)


@lru_cache
def _details(*said: str) -> bytes:
    return json.dumps(said).encode()


def genre_and_source(kept: bytes) -> tuple[str, str]:
    """The genre and the source dataset of a segment, of what `details` made."""
    _role, _group, genre, source = json.loads(kept)
    return genre, source
