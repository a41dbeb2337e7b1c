"""Sentences and marked expressions are compared and rated, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, sign_in

pytestmark = pytest.mark.browser

PROJECT = """
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
project = create_project(slug="scaled", preset=STARTS["best-worst"].preset(["en"]), by=None)
add_stages(project=project, specs=[StageSpec("rate", "en", mode="blind", answers_wanted=3)], by=None)
for text in ("Doubt moved in", "Prices climb", "The baker sings", "It rains"):
    sentence = make_sentence(project, text, language="en")
    made_gold = {"Prices climb": [span(0), span(1)], "Doubt moved in": [span(1, 2)], "The baker sings": [span(2)]}
    make_gold(sentence, made_gold.get(text, []))
on_marks = [StageSpec(kind, "en", made_from="correct", mode="blind") for kind in ("rate-marked", "best-worst-marked")]
add_stages(project=project, specs=[StageSpec("correct", "en"), *on_marks], by=None)
out({"stages": {stage.kind: stage.pk for stage in project.stages.all()}, "ana": make_member(project).username})
"""
END = "Nothing left in this stage"


def test_all_of_it_is_done_by_keyboard(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.python(PROJECT)
    page = new_page()
    sign_in(page, web, made["ana"])
    open_stage(page, web, "scaled", made["stages"]["best-worst"])
    parts = page.locator(".tuple-part")
    expect(parts).to_have_count(4)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    # What holds an item back stands on the page until something is changed.
    held = page.locator("#ws-alerts").get_by_text("Choose two sentences first")
    expect(held).to_be_visible()
    page.keyboard.press("Shift+Digit2")
    expect(held).to_be_hidden()
    expect(parts.nth(1).get_by_role("button", name="Least: sentence 2")).to_have_attribute("aria-pressed", "true")
    expect(parts.nth(1).get_by_role("button", name="Most: sentence 2")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("u")
    expect(parts.nth(1).get_by_role("button", name="Most: sentence 2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("d")
    expect(page.locator(".ws-doubt")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    open_stage(page, web, "scaled", made["stages"]["rate"])
    for value in "1352":
        shown = page.locator("#ws-body").get_attribute("data-key")
        expect(page.locator(".scale-point")).to_have_count(5)
        page.keyboard.press(value)
        page.wait_for_function("key => document.querySelector('#ws-body').dataset.key !== key", arg=shown)
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    open_stage(page, web, "scaled", made["stages"]["rate-marked"])
    for value, word in (("2", "moved in"), ("3", "Prices"), ("5", "climb"), ("4", "sings")):
        expect(page.locator(".words mark")).to_have_text([word])
        expect(page.locator("#ws-live, [aria-live]").filter(has_text=f"Marked: {word}.").first).to_be_attached()
        page.keyboard.press(value)
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    open_stage(page, web, "scaled", made["stages"]["best-worst-marked"])
    expect(parts.locator(".words mark")).to_have_count(4)
    words = parts.locator(".words mark").all_inner_texts()
    assert sorted(words) == ["Prices", "climb", "moved in", "sings"]
    expect(page.locator("#ws-live, [aria-live]").filter(has_text=f"Marked: {words[3]}.").first).to_be_attached()
    page.keyboard.press("Enter")
    expect(page.locator("#ws-live, [aria-live]").filter(has_text="Choose two expressions first").first).to_be_attached()
    page.keyboard.press("3")
    expect(parts.nth(2).get_by_role("button", name="Most: expression 3")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    said = web.python(
        "from annotator.models import Annotation\n"
        "rows = Annotation.objects.filter(project__slug='scaled', state='done').order_by('layer', 'unit')\n"
        "out([row.content for row in rows])"
    )
    assert sorted(said, key=str) == sorted(
        [{"best": 1, "worst": 3}, {"best": 2, "worst": 0}, *({"value": int(value)} for value in "13522354")], key=str
    )
