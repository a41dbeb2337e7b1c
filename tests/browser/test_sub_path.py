"""An installation below a path of a host: the scripts of its pages ask for nothing beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, sign_in_with_form
from tests.site import Site

pytestmark = pytest.mark.browser


def test_work_below_a_path(page: Page, tmp_path: Path, migrated_file: Path) -> None:
    site = Site(tmp_path / "site")
    shutil.copy(migrated_file, site.folder)
    site.env["SCRIPT_NAME"] = "/translatio"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    try:
        with site.served("--preload", "--threads", "4") as address:
            web = Web(site, address)
            made = web.new_project('made["stage"] = stage_of(project, "correct").pk\nmake_sentence(project)\n')
            sign_in_with_form(page, web, made["user"])
            open_stage(page, web, made["slug"], made["stage"])
            page.keyboard.press("Enter")
            expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")
            assert web.spans(made["slug"], made["user"])[0][1] == "done"
            page.goto(f"{address}/projects/{made['slug']}/stages/{made['stage']}/items/")
            page.locator(".site-header summary").last.click()
            page.get_by_role("button", name="Sign out").click()
            expect(page).to_have_url(f"{address}/sign-in/")
            assert [url for url in asked if not url.startswith((f"{address}/", "data:"))] == []
    finally:
        site.stop()
