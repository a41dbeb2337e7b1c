"""Writing a project into one file. What it takes in memory is eight bytes a row."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Model
from django.utils.translation import gettext as _

from annotator.actions.archive.columns import Names, changes
from annotator.actions.archive.references import Ids, Number, subject
from annotator.actions.archive.tables import FORMAT, TABLES, Table, settings_fields
from annotator.actions.errors import ActionError
from annotator.actions.releases import NO_TIME, release_path
from annotator.models import Event, Project, Release, TrainedDetector, Unit, User
from annotator.snapshot import snapshot

Report = Callable[[int, int], None]
ROWS_AT_ONCE = 2000


def write_archive(*, project: Project, file: IO[bytes], pseudonyms: bool = False, report: Report | None = None) -> int:
    """Write the whole project: what one state of the database has. Call it outside of a transaction.

    With `pseudonyms` people are "person-1", "person-2", … in the order of their user names. `report` is given the
    rows that are written and how many there are; what it raises ends the writing. It must not write to the database on
    this connection (`annotator.snapshot.beside`). Returns the id of the newest event that is in the archive, 0 where
    there is none. Raises ActionError where a release's file is missing.
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
        self._people = _people(project)
        self._pseudonyms = pseudonyms
        self._ids: dict[type[Model], Ids] = {
            table.model: Ids(list(table.rows(project).values_list("pk", flat=True).iterator(chunk_size=ROWS_AT_ONCE)))
            for table in TABLES
        }
        self._rows: dict[type[Model], Number] = {model: ids.number for model, ids in self._ids.items()}
        numbers = {user.pk: number for number, user in enumerate(self._people, start=1)}
        self._person: Number = numbers.get
        self._written = 0
        self._all = sum(map(len, self._ids.values()))
        self._sums: dict[str, dict[str, Any]] = {}

    def write(self) -> int:
        self._file("project.json", iter([_line(self._settings(), indent=1)]))
        self._file("people.jsonl", map(_line, map(self._about, self._people)))
        for table in TABLES:
            self._file(f"{table.name}.jsonl", self._lines(table))
        for release in Release.objects.filter(project=self._project).order_by("number"):
            path = release_path(self._project, release.file_name)
            if not path.is_file():
                raise ActionError(
                    _("The file of release %(number)d is missing (%(path)s), so the archive would not be whole.")
                    % {"number": release.number, "path": path}
                )
            self._file(f"releases/{release.number}.zip", _bytes(path))
        for number, detector in enumerate(
            TrainedDetector.objects.filter(project=self._project).order_by("pk"), start=1
        ):
            folder = Path(settings.MODELS_DIR) / detector.folder
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                self._file(f"models/{number}/{path.relative_to(folder).as_posix()}", _bytes(path))
        about = {"format": FORMAT, "counts": {table.name: len(self._ids[table.model]) for table in TABLES}}
        events = self._ids[Event]
        last_event = events.id(len(events)) or 0
        about |= {"sentences": self._sentences(), "changed_at": _plain(_time_of(last_event)), "files": self._sums}
        self._file("manifest.json", iter([_line(about, indent=1)]))
        return last_event

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
        return {"username": user.username, "first_name": user.first_name, "last_name": user.last_name}

    def _lines(self, table: Table) -> Iterator[bytes]:
        rows = table.rows(self._project)
        columns = [one.attname for one in table.fields()]
        change = changes(table, Names(self._rows, self._person), times=_time, uuids=str, lists=_numbers)
        parents = self._parents() if table.model is Unit else None
        numbers = rows.values_list("pk", *columns).iterator(chunk_size=ROWS_AT_ONCE)
        for pk, *row in numbers:
            values = dict(zip(columns, row, strict=True))
            for column, changed in change.items():
                if values[column] is not None:
                    values[column] = changed(values[column])
            if table.model is Event:
                values["subject_id"] = subject(values["subject_type"], values["subject_id"], self._rows, self._person)
            table.change(values)
            if parents is not None:
                values["parents"] = parents.get(pk, [])
            self._written += 1
            if self._report and self._written % ROWS_AT_ONCE == 0:
                self._report(self._written, self._all)
            yield _line(values)

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


def _people(project: Project) -> list[User]:
    """Everybody whom a row of the project names, in the order of their user names."""
    found: set[int] = set()
    for table in TABLES:
        for column in table.people():
            found.update(table.rows(project).order_by().values_list(column, flat=True).distinct())
    # Whoever left the project, and did nothing in it.
    members = Event.objects.filter(project=project, verb__startswith="member.")
    for before, after in members.values_list("before", "after"):
        found.update(side["user"] for side in (before, after) if side)
    return sorted(User.objects.filter(pk__in=found - {None}), key=attrgetter("username"))


def _numbers(change: Number, ids: list[int]) -> list[int | None]:
    return [change(one) for one in ids]


def _time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return _time(value)
    return str(value) if isinstance(value, UUID) else value


def _line(value: Any, indent: int | None = None) -> bytes:
    # Sorted: PostgreSQL keeps no order of keys.
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=separators, indent=indent)
    # JSON can name half of a character, which UTF-8 cannot.
    return f"{text}\n".encode("utf-8", errors="surrogatepass")


def _gathered(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts in larger chunks: each goes through the compressor at once."""
    chunk = bytearray()
    for part in parts:
        chunk += part
        if len(chunk) > 1 << 18:
            yield bytes(chunk)
            chunk.clear()
    yield bytes(chunk)


def _bytes(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(1 << 18):
            yield chunk
