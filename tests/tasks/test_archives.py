"""Archives written and restored by jobs: progress, cancelling, workers that die, and that nothing is left behind."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from annotator.backup.actions import restoring
from annotator.backup.actions.keeping import delete_archive, sweep_archives
from annotator.backup.actions.upgrades import FORMAT
from annotator.backup.actions.uploads import give_up, start_restoring, sweep_uploads, take_archive
from annotator.backup.actions.writing import write_archive
from annotator.backup.queries.archives import last_archive
from annotator.core.access import deleting_for, projects_for
from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.jobs import running as jobs
from annotator.jobs.actions import cancel_job, start_job
from annotator.jobs.running import run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.models import (
    Archive,
    ArchiveUpload,
    Event,
    Job,
    JobKind,
    JobState,
    Membership,
    Project,
    Role,
    User,
)
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.project_settings import archive_project
from tests.factories import make_gold, make_member, make_project, make_release, make_sentence, make_user, span, store

# A snapshot is a transaction of its own.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MEDIA_ROOT = tmp_path
    # Every report is heard, however fast it goes.
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0)
    monkeypatch.setattr(restoring, "ROWS_PER_CHUNK", {connection.vendor: 2})
    return tmp_path


@pytest.fixture
def project() -> Project:
    made = make_project("letters")
    make_member(made, username="ana")
    make_gold(make_sentence(made), [span(1)])
    make_sentence(made, "Llueve 🌧 a cántaros", language="es")
    make_release(made)
    return made


def run(job: Job, **more: Any) -> Job:
    run_job(job.pk, worker="one", **more)
    return Job.objects.filter(pk=job.pk).first() or job


def written(project: Project) -> bytes:
    file = io.BytesIO()
    write_archive(project=project, file=file)
    return file.getvalue()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def rows() -> dict[str, int]:
    """How many rows there are, of all but the log and of uploads, which say what was tried."""
    models = [model for model in apps.get_app_config("annotator").get_models() if model not in (Event, ArchiveUpload)]
    return {model.__name__: model._base_manager.count() for model in models}


def uploaded(content: bytes, by: User) -> ArchiveUpload:
    return take_archive(chunks=[content], name="letters.zip", by=by, now=timezone.now())


def elsewhere(project: Project) -> bytes:
    """The archive of a project that is not here any more, nor is its annotator."""
    content = written(project)
    Project.objects.filter(pk=project.pk).update(slug="older")
    User.objects.filter(username="ana").update(username="somebody")
    return content


class TestWriting:
    def test_an_archive_is_kept_with_its_hash_and_is_what_the_command_writes(self, project: Project) -> None:
        mara = make_member(project, Role.MANAGER)
        expected = written(project)

        job = run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=mara))

        assert job.state == JobState.DONE, job.error
        archive = Archive.objects.get()
        assert site_files().here(archive.stored).read_bytes() == expected
        assert (archive.created_by, archive.size, job.result["sha256"]) == (mara, len(expected), archive.sha256)
        last = last_archive(project)
        assert last is not None and not last.changed
        assert not project.events.exists()
        assert Event.objects.get(verb="archive.written").after["sha256"] == archive.sha256

    def test_archives_are_no_part_of_the_project_so_that_the_next_one_is_the_same(self, project: Project) -> None:
        for _time in range(2):
            run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))

        assert len({archive.sha256 for archive in Archive.objects.all()}) == 1

    def test_what_is_changed_afterwards_is_told(self, project: Project) -> None:
        run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))
        archive_project(project=project, by=None)

        last = last_archive(project)

        assert last is not None and last.changed

    def test_people_can_be_pseudonyms_in_what_imports_counted_too(self, project: Project) -> None:
        counts = {"counts": {"annotations by ana": {"new": 1, "known": 0}}}
        project.imports.create(dataset="set", labels="file", summary=counts, published_at=timezone.now())

        run(start_job(project=project, kind=JobKind.ARCHIVE, params={"pseudonyms": True}, by=None))

        with zipfile.ZipFile(site_files().here(Archive.objects.get().stored)) as archive:
            everything = b"".join(archive.read(name) for name in archive.namelist())
            assert b"annotations by person-1" in archive.read("import.jsonl")
        assert b"ana" not in everything.replace(b"manager", b"")

    def test_a_read_only_project_is_archived_and_stays_as_it_is(self, project: Project) -> None:
        archive_project(project=project, by=None)
        project.refresh_from_db()
        events = project.events.count()

        job = run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))

        assert job.state == JobState.DONE, job.error
        assert project.events.count() == events

    def test_a_cancelled_job_leaves_nothing(
        self, project: Project, folders: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None)
        monkeypatch.setattr("annotator.backup.actions.writing.ROWS_PER_CHUNK", 2)
        reports: list[int] = []

        def cancel_at_report() -> bool:
            reports.append(1)
            if len(reports) == 3:
                cancel_job(job=job, by=None)
            return False

        run_job(job.pk, worker="one", stop=cancel_at_report)

        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert not Archive.objects.exists()
        assert files(folders / "archives") == []

    def test_a_release_without_its_file_is_named_by_the_job(self, project: Project, folders: Path) -> None:
        for path in files(folders / "releases"):
            path.unlink()

        job = run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))

        assert (job.state, job.result["missing_releases"]) == (JobState.DONE, [1])
        about = Event.objects.get(verb="archive.written").after
        assert about is not None and about["missing_releases"] == [1]

    def test_a_file_that_nobody_can_download_is_swept_once_its_job_is_over(self, project: Project) -> None:
        job = run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))
        stray, unknown = Archive.objects.get().stored, f"archives/{project.pk}/{job.pk + 1000}.zip"
        store(unknown, b"PK of a job that another copy of the database knows")
        later = timezone.now() + timedelta(hours=2)
        assert sweep_archives(now=later) == 0
        Archive.objects.all().delete()
        assert sweep_archives(now=timezone.now()) == 0

        assert sweep_archives(now=later) == 1

        assert [site_files().exists(name) for name in (stray, unknown)] == [False, True]

    def test_archives_are_deleted_by_hand_and_with_the_project(self, project: Project, folders: Path) -> None:
        for _time in range(2):
            run(start_job(project=project, kind=JobKind.ARCHIVE, params={}, by=None))
        first, second = Archive.objects.order_by("pk")

        delete_archive(archive=first, by=None)

        assert files(folders / "archives") == [site_files().here(second.stored)]
        assert not project.events.exists()
        run(delete_project(project=project, name=project.name, by=None))
        assert files(folders / "archives") == []
        assert not Project.objects.exists()


class TestRestoring:
    def test_what_it_holds_is_known_before_anything_is_written(self, project: Project) -> None:
        content = elsewhere(project)
        before = rows()

        about = uploaded(content, make_user("berta")).about

        assert (about["name"], about["languages"], about["sentences"]) == ("letters", ["es", "en"], {"es": 2})
        assert (about["golds"], about["releases"]) == (1, 1)
        assert [person["username"] for person in about["people"]] == ["ana"]
        assert rows() == {**before, "User": before["User"] + 1}

    def test_the_project_comes_as_a_whole_and_the_file_goes(self, project: Project, folders: Path) -> None:
        content, berta = elsewhere(project), make_user("berta")
        upload = uploaded(content, berta)
        job = start_restoring(upload=upload, slug="letters", by=berta)
        assert not projects_for(berta).exists()
        assert deleting_for(make_user(superuser=True)) == []

        job = run(job)

        assert job.state == JobState.DONE, job.error
        assert job.done == job.total == upload.about["rows"]
        restored = projects_for(berta).get()
        assert (restored.slug, restored.memberships.get(user=berta).role) == ("letters", Role.MANAGER)
        ana = restored.memberships.get(user__placeholder_of=restored.pk).user
        assert (ana.backup_name, ana.is_active, ana.has_usable_password()) == ("ana", False, False)
        assert files(folders / "uploads") == []
        # Only the new manager is not in the first one.
        Membership.objects.filter(user=berta).delete()
        Event.objects.filter(project=restored)._raw_delete("default")
        assert written(restored) == content

    def test_a_site_admin_changes_nothing_by_restoring(self, project: Project) -> None:
        content, admin = elsewhere(project), make_user(superuser=True)

        run(start_restoring(upload=uploaded(content, admin), slug="letters", by=admin))

        assert written(Project.objects.get(slug="letters")) == content

    @pytest.mark.parametrize("slug", ["older", "new"])
    def test_a_short_name_that_is_taken_is_refused_and_another_one_taken(self, project: Project, slug: str) -> None:
        content, berta = elsewhere(project), make_user("berta")
        upload = uploaded(content, berta)
        before = rows()

        with pytest.raises(ActionError, match="short name"):
            start_restoring(upload=upload, slug=slug, by=berta)

        assert rows() == before
        assert run(start_restoring(upload=upload, slug="another", by=berta)).state == JobState.DONE
        with pytest.raises(ActionError, match="no longer exists"):
            start_restoring(upload=upload, slug="third", by=berta)

    def test_a_damaged_archive_leaves_nothing_but_the_reason(self, project: Project, folders: Path) -> None:
        content, berta = elsewhere(project), make_user("berta")
        damaged = _changed(content, "membership.jsonl", b'"annotator"', b'"boss"')
        upload = uploaded(damaged, berta)
        there = rows()

        run(start_restoring(upload=upload, slug="letters", by=berta))
        run(Job.objects.get(kind=JobKind.DELETE))

        assert rows() == there
        assert files(folders / "uploads") == []
        upload.refresh_from_db()
        assert upload.error == (
            "The backup is damaged: membership.jsonl, line 1: role expected one of the known values, not "
            "'boss'. Create another one on its original site."
        )

    def test_one_that_waits_is_cancelled(self, project: Project, folders: Path) -> None:
        content, berta = elsewhere(project), make_user("berta")
        upload = uploaded(content, berta)
        there = rows()
        job = start_restoring(upload=upload, slug="letters", by=berta)

        give_up(upload=upload, by=berta)
        give_up(upload=upload, by=berta)
        run(job)
        run(Job.objects.get(kind=JobKind.DELETE))

        assert rows() == there
        assert files(folders / "uploads") == []

    def test_one_that_runs_is_cancelled_and_what_it_wrote_goes(
        self, project: Project, folders: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content, berta = elsewhere(project), make_user("berta")
        upload = uploaded(content, berta)
        there = rows()
        job = start_restoring(upload=upload, slug="letters", by=berta)
        looks: list[int] = []

        def cancel() -> bool:
            looks.append(1)
            if len(looks) == 5:
                assert User.objects.exclude(placeholder_of=None).exists()
                give_up(upload=upload, by=berta)
            return False

        run_job(job.pk, worker="one", stop=cancel)
        assert Project.objects.filter(slug="letters", deleting_at__isnull=False).exists()
        # The worker that was at it has its chunk in hand until it is gone.
        free_dead_workers()
        run(Job.objects.get(kind=JobKind.DELETE))

        assert rows() == there
        assert files(folders / "uploads") == []

    def test_another_worker_begins_anew_after_one_that_died(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content, admin = elsewhere(project), make_user(superuser=True)
        job = start_restoring(upload=uploaded(content, admin), slug="letters", by=admin)
        looks: list[int] = []

        def dies() -> bool:
            looks.append(1)
            if len(looks) == 6:
                raise KeyboardInterrupt
            return False

        with pytest.raises(KeyboardInterrupt):
            run_job(job.pk, worker="one", stop=dies)
        free_dead_workers()
        run_job(job.pk, worker="two")

        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        assert written(Project.objects.get(slug="letters")) == content

    def test_uploads_that_nobody_starts_are_swept(self, project: Project, folders: Path) -> None:
        upload = uploaded(elsewhere(project), make_user("berta"))
        there = rows()

        assert sweep_uploads(now=timezone.now()) == 0
        assert sweep_uploads(now=upload.expires_at + timezone.timedelta(seconds=1)) == 1

        assert files(folders / "uploads") == []
        assert rows() == there

    def test_what_ended_without_its_upload_is_given_up(self, project: Project, folders: Path) -> None:
        berta = make_user("berta")
        upload = uploaded(elsewhere(project), berta)
        there = rows()
        job = start_restoring(upload=upload, slug="letters", by=berta)
        Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error="It was begun 5 times.")

        sweep_uploads(now=timezone.now())
        run(Job.objects.get(kind=JobKind.DELETE))

        assert rows() == there
        assert files(folders / "uploads") == []
        upload.refresh_from_db()
        assert upload.error == "It was begun 5 times."


def zipped(**contents: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return out.getvalue()


HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _archive: b"",
    "no zip": lambda _archive: b"A letter .\n" * 100,
    "another zip": lambda _archive: zipped(**{"es.txt": b"Una carta .\n"}),
    "a part of one": lambda archive: archive[: len(archive) // 2],
    "its end only": lambda archive: archive[-200:],
    "another format": lambda archive: _changed(archive, "manifest.json", b'"format": %d' % FORMAT, b'"format": 99'),
    "a manifest that is none": lambda archive: _changed(archive, "manifest.json", b'"counts"', b'"other"'),
    "people of another shape": lambda archive: _changed(archive, "people.jsonl", b'"username"', b'"name"'),
    "a bomb": lambda archive: _with(archive, "releases/9.zip", b"\0" * 70_000_000),
    "too many files": lambda archive: _many(archive, 50_000),
    "settings nested too deeply": lambda archive: _with(archive, "manifest.json", b"[" * 100_000),
}


def _changed(archive: bytes, name: str, old: bytes, new: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as before:
        content = before.read(name)
        assert old in content
    return _with(archive, name, content.replace(old, new))


def _with(archive: bytes, name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for info in before.infolist():
            if info.filename != name:
                after.writestr(info, before.read(info))
        after.writestr(name, content)
    return out.getvalue()


def _many(archive: bytes, number: int) -> bytes:
    out = io.BytesIO(archive)
    with zipfile.ZipFile(out, "a") as file:
        for place in range(number):
            file.writestr(f"models/1/a-file-with-a-name-that-is-rather-long-{place}", b"")
    return out.getvalue()


@pytest.mark.parametrize("how", HOSTILE)
def test_what_cannot_be_restored_is_refused_and_nothing_is_kept(project: Project, folders: Path, how: str) -> None:
    content, berta = HOSTILE[how](written(project)), make_user("berta")
    before = rows()

    with pytest.raises(ActionError):
        uploaded(content, berta)

    assert rows() == before
    assert not ArchiveUpload.objects.exists()
    assert files(folders / "uploads") == []


def test_an_archive_larger_than_the_site_takes_is_refused(project: Project, folders: Path, settings: Any) -> None:
    settings.ARCHIVE_MAX_BYTES = 100

    with pytest.raises(ActionError, match="ARCHIVE_MAX_BYTES"):
        uploaded(written(project), make_user("berta"))

    assert files(folders / "uploads") == []
