"""The page of all components: photographed, and looked at by axe."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, WIDE, Web, sign_in
from tests.browser.test_axe import RULES, faults, too_wide, with_axe
from tests.forks import ROOT

pytestmark = pytest.mark.browser
FOLDER = ROOT / "build" / "styleguide"


def test_every_component_breaks_no_rule_in_any_theme(web: Web, page: Page) -> None:
    admin = web.python("out(make_user(superuser=True).username)")
    sign_in(page, web, admin)
    with_axe(page)
    page.goto(f"{web.url}/styleguide/")
    found = []
    for name, size in (("wide", WIDE), ("phone", PHONE)):
        page.set_viewport_size(size)
        FOLDER.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=FOLDER / f"{name}.png", full_page=True)
        found += [f"{name}: {fault}" for fault in faults(page, RULES) + too_wide(page)]
    assert found == []
