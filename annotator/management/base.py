"""What commands share: errors as sentences, files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError

from annotator.core.database.trouble import database_trouble
from annotator.core.errors import ActionError
from annotator.domain.labels.bio import BioError
from annotator.domain.labels.spans import SpanError
from annotator.formats.common.errors import FormatError
from annotator.models import Project, User
from annotator.releases.queries.published_layout import ExportError
from annotator.site_backup.archive import SiteBackupError
from annotator.work.gold.queries.left_out import MissingGoldError
from mlworkers.engines.base import EngineError

WARNINGS_SHOWN = 20
# Errors of the product, each with a sentence.
REFUSALS = (
    *(ActionError, FormatError, EngineError, SpanError, BioError),
    *(MissingGoldError, ExportError, SiteBackupError),
)


class Command(BaseCommand):
    """A command whose refusals are sentences on stderr and exit code 1."""

    # They look at the code, which `make check` has done, and load every view for it: longer than most commands take.
    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> Any:
        with refusals():
            return super().execute(*args, **options)

    def say(self, line: str) -> None:
        self.stdout.write(line)

    def note(self, line: str) -> None:
        """What is no part of the result: on stderr, so that stdout stays machine-readable."""
        self.stderr.write(line, style_func=lambda text: text)

    def note_warnings(self, warnings: Iterable[object]) -> None:
        """List what was odd in the files read; the number is always the whole one."""
        every = list(warnings)
        if not every:
            return
        count = f"{len(every)} {'warning' if len(every) == 1 else 'warnings'}"
        self.note(f"{count} about files that were read anyway:")
        for warning in every[:WARNINGS_SHOWN]:
            self.note(f"  {warning}")
        if len(every) > WARNINGS_SHOWN:
            self.note(f"  … and {len(every) - WARNINGS_SHOWN} more")


class FileCommand(Command):
    """A command that works on files alone and never asks the database for anything."""

    requires_migrations_checks = False


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the product refuses into CommandError."""
    try:
        yield
    except REFUSALS as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise CommandError(f"{place}{error.strerror or error}") from error
    except (OperationalError, ProgrammingError) as error:
        if (trouble := database_trouble()) is None:
            raise
        raise CommandError(trouble) from error


def project_named(slug: str) -> Project:
    """The project called `slug`. Raises CommandError that names those there are."""
    try:
        return Project.objects.get(slug=slug)
    except Project.DoesNotExist:
        known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f'Unknown project "{slug}". Available: {known}.') from None


def user_named(username: str) -> User:
    """The user called `username`. Raises CommandError."""
    try:
        return User.objects.get(username=username)
    except User.DoesNotExist:
        raise CommandError(f'Unknown user "{username}".') from None


def language_of(project: Project, language: str) -> str:
    """`language`, if the project has it; its source language for "". Raises CommandError."""
    if not language:
        return project.source_language
    if language not in project.languages:
        raise CommandError(
            f'The project "{project.slug}" has no language "{language}". Its languages are '
            f"{', '.join(project.languages)}."
        )
    return language


def write_all(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by their paths under `root`, each in one step."""
    for path, content in files.items():
        write_whole(root / path, content)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one step: readers see the old content or all of the new, never a part.

    A link stays, and the file that it leads to is written. What is no file but can be written to, such as
    /dev/stdout or a pipe, is written to and not replaced. Raises CommandError for a folder.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.is_dir():
        raise CommandError(f"{path} is a folder. Give the name of a file.")
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    except OSError as error:
        # Of the name, not of the one it has while it is written.
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        # mkstemp lets only the owner read; a result is an ordinary file.
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
