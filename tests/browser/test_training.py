"""A training batch on the workspace of its stage: answered by keyboard, compared with gold, and the way in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web
from tests.browser.test_axe import look, with_axe

pytestmark = pytest.mark.browser

SETUP = """
from django.conf import settings
from django.test import Client
from tests.factories import make_gold, make_sentence, span, stage_of
stage = stage_of(project, "correct")
for number in range(2):
    make_gold(make_sentence(project), [span(2)] if number else [])
stage.training = {"count": 2, "labelled": 50, "seed": 1, "threshold": 0.5}
stage.save()
made["stage"] = stage.pk
made["people"] = []
for role in ("annotator", "manager"):
    client = Client()
    client.force_login(make_member(project, role))
    made["people"].append(client.cookies[settings.SESSION_COOKIE_NAME].value)
"""


def test_a_batch_is_answered_on_the_workspace(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.new_project(SETUP)
    pages = []
    for key in made["people"]:
        page = with_axe(new_page())
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": web.url}])
        pages.append(page)
    novice, manager = pages
    address = f"{web.url}/projects/{made['slug']}/stages/{made['stage']}"
    novice.goto(f"{address}/work/")
    novice.get_by_role("button", name="Start the training").click()
    for number in (1, 2):
        expect(novice.locator(f"#ws-body[data-key='{number}']")).to_be_visible()
        if number == 1:
            look(novice, "training-work")
        novice.keyboard.press("Enter")
    expect(novice.locator("#ws-progress-text")).to_contain_text("2")
    expect(novice.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    novice.get_by_role("link", name="Back to the training").click()
    look(novice, "training")
    novice.get_by_role("button", name="Finish and compare with gold").click()
    expect(novice.get_by_role("heading", name="Agreement with gold")).to_be_visible()
    expect(novice.get_by_role("button", name="Try another batch")).to_be_visible()
    look(novice, "training")

    manager.goto(f"{web.url}/projects/{made['slug']}/settings/stages/{made['stage']}/training/")
    look(manager, "settings-training")
    manager.get_by_role("row").filter(has_text="0.00").get_by_role("button").click()
    expect(manager.get_by_role("button", name="Let out")).to_have_count(1)
    novice.goto(f"{address}/work/")
    expect(novice).to_have_url(f"{address}/work/")
