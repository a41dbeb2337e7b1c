"""From the dashboard to a given sentence, and to one's own work on it; how its words stand on a narrow screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, sign_in

pytestmark = pytest.mark.browser

WORDS = " ".join(["Ana , la vecina de arriba , guarda cartas viejas : quince ."] * 3)
SENTENCES = f"""
stage = stage_of(project, "correct")
made["stage"] = stage.pk
given = make_sentence(project, {WORDS!r})
make_sentence(project, "El tiempo vuela")
row = make_assignment(given, user, stage)
made["item"], made["uid"] = row.pk, given.segment.uid
make_assignment(given, make_member(project), stage, mode="blind")
"""


@pytest.fixture
def made(web: Web) -> dict[str, Any]:
    return web.new_project(SENTENCES)


def test_a_sentence_is_found_by_its_words_and_opened(page: Page, web: Web, made: dict[str, Any]) -> None:
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/")
    field = page.get_by_role("searchbox", name="Search sentences")
    field.fill("vecina cartas")
    field.press("Enter")
    page.get_by_role("link", name="Ana , la vecina").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(made["uid"])
    page.get_by_role("link", name="Open it").click()

    expect(page.locator(".tokens .chip-text")).to_have_text(WORDS.split(" "))


def test_on_a_phone_a_mark_stands_beside_its_word(page: Page, web: Web, made: dict[str, Any]) -> None:
    page.set_viewport_size(PHONE)
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/stages/{made['stage']}/work/?item={made['item']}")
    expect(page.locator(".tokens .chip")).to_have_count(len(WORDS.split(" ")))

    tops = page.locator(".tokens .chip").evaluate_all("chips => chips.map((chip) => chip.getBoundingClientRect().top)")

    apart = [at for at, word in enumerate(WORDS.split(" ")) if word in ",:." and tops[at] != tops[at - 1]]
    assert apart == []
    assert len(set(tops)) > 3
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
