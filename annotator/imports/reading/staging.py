"""What a check has read of its files, on disk: it may be a million sentences.

The check looks up what came before, the comparison of languages reads texts, and the import writes what was checked,
all from here: files are read once.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from annotator.domain.batches import batches
from annotator.formats.common.records import PairRecord, Record

if TYPE_CHECKING:
    from annotator.domain.parallel_check import ParallelReport

# Keys or sentences in one statement.
CHUNK_SIZE = 400


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """Something that came before: what stands for it, and where it was."""

    digest: bytes
    file: str
    line: int

    @property
    def place(self) -> str:
        """For messages."""
        return f"{self.file}:{self.line}" if self.line else self.file or "–"


class IncomingAnswer(NamedTuple):
    """One answer of the files: gold, the annotation of a member (`user`), or the suggestion of a model.

    `content` as the layer stores it; `layer` is its slug, "" for the layer of labels.
    """

    says: str
    content: dict[str, Any]
    layer: str = ""
    user: int = 0
    name: str = ""
    revision: str = ""


class StagedText(NamedTuple):
    """A text that was checked, with the answers that come in with it; the rest as `formats.common.records.Text`."""

    tokens: tuple[str, ...]
    spaces: Sequence[str]
    lemmas: Sequence[str]
    parts_of_speech: Sequence[str]
    settled: Sequence[str]
    answers: Sequence[IncomingAnswer]


class StagedRecord(NamedTuple):
    """A record that was checked, under the uid that it has in the project."""

    uid: str
    kind: str
    role: str
    genre: str
    group: str
    file: str
    line: int
    texts: Mapping[str, StagedText]


@dataclass
class StagedBatch:
    """Records that were checked together, and the pairs after them.

    `known_records` and `known_pairs` are those of them with answers for units that the project had.
    """

    records: list[StagedRecord] = field(default_factory=list)
    pairs: list[PairRecord] = field(default_factory=list)
    known_records: list[StagedRecord] = field(default_factory=list)
    known_pairs: list[PairRecord] = field(default_factory=list)


class StagingStore:
    """A database in a temporary file, gone when the check or the import ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.executescript(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -4000;
            CREATE TABLE seen (key TEXT PRIMARY KEY, digest BLOB, file TEXT, line INT) WITHOUT ROWID;
            CREATE TABLE text (
                language TEXT, number INT, tokens TEXT, file TEXT, line INT, PRIMARY KEY (language, number)
            ) WITHOUT ROWID;
            CREATE TABLE staged (number INTEGER PRIMARY KEY, is_known INT, records BLOB, pairs BLOB);
            BEGIN;
            """
        )

    def lookup(self, table: str, columns: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of a table of ours that have one of the keys: key and columns."""
        for some in batches(keys, CHUNK_SIZE):
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, {columns} FROM {table} WHERE key IN ({marks})"  # noqa: S608 -- no names from outside
            yield from self.database.execute(query, some)

    def seen(self, keys: Sequence[str]) -> dict[str, SeenRecord]:
        """Those of the keys that were added before."""
        return {key: SeenRecord(*row) for key, *row in self.lookup("seen", "digest, file, line", keys)}

    def add(self, rows: Iterable[tuple[str, bytes, str, int]]) -> None:
        """Key, digest, file and line of what came; a key that is there stays as it is."""
        self.database.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", rows)

    def stage(self, batch: StagedBatch) -> None:
        """Keep what was checked, to be written in this order."""
        self._stage(False, batch.records, batch.pairs)
        self._stage(True, batch.known_records, batch.known_pairs)

    def _stage(self, is_known: bool, records: Sequence[StagedRecord], pairs: Sequence[PairRecord]) -> None:
        if records or pairs:
            fields = [[getattr(pair, name) for name in PairRecord.__slots__] for pair in pairs]
            row = (is_known, _packed(records), _packed(fields))
            self.database.execute("INSERT INTO staged (is_known, records, pairs) VALUES (?, ?, ?)", row)

    def staged(self, *, is_known: bool = False, together: int = 1) -> Iterator[StagedBatch]:
        """What was staged, so many batches `together`; with `is_known`, what is for units that the project had."""
        query = "SELECT records, pairs FROM staged WHERE is_known = ? ORDER BY number"
        for rows in batches(self.database.execute(query, (is_known,)), together):
            yield StagedBatch(
                [_record(one) for records, _pairs in rows for one in _unpacked(records)],
                [PairRecord(*one) for _records, pairs in rows for one in _unpacked(pairs)],
            )

    def add_texts(self, rows: Iterable[tuple[str, int, Sequence[str], str, int]]) -> None:
        """Language, number and tokens of sentences, to be read as `texts`, with file and line."""
        self.database.executemany(
            "INSERT OR REPLACE INTO text VALUES (?, ?, ?, ?, ?)",
            ((language, number, json.dumps(tokens), *place) for language, number, tokens, *place in rows),
        )

    def place(self, language: str, number: int) -> tuple[str, int]:
        """File and line of a sentence, or of the last one before it that the files have in its language."""
        row = self.database.execute(
            "SELECT file, line FROM text WHERE language = ? AND number <= ? AND file != '' "
            "ORDER BY number DESC LIMIT 1",
            (language, number),
        ).fetchone()
        return row or ("", 0)

    def texts(self, language: str, count: int) -> Texts:
        """The sentences 0 to `count` of a language; those that it does not have are empty."""
        return Texts(self.database, language, range(count))

    def finish(self) -> None:
        """Nothing more is added; others can read it now."""
        self.database.execute("COMMIT")

    def close(self) -> None:
        self.database.close()


def _packed(rows: Sequence[Any]) -> bytes:
    # A fifth of the size, in a tenth of the time that the rest of it takes.
    return zlib.compress(json.dumps(rows).encode(), level=1)


def _unpacked(packed: bytes) -> list[Any]:
    found: list[Any] = json.loads(zlib.decompress(packed))
    return found


def _record(row: Sequence[Any]) -> StagedRecord:
    found = StagedRecord._make(row)
    return found._replace(texts={language: _text(text) for language, text in found.texts.items()})


def _text(row: Sequence[Any]) -> StagedText:
    found = StagedText._make(row)
    answers = [IncomingAnswer._make(one) for one in found.answers]
    return found._replace(tokens=tuple(found.tokens), answers=answers)


class Seen:
    """What the files had before, in this batch of records or an earlier one."""

    def __init__(self, store: StagingStore, keys: Sequence[str]) -> None:
        self._store = store
        self._found = store.seen(keys)
        self._new: list[tuple[str, bytes, str, int]] = []

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def get(self, key: str) -> SeenRecord | None:
        """What came under this key before."""
        return self._found.get(key)

    def add(self, key: str, mine: bytes, file: str, line: int) -> None:
        """It has come; the first one stays."""
        if key not in self._found:
            self._found[key] = SeenRecord(mine, file, line)
            self._new.append((key, mine, file, line))

    def save(self) -> None:
        """Keep it for the batches that follow."""
        self._store.add(self._new)


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
        for start in range(0, len(self), CHUNK_SIZE):
            yield from self._read(self._numbers[start : start + CHUNK_SIZE])

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
    """How each two languages go together, by the sentences that a store keeps under `path`.

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
def staging_store() -> Iterator[StagingStore]:
    """A store for the time of a check or an import."""
    with tempfile.TemporaryDirectory() as folder, closing(StagingStore(Path(folder) / "staged.sqlite3")) as store:
        yield store


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


def genre_and_source(packed: bytes) -> tuple[str, str]:
    """The genre and the source dataset of a segment, of what `details` made."""
    _role, _group, genre, source = json.loads(packed)
    return genre, source
