"""The interface of a database, and code that both share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from django.core.management import call_command
from django.db import connection

from annotator.models import Project, User, Worker
from annotator.site_backup.archive import SiteBackupError

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Database(Protocol):
    """One of the two databases."""

    member: str
    """Name of its copy in a backup."""

    packed: bool
    """Whether the copy can be made smaller."""

    @property
    def version(self) -> str:
        """That of the database's program."""

    def check_programs(self) -> None:
        """Raise SiteBackupError where a program is missing that copying needs."""

    def copy(self, beside: Path) -> Iterator[bytes]:
        """The database as the running snapshot sees it. `beside`: a path for what is written on the way."""

    def check_target(self, *, set_aside: bool) -> None:
        """Raise SiteBackupError where the site has people or projects that restoring would replace, and cannot or is
        not asked to set aside."""

    def restore(self, copy: Iterator[bytes], aside: Path | None) -> None:
        """Bring a copy back and migrate it, in the place of what was there, which goes to the folder `aside`. Where
        anything fails, all is as it was before."""


def has_tables() -> bool:
    """Whether the database has those of a site."""
    return User._meta.db_table in connection.introspection.table_names()


def is_used() -> bool:
    """Whether a prepared database has people or projects."""
    return User.objects.exists() or Project.objects.exists()


def check_nobody_works() -> None:
    """Raise SiteBackupError while a worker is alive."""
    if alive := list(Worker.objects.alive().values_list("name", flat=True)):
        raise SiteBackupError(
            f"A worker is alive ({', '.join(alive)}). Stop the workers and the web server, then restore. A "
            "killed worker is noticed after 15 seconds."
        )


def migrate() -> None:
    """Bring the tables of an older version to this one."""
    call_command("migrate", verbosity=0, interactive=False)
