"""Restoring a project from its archive. Nobody finds it until the last of its rows is written."""

from __future__ import annotations

import io
import json
import shutil
import uuid
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Field, JSONField, Model
from django.utils import timezone

from annotator.actions.archive.columns import Change, Names, changes
from annotator.actions.archive.looking import (
    MALFORMED,
    ArchiveError,
    damaged,
    format_of,
    opened,
    people_in,
    rows_of,
    settings_in,
)
from annotator.actions.archive.references import Ids, Number, subjects
from annotator.actions.archive.tables import TABLES, Table, settings_fields
from annotator.actions.archive.upgrades import row_upgrades
from annotator.actions.beside import Beside
from annotator.actions.bulk import Insert, reserved, synced_later
from annotator.actions.counters import recount_people
from annotator.actions.delete_project import delete_rows
from annotator.actions.events import log
from annotator.actions.projects import RESERVED
from annotator.actions.releases import release_path
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.domain.verbs import Verb
from annotator.models import Event, Import, Job, JobChunk, Project, Release, TrainedDetector, Unit, User

Report = Callable[[int, int], None]
# In one transaction. Everybody who saves on SQLite waits for it; on PostgreSQL it is the transactions that take time.
ROWS_AT_ONCE = {"sqlite": 1000, "postgresql": 4000}
# A line is a row; no row of a real project comes near it.
LONGEST_LINE = 64 * 1024 * 1024
READ_AT_ONCE = 1024 * 1024
LENGTH_OF_TIME = len("2026-11-22T05:30:00.000000+00:00")

Row = tuple[Any, ...]
# Ids of a unit and of one that it was made from.
Links = list[tuple[int | None, int | None]]


def restore_archive(*, file: IO[bytes], slug: str = "", by: User | None, report: Report | None = None) -> Project:
    """Make the project anew that `write_archive` wrote, and return it.

    `slug`: another short name, for a server that has the old one. People are those with the same user names; who is
    not there gets an account without a password. Raises ArchiveError, with nothing kept, for a file that cannot be
    restored. Call it outside of a transaction. What the archive holds is believed: restore your own.
    """
    with opened(file) as archive:
        project = hidden_project(archive=archive, slug=slug)
        new: list[int] = []
        try:
            people, new = accounts_of(archive=archive)
            fill_project(archive=archive, project=project, people=people, report=report)
            publish_restored(project=project, new_people=new, by=by)
        except BaseException:
            clear_project(project=project)
            project.delete()
            User.objects.filter(pk__in=new).delete()
            raise
    return project


def hidden_project(*, archive: zipfile.ZipFile, slug: str = "") -> Project:
    """The row of an archive's project, which nobody finds yet. `slug`: another short name.

    Raises ArchiveError for a short name that is taken or cannot be one, and for settings that are damaged.
    """
    rows_of(archive)
    try:
        values = settings_in(archive)
        fields = {one.attname: one for one in settings_fields()}
        project = Project(**{name: fields[name].to_python(value) for name, value in values.items()})
        project.slug = slug or project.slug
        if project.slug in RESERVED or Project.objects.filter(slug=project.slug).exists():
            raise ArchiveError(
                say(
                    _('There is a project "%(slug)s" already; restore this one under another short name.'),
                    slug=project.slug,
                )
            )
        project.full_clean(exclude=[one.name for one in fields.values() if isinstance(one, JSONField)])
    except ValidationError as error:
        raise ArchiveError(" ".join(error.messages)) from error
    except MALFORMED as error:
        raise damaged(error) from error
    made_at = project.created_at
    project.deleting_at = timezone.now()
    project.save()
    # The field takes the time of the first save.
    Project.objects.filter(pk=project.pk).update(created_at=made_at)
    return project


@transaction.atomic
def accounts_of(*, archive: zipfile.ZipFile) -> tuple[list[int], list[int]]:
    """The ids of an archive's people in their order, and of those among them who got an account now."""
    try:
        people = people_in(archive)
        known = dict(
            User.objects.filter(username__in=[one["username"] for one in people]).values_list("username", "pk")
        )
        found, new = [], []
        for about in people:
            if about["username"] not in known:
                user = User(**about)
                user.set_unusable_password()
                user.full_clean(exclude=["password"])
                user.save()
                known[user.username] = user.pk
                new.append(user.pk)
            found.append(known[about["username"]])
    except (*MALFORMED, ValidationError) as error:
        raise damaged(error) from error
    return found, new


def fill_project(
    *, archive: zipfile.ZipFile, project: Project, people: Sequence[int], report: Report | None = None
) -> None:
    """Write all that an archive holds of a hidden project, in short transactions. `people`: of `accounts_of`.

    `report` is given the rows that are written and how many there are; what it raises ends it. Raises ArchiveError
    for content that is damaged. What was written stays, hidden, for whoever clears it.
    """
    try:
        with synced_later():
            _Restorer(archive, project, people, report).restore()
    except OperationalError:
        # The database's fault, and no sign of a damaged archive.
        raise
    except (*MALFORMED, DatabaseError, ValidationError) as error:
        raise damaged(error) from error


@transaction.atomic
def publish_restored(*, project: Project, new_people: Sequence[int], by: User | None) -> None:
    """Let everybody see a project whose last row is written."""
    project.deleting_at = None
    project.save(update_fields=["deleting_at"])
    about = {"slug": project.slug, "new_people": list(new_people)}
    log(project=None, actor=by, verb=Verb.PROJECT_RESTORED, subject=project, after=about)


def clear_project(*, project: Project, keep: Job | None = None) -> None:
    """Delete all rows and files of a hidden project but its own row, and the job `keep`."""
    delete_rows(project, lambda _done: None)
    jobs = Job.objects.filter(project=project)
    if keep is not None:
        jobs = jobs.exclude(pk=keep.pk)
    JobChunk.objects.filter(job__in=jobs).delete()
    jobs.delete()


class _Restorer:
    def __init__(
        self, archive: zipfile.ZipFile, project: Project, people: Sequence[int], report: Report | None
    ) -> None:
        self._archive = archive
        self._project = project
        self._people = people
        self._report = report
        self._ids: dict[type[Model], Ids] = {}
        self._rows: dict[type[Model], Number] = {}
        self._written = 0
        self._all = 0

    def restore(self) -> None:
        counts = rows_of(self._archive)
        self._all = sum(counts.values())
        for table in TABLES:
            self._ids[table.model] = Ids(reserved(table.model, counts[table.name]))
            self._rows[table.model] = self._ids[table.model].id
        with Beside() as beside:
            for table in TABLES:
                self._restore_rows(self._project, table, counts[table.name], beside)
        recount_people(self._project)
        self._restore_files(self._project)

    def _restore_rows(self, project: Project, table: Table, count: int, beside: Beside) -> None:
        make = self._maker(project, table)
        columns = self._columns(project, table)
        number = 0
        lines = self._lines(f"{table.name}.jsonl")
        while batch := list(islice(lines, ROWS_AT_ONCE[connection.vendor])):
            made = [make(number, line) for number, line in enumerate(batch, start=number + 1)]
            number += len(batch)
            links = [link for _row, links in made for link in links]
            beside.do(
                partial(
                    _insert,
                    Insert(table.model, columns, [row for row, _links in made]),
                    Insert(Unit.parents.through, ("from_unit_id", "to_unit_id"), links),
                )
            )
            self._written += len(batch)
            if self._report:
                self._report(self._written, self._all)
        if number != count:
            raise ValueError(f"{table.name}.jsonl has {number} rows, and {count} were expected")

    def _columns(self, project: Project, table: Table) -> tuple[str, ...]:
        return ("id", *(one.attname for one in table.fields()), *table.own(project), *_made_anew(table, project, {}))

    def _maker(self, project: Project, table: Table) -> Callable[[int, str], tuple[Row, Links]]:
        """What makes of a line, and its number, a row of the table and the links to its parents."""
        ids = self._ids[table.model]
        change = changes(table, Names(self._rows, self._person), _Spelling())
        own = tuple(table.own(project).values())
        makes_anew = bool(_made_anew(table, project, {}))
        about = subjects(self._rows, self._person)
        upgrades = row_upgrades(table.name, format_of(self._archive))

        def make(number: int, line: str) -> tuple[Row, Links]:
            values = json.loads(line)
            for upgrade in upgrades:
                upgrade(values)
            table.change(values)
            if table.model is Event:
                kind, of = values["subject_type"], values["subject_id"]
                values["subject_id"] = project.pk if kind == "project" else about.get(kind, _nothing)(of) or 0
            row = [None if (value := values[column]) is None else changed(value) for column, changed in change.items()]
            anew: Row = ()
            if makes_anew:
                found = dict(zip(change, row, strict=True))
                anew = tuple(_made_anew(table, project, found).values())
            links: Links = []
            if table.model is Unit:
                links = [(ids.id(number), ids.id(parent)) for parent in values["parents"]]
            return (ids.id(number), *row, *own, *anew), links

        return make

    def _person(self, number: int) -> int | None:
        return self._people[number - 1] if 1 <= number <= len(self._people) else None

    def _restore_files(self, project: Project) -> None:
        for release in Release.objects.filter(project=project):
            self._copy(f"releases/{release.number}.zip", release_path(project, release.file_name))
        detectors = list(TrainedDetector.objects.filter(project=project).order_by("pk"))
        for name in self._archive.namelist():
            parts = PurePosixPath(name).parts
            if parts[0] != "models" or len(parts) < 3:
                continue
            if ".." in parts or not parts[1].isdecimal() or not 1 <= int(parts[1]) <= len(detectors):
                raise ValueError(f"a file whose name leads elsewhere: {name}")
            folder = Path(settings.MODELS_DIR) / detectors[int(parts[1]) - 1].folder
            self._copy(name, folder.joinpath(*parts[2:]))

    def _copy(self, name: str, path: Path) -> None:
        if name in self._archive.namelist():
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._archive.open(name) as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)

    def _lines(self, name: str) -> Iterator[str]:
        packed: Any = self._archive.open(name)
        # Its own way of reading lines is a slow one.
        with io.BufferedReader(packed, READ_AT_ONCE) as file:
            while line := file.readline(LONGEST_LINE):
                yield line.decode("utf-8", errors="surrogatepass")


@transaction.atomic
def _insert(*inserts: Insert) -> None:
    for insert in inserts:
        insert.run()


def _made_anew(table: Table, project: Project, values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that an archive leaves out."""
    if table.model is Import:
        return {
            "holder": uuid.uuid4().hex,
            "seen_at": connection.ops.adapt_datetimefield_value(timezone.now()),
        }
    if table.model is TrainedDetector:
        return {"folder": f"{project.pk}/{values.get('job_id')}"}
    if table.model is Release:
        return {"file_name": f"{project.slug}-{values.get('number')}.zip"}
    return {}


class _Spelling:
    """Of a database: what columns of an archive, as JSON has them, are in a statement. Values of another type than
    expected are refused: SQLite would take them."""

    def __init__(self) -> None:
        self._json = json.JSONEncoder().encode
        self._sqlite = connection.vendor == "sqlite"

    def time(self, value: str) -> str:
        time = datetime.fromisoformat(value)
        if len(value) != LENGTH_OF_TIME or not value.endswith("+00:00"):
            raise ValueError(f"a time that is spelt otherwise: {value}")
        if not self._sqlite:
            return value
        # As Django writes it: SQLite compares texts.
        return f"{value[:10]} {value[11 : 26 if time.microsecond else 19]}"

    def uuid(self, value: str) -> str:
        found = uuid.UUID(value)
        # SQLite keeps its 32 digits.
        return found.hex if self._sqlite else str(found)

    def json(self, value: Any) -> str:
        return "[]" if value == [] else self._json(value)

    def named_json(self, inside: Change, value: Any) -> str:
        return self._json(inside(value))

    def ids(self, number: Number, value: list[int]) -> str:
        return self._json([number(one) for one in value])

    def id(self, number: Number, value: int) -> int | None:
        return number(value)

    def plain(self, field: Field[Any, Any]) -> Change:
        kind = field.get_internal_type()
        if kind == "BooleanField":
            return _truth
        if kind == "FloatField":
            return _float
        return _whole if kind.endswith("IntegerField") else _text


def _truth(value: Any) -> bool:
    return value if type(value) is bool else _refused(value, "true or false")


def _float(value: Any) -> float:
    return value if type(value) in (float, int) else _refused(value, "a number")


def _whole(value: Any) -> int:
    return value if type(value) is int else _refused(value, "a whole number")


def _text(value: Any) -> str:
    return value if type(value) is str else _refused(value, "a text")


def _refused(value: Any, expected: str) -> NoReturn:
    raise TypeError(f"{value!r} where {expected} is expected")


def _nothing(_number: int) -> None:
    return None
