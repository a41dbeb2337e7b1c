"""Many files at once, by clicks; and what a page says of those that were not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web
from tests.browser.test_import import go, project, write

pytestmark = pytest.mark.browser


def test_a_hundred_and_one_files_are_chosen_at_once(page: Page, web: Web, tmp_path: Path) -> None:
    project(page, web)
    files = write(tmp_path, **{f"carta-{number:03}__es__txt": f"Carta {number} .\n" for number in range(101)})

    page.get_by_label("Choose files, or drop them here").set_input_files(files)

    page.wait_for_url("**/import/*/**", timeout=60_000)
    go(page, "Import")
    expect(page.get_by_role("button", name="Import 101 sentences in es")).to_be_visible(timeout=60_000)


def test_who_has_no_room_left_is_told_so_where_the_files_were_chosen(page: Page, web: Web, tmp_path: Path) -> None:
    slug = project(page, web)
    web.python(
        "from annotator.models import ImportDraft, Membership, Project\n"
        f"member = Membership.objects.get(project__slug={slug!r})\n"
        "ImportDraft.objects.create(project=member.project, created_by=member.user, expires_at='2100-01-01T00:00Z', "
        "dataset='full', size=500 * 1024 * 1024)"
    )

    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, a__es__txt="Llueve .\n"))

    expect(page.locator("#drop-refused")).to_contain_text("An account can keep at most 500 MB")


def test_choices_of_a_new_project_with_many_labels(page: Page, web: Web) -> None:
    project(page, web)
    page.goto(f"{web.url}/projects/new/")
    page.get_by_role("radio").nth(1).check()

    expect(page.locator("#choices")).to_be_visible()
    expect(page.locator("#choices")).not_to_contain_text("403")
