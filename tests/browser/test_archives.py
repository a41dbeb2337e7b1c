"""A project into one file and back, by clicks: written, downloaded, looked into, restored under another short name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, sign_in

pytestmark = pytest.mark.browser

RUN = (
    "from annotator.jobs.running import run_job\n"
    "[run_job(job.pk, worker='test') for job in Job.objects.filter(state='queued', kind={kind!r})]"
)


def test_a_project_is_archived_downloaded_and_restored(web: Web, new_page: Callable[..., Page], tmp_path: Path) -> None:
    made = web.new_project(
        "Membership.objects.filter(user=user).update(role='manager')\n"
        "User.objects.filter(pk=user.pk).update(restores_projects=True)\n"
        "make_gold(make_sentence(project, 'Els preus pugen', language='es'), [span(2)])"
    )
    page = new_page()
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/settings/")

    page.get_by_role("navigation", name="Settings").get_by_role("link", name="Backup").click()
    expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
    page.get_by_role("button", name="Create a project backup").click()
    expect(page.get_by_role("button", name="Cancel the job")).to_be_visible()
    web.python(RUN.format(kind="archive"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the backup").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name.startswith(f"{made['slug']}-archive-")
    page.get_by_role("link", name="All project backups").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("names")
    page.goto(f"{web.url}/projects/{made['slug']}/settings/delete/")
    expect(page.get_by_text("Nothing has changed since then")).to_be_visible()

    page.get_by_role("link", name="Translatio").click()
    page.get_by_role("link", name="Restore a project backup").click()
    page.get_by_label("Project backup").set_input_files(file)
    page.get_by_role("button", name="Inspect the backup").click()
    held = page.get_by_role("region", name="Contents of the backup")
    expect(held).to_contain_text("Sentences, Spanish (es)")
    expect(page.get_by_text("this one needs another")).to_be_visible()
    page.get_by_label("Short name").fill("restored")
    page.get_by_role("button", name="Restore the project").click()
    expect(page.get_by_role("heading", name="The project is being restored")).to_be_visible()
    web.python(RUN.format(kind="restore"))
    page.get_by_role("link", name="Go to the project").click()

    expect(page).to_have_url(f"{web.url}/projects/restored/")
    found = web.python("out(list(Project.objects.get(slug='restored').sentences.values_list('tokens', flat=True)))")
    assert found == [["Els", "preus", "pugen"]]

    web.python(f"User.objects.filter(username={made['user']!r}).update(is_superuser=True)")
    page.goto(f"{web.url}/projects/restored/members/")
    expect(page.get_by_role("heading", name="People from the backup")).to_be_visible()
    page.get_by_label("Username of the account of").first.fill("nobody")
    page.get_by_role("button", name="Map to account").first.click()
    expect(page.get_by_text("No active account has this username")).to_be_visible()

    phone = new_page(PHONE, color_scheme="dark", locale="es-ES")
    sign_in(phone, web, made["user"])
    key = web.python(f"out(ArchiveUpload.objects.get(created_by__username={made['user']!r}).key.hex)")
    upload = f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:]}"
    for path in ("archives/", "settings/delete/", "settings/copy/"):
        phone.goto(f"{web.url}/projects/{made['slug']}/{path}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    for path in ("restore/", f"restore/{upload}/", "projects/restored/members/"):
        phone.goto(f"{web.url}/{path}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
