"""Whole sites written into a file while people work, and restored: on both databases, by the commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

import psycopg2
import pytest

from annotator.site_backup.archive import MANIFEST, Manifest, Member, reading, verify
from tests.conftest import on_servers
from tests.forks import ROOT
from tests.site import Site, wait_until

pytestmark = pytest.mark.long

MAKE = """
from annotator.models import *
from tests.factories import *
project = make_project("letters", languages=["es"])
stage = stage_of(project, "correct")
people = [make_member(project, username=name) for name in ("ana", "ben", "eva", "leo")]
for number in range(40):
    make_assignment(make_sentence(project), people[number % 4], stage)
make_release(project)
"""
# Four people save until a file says that they are to stop; what was acknowledged is written down at once.
WORK = """
import random, threading
from pathlib import Path
from django.db import connection
from django.utils import timezone
from annotator.models import *
from annotator.work.answering.actions.annotations import save_annotation
from tests.factories import span
lock, acks = threading.Lock(), open({acks!r}, "w")

def work(user):
    rows = list(Assignment.objects.filter(user=user).select_related("project"))
    versions = dict.fromkeys((row.pk for row in rows), 0)
    chance = random.Random(user.pk)
    while not Path({stop!r}).exists():
        row = chance.choice(rows)
        saved = save_annotation(
            project=row.project, assignment=row.pk, version=versions[row.pk],
            content={{"spans": [span(versions[row.pk] % 2)]}}, done=True, by=user, now=timezone.now(),
        )
        versions[row.pk] = saved.version
        with lock:
            print(saved.pk, saved.version, file=acks, flush=True)
    connection.close()

threads = [threading.Thread(target=work, args=[user]) for user in User.objects.filter(assignments__gt=0).distinct()]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def recipe() -> str:
    """The script in the manual."""
    text = (ROOT / "docs" / "backup.md").read_text()
    found = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def empty_site(any_site: Site, tmp_path: Path) -> Iterator[Site]:
    """A new data folder, and on PostgreSQL a new database, with the same broker."""
    url = any_site.database_url
    if url:
        name = f"restored_{uuid.uuid4().hex[:12]}"
        with closing(psycopg2.connect(url)) as server:
            server.autocommit = True
            server.cursor().execute(f"CREATE DATABASE {name}")
        url = f"{url.rpartition('/')[0]}/{name}"
    made = Site(tmp_path / "empty", database_url=url, broker_url=any_site.env["CELERY_BROKER_URL"])
    yield made
    made.stop()


def acknowledged(file: Path) -> dict[int, int]:
    """By answer, the newest version that was acknowledged."""
    lines = file.read_text().rpartition("\n")[0].splitlines() if file.exists() else []
    found: dict[int, int] = {}
    for line in lines:
        answer, version = map(int, line.split())
        found[answer] = max(version, found.get(answer, 0))
    return found


def backed_up(site: Site, path: Path) -> Path:
    site.manage("backup_site", str(path))
    return path


@pytest.mark.slow
def test_the_recipe_makes_backups_while_people_save_that_hold_every_save(
    any_site: Site, empty_site: Site, tmp_path: Path
) -> None:
    any_site.python(MAKE)
    backups, acks, stop = tmp_path / "backups", tmp_path / "acks", tmp_path / "stop"
    backups.mkdir()
    for number in range(10, 30):
        (backups / f"site-2020-01-{number}T030000.zip").touch()
    script = tmp_path / "backup.sh"
    script.write_text(recipe())
    folder = str(Path(sys.executable).parent)
    env = {**any_site.env, "BACKUPS": str(backups), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    people = threading.Thread(target=any_site.python, args=[WORK.format(acks=str(acks), stop=str(stop))])
    people.start()
    try:
        wait_until(lambda: len(acknowledged(acks)) > 20, what="the first saves")
        before = acknowledged(acks)
        done = subprocess.run(["sh", str(script)], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        after = acknowledged(acks)
        wait_until(lambda: acknowledged(acks) != after, what="a save after the backup")
    finally:
        stop.touch()
        people.join()

    assert done.returncode == 0, done.stderr
    assert sum(after.values()) > sum(before.values()), "nobody saved meanwhile"
    kept = sorted(backups.iterdir())
    assert len(kept) == 14
    made = kept[-1]
    assert stat.S_IMODE(made.stat().st_mode) == 0o600

    restored = empty_site.manage("restore_site", str(made))

    assert "No problems." in restored.stdout
    rows = empty_site.python("""
import json
from annotator.models import Annotation, Event
print(json.dumps([
    [[pk, version] for pk, version in Annotation.objects.values_list("pk", "version")],
    Event.objects.filter(verb="annotation.saved").count(),
]))""")
    versions = dict(rows[0])
    assert {pk for pk, version in before.items() if versions.get(pk, 0) < version} == set()
    # Each once: as many events as there are versions.
    assert rows[1] == sum(versions.values())
    assert (empty_site.folder / "releases/letters/letters-1.zip").read_bytes() == b"PK a release"
    again = empty_site.manage("check_integrity", "--files")
    assert again.stdout == "No problems. Warnings: 0.\n"
    # Its keys continue from the old ones.
    empty_site.python("""
from annotator.models import *
from tests.factories import make_user
from tests.saving import save
save(Assignment.objects.first(), {"spans": []}, done=False)
make_user("later")
""")


@pytest.mark.slow
def test_the_sample_is_restored_with_its_files(any_site: Site, empty_site: Site, tmp_path: Path) -> None:
    any_site.manage("load_sample")
    assert any_site.manage("check_integrity", "--files").stdout == "No problems. Warnings: 0.\n"

    said = empty_site.manage("restore_site", str(backed_up(any_site, tmp_path / "site.zip"))).stdout

    assert "No problems." in said
    # Which storage is the site's is another matter on another machine.
    count = "SELECT COUNT(*) FROM annotator_event WHERE verb <> 'storage.marked'"
    assert empty_site.value(count) == any_site.value(count)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Path:
    """A folder with a small site on SQLite and its backup, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    small = Site(folder / "site")
    shutil.copy(migrated_file, small.folder)
    small.python(MAKE)
    small.stop()
    backed_up(small, folder / "site.zip")
    return folder


@pytest.fixture
def used(made: Path, tmp_path: Path) -> Iterator[Site]:
    """The small site."""
    shutil.copytree(made / "site", tmp_path / "used")
    copied = Site(tmp_path / "used")
    yield copied
    copied.stop()


@pytest.fixture
def backup(made: Path, tmp_path: Path) -> Path:
    """Its backup."""
    shutil.copy(made / "site.zip", tmp_path)
    return tmp_path / "site.zip"


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a site but for those of the processes of tests, and what each start makes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.suffix not in (".log", ".turn")
        and path.name != "secret_key"
        and not path.name.endswith(("-shm", "-wal"))
    }


def changed(
    backup: Path, members: dict[str, bytes] | None = None, about: Callable[[Manifest], Manifest] = lambda found: found
) -> Path:
    """A backup with other members, and a manifest that fits them."""
    made = backup.with_name("changed.zip")
    with reading(backup) as (archive, manifest), zipfile.ZipFile(made, "w") as target:
        there = {name: archive.read(name) for name in manifest.members} | (members or {})
        for name, content in there.items():
            target.writestr(name, content)
        sums = {name: Member(len(content), sha256(content).hexdigest()) for name, content in there.items()}
        target.writestr(MANIFEST, json.dumps(asdict(about(replace(manifest, members=sums)))))
    return made


def refused(site: Site, backup: Path, *options: str) -> str:
    """Why the command refuses a backup; everything is as it was."""
    before = contents(site.folder)
    done = site.manage("restore_site", str(backup), *options, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert contents(site.folder) == before
    return done.stderr


def usernames(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "db.sqlite3")) as database:
        return [name for (name,) in database.execute("SELECT username FROM annotator_user ORDER BY username")]


def test_a_site_with_people_is_refused_and_set_aside_when_asked(used: Site, backup: Path) -> None:
    used.python("from tests.factories import make_user\nmake_user('late')")

    assert "--set-aside" in refused(used, backup)
    said = used.manage("restore_site", str(backup), "--set-aside").stdout

    (aside,) = used.folder.glob("before-restore-*")
    assert f"What was there before is in {aside}." in said
    assert usernames(used.folder) == ["ana", "ben", "eva", "leo"]
    assert "late" in usernames(aside)
    assert (aside / "releases/letters/letters-1.zip").read_bytes() == b"PK a release"
    assert stat.S_IMODE(aside.stat().st_mode) == 0o700


def test_while_a_worker_is_alive_nothing_is_set_aside(used: Site, backup: Path) -> None:
    used.worker()

    done = used.manage("restore_site", str(backup), "--set-aside", check=False)

    assert done.returncode == 1
    assert "Stop the workers and the web server" in done.stderr
    assert not list(used.folder.glob("before-restore-*"))


@pytest.fixture
def other(tmp_path: Path, migrated_file: Path) -> Iterator[Site]:
    """A prepared site without people or projects."""
    made = Site(tmp_path / "other")
    shutil.copy(migrated_file, made.folder)
    yield made
    made.stop()


@pytest.mark.parametrize("at", [0.5, 0.999], ids=["database", "manifest"])
def test_a_damaged_backup_is_refused(other: Site, backup: Path, at: float) -> None:
    content = bytearray(backup.read_bytes())
    content[int(at * len(content))] ^= 1
    backup.write_bytes(content)

    assert "Choose another one." in refused(other, backup)


def test_a_backup_that_is_cut_off_or_another_file_is_refused(other: Site, used: Site, backup: Path) -> None:
    project = backup.with_name("project.zip")
    used.manage("archive_project", "letters", str(project))
    assert "is not a site backup" in refused(other, project)

    backup.write_bytes(backup.read_bytes()[:-100])
    assert "is not a site backup" in refused(other, backup)


def test_that_of_a_newer_version_or_another_database_is_refused(other: Site, backup: Path) -> None:
    def newer(found: Manifest) -> Manifest:
        return replace(found, version="99.0", migrations=[*found.migrations, "annotator.0999_later"])

    said = refused(other, changed(backup, about=newer))
    assert "A newer version of Translatio (99.0)" in said
    assert "annotator.0999_later" in said
    said = refused(other, changed(backup, about=lambda found: replace(found, engine="postgresql")))
    assert "a site on PostgreSQL, but this one is on SQLite" in said


def test_that_of_an_older_version_is_migrated(other: Site, used: Site, backup: Path) -> None:
    used.manage("migrate", "annotator", "0002")
    used.stop()
    with closing(sqlite3.connect(used.folder / "db.sqlite3")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    older = changed(
        backup,
        {"database.sqlite3": (used.folder / "db.sqlite3").read_bytes()},
        lambda found: replace(found, migrations=[one for one in found.migrations if "0003" not in one]),
    )

    assert "No problems." in other.manage("restore_site", str(older)).stdout


def test_what_fails_half_way_leaves_all_as_it_was(other: Site, used: Site, backup: Path) -> None:
    broken = changed(backup, {"database.sqlite3": b"no database" * 1000})
    assert "cannot be used" in refused(other, broken)
    assert "cannot be used" in refused(used, broken, "--set-aside")

    # Another site's file.
    path = other.folder / "releases/letters/letters-1.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"PK another one")
    assert "exists in the storage with different content" in refused(other, backup)


def test_a_file_that_is_lost_is_named_and_the_rest_is_there(other: Site, used: Site, tmp_path: Path) -> None:
    (used.folder / "releases/letters/letters-1.zip").unlink()

    said = used.manage("backup_site", str(tmp_path / "site.zip")).stderr
    restored = other.manage("restore_site", str(tmp_path / "site.zip"), check=False)

    lost = "releases/letters/letters-1.zip (release 1 of letters)"
    assert f"Missing: {lost}" in said
    assert restored.returncode == 1
    assert f"Missing in the backup: {lost}" in restored.stderr
    assert f"{lost}: is missing." in restored.stdout
    assert other.value("SELECT COUNT(*) FROM annotator_release") == 1


def test_a_file_that_is_there_is_not_written_over_and_nothing_is_left_of_one_that_fails(
    used: Site, backup: Path
) -> None:
    before = backup.read_bytes()

    again = used.manage("backup_site", str(backup), check=False)
    nowhere = used.manage("backup_site", "/nowhere/site.zip", check=False)

    assert (again.returncode, nowhere.returncode) == (1, 1)
    assert "exists already" in again.stderr
    assert "No such file or directory" in nowhere.stderr
    assert backup.read_bytes() == before
    assert [path.name for path in backup.parent.glob("*.part*")] == []
    with reading(backup) as (archive, manifest):
        verify(archive, manifest)


@on_servers
def test_on_postgresql_a_used_database_and_old_programs_are_refused_in_words(any_site: Site, tmp_path: Path) -> None:
    any_site.python(MAKE)
    backup = backed_up(any_site, tmp_path / "site.zip")

    done = any_site.manage("restore_site", str(backup), "--set-aside", check=False)

    assert done.returncode == 1
    assert "createdb" in done.stderr
    assert any_site.value("SELECT COUNT(*) FROM annotator_project") == 1
    program = tmp_path / "bin" / "pg_dump"
    program.parent.mkdir()
    for version, expected in ((None, "is not installed"), ("9.6.1", "has version 9")):
        if version:
            program.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}'\n")
            program.chmod(0o755)
        said = any_site.python(f"""
import json, os
from annotator.site_backup.archive import SiteBackupError
from annotator.site_backup.databases import postgresql, this_database
postgresql.DEBIAN, os.environ["PATH"] = "/nowhere/*", {str(program.parent)!r}
try:
    this_database().check_programs()
except SiteBackupError as error:
    print(json.dumps(str(error)))
""")
        assert expected in said
        assert "postgresql-client-" in said


@pytest.mark.services
def test_what_does_not_come_back_on_postgresql_leaves_the_database_empty(server_site: Site, tmp_path: Path) -> None:
    server_site.python(MAKE)
    backup = changed(backed_up(server_site, tmp_path / "site.zip"), {"database.dump": b"PGDMP no dump"})
    server_site.python("""
from django.core.management import call_command
call_command("flush", interactive=False, verbosity=0)
""")
    shutil.rmtree(server_site.folder / "releases")

    done = server_site.manage("restore_site", str(backup), check=False)

    assert done.returncode == 1
    assert "pg_restore has failed" in done.stderr
    assert not (server_site.folder / "releases/letters/letters-1.zip").exists()
