"""Writing a project into one file. What it takes in memory is eight bytes a row."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import IO, Any
from uuid import UUID

from django.db.models import Count, Field, Model, TextField
from django.db.models.functions import Cast

from annotator.backup.actions.columns import Change, Names, changes
from annotator.backup.actions.references import Number, subjects
from annotator.backup.actions.tables import TABLES, Table, as_it_is, settings_fields
from annotator.backup.actions.upgrades import FORMAT
from annotator.core.database.numbered import Ids
from annotator.core.database.snapshot import snapshot
from annotator.core.files.pictures import picture_file, pictures_in
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.models import Event, Job, JobKind, Project, Release, TrainedDetector, Unit, User
from annotator.releases.actions.releases import NO_TIME

Report = Callable[[int, int], None]
ROWS_PER_CHUNK = 2000
# What summaries of imports say before a username (`imports/reading/summary.py`).
COUNTED_BY = "annotations by "
# Characters of JSON that may be remembered.
SHORT = 200


@dataclass(frozen=True)
class Written:
    """What is in an archive: the id of its newest event (0 where there is none), and the numbers of the releases that
    it lacks, since their files were missing or damaged."""

    last_event: int
    missing_releases: list[int]


def write_archive(
    *, project: Project, file: IO[bytes], pseudonyms: bool = False, report: Report | None = None
) -> Written:
    """Write the whole project: what one state of the database has. Call it outside of a transaction.

    With `pseudonyms` people are "person-1", "person-2", … in the order of their usernames. `report` is given the
    rows that are written and how many there are; what it raises ends the writing. It must not write to the database on
    this connection (`annotator.core.database.snapshot.beside`). A release whose file is missing or damaged is named, in
    the archive too, and its row is there.
    """
    with snapshot(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        return _Writer(Project.objects.get(pk=project.pk), archive, pseudonyms, report).write()


def rows_to_write(project: Project) -> int:
    """How many rows an archive of the project has now: what `report` counts to."""
    return sum(table.rows(project).order_by().count() for table in TABLES)


class _Writer:
    def __init__(self, project: Project, archive: zipfile.ZipFile, pseudonyms: bool, report: Report | None) -> None:
        self._project = project
        self._archive = archive
        self._report = report
        self._names, self._people = _people(project)
        self._pseudonyms = pseudonyms
        self._ids: dict[type[Model], Ids] = {
            table.model: Ids(list(table.rows(project).values_list("pk", flat=True).iterator(chunk_size=ROWS_PER_CHUNK)))
            for table in TABLES
        }
        self._rows: dict[type[Model], Number] = {model: ids.number for model, ids in self._ids.items()}
        numbers = {user.pk: number for number, user in enumerate(self._people, start=1)}
        self._person: Number = numbers.get
        self._subjects = subjects(self._rows, self._person)
        self._counted_by = {
            f"{COUNTED_BY}{user.backup_name or user.username}": f"{COUNTED_BY}{self._about(user)['username']}"
            for user in self._people
        }
        self._written = 0
        self._all = sum(map(len, self._ids.values()))
        self._sums: dict[str, dict[str, Any]] = {}

    def write(self) -> Written:
        self._file("project.json", iter([_page(self._settings())]))
        self._file("people.jsonl", map(_line, map(self._about, self._people)))
        for table in TABLES:
            self._file(f"{table.name}.jsonl", self._lines(table))
        missing = []
        for release in Release.objects.filter(project=self._project).order_by("number"):
            if _is_whole(release):
                self._file(f"releases/{release.number}.zip", _bytes(release.stored))
            else:
                missing.append(release.number)
        for name in pictures_in(self._project.guidelines.values()):
            stored = picture_file(self._project.pk, name)
            if site_files().exists(stored):
                self._file(f"guidelines/{name}", _bytes(stored))
        about = {"format": FORMAT, "counts": {table.name: len(self._ids[table.model]) for table in TABLES}}
        events = self._ids[Event]
        last_event = events.id(len(events)) or 0
        about |= {
            "left_out": self._left_out(),
            "sentences": self._sentences(),
            "changed_at": _plain(_time_of(last_event)),
            "files": self._sums,
        }
        if missing:
            about["missing_releases"] = missing
        self._file("manifest.json", iter([_page(about)]))
        return Written(last_event, missing)

    def _left_out(self) -> dict[str, int]:
        """How many rows there are of tables that no archive has, those included that a backup of the project left out
        before."""
        apart = [kind.value for kind in JobKind if kind.apart]
        jobs = Job.objects.filter(project=self._project).exclude(kind__in=apart).count()
        detectors = TrainedDetector.objects.filter(project=self._project).count()
        restored = Event.objects.filter(subject_type="project", subject_id=self._project.pk, verb=Verb.PROJECT_RESTORED)
        before = restored.filter(project=None).values_list("after", flat=True).first() or {}
        left_out = before.get("left_out", {})
        return {
            "job": jobs + left_out.get("job", 0),
            "traineddetector": detectors + left_out.get("traineddetector", 0),
        }

    def _sentences(self) -> dict[str, int]:
        """How many current ones there are in each language."""
        current = self._project.sentences.filter(is_current=True).order_by().values_list("language")
        return dict(current.annotate(number=Count("pk")))

    def _settings(self) -> dict[str, Any]:
        return {one.attname: _plain(getattr(self._project, one.attname)) for one in settings_fields()}

    def _about(self, user: User) -> dict[str, str]:
        if self._pseudonyms:
            digits = len(str(len(self._people)))
            number = self._person(user.pk) or 0
            return {"username": f"person-{number:0{digits}}", "first_name": "", "last_name": ""}
        return {"username": self._names[user.pk], "first_name": user.first_name, "last_name": user.last_name}

    def _lines(self, table: Table) -> Iterator[bytes]:
        change = changes(table, Names(self._rows, self._person), _SPELLING)
        columns = sorted(change)
        makers = [change[column] for column in columns]
        about = (columns.index("subject_type"), columns.index("subject_id")) if table.model is Event else None
        parents = self._parents() if table.model is Unit else None
        keys = sorted([*columns, "parents"]) if parents is not None else columns
        line = "{" + ",".join(f'"{key}":%s' for key in keys) + "}\n"
        for pk, *row in self._values(table, columns):
            if about is not None:
                of = self._subjects.get(row[about[0]], _nothing)
                row[about[1]] = of(row[about[1]]) or 0
            parts = ["null" if value is None else make(value) for make, value in zip(makers, row, strict=True)]
            if parents is not None:
                parts.insert(keys.index("parents"), _json(parents.get(pk, [])))
            self._written += 1
            if self._report and self._written % ROWS_PER_CHUNK == 0:
                self._report(self._written, self._all)
            text = line % tuple(parts)
            if table.change is not as_it_is:
                values = json.loads(text)
                table.change(values)
                text = f"{_json(values)}\n"
            if self._pseudonyms and COUNTED_BY in text:
                text = f"{_json(self._unnamed(json.loads(text)))}\n"
            yield _encoded(text)

    def _unnamed(self, value: Any) -> Any:
        """With pseudonyms where imports have counted annotations by username."""
        if isinstance(value, list):
            return [self._unnamed(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {self._counted(key): self._unnamed(one) for key, one in value.items()}

    def _counted(self, key: str) -> str:
        """A key without the name of anybody, such as one whose work is somebody else's since a backup was restored."""
        if not key.startswith(COUNTED_BY):
            return key
        return self._counted_by.setdefault(key, f"{COUNTED_BY}somebody-{len(self._counted_by)}")

    def _values(self, table: Table, columns: Sequence[str]) -> Iterator[Any]:
        """The id and the values of every row. JSON, times and the like are text, as the database spells them."""
        rows = table.rows(self._project)
        as_text = {
            f"{one.attname}_as_text": Cast(one.attname, TextField())
            for one in table.fields()
            if one.get_internal_type() in ("DateTimeField", "JSONField", "UUIDField")
        }
        names = [f"{name}_as_text" if f"{name}_as_text" in as_text else name for name in columns]
        return rows.annotate(**as_text).values_list("pk", *names).iterator(chunk_size=ROWS_PER_CHUNK)

    def _parents(self) -> dict[int, list[int | None]]:
        """By unit, the numbers of those that it was made from. Units that were imported have none."""
        found: dict[int, list[int | None]] = {}
        links = Unit.parents.through.objects.filter(from_unit__project=self._project).order_by("from_unit", "to_unit")
        for child, parent in links.values_list("from_unit", "to_unit"):
            found.setdefault(child, []).append(self._rows[Unit](parent))
        return found

    def _file(self, name: str, parts: Iterator[bytes]) -> None:
        info = zipfile.ZipInfo(name, NO_TIME)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        sha256 = hashlib.sha256()
        size = 0
        with self._archive.open(info, "w", force_zip64=True) as out:
            for chunk in _gathered(parts):
                out.write(chunk)
                sha256.update(chunk)
                size += len(chunk)
        if name != "manifest.json":
            self._sums[name] = {"bytes": size, "sha256": sha256.hexdigest()}


def _time_of(event: int) -> datetime | None:
    return Event.objects.filter(pk=event).values_list("at", flat=True).first()


def _people(project: Project) -> tuple[dict[int, str], list[User]]:
    """Everybody whom a row of the project names, in the order of their usernames; and these, by id.

    Placeholders have that of the backup that they came with, unless an account is there by the same.
    """
    found: set[int] = set()
    for table in TABLES:
        for column in table.people():
            found.update(table.rows(project).order_by().values_list(column, flat=True).distinct())
    # Anyone who left the project, and did nothing in it.
    members = Event.objects.filter(project=project, verb__startswith="member.")
    for before, after in members.values_list("before", "after"):
        found.update(side["user"] for side in (before, after) if side)
    people = list(User.objects.filter(pk__in=found - {None}))
    times = Counter(user.backup_name or user.username for user in people)
    names = {user.pk: user.username for user in people}
    names |= {user.pk: user.backup_name for user in people if user.backup_name and times[user.backup_name] == 1}
    return names, sorted(people, key=lambda user: names[user.pk])


class _Spelling:
    """Of an archive: what columns of a database, as text, are in a line of JSON."""

    def time(self, value: str) -> str:
        # "2026-11-22 05:30:00.5+00": SQLite has no zone, and both leave out what is zero.
        fraction = value[20:].removesuffix("+00")
        return f'"{value[:10]}T{value[11:19]}.{fraction:0<6}+00:00"'

    def uuid(self, value: str) -> str:
        return f'"{UUID(value)}"'

    def json(self, value: str) -> str:
        return _known_json(value) if len(value) < SHORT else _json(json.loads(value))

    def named_json(self, inside: Change, value: str) -> str:
        return _json(inside(json.loads(value)))

    def ids(self, number: Number, value: str) -> str:
        return _json([number(one) for one in json.loads(value)])

    def id(self, number: Number, value: int) -> str:
        found = number(value)
        return "null" if found is None else str(found)

    def plain(self, field: Field[Any, Any]) -> Change:
        kind = field.get_internal_type()
        if kind == "BooleanField":
            return _truth
        if kind == "FloatField":
            return repr
        return str if kind.endswith("IntegerField") else _text


_SPELLING = _Spelling()
_text = json.encoder.encode_basestring
# Sorted: PostgreSQL keeps no order of keys.
_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


@lru_cache(maxsize=4096)
def _known_json(value: str) -> str:
    """Many rows have the same: an empty list, no spans."""
    return _json(json.loads(value))


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _nothing(_pk: int) -> None:
    return None


def _time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return _time(value)
    return str(value) if isinstance(value, UUID) else value


def _line(value: Any) -> bytes:
    return _encoded(f"{_json(value)}\n")


def _page(value: Any) -> bytes:
    """JSON for people, too."""
    return _encoded(json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n")


def _encoded(text: str) -> bytes:
    # JSON can name half of a character, which UTF-8 cannot.
    return text.encode("utf-8", errors="surrogatepass")


def _gathered(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts in larger chunks: each goes through the compressor at once."""
    chunk = bytearray()
    for part in parts:
        chunk += part
        if len(chunk) > 1 << 18:
            yield bytes(chunk)
            chunk.clear()
    yield bytes(chunk)


def _is_whole(release: Release) -> bool:
    """Whether a release's file is there, as it was stored."""
    files = site_files()
    if not files.exists(release.stored) or files.size(release.stored) != release.size:
        return False
    sha256 = hashlib.sha256()
    for chunk in _bytes(release.stored):
        sha256.update(chunk)
    return sha256.hexdigest() == release.sha256


def _bytes(stored: str) -> Iterator[bytes]:
    with site_files().open(stored) as file:
        while chunk := file.read(1 << 18):
            yield chunk
