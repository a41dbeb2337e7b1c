"""Files in a bucket: what one machine makes, another one, which has nothing of it on its disk, reads."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotator.backup.actions.uploads import start_restoring, sweep_uploads, take_archive
from annotator.core.files.storage import site_files
from annotator.imports.drafts.drafts import start_check, start_import, sweep_drafts
from annotator.imports.reading.problems import problems_csv
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Archive, ImportDraft, Job, JobKind, JobState, Project, Release, Role, Suggestion
from annotator.projects.actions.delete_project import delete_project
from tests.clients import client_of
from tests.drafts import SPANISH, draft_of, make_plain, sentences
from tests.factories import make_gold, make_member, make_project, make_sentence, make_user, span, store
from tests.storage import ObjectServer
from tests.tasks.test_train import figurative, labelled, predict, train

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


@pytest.fixture
def machine(bucket: ObjectServer, settings: Any, tmp_path: Path) -> Callable[[str], None]:
    """Makes this process the machine of that name."""

    def is_now(name: str) -> None:
        settings.STORAGES = {**settings.STORAGES, "default": bucket.settings(tmp_path / name)}

    return is_now


@pytest.fixture
def labels(bucket: ObjectServer) -> Project:
    made = make_project("letters")
    make_member(made, Role.MANAGER, username="mara")
    make_gold(make_sentence(made, "Ana sows doubt"), [span(1)])
    return made


def run(job: Job) -> Job:
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def downloaded(project: Project, address: str) -> bytes:
    client = client_of(project.memberships.get(user__username="mara").user)
    client.force_login(project.memberships.get(user__username="mara").user)
    answer = client.get(address)
    assert answer.status_code == 200, address
    content: bytes = b"".join(answer.streaming_content)
    assert int(answer.headers["Content-Length"]) == len(content)
    return content


def test_releases_exports_and_backups_are_downloaded_from_another_machine(
    labels: Project, machine: Callable[[str], None], bucket: ObjectServer
) -> None:
    machine("worker")
    run(start_job(project=labels, kind=JobKind.RELEASE, params={"partial": True}, by=None))
    run(start_job(project=labels, kind=JobKind.ARCHIVE, params={}, by=None))
    chosen = {"format": "jsonl", "layer": labels.label_layer.slug, "languages": ["es"]}
    more = {"whose": "gold", "name": "", "undecided": False}
    export = run(start_job(project=labels, kind=JobKind.EXPORT, params={**chosen, **more}, by=None))

    machine("web")
    release, archive = Release.objects.get(), Archive.objects.get()
    for address, sha256 in (
        ("/projects/letters/releases/1/download/", release.sha256),
        (f"/api/v1/projects/letters/archives/{archive.pk}/file/", archive.sha256),
        (f"/api/v1/projects/letters/exports/{export.pk}/file/", export.result["sha256"]),
    ):
        assert hashlib.sha256(downloaded(labels, address)).hexdigest() == sha256
    assert sorted(bucket.names()) == [
        f"archives/{labels.pk}/{archive.job_id}.zip",
        f"exports/{labels.pk}/{export.pk}.jsonl",
        "releases/letters/letters-1.zip",
    ]


def test_a_release_that_is_gone_is_a_page_that_says_so(labels: Project, machine: Callable[[str], None]) -> None:
    run(start_job(project=labels, kind=JobKind.RELEASE, params={"partial": True}, by=None))
    site_files().delete(Release.objects.get().stored)
    client = client_of()
    client.force_login(labels.memberships.get().user)

    answer = client.get("/projects/letters/releases/1/download/")

    assert answer.status_code == 404
    assert "letters-1.zip is missing on this site" in answer.content.decode()


def test_a_backup_that_one_machine_takes_is_restored_by_another(
    labels: Project, machine: Callable[[str], None], bucket: ObjectServer
) -> None:
    run(start_job(project=labels, kind=JobKind.RELEASE, params={"partial": True}, by=None))
    run(start_job(project=labels, kind=JobKind.ARCHIVE, params={}, by=None))
    with site_files().open(Archive.objects.get().stored) as file:
        content = file.read()
    berta = make_user("berta", superuser=True)
    machine("web")
    upload = take_archive(chunks=[content], name="letters.zip", by=berta, now=timezone.now())
    assert upload.stored in bucket.names()
    job = start_restoring(upload=upload, slug="restored", by=berta)

    machine("worker")
    run(job)

    assert sentences(Project.objects.get(slug="restored"), "es") == ["Ana sows doubt"]
    release = Release.objects.get(project__slug="restored")
    with site_files().open(release.stored) as file:
        assert hashlib.sha256(file.read()).hexdigest() == release.sha256
    assert upload.stored not in bucket.names()


def test_a_draft_is_brought_to_one_machine_and_imported_by_another(
    machine: Callable[[str], None], bucket: ObjectServer, tmp_path: Path
) -> None:
    project = make_plain()
    machine("web")
    draft = draft_of(project, {"es.txt": SPANISH + "\n\n"}, publishable=True)
    job = start_check(draft=draft, by=None)

    machine("worker")
    run(job)
    found = list(problems_csv(draft))

    machine("web")
    assert list(problems_csv(draft)) == found
    job = start_import(draft=ImportDraft.objects.get(), by=None)
    machine("worker")
    run(job)

    assert sentences(project, "es") == SPANISH.replace(" .", " .").splitlines()
    assert bucket.names() == []
    assert not [path for path in (tmp_path / "worker").rglob("*") if path.is_file()]


def test_a_detector_that_one_machine_trained_labels_on_another(
    machine: Callable[[str], None], bucket: ObjectServer
) -> None:
    project = make_project()
    labelled(project, make_member(project), 100)
    figurative(project, 1001, 1003, 1004)
    machine("one")
    spec = run(train(project)).result["detector"]
    assert any(name.startswith(f"models/{project.pk}/") for name in bucket.names())

    machine("two")
    Suggestion.objects.all().delete()
    job = run(predict(project, detector=spec))

    assert job.result["sentences"] == Suggestion.objects.count() == 3


def test_a_project_goes_with_its_files_and_strays_go_with_time(
    labels: Project, machine: Callable[[str], None], bucket: ObjectServer
) -> None:
    other = make_plain("other")
    kept = draft_of(other, {"es.txt": SPANISH})
    for project in (labels, other):
        for folder in ("archives", "exports", "models"):
            store(f"{folder}/{project.pk}/1.zip", b"PK")
        store(f"releases/{project.slug}/{project.slug}-1.zip", b"PK")
    store("uploads/drafts/0123/lost.txt", b"Ana sows doubt.")
    store("uploads/archives/0123.zip", b"PK")

    run_job(delete_project(project=labels, name=labels.name, by=None).pk, worker="one")
    now = timezone.now()
    sweep_drafts(now=now + timedelta(hours=2))
    sweep_uploads(now=now + timedelta(days=2))

    of_other = [f"{folder}/{other.pk}/1.zip" for folder in ("archives", "exports", "models")]
    draft_files = [kept.file(one["stored"]) for one in kept.files]
    assert sorted(bucket.names()) == sorted([*of_other, "releases/other/other-1.zip", *draft_files])


def test_nothing_is_kept_of_an_upload_that_is_refused(bucket: ObjectServer, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"letters\.zip|archive|backup"):
        take_archive(
            chunks=[b"no ", b"zip"],
            name="letters.zip",
            by=make_user("berta", superuser=True),
            now=timezone.now(),
        )

    assert bucket.names() == []
    assert not [path for path in (tmp_path / "copies").rglob("*") if path.is_file()]
