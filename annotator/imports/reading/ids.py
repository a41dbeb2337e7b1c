"""Ids of files that are not ids of an import: counted ones that a file has, too, and those that hold in one file alone.

What published files repeat comes in once, and is counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from annotator.domain.labels.tags import Role
from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.corpus.incoming import file_key
from annotator.imports.reading.staging import StagingStore

# So many reads are looked at before the first of them is given.
AHEAD = 1000

_SAID = {
    "apart": (
        _("%(number)s ID appears again in another file or document, whose name is added to it"),
        _("%(number)s IDs appear again in another file or document, whose name is added to them"),
    ),
    "sentences": (
        _("%(number)s sentence appears more than once and is imported once"),
        _("%(number)s sentences appear more than once and are imported once"),
    ),
    "labels": (
        _("%(number)s sentence appears again with other labels, and only the first ones are imported"),
        _("%(number)s sentences appear again with other labels, and only the first ones are imported"),
    ),
    "pairs": (
        _("%(number)s pair appears more than once and is imported once"),
        _("%(number)s pairs appear more than once and are imported once"),
    ),
    "inferences": (
        _("%(number)s pair appears again with another inference label or tag, and only the first ones are imported"),
        _("%(number)s pairs appear again with other inference labels or tags, and only the first ones are imported"),
    ),
}


@dataclass(frozen=True, slots=True)
class _GivenRecord:
    """Something that came under a key: `text` stands for its texts or sides, `answer` for what is said of it."""

    text: str
    answer: str
    file: str
    group: str


class GivenIds:
    """The ids of an import's files, on disk."""

    def __init__(self, languages: Sequence[str], store: StagingStore) -> None:
        self._languages = languages
        self._counts: Counter[str] = Counter()
        self._first: dict[str, tuple[str, int]] = {}
        self._any = False
        self._store = store
        store.database.execute(
            "CREATE TABLE given (key TEXT PRIMARY KEY, text TEXT, answer TEXT, file TEXT, grouped TEXT) WITHOUT ROWID"
        )
        store.database.execute("CREATE TABLE renamed (key TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID")

    def of(self, reads: Iterable[Read]) -> Iterator[Read]:
        """What is read, with ids that are ids of all of it; repeated sentences and pairs are left out."""
        left = iter(reads)
        while some := list(islice(left, AHEAD)):
            seen = self._known([key for read in some for key in _keys(read)])
            new: dict[str, _GivenRecord] = {}
            found = [self._read(read, seen, new) for read in some]
            self._any = self._any or bool(new)
            self._store.database.executemany(
                "INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?, ?)",
                ((key, one.text, one.answer, one.file, one.group) for key, one in new.items()),
            )
            # Once all of their ids are known, so that none is counted that a later one has.
            yield from (read for read in found if read is not None)

    def has(self, role: str, identity: str) -> bool:
        """Whether a file gives a sentence this id, as far as they are read."""
        if not self._any:
            return False
        return bool(self._known([_key("s", role, identity, language) for language in self._languages]))

    def warnings(self) -> Iterator[FormatWarning]:
        """What was told apart and left out, counted."""
        for what, number in self._counts.items():
            yield FormatWarning(*self._first[what], message(by_number(number, *_SAID[what]), number=number))

    def _read(self, read: Read, seen: dict[str, _GivenRecord], new: dict[str, _GivenRecord]) -> Read | None:
        if isinstance(read, Record) and read.id:
            return self._record(read, seen, new)
        return self._pair(read, seen, new) if isinstance(read, PairRecord) else read

    def _record(self, record: Record, seen: dict[str, _GivenRecord], new: dict[str, _GivenRecord]) -> Record | None:
        mine = {
            language: _GivenRecord(_digest(text.tokens, text.text), _answers(text), record.file, record.group)
            for language, text in record.texts.items()
        }
        found = self._before(record, mine, seen)
        if found == "again":
            return None
        if found == "apart":
            self._note("apart", record)
            identity = record.id
            name = (record.group or file_key(record.file, self._languages)) if _by_group(record, seen) else ""
            record = replace(record, id=f"{name or file_key(record.file, self._languages)}:{identity}")
            self._store.database.execute(
                "INSERT OR REPLACE INTO renamed VALUES (?, ?)", (_key(record.file, record.role, identity), record.id)
            )
            seen.update(self._known(_keys(record)))
            if self._before(record, mine, seen) == "again":
                return None
        for language, one in mine.items():
            key = _key("s", record.role, record.id, language)
            seen.setdefault(key, one)
            new.setdefault(key, one)
        return record

    def _before(self, record: Record, mine: Mapping[str, _GivenRecord], seen: Mapping[str, _GivenRecord]) -> str:
        """What a record is to those of the same id: "" for the first, or one that is to be refused; "again" for a
        repeated one, which is counted; "apart" for another one, of another file or document."""
        before = {
            language: there
            for language in record.texts
            if (there := seen.get(_key("s", record.role, record.id, language))) is not None
        }
        if not before:
            return ""
        one, there = next((mine[language], there) for language, there in before.items())
        is_same = all(there.text == mine[language].text for language, there in before.items())
        if not record.role and one.group != there.group and one.group and there.group:
            return "apart"
        if not is_same:
            return "apart" if one.file != there.file else ""
        if record.role or len(before) < len(record.texts):
            # A premise stands beside each of its hypotheses.
            return ""
        answered = all(mine[language].answer in ("", there.answer) for language, there in before.items())
        self._note("sentences" if answered else "labels", record)
        return "again"

    def _pair(self, pair: PairRecord, seen: dict[str, _GivenRecord], new: dict[str, _GivenRecord]) -> PairRecord | None:
        premise = self._renamed(pair.file, Role.PREMISE.value, pair.premise)
        hypothesis = self._renamed(pair.file, Role.HYPOTHESIS.value, pair.hypothesis)
        # A pair whose id was its hypothesis's, or its row's, keeps to it.
        identity = hypothesis if hypothesis != pair.hypothesis and pair.id == pair.hypothesis else pair.id
        found = replace(pair, premise=premise, hypothesis=hypothesis, id=identity)
        content = _digest(pair.inference, sorted(pair.values.items()))
        mine = _GivenRecord(_digest(premise, hypothesis), content, pair.file, "")
        key = _key("p", identity)
        before = seen.get(key)
        if before is None and identity != pair.id:
            before = self._known([key]).get(key)
        if before is not None and before.text == mine.text:
            self._note("pairs" if before.answer == mine.answer else "inferences", pair)
            return None
        if before is None:
            seen[key] = new[key] = mine
        return found

    def _renamed(self, file: str, role: str, identity: str) -> str:
        if "apart" not in self._counts:
            return identity
        rows = self._store.lookup("renamed", "id", [_key(file, role, identity)])
        return next((renamed for _of, renamed in rows), identity)

    def _note(self, what: str, read: Record | PairRecord) -> None:
        self._counts[what] += 1
        self._first.setdefault(what, (read.file, read.line))

    def _known(self, keys: Sequence[str]) -> dict[str, _GivenRecord]:
        rows = self._store.lookup("given", "text, answer, file, grouped", keys)
        return {key: _GivenRecord(*one) for key, *one in rows}


def _by_group(record: Record, seen: Mapping[str, _GivenRecord]) -> bool:
    """Whether the document tells a record apart from the one that has its id."""
    there = next(
        (one for language in record.texts if (one := seen.get(_key("s", record.role, record.id, language)))), None
    )
    return there is not None and bool(record.group) and record.group != there.group


def _keys(read: Read) -> list[str]:
    if isinstance(read, PairRecord):
        return [_key("p", read.id)]
    if not isinstance(read, Record) or not read.id:
        return []
    return [_key("s", read.role, read.id, language) for language in read.texts]


def _key(*parts: str) -> str:
    return "\0".join(parts)


def _answers(text: object) -> str:
    labels, values, contents = (getattr(text, name) for name in ("labels", "values", "contents"))
    if not labels and not values and not contents:
        return ""
    return _digest(labels, sorted(values.items()), sorted(contents.items()))


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
