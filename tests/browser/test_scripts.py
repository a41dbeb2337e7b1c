"""Sentences of right-to-left and unsegmented scripts: shown, labelled and listed as they are written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, open_stage, sign_in

pytestmark = pytest.mark.browser

ARABIC = "Google هي بحر من الكلمات التي تغرق فيها الأيام الطويلة"
CHINESE = "时间 是 一 条 河 ， 它 带 走 了 我们 所有 的 童年 和 梦想 。"
SETUP = """
project.languages = [LANGUAGE]
project.save()
stage = stage_of(project, "correct")
Stage.objects.filter(pk=stage.pk).update(language=LANGUAGE)
made["stage"] = stage.pk
for tokens, spaces in SENTENCES:
    sentence = make_sentence(project, " ".join(tokens), language=LANGUAGE, segment=make_segment(project, group="text"))
    Unit.objects.filter(pk=sentence.pk).update(spaces=spaces)
"""


def in_language(web: Web, language: str, sentences: list[tuple[list[str], list[str]]]) -> dict[str, object]:
    return web.new_project(f"LANGUAGE = {language!r}\nSENTENCES = {sentences!r}\n{SETUP}")


def lefts(page: Page) -> list[float]:
    return [box["x"] for chip in page.locator(".tokens .chip").all() if (box := chip.bounding_box())]


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_an_arabic_sentence_runs_from_right_to_left(page: Page, web: Web) -> None:
    made = in_language(web, "ar", [(ARABIC.split(" "), []), (["الوقت", "من", "ذهب"], [])])
    sign_in(page, web, str(made["user"]))
    open_stage(page, web, str(made["slug"]), made["stage"])

    row = page.locator(".tokens")
    expect(row).to_have_attribute("dir", "rtl")
    expect(row).to_have_attribute("lang", "ar")
    first, second, *_ = lefts(page)
    assert first > second  # though the sentence begins with a Latin name
    neighbour = page.locator(".context-text").first
    expect(neighbour).to_have_attribute("dir", "rtl")
    expect(neighbour).to_have_attribute("lang", "ar")
    # There is no list of function words, so nothing is told apart.
    expect(page.locator(".chip-content")).to_have_count(0)
    expect(page.locator(".legend-content")).to_have_count(0)

    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator(".chip[aria-pressed='true'] .chip-text")).to_have_text("بحر")
    fits(page)
    page.set_viewport_size(PHONE)
    fits(page)

    # What nobody has answered is not listed.
    page.keyboard.press("Enter")
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")
    page.goto(f"{web.url}/projects/{made['slug']}/stages/{made['stage']}/items/")
    listed = page.locator(".item-text bdi").first
    expect(listed).to_have_attribute("dir", "rtl")
    expect(listed).to_have_attribute("lang", "ar")


def test_a_chinese_sentence_has_no_spaces_and_wraps(page: Page, web: Web) -> None:
    tokens = CHINESE.split(" ")
    made = in_language(web, "zh", [(tokens, [""] * (len(tokens) + 1)), (["童年", "是", "梦", "。"], [""] * 5)])
    sign_in(page, web, str(made["user"]))
    open_stage(page, web, str(made["slug"]), made["stage"])

    row = page.locator(".tokens")
    expect(row).to_have_attribute("dir", "ltr")
    expect(row).to_have_attribute("lang", "zh")
    assert row.evaluate("node => [...node.childNodes].every((child) => child.nodeType !== Node.TEXT_NODE)")
    expect(page.locator(".context-text").first).to_have_text("童年是梦。")

    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator(".chip[aria-pressed='true'] .chip-text")).to_have_text("时间")
    page.set_viewport_size(PHONE)
    fits(page)
    tops = {round(box["y"]) for chip in page.locator(".tokens .chip").all() if (box := chip.bounding_box())}
    assert len(tops) > 1
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Enter")
    expect(page.locator(".tokens .chip-text")).to_have_text(["童年", "是", "梦", "。"])
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")
    assert web.spans(str(made["slug"]), str(made["user"])) == [[CHINESE.replace(" ", ""), "done", [[0]]]]
