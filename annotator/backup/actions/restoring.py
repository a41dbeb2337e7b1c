"""Restoring a project from its archive. Nobody finds it until the last of its rows is written.

An archive is a stranger's file: every row has the shape that `schema.py` says, fits the others as `fits.py` asks, and
its people are placeholders (`people.py`). A few thousand rows are in memory at a time, and some bytes of each.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import JSONField, Model
from django.utils import timezone

from annotator.backup.actions.columns import Names, changes
from annotator.backup.actions.fits import Fits
from annotator.backup.actions.inserting import insert
from annotator.backup.actions.looking import (
    MALFORMED,
    ArchiveError,
    format_of,
    left_out_of,
    misfit,
    missing_releases,
    opened,
    parsed,
    people_in,
    pictures,
    release_bytes,
    rows_of,
    settings_in,
    unreadable,
)
from annotator.backup.actions.people import make_placeholders
from annotator.backup.actions.references import Number, subjects
from annotator.backup.actions.schema import Values, row_shape
from annotator.backup.actions.shapes import Misfit, shortened, storable
from annotator.backup.actions.spelling import DatabaseSpelling
from annotator.backup.actions.tables import TABLES, Table, as_it_is, settings_fields
from annotator.backup.actions.upgrades import later_tables, row_upgrades
from annotator.backup.actions.work import installed_work, known_tokens
from annotator.core.counters import recount
from annotator.core.database.background_writer import BackgroundWriter
from annotator.core.database.bulk import Insert, reserved, synced_later
from annotator.core.database.numbered import Ids
from annotator.core.events import log
from annotator.core.files.part_file import written
from annotator.core.files.pictures import name_of, picture_file, picture_part, picture_type
from annotator.core.files.room import check_room
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.verbs import Verb
from annotator.models import (
    Annotation,
    Event,
    Gold,
    Import,
    Job,
    JobChunk,
    Project,
    Release,
    Repeat,
    Suggestion,
    Unit,
    User,
)
from annotator.projects.actions.delete_project import delete_placeholders, delete_rows
from annotator.projects.actions.guidelines import MAX_PICTURE
from annotator.projects.actions.projects import RESERVED
from annotator.work.derivation.actions.sources import recount_sources

Report = Callable[[int, int], None]
# In one transaction. Everybody who saves on SQLite waits for it; on PostgreSQL it is the transactions that take time.
ROWS_PER_CHUNK = {"sqlite": 1000, "postgresql": 4000}
# Rows of so many bytes are in memory, and one more.
BYTES_PER_CHUNK = 2 * 1024 * 1024
# A line is a row; no row of a real project comes near it.
MAX_LINE = 4 * 1024 * 1024
READ_PER_CHUNK = 1024 * 1024
# Tables whose rows have a content, which is checked against the text that it is on.
_WITH_CONTENT = (Suggestion, Repeat, Annotation, Gold)

Row = tuple[Any, ...]
# Ids of a unit and of one that it was made from.
Links = list[tuple[int | None, int | None]]


def restore_archive(*, file: IO[bytes], slug: str = "", by: User | None, report: Report | None = None) -> Project:
    """Make the project again that `write_archive` wrote, and return it.

    `slug`: another short name, for a server that has the old one. Its people are placeholders, which a site admin maps
    to accounts (`people.py`). Raises ArchiveError, with nothing kept, for a file that cannot be restored. Call it
    outside of a transaction.
    """
    with opened(file) as archive:
        project = hidden_project(archive=archive, slug=slug)
        try:
            fill_project(archive=archive, project=project, report=report)
            publish_restored(project=project, left_out=left_out_of(archive), by=by)
        except BaseException:
            clear_project(project=project)
            project.delete()
            raise
    return project


def hidden_project(*, archive: zipfile.ZipFile, slug: str = "") -> Project:
    """The row of an archive's project, which nobody finds yet. `slug`: another short name.

    Raises ArchiveError for a short name that is taken or cannot be one, and for settings that are damaged.
    """
    rows_of(archive)
    values = settings_in(archive)
    fields = {one.attname: one for one in settings_fields()}
    try:
        project = Project(**{name: fields[name].to_python(value) for name, value in values.items()})
        project.slug = slug or project.slug
        if project.slug in RESERVED or Project.objects.filter(slug=project.slug).exists():
            raise ArchiveError(
                message(
                    _("A project “%(slug)s” already exists. Restore this one under another short name."),
                    slug=project.slug,
                )
            )
        project.full_clean(exclude=[one.name for one in fields.values() if isinstance(one, JSONField)])
    except ValidationError as error:
        raise ArchiveError(" ".join(error.messages)) from error
    except (*MALFORMED, OverflowError) as error:
        raise unreadable("project.json") from error
    made_at = project.created_at
    project.deleting_at = timezone.now()
    project.save()
    # The field takes the time of the first save.
    Project.objects.filter(pk=project.pk).update(created_at=made_at)
    return project


def fill_project(*, archive: zipfile.ZipFile, project: Project, report: Report | None = None) -> None:
    """Write all that an archive holds of a hidden project, in short transactions.

    `report` is given the rows that are written and how many there are; what it raises ends it. Raises ArchiveError
    for content that is damaged. What was written stays, hidden, for the person who clears it.
    """
    with synced_later():
        _Restorer(archive, project, report).restore()


@transaction.atomic
def publish_restored(*, project: Project, left_out: Mapping[str, int], by: User | None) -> None:
    """Let everybody see a project whose last row is written. `left_out`: rows by table that were not restored."""
    project.deleting_at = None
    project.save(update_fields=["deleting_at"])
    about = {"slug": project.slug, "left_out": dict(left_out)}
    log(project=None, actor=by, verb=Verb.PROJECT_RESTORED, subject=project, after=about)


def clear_project(*, project: Project, keep: Job | None = None) -> None:
    """Delete all rows, files and placeholders of a hidden project but its own row, and the job `keep`."""
    delete_rows(project, lambda _done: None)
    delete_placeholders(project.pk)
    jobs = Job.objects.filter(project=project)
    if keep is not None:
        jobs = jobs.exclude(pk=keep.pk)
    JobChunk.objects.filter(job__in=jobs).delete()
    jobs.delete()


class _Restorer:
    def __init__(self, archive: zipfile.ZipFile, project: Project, report: Report | None) -> None:
        self._archive = archive
        self._project = project
        self._report = report
        self._counts = rows_of(archive)
        self._missing = frozenset(missing_releases(archive))
        self._all = sum(self._counts.values())
        self._written = 0
        self._people: Sequence[int] = ()
        self._ids: dict[type[Model], Ids] = {}
        self._rows: dict[type[Model], Number] = {}
        self._now = timezone.now()
        self._fits = Fits(installed_work(), self._of_models())

    def _of_models(self) -> dict[type[Model], int]:
        return {table.model: self._counts[table.name] for table in TABLES}

    def restore(self) -> None:
        # The file itself goes when they are there.
        check_room(by=self._project.created_by, more=release_bytes(self._archive), instead_of=self._project.size)
        self._people = make_placeholders(project=self._project, people=people_in(self._archive))
        for table in TABLES:
            ids = self._ids[table.model] = Ids(reserved(table.model, self._counts[table.name]))
            self._rows[table.model] = partial(_must_be, ids.id)
        with BackgroundWriter() as beside:
            later = later_tables(format_of(self._archive))
            for table in TABLES:
                if table.name not in later:
                    self._restore_rows(table, beside)
        recount(self._project)
        recount_sources(self._project)
        self._restore_files()

    def _restore_rows(self, table: Table, beside: BackgroundWriter) -> None:
        name, count, ids = f"{table.name}.jsonl", self._counts[table.name], self._ids[table.model]
        read, make, columns = self._reader(table), self._maker(table), self._columns(table)
        if table.model in _WITH_CONTENT:
            # Their texts are read again.
            beside.wait()
        number = 0
        for batch in self._batches(name):
            first = number + 1
            rows: list[Values] = []
            for line in batch:
                number += 1
                rows.append(_at(name, number, partial(read, line)))
            if number > count:
                raise misfit(name, _other_number(number, count))
            tokens = self._tokens(table, rows)
            made = []
            for place, row in enumerate(rows, start=first):
                _at(name, place, partial(self._fits.check, table.model, place, row, tokens))
                made.append(_at(name, place, partial(make, place, row)))
            links = [link for _row, links in made for link in links]
            inserts = (
                Insert(table.model, columns, [row for row, _links in made]),
                Insert(Unit.parents.through, ("from_unit_id", "to_unit_id"), links),
            )
            beside.do(partial(insert, name, first, ids, inserts))
            self._written += len(batch)
            if self._report:
                self._report(self._written, self._all)
        if number != count:
            raise misfit(name, _other_number(number, count))
        _at(name, 0, partial(self._fits.finish, table.model))

    def _reader(self, table: Table) -> Callable[[bytes], Values]:
        """What reads a line: a row of today's format, in its shape."""
        upgrades = row_upgrades(table.name, format_of(self._archive))
        shape = row_shape(table, self._project, self._of_models(), len(self._people))

        def read(line: bytes) -> Values:
            values = parsed(line)
            if type(values) is dict:
                for upgrade in upgrades:
                    upgrade(values)
            row: Values = shape(values)
            if b"\\u" in line:
                storable(row)
            return row

        return read

    def _tokens(self, table: Table, rows: Sequence[Values]) -> dict[int, Sequence[str]]:
        """The tokens of the units whose contents are checked against them."""
        if table.model not in _WITH_CONTENT:
            return {}
        asked = {unit for row in rows if (unit := self._fits.reads(row)) is not None}
        return known_tokens(asked, self._ids[Unit].id)

    def _columns(self, table: Table) -> tuple[str, ...]:
        own = table.own(self._project)
        return ("id", *(one.attname for one in table.fields()), *own, *self._made_anew(table, {}))

    def _maker(self, table: Table) -> Callable[[int, Values], tuple[Row, Links]]:
        """What makes of a row of the archive, and its number, one of the table and the links to its parents."""
        project, ids = self._project, self._ids[table.model]
        change = changes(table, Names(self._rows, self._person), DatabaseSpelling())
        own = tuple(table.own(project).values())
        makes_anew = bool(self._made_anew(table, {}))
        about = subjects(self._rows, self._person)

        def make(number: int, values: Values) -> tuple[Row, Links]:
            if table.change is not as_it_is:
                table.change(values)
            if table.model is Release:
                self._check_file(values)
            if table.model is Event:
                kind, of = values["subject_type"], values["subject_id"]
                values["subject_id"] = project.pk if kind == "project" else of and about.get(kind, _nothing)(of)
            row = [None if (value := values[column]) is None else changed(value) for column, changed in change.items()]
            anew = tuple(self._made_anew(table, values).values()) if makes_anew else ()
            links: Links = []
            if table.model is Unit:
                links = [(ids.id(number), ids.id(parent)) for parent in values["parents"]]
            return (ids.id(number), *row, *own, *anew), links

        return make

    def _check_file(self, release: Values) -> None:
        """Whether the file of a release is there, as large as its row says, or the archive says that it is missing."""
        name = f"releases/{release['number']}.zip"
        if release["number"] in self._missing and name not in self._archive.NameToInfo:
            return
        if name not in self._archive.NameToInfo:
            raise Misfit(message(_("is missing")), name)
        if self._archive.NameToInfo[name].file_size != release["size"]:
            raise Misfit(message(_("is not the file described in release.jsonl")), name)

    def _made_anew(self, table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that an archive leaves out."""
        now = connection.ops.adapt_datetimefield_value(self._now)
        if table.model is Import:
            return {"holder": uuid.uuid4().hex, "seen_at": now}
        if table.model is Release:
            return {"file_name": f"{self._project.slug}-{values.get('number')}.zip"}
        if table.model is Event:
            return {"restored_at": now}
        return {}

    def _person(self, number: int) -> int:
        return _must_be(lambda at: self._people[at - 1] if 1 <= at <= len(self._people) else None, number)

    def _restore_files(self) -> None:
        """The releases, each the file that its row tells of. No other file of an archive is ever read."""
        for release in Release.objects.filter(project=self._project).iterator():
            name = f"releases/{release.number}.zip"
            if name not in self._archive.NameToInfo:
                continue
            file = written(partial(self._copy, name, release.size + 1))
            if (file.size, file.sha256) != (release.size, release.sha256):
                raise misfit(name, Misfit(message(_("is not the file described in release.jsonl"))))
            file.name(release.stored)
        for name in pictures(self._archive):
            self._restore_picture(name)

    def _restore_picture(self, name: str) -> None:
        """A picture of the guidelines, whose name is that of its contents."""
        inside = f"guidelines/{name}"
        data = io.BytesIO()
        self._copy(inside, MAX_PICTURE + 1, data)
        found = picture_type(data.getvalue())
        if len(data.getvalue()) > MAX_PICTURE or found is None or name_of(data.getvalue(), found) != name:
            raise misfit(inside, Misfit(message(_("is not the picture that its name says"))))
        picture_part(data.getvalue()).name(picture_file(self._project.pk, name))

    def _copy(self, name: str, most: int, target: IO[bytes]) -> None:
        with self._archive.open(name) as source:
            while most > 0 and (chunk := source.read(min(READ_PER_CHUNK, most))):
                most -= len(chunk)
                target.write(chunk)

    def _batches(self, name: str) -> Iterator[list[bytes]]:
        """The lines of a file, some at a time."""
        most = ROWS_PER_CHUNK[connection.vendor]
        batch: list[bytes] = []
        size = 0
        for line in self._lines(name):
            batch.append(line)
            size += len(line)
            if len(batch) >= most or size >= BYTES_PER_CHUNK:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _lines(self, name: str) -> Iterator[bytes]:
        packed: Any = self._archive.open(name)
        number = 0
        # Its own way of reading lines is a slow one.
        with io.BufferedReader(packed, READ_PER_CHUNK) as file:
            while line := file.readline(MAX_LINE):
                number += 1
                if not line.endswith(b"\n"):
                    raise misfit(name, Misfit(message(_("is cut off or too long for a row"))), number)
                yield line


def _at(name: str, line: int, work: Callable[[], Any]) -> Any:
    """What is done with a line; what is wrong there is said with its place."""
    try:
        return work()
    except Misfit as error:
        raise misfit(name, error, line) from error
    except (*MALFORMED, OverflowError) as error:
        raise unreadable(name, line) from error


def _other_number(found: int, count: int) -> Misfit:
    return Misfit(message(_("has at least %(found)d rows, but the manifest says %(count)d"), found=found, count=count))


def _must_be(find: Callable[[int], int | None], number: int) -> int:
    """The id of a row that an archive names. Raises Misfit where there is no such row."""
    found = find(number)
    if found is None:
        raise Misfit(message(_("refers to row %(value)s, which is not in the backup"), value=shortened(number)))
    return found


def _nothing(_number: int) -> int:
    return 0
