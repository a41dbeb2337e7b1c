"""From the dashboard to a given sentence, and to one's work on it; labelling many from a list; small screens."""

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
    page.get_by_role("link", name=made["uid"]).click()
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


MANY = """
for _ in range(60):
    make_sentence(project, "La campaña de la mañana acaba hoy")
"""


@pytest.fixture
def many(web: Web) -> dict[str, Any]:
    return web.new_project(MANY)


def test_found_words_are_labelled_by_keyboard_and_undone(page: Page, web: Web, many: dict[str, Any]) -> None:
    sign_in(page, web, many["user"])
    page.goto(f"{web.url}/projects/{many['slug']}/find/?view=context")
    page.keyboard.press("/")
    expect(page.locator("#find-q")).to_be_focused()
    page.keyboard.type("camp-")
    page.keyboard.press("Enter")
    label = page.get_by_role("button", name="Label as METAPHOR")
    expect(label).to_be_disabled()
    boxes = page.locator("input[name=rows]")
    boxes.nth(0).focus()
    page.keyboard.press("Space")
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.locator("[data-selection-count]")).to_have_text("Selected: 4 (free: 4)")
    label.click()

    told = page.get_by_role("region", name="Last action")
    expect(told).to_contain_text("METAPHOR was added to 4 free sentences")
    expect(page.locator("mark.is-labelled").first).to_have_text("campaña")
    # It can be undone later, too.
    page.goto(f"{web.url}/projects/{many['slug']}/")
    page.goto(f"{web.url}/projects/{many['slug']}/find/?q=camp-&view=context")
    told.get_by_role("button", name="Undo").click()
    expect(told).to_contain_text("4 items were returned to the queue.")
    expect(page.locator("mark.is-labelled")).to_have_count(0)


def test_fifty_rows_are_dense_and_fit_a_phone(page: Page, web: Web, many: dict[str, Any]) -> None:
    sign_in(page, web, many["user"])
    for view in ("", "&view=context"):
        page.goto(f"{web.url}/projects/{many['slug']}/find/?q=camp-{view}")
        rows = page.locator(".data-table tbody tr")
        expect(rows).to_have_count(50)
        heights = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
        assert max(heights) <= 41
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.set_viewport_size({"width": 1280, "height": 800})
