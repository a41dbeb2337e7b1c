"""Forms and calls that grow with the data take as much as the data is."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator.core.files.storage import site_files
from annotator.core.files.uploads import MAX_FILES
from annotator.imports.drafts.drafts import start_draft
from annotator.models import ImportDraft, Project, Role, User
from tests.clients import client_of
from tests.drafts import make_plain
from tests.factories import make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(client: Client, uploads: Path) -> User:
    made = make_member(make_plain(languages=("es",)), Role.MANAGER, username="mara")
    client.force_login(made)
    return made


@pytest.fixture
def few_open_files() -> Iterator[None]:
    """Room for fewer files than are sent, beside those that the process of the tests has open already."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/dev/fd")) + 200, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def files(number: int, size: int = 0) -> list[SimpleUploadedFile]:
    return [
        SimpleUploadedFile(f"text-{place:05}.txt", f"Llueve sobre la casa {place} .\n".encode() * (size // 30 + 1))
        for place in range(number)
    ]


def by_page(client: Client, mara: User, sent: list[SimpleUploadedFile]) -> None:
    answer = client.post("/projects/corpus/import/", {"files": sent})
    assert answer.status_code == 302


def by_api(client: Client, mara: User, sent: list[SimpleUploadedFile]) -> None:
    draft = start_draft(project=Project.objects.get(), by=mara)
    address = f"/api/v1/projects/corpus/imports/drafts/{draft.pk}/files/"
    assert client_of(mara).post(address, {"files": sent}, format="multipart").status_code == 200


Way = Callable[[Client, User, list[SimpleUploadedFile]], None]


@pytest.mark.parametrize("way", [by_page, by_api])
@pytest.mark.parametrize(("number", "size"), [(1, 0), (100, 0), (101, 0), (400, 300)])
def test_any_number_of_files_comes_at_once(
    client: Client, mara: User, few_open_files: None, way: Way, number: int, size: int
) -> None:
    sent = files(number, size)

    way(client, mara, sent)

    draft = ImportDraft.objects.get()
    assert [one["name"] for one in draft.files] == [one.name for one in sent]
    for one, file in zip(draft.files, sent, strict=True):
        file.seek(0)
        assert site_files().here(draft.file(one["stored"])).read_bytes() == file.read()


def test_more_files_than_an_import_has_are_refused_in_words(client: Client, mara: User) -> None:
    sent = [SimpleUploadedFile(f"{place}.txt", b"x\n") for place in range(MAX_FILES + 1)]

    page = client.post("/projects/corpus/import/", {"files": sent})

    assert (page.status_code, "An import can have at most 10000 files." in page.content.decode()) == (422, True)
    assert not ImportDraft.objects.exists()


@pytest.mark.parametrize("address", ["/projects/corpus/import/", "/projects/corpus/guidelines/edit/"])
def test_more_than_any_form_has_is_said_in_words(client: Client, mara: User, settings: Any, address: str) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = settings.DATA_UPLOAD_MAX_NUMBER_FILES = 50

    fields = client.post(address, {f"f{number}": "x" for number in range(60)})
    pieces = client.post(address, {"files": files(60), "text": "x"}, headers={"HX-Request": "true"})

    for answer in (fields, pieces):
        assert (answer.status_code, "too many files or fields" in answer.content.decode()) == (400, True)


def test_as_many_files_are_taken_anew(client: Client, mara: User) -> None:
    by_page(client, mara, files(150))
    draft = ImportDraft.objects.get()
    before = {one["name"]: one["id"] for one in draft.files}

    answer = client.post(f"/projects/corpus/import/{draft.pk}/files/", {"files": files(150, 200)}, follow=True)

    draft.refresh_from_db()
    assert {one["name"]: one["id"] for one in draft.files} == before
    assert min(one["size"] for one in draft.files) > 150
    assert "150 files were read again." in answer.content.decode()


def test_a_draft_of_many_files_is_corrected(client: Client, mara: User) -> None:
    by_page(client, mara, files(400))
    draft = ImportDraft.objects.get()
    address = f"/projects/corpus/import/{draft.pk}/"
    assert client.get(address).status_code == 200

    fields = {f"file-{one['id']}-encoding": "utf-8" for one in draft.files}
    many = {f"file-{one['id']}-{name}": "es" for one in draft.files for name in ("language", "role", "a", "b")}
    page = client.post(address, {"shown": "1", **many, **fields})
    said = client_of(mara).patch(
        f"/api/v1/projects/corpus/imports/drafts/{draft.pk}/",
        {"files": {one["id"]: {"language": "es", "encoding": "utf-8"} for one in draft.files}},
    )

    assert (page.status_code, said.status_code) == (302, 200)
    draft.refresh_from_db()
    assert len(draft.chosen) >= 800


def test_long_text_is_pasted_on_the_page_and_over_the_api(client: Client, mara: User) -> None:
    text = "Llueve sobre la casa de la abuela de Ana .\n" * 130_000
    assert len(text) > 5 * 1024 * 1024
    draft = start_draft(project=Project.objects.get(), by=mara)

    page = client.post("/projects/corpus/import/", {"text": text, "name": "a.txt"})
    said = client_of(mara).post(f"/api/v1/projects/corpus/imports/drafts/{draft.pk}/text/", {"text": text})

    assert (page.status_code, said.status_code) == (302, 200)
    assert [one.size for one in ImportDraft.objects.all()] == [len(text)] * 2


def test_more_text_than_can_be_pasted_is_to_be_sent_as_a_file(client: Client, mara: User, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000

    page = client.post("/projects/corpus/import/", {"text": "x" * 20_000}, headers={"HX-Request": "true"})

    assert (page.status_code, page.content.decode()) == (
        413,
        "This text is too long for a form (at most 9.8\xa0KB). Save it as a file, and upload that.",
    )


def test_a_label_set_of_hundreds_is_shown_what_it_will_do(client: Client, mara: User) -> None:
    codes = [f"LABEL-{number:04}" for number in range(1, 400)]
    empty = [""] * len(codes)
    rows = {"code": codes, "name": codes, "old": empty, "key": empty, "description": ["Long words. " * 30] * len(codes)}

    page = client.post("/projects/corpus/settings/labels/labels/", {"version": "1", "rows": "399", **rows})

    # The scheme says how many labels there may be; all that were sent are shown with that.
    assert page.status_code in {200, 422}
    assert "LABEL-0399" in page.content.decode()


def test_choices_for_a_new_project_do_not_stand_in_the_address(client: Client, mara: User) -> None:
    sent = {"name": "News", "start": "labels", "labels": "\n".join(f"LABEL-{number}" for number in range(2_000))}

    page = client.get("/projects/new/").content.decode()
    shown = client.post("/projects/new/", sent, headers={"HX-Request": "true"})

    assert "hx-get" not in page
    assert (shown.status_code, Project.objects.count()) == (200, 1)
