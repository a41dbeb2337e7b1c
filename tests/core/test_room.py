"""Quotas of accounts and of the site: what is more is refused, and nothing of it stays."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotator.backup.actions.uploads import take_archive
from annotator.backup.actions.writing import write_archive
from annotator.core.events import SHORT, log, log_many
from annotator.core.files.room import NoRoomError
from annotator.core.files.room_used import bytes_of
from annotator.core.files.uploads import UploadError
from annotator.core.starts import plain
from annotator.domain.verbs import Verb
from annotator.imports.drafts.drafts import (
    Upload,
    add_files,
    add_text,
    change_draft,
    drop_draft,
    remove_file,
    replace_files,
    start_draft,
    start_import,
)
from annotator.imports.drafts.files import MIN_BYTES
from annotator.imports.reading.problems import Problem, Problems
from annotator.imports.reading.summary import ROW_BYTES, TOKEN_BYTES
from annotator.imports.undo.undo_import import undo_import
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import (
    Annotation,
    Archive,
    ArchiveUpload,
    Import,
    ImportDraft,
    Job,
    JobKind,
    JobState,
    Project,
    Role,
    User,
)
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.guidelines import edit_guidelines, fingerprint
from annotator.projects.actions.project_settings import change_settings
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.relabel import change_scheme, rules_plan
from tests.clients import client_of
from tests.drafts import make_plain, run_all
from tests.factories import make_member, make_project, make_user
from tests.site import Site

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Room for 1,000 bytes each, and 1,500 in all."""
    monkeypatch.setattr("annotator.imports.drafts.files.MIN_BYTES", 1)
    settings.MEDIA_ROOT = tmp_path
    settings.ACCOUNT_MAX_BYTES, settings.SITE_MAX_BYTES = 1_000, 1_500
    return tmp_path


@pytest.fixture
def mara(small: Path) -> User:
    return make_member(make_plain(), Role.MANAGER, username="mara")


def brought(by: User, size: int, name: str = "a.txt") -> ImportDraft:
    draft = start_draft(project=Project.objects.get(slug="corpus"), by=by)
    return add_files(draft=draft, uploads=[Upload(name, [b"x" * size])], by=by)


def on_disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_drafts_count_together_and_what_is_more_than_an_account_has_leaves_nothing(mara: User, small: Path) -> None:
    for _time in range(3):
        brought(mara, 300)

    with pytest.raises(NoRoomError, match="ACCOUNT_MAX_BYTES"):
        brought(mara, 300)

    assert (bytes_of(mara), on_disk(small)) == (900, 900)
    brought(mara, 100)


def test_others_are_held_by_the_site_alone_and_site_admins_too(mara: User, small: Path) -> None:
    admin = make_user(superuser=True)
    brought(mara, 900)

    with pytest.raises(NoRoomError, match="SITE_MAX_BYTES"):
        brought(make_user(), 700)
    with pytest.raises(NoRoomError, match="SITE_MAX_BYTES"):
        brought(admin, 700)

    brought(admin, 500)
    assert on_disk(small) == 1_400
    start = start_draft(project=Project.objects.get(), by=None)
    add_files(draft=start, uploads=[Upload("a.txt", [b"x" * 5_000])], by=None)


def test_what_is_taken_away_makes_room(mara: User, small: Path) -> None:
    first, second = brought(mara, 600), brought(mara, 400)

    replace_files(draft=first, uploads=[("1", Upload("b.txt", [b"y" * 600]))], by=mara)
    with pytest.raises(NoRoomError):
        replace_files(draft=first, uploads=[("1", Upload("b.txt", [b"y" * 601]))], by=mara)
    remove_file(draft=first, file="1", by=mara)
    add_text(draft=second, name="c.txt", text="z" * 600, by=mara)
    drop_draft(draft=second, by=mara)

    assert (bytes_of(mara), on_disk(small)) == (0, 0)


def test_a_zip_counts_as_what_is_packed_in_it_and_is_not_unpacked_further_than_that(mara: User, small: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", b"x" * 50_000_000)

    draft = start_draft(project=Project.objects.get(), by=mara)
    with pytest.raises(NoRoomError):
        add_files(draft=draft, uploads=[Upload("a.zip", [packed.getvalue()])], by=mara)

    assert on_disk(small) == 0


def test_of_any_number_of_warnings_a_file_lists_the_first_and_counts_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.imports.reading.problems.MAX_LISTED", 10)
    problems = Problems(tmp_path / "problems.csv")

    for line in range(50):
        problems.add(Problem("warning", "a.jsonl", line, "a blank line"))
    problems.add(Problem("error", "a.jsonl", 51, "a text"))
    problems.close()

    with (tmp_path / "problems.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["line"] for row in rows] == [*map(str, range(10)), "51", "0"]
    assert rows[-1]["expected"] == "40 more warnings, which are not listed"
    assert (problems.warning_count, problems.error_count) == (50, 1)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_has_a_name_that_a_file_system_takes(mara: User, small: Path, packed: bool, settings: Any) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 100_000

    def named(name: str) -> Upload:
        if not packed:
            return Upload(name, [b"Llueve ."])
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, b"Llueve .")
        return Upload("a.zip", [file.getvalue()])

    draft = start_draft(project=Project.objects.get(), by=mara)
    with pytest.raises(UploadError, match="longer than 255 bytes"):
        add_files(draft=draft, uploads=[named("\N{GRINNING FACE}" * 190 + ".txt")], by=mara)

    assert on_disk(small) == 0
    add_files(draft=draft, uploads=[named("\N{GRINNING FACE}" * 62 + ".txt")], by=mara)


def test_what_came_in_counts_in_the_project_until_it_is_taken_back(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 200_000
    project, draft, text = begun(mara, 30)

    run_all([start_import(draft=draft, by=mara)])

    project.refresh_from_db()
    whole = len(text) + 60 * ROW_BYTES + 7 * 30 * TOKEN_BYTES
    assert (project.size, bytes_of(mara)) == (whole, whole)
    copy_project(project=project, slug="copy", name="Copy", texts=True, by=mara)
    assert bytes_of(mara) == 2 * whole
    settings.ACCOUNT_MAX_BYTES = 3 * whole - 1
    with pytest.raises(NoRoomError):
        copy_project(project=project, slug="again", name="Again", texts=True, by=mara)
    copy_project(project=project, slug="bare", name="Bare", by=mara)
    undo_import(imported=Import.objects.get(project=project), by=mara)
    assert bytes_of(mara) == whole


def begun(by: User, lines: int) -> tuple[Project, ImportDraft, bytes]:
    project = create_project(slug="own", preset=plain(["es"], ["METAPHOR"]), by=by)
    text = "".join(f"Llueve por la mañana número {number} .\n" for number in range(lines)).encode()
    draft = start_draft(project=project, by=by)
    add_files(draft=draft, uploads=[Upload("es.txt", [text])], by=by)
    return project, draft, text


def test_a_file_of_short_lines_makes_no_more_rows_than_there_is_room_for(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 60_000
    project, draft, _text = begun(mara, 100)
    job = start_import(draft=draft, by=mara)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, "ACCOUNT_MAX_BYTES" in job.error_shown) == (JobState.FAILED, True)
    assert (project.sentences.count(), Import.objects.count(), bytes_of(mara)) == (0, 0, draft.size)


def test_what_another_manager_brings_counts_for_whoever_created_the_project(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES, settings.SITE_MAX_BYTES = 60_000, 1_000_000
    project, _draft, _text = begun(mara, 1)
    ben = make_member(project, Role.MANAGER)
    text = "".join(f"Nieva de noche {number} .\n" for number in range(100)).encode()
    draft = start_draft(project=project, by=ben)
    add_files(draft=draft, uploads=[Upload("es.txt", [text])], by=ben)
    job = start_import(draft=draft, by=ben)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, project.sentences.count()) == (JobState.FAILED, 0)


def test_a_file_of_short_words_counts_by_its_words(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 100_000
    project = create_project(slug="own", preset=plain(["es"], ["METAPHOR"]), by=mara)
    draft = start_draft(project=project, by=mara)
    add_files(draft=draft, uploads=[Upload("es.txt", [b"a b c d e f g h i j\n" * 100])], by=mara)

    job = start_import(draft=draft, by=mara)
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, "ACCOUNT_MAX_BYTES" in job.error_shown, project.sentences.count()) == (JobState.FAILED, True, 0)


def test_each_file_of_a_draft_counts_as_what_it_takes_on_a_disk_and_long_choices_too(
    mara: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.imports.drafts.files.MIN_BYTES", MIN_BYTES)
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 3 * MIN_BYTES

    draft = brought(mara, 10)
    assert bytes_of(mara) == MIN_BYTES
    with pytest.raises(NoRoomError):
        add_files(draft=draft, uploads=[Upload(f"{number}.txt", [b"Llueve ."]) for number in range(3)], by=mara)
    people = {f"person {number}": "é" * 100 for number in range(50)}
    with pytest.raises(NoRoomError):
        change_draft(draft=draft, changes={"people": people}, by=mara)

    assert bytes_of(mara) == MIN_BYTES
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 100_000
    change_draft(draft=draft, changes={"people": people}, by=mara)
    assert bytes_of(mara) - MIN_BYTES > 50 * 600 - SHORT


def test_long_texts_in_a_loop_count_by_what_the_log_keeps(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 300_000
    project = create_project(slug="own", preset=plain(["es"], ["METAPHOR"]), by=mara)

    def edit() -> None:
        for number in range(10):
            before = fingerprint(Project.objects.get(slug="own").guidelines.get("en", ""))
            edit_guidelines(project=project, language="en", text=f"{number} " + "x" * 50_000, before=before, by=mara)

    with pytest.raises(NoRoomError):
        edit()
    with pytest.raises(NoRoomError):
        change_settings(project=project, changes={"descriptions": {"en": "x" * 200_000}}, by=mara)
    project.refresh_from_db()
    assert project.events.filter(verb="guidelines.edit").count() < 5


def test_small_changes_of_a_large_scheme_count_by_the_bytes_that_the_log_stores(settings: Any, mara: User) -> None:
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 2_000_000
    project = create_project(slug="own", preset=plain(["es"], ["METAPHOR"]), by=mara)
    layer = project.label_layer
    emoji = "\N{GRINNING FACE}" * 10_000
    layer.scheme_data = {**layer.scheme_data, "definitions": {"METAPHOR": emoji}}
    layer.save()

    def change(version: int) -> None:
        plan = rules_plan(discontinuous=bool(version % 2), overlaps=False, several=bool(version % 2))
        change_scheme(layer=layer, plan=plan, version=version, by=mara)

    first = layer.scheme_version
    change(first)
    once = bytes_of(mara)
    # An emoji is 12 bytes there, before and after.
    assert 240_000 < once + SHORT < 242_000
    most = 2_000_000 // once
    for version in range(first + 1, first + most):
        change(version)
    with pytest.raises(NoRoomError):
        change(first + most)
    assert project.events.filter(verb="scheme.change").count() == most


def test_long_answers_are_counted_and_never_refused(settings: Any, mara: User) -> None:
    project, ana = Project.objects.get(), make_user()
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 0
    subject = Annotation(pk=1)

    log(project=project, actor=ana, verb=Verb.ANNOTATION_SAVED, subject=subject, after="x" * (SHORT - 2))
    project.refresh_from_db()
    assert project.size == 0
    changes = [(subject, "é" * 2_000, "x" * 1_000), (subject, None, "x")]
    log_many(project=project.pk, actor=ana, verb=Verb.ANNOTATION_SAVED, changes=changes)
    project.refresh_from_db()
    assert project.size == 6 * 2_000 + 1_000 + 4 - SHORT


def test_backups_and_releases_are_not_begun_without_room_nor_kept_beyond_it(
    settings: Any, mara: User, small: Path
) -> None:
    project = Project.objects.get()
    started = start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=mara)
    brought(mara, 999)

    run_job(started.pk, worker="one")

    started.refresh_from_db()
    assert (started.state, "ACCOUNT_MAX_BYTES" in started.error_shown) == (JobState.FAILED, True)
    assert (Archive.objects.count(), on_disk(small)) == (0, 999)
    brought(mara, 1)
    for kind in (JobKind.ARCHIVE, JobKind.RELEASE):
        with pytest.raises(NoRoomError):
            start_job(project=project, kind=kind, params={}, by=mara)
    assert Job.objects.count() == 1


def test_an_uploaded_backup_counts_while_it_is_kept(settings: Any, mara: User, small: Path) -> None:
    file = io.BytesIO()
    write_archive(project=Project.objects.get(), file=file)
    content = file.getvalue()
    settings.ACCOUNT_MAX_BYTES = settings.SITE_MAX_BYTES = 2 * len(content)

    for _time in range(2):
        take_archive(chunks=[content], name="a.zip", by=mara, now=timezone.now())
    with pytest.raises(NoRoomError):
        take_archive(chunks=[content], name="a.zip", by=mara, now=timezone.now())

    assert (ArchiveUpload.objects.count(), on_disk(small)) == (2, 2 * len(content))


class TestProjects:
    @pytest.fixture(autouse=True)
    def _at_most_three(self, settings: Any) -> None:
        settings.ACCOUNT_MAX_PROJECTS = 3

    def made(self, by: User, number: int) -> Project:
        return create_project(slug=f"made-{by.pk}-{number}", preset=plain(["es"], ["METAPHOR"]), by=by)

    def test_an_account_creates_so_many_by_any_way(self) -> None:
        olga = make_user()
        first = self.made(olga, 1)
        copy_project(project=first, slug="copy", name="Copy", by=olga)
        self.made(olga, 2)

        with pytest.raises(NoRoomError, match="ACCOUNT_MAX_PROJECTS"):
            self.made(olga, 3)
        with pytest.raises(NoRoomError):
            copy_project(project=first, slug="more", name="More", by=olga)

        assert Project.objects.filter(created_by=olga).count() == 3
        self.made(make_user(), 1)
        admin = make_user(superuser=True)
        for number in range(4):
            self.made(admin, number)

    def test_one_that_is_deleted_makes_room_for_another(self) -> None:
        olga = make_user()
        for number in range(3):
            self.made(olga, number)
        gone = Project.objects.filter(created_by=olga)[0]

        deletion = delete_project(project=gone, name=gone.name, by=olga)
        with pytest.raises(NoRoomError):
            self.made(olga, 3)
        run_job(deletion.pk, worker="one")

        self.made(olga, 3)


def test_thirty_projects_in_a_loop_are_more_than_an_account_has_by_default() -> None:
    client = client_of(make_user())
    sent = {"languages": ["es"], "start": "labels"}

    answers = [client.post("/api/v1/projects/", {**sent, "name": f"P{number}"}) for number in range(30)]

    assert [answer.status_code for answer in answers].count(200) == 25
    assert answers[-1].json()["error"]["code"] == "no_room"


def test_begun_imports_are_counted_too(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.core.files.room.MAX_DRAFTS", 3)
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))

    answers = [client.post("/api/v1/projects/letters/imports/drafts/", {}) for _time in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 400, 400]
    assert ImportDraft.objects.count() == 3


def test_who_has_no_room_is_told_so_before_anything_is_read(mara: User, client: Client) -> None:
    draft = brought(mara, 950)
    other = start_draft(project=draft.project, by=mara)
    client.force_login(mara)

    def sent(address: str, **headers: str) -> Any:
        return client.post(address, {"files": SimpleUploadedFile("a.txt", b"x" * 3_000)}, headers=headers)

    for address in ("/projects/corpus/import/", f"/projects/corpus/import/{other.pk}/files/"):
        page = sent(address)
        assert (page.status_code, "ACCOUNT_MAX_BYTES" in page.content.decode()) == (413, True), address
    said = sent("/projects/corpus/import/", **{"HX-Request": "true"})
    assert said.content.decode().startswith("An account can keep at most")
    api = sent(f"/api/v1/projects/corpus/imports/drafts/{other.pk}/files/")
    assert (api.status_code, api.json()["error"]["code"]) == (400, "no_room")
    text = client.post(
        f"/api/v1/projects/corpus/imports/drafts/{other.pk}/text/",
        {"text": "x" * 3_000},
        content_type="application/json",
    )
    assert text.json()["error"]["code"] == "no_room"
    assert bytes_of(mara) == 950


RACE = """
import json
from concurrent.futures import ThreadPoolExecutor
from django.conf import settings
from django.db import connection
from annotator.imports.drafts.drafts import Upload, add_files, start_draft
from annotator.projects.actions.projects import create_project
from annotator.core.files.room import NoRoomError
from annotator.core.starts import plain
from annotator.core.files.room_used import bytes_of
from tests.factories import make_user
settings.ACCOUNT_MAX_BYTES, settings.ACCOUNT_MAX_PROJECTS = 15000, 4
mara = make_user("mara")
project = create_project(slug="corpus", preset=plain(["es"], ["METAPHOR"]), by=mara)
drafts = [start_draft(project=project, by=mara) for _time in range(8)]

def bring(number):
    try:
        add_files(draft=drafts[number], uploads=[Upload("a.txt", [b"x" * 4500])], by=mara)
        return True
    except NoRoomError:
        return False
    finally:
        connection.close()

def make(number):
    try:
        create_project(slug=f"more-{number}", preset=plain(["es"], ["METAPHOR"]), by=mara)
        return True
    except NoRoomError:
        return False
    finally:
        connection.close()

with ThreadPoolExecutor(8) as people:
    brought, made = sum(people.map(bring, range(8))), sum(people.map(make, range(8)))
print(json.dumps([brought, made, bytes_of(mara)]))
"""


@pytest.mark.django_db(transaction=False)
def test_several_at_once_get_no_more(any_site: Site) -> None:
    assert any_site.python(RACE) == [3, 3, 13500]
