"""What is sent to a page is read only where its sender may send it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.models import Role, User
from tests.factories import make_member, make_project, make_user
from tests.unread import BodyReadError, all_addresses, send_unread

pytestmark = pytest.mark.django_db
REFUSED = {302, 400, 401, 403, 404, 405, 413, 415, 429}
SENT = [("POST", "multipart/form-data; boundary=b"), ("POST", "application/json"), ("PATCH", "application/json")]
KINDS = ("multipart/form-data; boundary=b", "application/json", "application/x-www-form-urlencoded")


def browser_of(user: User | None) -> Client:
    """With the check of form tokens, as in a browser."""
    client = Client(enforce_csrf_checks=True)
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def people(settings: Any) -> dict[str, User | None]:
    settings.PROJECT_CREATORS = "chosen"
    project = make_project("letters")
    return {
        "stranger": None,
        "nobody": make_user(),
        "outsider": make_member(make_project("others"), Role.MANAGER),
        "annotator": make_member(project),
        "adjudicator": make_member(project, Role.ADJUDICATOR),
    }


@pytest.mark.slow
@pytest.mark.parametrize("who", ["stranger", "nobody", "outsider", "annotator", "adjudicator"])
def test_nobody_without_permission_has_a_large_body_read(people: dict[str, User | None], who: str) -> None:
    client = browser_of(people[who])
    for address in all_addresses("letters"):
        for method, kind in SENT:
            # What reads it raises.
            answer = send_unread(client, address, method=method, kind=kind)
            # The page of the sign-in is shown whatever is sent to it in a way that nobody sends forms.
            assert answer.status_code in REFUSED | {200}, (address, method, kind, answer.status_code)
            assert answer.status_code != 200 or method != "POST", (address, kind)


@pytest.mark.parametrize("who", ["stranger", "nobody", "outsider", "annotator", "adjudicator"])
@pytest.mark.parametrize("address", ["/projects/letters/import/", "/projects/letters/import/1/files/", "/restore/"])
def test_no_file_is_read_from_whoever_may_bring_none(people: dict[str, User | None], who: str, address: str) -> None:
    answer = send_unread(browser_of(people[who]), address, size=100)

    assert answer.status_code in {302, 403, 404}


@pytest.mark.parametrize("kind", KINDS)
def test_a_member_without_the_role_has_nothing_read_by_the_api(people: dict[str, User | None], kind: str) -> None:
    drafts = "/api/v1/projects/letters/imports/drafts/"

    for address in (drafts, f"{drafts}1/files/", f"{drafts}1/text/", "/api/v1/archives/"):
        assert send_unread(browser_of(people["annotator"]), address, size=100, kind=kind).status_code == 403


def test_who_may_is_read_up_to_a_size_by_role(people: dict[str, User | None], settings: Any) -> None:
    settings.SHORT_BODY_BYTES, settings.BODY_BYTES, settings.LONG_BODY_BYTES = 1_000, 10_000, 100_000
    settings.IMPORT_MAX_BYTES = settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
    manager, admin = make_member(make_project("own"), Role.MANAGER), make_user()
    User.objects.filter(pk=admin.pk).update(is_superuser=True, is_staff=True)
    member = make_member(make_project("theirs"))

    def read(user: User | None, address: str) -> int:
        """The largest size that is read."""
        sizes = [500, 5_000, 50_000, 500_000, 2_500_000, 10_000_000]
        return max([size for size in sizes if _reads(user, address, size)], default=0)

    assert read(None, "/sign-in/") == 500
    assert read(member, "/account/") == 5_000
    assert read(member, "/projects/theirs/stages/1/items/hand-back/") == 5_000
    assert read(member, "/projects/own/stages/1/items/hand-back/") == 500
    assert read(manager, "/projects/own/settings/") == 50_000
    # It takes pictures.
    assert read(manager, "/projects/own/guidelines/edit/") == 2_500_000
    assert read(manager, "/projects/own/import/") == 2_500_000
    assert read(admin, "/admin/annotator/user/add/") == 50_000


def _reads(user: User | None, address: str, size: int) -> bool:
    try:
        answer = send_unread(browser_of(user), address, size=size, HTTP_X_CSRFTOKEN="")
    except BodyReadError:
        return True
    assert answer.status_code in REFUSED
    return False


def test_files_are_kept_by_pages_that_take_them_alone(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "annotator.core.files.uploaded.OneFileUploadHandler.new_file", lambda *_args, **_more: written.append("a file")
    )
    client.force_login(make_member(make_project("letters"), Role.MANAGER))
    for name in ("account", "new-project"):
        client.post(reverse(name), {"file": SimpleUploadedFile("a.bin", b"x" * 50_000)})
    client.post(reverse("settings", args=["letters"]), {"file": SimpleUploadedFile("a.bin", b"x" * 50_000)})

    assert written == []


def test_what_is_too_large_is_said_on_a_page_and_to_scripts_in_a_sentence(client: Client) -> None:
    client.force_login(make_member(make_project("letters"), Role.MANAGER))
    address = reverse("settings", args=["letters"])

    page = send_unread(client, address)
    said = send_unread(client, address, HTTP_HX_REQUEST="true")

    assert (page.status_code, said.status_code) == (413, 413)
    assert "This is too large to send at once. The limit is 5.0\xa0MB." in page.content.decode()
    assert said.content.decode() == "This is too large to send at once. The limit is 5.0\xa0MB."
