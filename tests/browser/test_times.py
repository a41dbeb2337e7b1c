"""Times on pages are the reader's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, sign_in

pytestmark = pytest.mark.browser

FILLED = """
from datetime import UTC, datetime
user.memberships.update(role="manager")
Job.objects.create(project=project, kind="predict", state="done")
Job.objects.filter(project=project).update(created_at=datetime(2026, 11, 25, 23, 30, tzinfo=UTC))
"""


def test_a_reader_in_madrid_reads_when_it_was_there(new_page: Callable[..., Page], web: Web) -> None:
    made = web.new_project(FILLED)
    for zone, said in (("Europe/Madrid", "26 Nov 2026, 00:30"), ("America/Lima", "25 Nov 2026, 18:30")):
        page = new_page(timezone_id=zone)
        sign_in(page, web, made["user"])
        page.goto(f"{web.url}/projects/{made['slug']}/jobs/")
        expect(page.locator("time[data-when]").first).to_have_text(said)
