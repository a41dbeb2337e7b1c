"""The pages of archives: whoever manages makes, downloads and deletes them; whoever may create projects restores."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.backup.actions.people import map_person
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.backup.queries.placeholders import placeholders_of
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Archive, ArchiveUpload, Event, Job, JobKind, Mode, Project, Role, User
from annotator.projects.actions.project_settings import archive_project
from tests.factories import (
    make_annotation,
    make_archive,
    make_assignment,
    make_member,
    make_project,
    make_sentence,
    make_user,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(project: Project, client: Client) -> User:
    user = make_member(project, Role.MANAGER, "mara")
    client.force_login(user)
    return user


def address(name: str, **more: Any) -> str:
    return reverse(name, kwargs={"slug": "letters", **more})


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


class TestArchives:
    @pytest.mark.parametrize("pseudonyms", [False, True])
    def test_one_is_started(self, client: Client, mara: User, project: Project, pseudonyms: bool) -> None:
        sent = {"pseudonyms": "on"} if pseudonyms else {}
        response = client.post(address("archive-start"), sent)

        job = Job.objects.get()
        assert response.headers["Location"] == address("job", job=job.pk)
        assert (job.kind, job.params, job.created_by) == (JobKind.ARCHIVE, {"pseudonyms": pseudonyms}, mara)
        assert "A backup is being created." in text(client.get(address("archives")))
        client.post(address("archive-start"), sent)
        assert Job.objects.count() == 1

    def test_a_read_only_project_has_them_too_and_their_job_can_be_cancelled(
        self, client: Client, mara: User, project: Project
    ) -> None:
        archive_project(project=project, by=mara)

        client.post(address("archive-start"))
        job = Job.objects.get()

        assert "Cancel the job" in text(client.get(address("job", job=job.pk)))
        client.post(address("job-cancel", job=job.pk))
        job.refresh_from_db()
        assert job.state == "cancelled"

    def test_it_says_which_releases_lack_their_files(self, client: Client, mara: User, project: Project) -> None:
        complete = make_archive(project)
        assert "Without the files" not in text(client.get(address("archives")))

        Job.objects.filter(pk=complete.job_id).update(result={"missing_releases": [2, 5]})

        assert "releases, which are missing: 2, 5" in text(client.get(address("archives")))
        answer = client.get("/api/v1/projects/letters/archives/").json()
        assert answer["archives"][0]["missing_releases"] == [2, 5]
        Archive.objects.update(last_event=project.events.order_by("-pk").values_list("pk", flat=True).first() or 0)
        page = text(client.get(address("settings-delete")))
        assert "which are missing: 2, 5" in page
        assert "It contains the whole project" not in page

    def test_one_is_downloaded_and_deleted(self, client: Client, mara: User, project: Project) -> None:
        archive = make_archive(project, content=b"PK all of it")
        page = text(client.get(address("archives")))
        assert archive.sha256[:12] in page

        response = client.get(address("archive-download", archive=archive.pk))
        assert b"".join(response) == b"PK all of it"
        assert response.headers["Content-Disposition"].startswith('attachment; filename="letters-archive-')

        client.post(address("archive-delete", archive=archive.pk))
        assert not Archive.objects.exists()
        assert client.get(address("archive-download", archive=archive.pk)).status_code == 404

    def test_whoever_works_blind_downloads_none(self, client: Client, mara: User, project: Project) -> None:
        archive = make_archive(project)
        make_assignment(make_sentence(project), mara, stage_of(project, "correct"), mode=Mode.BLIND)

        assert client.get(address("archive-download", archive=archive.pk)).status_code == 403

    def test_deleting_offers_one_first_and_says_whether_the_last_one_is_whole(
        self, client: Client, mara: User, project: Project
    ) -> None:
        assert "Create a backup first" in text(client.get(address("settings-delete")))

        archive = make_archive(project)
        Archive.objects.update(last_event=project.events.order_by("-pk").values_list("pk", flat=True).first() or 0)
        assert "Nothing has changed since then" in text(client.get(address("settings-delete")))

        log(project=project, actor=mara, verb=Verb.PROJECT_SETTINGS, subject=project)
        page = text(client.get(address("settings-delete")))
        assert "The project has changed since then" in page
        assert f"{archive.created_at:%Y}" in page


class TestRestoring:
    @pytest.fixture
    def file(self, project: Project, transactional_db: None) -> SimpleUploadedFile:
        make_sentence(project)
        content = io.BytesIO()
        write_archive(project=project, file=content)
        return SimpleUploadedFile("letters.zip", content.getvalue())

    def test_it_is_looked_into_and_started_under_another_name(
        self, client: Client, file: SimpleUploadedFile, project: Project
    ) -> None:
        client.force_login(restorer("berta"))

        response = client.post(reverse("restore"), {"file": file})
        upload = ArchiveUpload.objects.get()
        assert response.headers["Location"] == reverse("restore-upload", args=[upload.key])
        assert Project.objects.count() == 1
        page = text(client.get(reverse("restore-upload", args=[upload.key])))
        assert "Sentences, Spanish (es)" in page
        assert 'value="letters-2"' in page
        refused = client.post(reverse("restore-upload", args=[upload.key]), {"slug": "letters"})
        assert refused.status_code == 422
        assert "already" in text(refused)

        client.post(reverse("restore-upload", args=[upload.key]), {"slug": "letters-2"})

        assert Job.objects.get().kind == JobKind.RESTORE
        assert "The project is being restored" in text(client.get(reverse("restore-upload", args=[upload.key])))
        assert client.get(reverse("project", args=["letters-2"])).status_code == 404
        client.post(reverse("restore-cancel", args=[upload.key]))
        assert "Nothing was restored" in text(client.get(reverse("restore-upload", args=[upload.key])))

    def test_what_somebody_else_uploaded_is_not_there(
        self, client: Client, file: SimpleUploadedFile, project: Project
    ) -> None:
        client.force_login(restorer("berta"))
        client.post(reverse("restore"), {"file": file})
        upload = ArchiveUpload.objects.get()
        client.force_login(restorer("carla"))

        for name in ("restore-upload", "restore-cancel"):
            assert client.post(reverse(name, args=[upload.key]), {"slug": "mine"}).status_code == 404
        upload.refresh_from_db()
        assert (upload.job_id, upload.ended_at) == (None, None)
        assert upload.name not in text(client.get(reverse("restore")))


def restorer(username: str) -> User:
    """Somebody who was given the permission to restore backups."""
    user = make_user(username)
    user.restores_projects = True
    user.save()
    return user


def test_what_is_no_archive_is_said_and_not_kept(client: Client, tmp_path: Path) -> None:
    client.force_login(restorer("berta"))

    response = client.post(reverse("restore"), {"file": SimpleUploadedFile("es.txt", b"Una carta .\n" * 10)})

    assert response.status_code == 422
    assert "This is not a project backup. Choose another file." in text(response)
    assert list(tmp_path.rglob("*.zip")) == []


@pytest.mark.parametrize("creators", ["everybody", "chosen"])
def test_nobody_but_site_admins_restores_until_it_is_given(
    client: Client, mara: User, settings: Any, creators: str
) -> None:
    settings.PROJECT_CREATORS = creators

    assert client.get(reverse("restore")).status_code == 403
    assert client.post(reverse("restore"), {"file": SimpleUploadedFile("a.zip", b"PK")}).status_code == 403
    assert "Restore a project backup" not in text(client.get(reverse("projects")))
    assert not ArchiveUpload.objects.exists()

    for user in (make_user(superuser=True), restorer("berta")):
        client.force_login(user)
        assert client.get(reverse("restore")).status_code == 200
        assert "Restore a project backup" in text(client.get(reverse("projects")))


def test_what_an_uploaded_backup_lacks_is_said_before_and_after_it_is_restored(client: Client, db: None) -> None:
    berta = restorer("berta")
    client.force_login(berta)
    about = {"name": "Letters", "slug": "letters", "people": [], "changed_at": "", "left_out": {}}
    now = timezone.now()
    for ended, missing in ((None, [3]), (now, [3]), (None, [])):
        row = ArchiveUpload.objects.create(
            name="a.zip", size=1, about={**about, "missing_releases": missing}, created_by=berta, expires_at=now,
            ended_at=ended,
        )  # fmt: skip
        said = "Releases without a file</dt> <dd>3</dd>" in text(client.get(reverse("restore-upload", args=[row.key])))
        assert said is bool(missing)


class TestPeople:
    """Of a restored project: placeholders, until a site admin says who they are."""

    @pytest.fixture
    def restored(self, project: Project, transactional_db: None) -> Project:
        ana = make_member(project, username="ana")
        User.objects.filter(pk=ana.pk).update(first_name="Ana", is_superuser=True)
        make_annotation(make_sentence(project), ana)
        content = io.BytesIO()
        write_archive(project=project, file=content)
        return restore_archive(file=content, slug="restored", by=None)

    def test_nobody_of_a_backup_is_an_account_of_here(self, client: Client, restored: Project) -> None:
        (placeholder,) = placeholders_of(restored)
        account = User.objects.get(username="ana")

        assert (placeholder.username, str(placeholder)) == (f"ana~{restored.pk}", "Ana (from a backup)")
        assert not (placeholder.is_active or placeholder.is_superuser or placeholder.has_usable_password())
        assert not restored.memberships.filter(user=account).exists()
        assert not restored.annotations.filter(user=account).exists()

    def test_a_site_admin_maps_one_and_a_manager_does_not(self, client: Client, restored: Project) -> None:
        (placeholder,) = placeholders_of(restored)
        ben = make_user("ben")
        address = reverse("member-map", args=["restored", placeholder.pk])
        client.force_login(make_member(restored, Role.MANAGER))
        assert "People from the backup" not in text(client.get(reverse("members", args=["restored"])))
        assert client.post(address, {"account": "ben"}).status_code == 404

        client.force_login(make_user(superuser=True))
        assert "People from the backup" in text(client.get(reverse("members", args=["restored"])))
        client.post(address, {"account": "nobody"})
        assert placeholders_of(restored) == [placeholder]
        client.post(address, {"account": "ben"})

        assert placeholders_of(restored) == []
        assert restored.annotations.get().user == ben
        assert restored.memberships.get(user=ben).role == Role.ANNOTATOR
        mapped = restored.events.get(verb=Verb.MEMBER_MAPPED)
        assert (mapped.before, mapped.after) == ({"user": placeholder.pk}, {"user": ben.pk})
        assert "People from the backup" not in text(client.get(reverse("members", args=["restored"])))

    def test_whoever_worked_in_the_project_or_is_no_account_is_refused(self, restored: Project) -> None:
        (placeholder,) = placeholders_of(restored)
        worked = make_member(restored)
        make_annotation(make_sentence(restored), worked)
        gone = make_user()
        User.objects.filter(pk=gone.pk).update(is_active=False)
        gone.refresh_from_db()

        for account in (worked, gone, placeholder):
            with pytest.raises(ActionError):
                map_person(project=restored, placeholder=placeholder, account=account, by=None)
        other = make_project("others")
        with pytest.raises(ActionError):
            map_person(project=other, placeholder=placeholder, account=make_user(), by=None)

        assert placeholders_of(restored) == [placeholder]

    def test_its_events_say_that_they_came_with_it(self, client: Client, restored: Project) -> None:
        events = restored.events.all()
        assert all(event.restored_at is not None for event in events)
        assert not Event.objects.exclude(project=restored).exclude(restored_at=None).exists()

    def test_the_site_admin_cannot_make_an_account_of_a_placeholder(self, client: Client, restored: Project) -> None:
        (placeholder,) = placeholders_of(restored)
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=placeholder.pk).update(is_active=True)
