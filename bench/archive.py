"""Archiving and restoring a project: seconds, bytes, and whether the second archive is the first one.

    DATA_DIR=/tmp/archive python -m bench.archive                        # SQLite in DATA_DIR
    DATABASE_URL=postgres://… DATA_DIR=/tmp/archive python -m bench.archive

The project is made where it is not there yet (`bench/archive_project.py`), written, restored under another short name
and written again. `--keep FILE` keeps the first archive; `--from FILE` restores that file instead, which another
database may have written, and compares with it. Both times are given: of the clock, and of the processor, user and
system, without that of a database server.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypeVar

from django.conf import settings
from django.core.management import call_command
from django.db import connection

import bench.setup  # noqa: F401 -- before all that needs models
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.core.processes.threads import switch_often
from annotator.models import Project
from annotator.models.release import releases_of
from annotator.projects.actions.delete_project import delete_rows
from bench.archive_project import counts, made_project

_T = TypeVar("_T")


def timed(name: str, work: Callable[[], _T]) -> _T:
    began, before = time.perf_counter(), _processor()
    found = work()
    seconds, processor = time.perf_counter() - began, _processor() - before
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name}: {seconds:.1f} s, {processor:.1f} s of the processor, at most {megabytes:.0f} MB so far", flush=True)
    return found


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def rename(project: Project, slug: str) -> None:
    """Another short name; the folder of its releases is called so, too."""
    folder = Path(settings.MEDIA_ROOT) / releases_of(project)
    if folder.is_dir():
        folder.rename(folder.with_name(slug))
    project.slug = slug
    project.save(update_fields=["slug"])


def restored_again(file: IO[bytes], slug: str) -> None:
    """Restore an archive of the project `slug` beside it, write it again, compare, and delete it."""
    restored = timed("restored", lambda: restore_archive(file=file, slug=f"{slug}-restored", by=None))
    beside = Project.objects.filter(slug=slug).first()
    with tempfile.TemporaryFile() as second:
        # The short name is in the archive.
        if beside is not None:
            rename(beside, f"{slug}-first")
        rename(restored, slug)
        try:
            timed("written again", lambda: write_archive(project=restored, file=second))
        finally:
            rename(restored, f"{slug}-restored")
            if beside is not None:
                rename(beside, slug)
        file.seek(0)
        second.seek(0)
        print("the same, byte for byte" if file.read() == second.read() else "NOT the same")
    timed("deleted", lambda: delete_rows(restored, lambda _done: None))
    restored.delete()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slug", nargs="?", default="archived")
    parser.add_argument("--sentences", type=int, default=13_320, help="in each language, where it has to be made")
    parser.add_argument("--keep", type=Path, help="where the first archive is kept")
    parser.add_argument("--from", type=Path, dest="other", help="an archive that another database wrote")
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    print(connection.vendor)
    switch_often()  # as commands and workers do
    if options.other is not None:
        with options.other.open("rb") as file:
            restored_again(file, options.slug)
        return
    project = timed("made", lambda: made_project(options.slug, options.sentences))
    print(counts(project))
    with tempfile.TemporaryFile() as first:
        timed("written", lambda: write_archive(project=project, file=first))
        print(f"{first.tell():,} bytes")
        first.seek(0)
        if options.keep is not None:
            with options.keep.open("wb") as kept:
                shutil.copyfileobj(first, kept)
            first.seek(0)
        restored_again(first, options.slug)


if __name__ == "__main__":
    main()
