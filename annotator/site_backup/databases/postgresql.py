"""PostgreSQL: copied by its own pg_dump in the snapshot that Django reads, brought back by pg_restore."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

from annotator.core.files.stored import READ_BYTES
from annotator.site_backup.archive import SiteBackupError, read_chunks
from annotator.site_backup.databases.base import check_nobody_works, has_tables, is_used, migrate

# Where Debian's packages put each version; the one in the path may be older.
DEBIAN = "/usr/lib/postgresql/*/bin"
# Characters of what a program said that are repeated.
SAID = 1000


class PostgreSQL:
    member = "database.dump"
    packed = False

    @property
    def version(self) -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            return str(cursor.fetchone()[0])

    def check_programs(self) -> None:
        _program("pg_dump")

    def copy(self, beside: Path) -> Iterator[bytes]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
        arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        address, env = _address()
        with _running([_program("pg_dump"), *address, *arguments], env) as process:
            yield from read_chunks(cast("IO[bytes]", process.stdout))

    def check_target(self, *, set_aside: bool) -> None:
        _program("pg_restore")
        if has_tables():
            check_nobody_works()
            if is_used():
                name = connection.settings_dict["NAME"]
                raise SiteBackupError(
                    f'The database "{name}" has people or projects. Restore into an empty one: createdb '
                    f"--encoding=UTF8 {name}_restored, and set DATABASE_URL to it. The old one stays as it is."
                )

    def restore(self, copy: Iterator[bytes], aside: Path | None) -> None:
        _drop_tables()
        try:
            self._bring_back(copy)
            migrate()
        except BaseException:
            # It was empty, and is again.
            connection.close()
            _drop_tables()
            raise

    def _bring_back(self, copy: Iterator[bytes]) -> None:
        address, env = _address()
        # Without a name of a file it reads what it is given.
        arguments = [
            "--no-owner",
            "--no-privileges",
            "--single-transaction",
            "--exit-on-error",
            "--dbname",
            address[-1],
        ]
        connection.close()
        with _running([_program("pg_restore"), *address[:-1], *arguments], env) as process:
            stdin = cast("IO[bytes]", process.stdin)
            # Where it ends before its input does, its own words are told.
            with suppress(BrokenPipeError):
                for chunk in copy:
                    stdin.write(chunk)
                stdin.close()


def _drop_tables() -> None:
    """Drop what migrations make."""
    ours = {*connection.introspection.django_table_names(), "django_migrations"}
    there = sorted(ours & set(connection.introspection.table_names()))
    with connection.cursor() as cursor:
        if there:
            names = ", ".join(map(connection.ops.quote_name, there))
            cursor.execute(f"DROP TABLE {names} CASCADE")
        cursor.execute("DROP FUNCTION IF EXISTS annotator_event_append_only()")


def _address() -> tuple[list[str], Mapping[str, str]]:
    """The arguments that name the server, the database last, and the environment, which has the password."""
    (_psql, *arguments), env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    return arguments, {**os.environ, **(env or {})}


def _program(name: str) -> str:
    """The path of one of PostgreSQL's programs: of the server's version, else the next newer one, as an older one
    cannot read it and a much newer one may say what it does not know. Raises SiteBackupError."""
    with connection.cursor():
        postgresql: Any = connection
        server = postgresql.pg_version // 10_000
    found: dict[int, str] = {}
    for folder in (None, *glob.glob(DEBIAN)):
        program = shutil.which(name, path=folder)
        if program is not None:
            found.setdefault(_version(program), program)
    if fitting := [version for version in found if version >= server]:
        return found[min(fitting)]
    problem = f"has version {max(found)}, but the server has {server}" if found else "is not installed"
    raise SiteBackupError(
        f"{name} {problem}. Install the programs of PostgreSQL {server} or newer (Debian: postgresql-client-{server})."
    )


def _version(program: str) -> int:
    """The number before the first dot; 0 where it says none."""
    asked = [program, "--version"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout  # noqa: S603 -- PostgreSQL's
    number = re.search(r"\d+", said)
    return int(number[0]) if number else 0


@contextmanager
def _running(command: Sequence[str], env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program with pipes for what it reads and writes. Raises SiteBackupError, with its words, where it fails."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 -- PostgreSQL's
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, bufsize=READ_BYTES
        )
        try:
            yield process
            code = process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            for pipe in (process.stdin, process.stdout):
                with suppress(BrokenPipeError):
                    cast("IO[bytes]", pipe).close()
            process.wait()
        if code:
            said.seek(0)
            words = said.read(SAID).decode(errors="replace").strip()
            raise SiteBackupError(f"{Path(command[0]).name} has failed: {words}")
