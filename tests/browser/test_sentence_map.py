"""The map of sentences: read by pointer and by keys, and the same sentences as a table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, sign_in

pytestmark = pytest.mark.browser

# Left, middle, and right of it, which is the English one.
SENTENCES = """
places = [("El tiempo vuela .", "es", 100, 500), ("Ana lee .", "es", 500, 480), ("Prices rise .", "en", 900, 500)]
units = [make_sentence(project, text, language=language) for text, language, _x, _y in places]
job = Job.objects.create(
    project=project, kind="map", state="done", params={"seed": 1},
    result={"sentences": {"es": 2, "en": 1}, "of": {"es": 2, "en": 1}, "skipped": {}, "model": "m", "method": "PCA"},
)
# The last one is the first sentence of a figurative pair.
lines = ["Prices rise .", "Prices fall .", "They grow .", "They shrink ."]
pair = {"tokens": lines, "spaces": ["", "\\n", "\\n", "\\n", ""], "token_count": 4, "kind": "figurative-pair"}
Unit.objects.filter(pk=units[2].pk).update(**pair)
Segment.objects.filter(pk=units[2].segment_id).update(kind="figurative-pair")
points = [[unit.pk, *place[2:]] for unit, place in zip(units, places, strict=True)]
points[2].append(0)
SentenceMap.objects.create(project=project, job=job, points=points)
made["segment"] = units[2].segment_id
"""


@pytest.fixture
def made(web: Web) -> dict[str, Any]:
    return web.new_project(SENTENCES)


def test_sentences_are_read_by_pointer_keys_and_table(page: Page, web: Web, made: dict[str, Any]) -> None:
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/reports/")
    page.get_by_role("link", name="Sentence map").click()
    chart, said = page.get_by_role("application", name="Sentence map"), page.locator(".scatter-said")

    # By keys: from the middle to the right, and no farther.
    chart.focus()
    expect(said).to_contain_text("Ana lee .")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("El tiempo vuela .")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Prices rise . English (en) · Meaning: They grow .")

    # By pointer, also on a phone.
    for size in (None, PHONE):
        if size:
            page.set_viewport_size(size)
        page.keyboard.press("Escape")
        expect(said).to_be_empty()
        box = page.locator(".scatter-chart").bounding_box()
        assert box is not None
        # The box of the chart is that of the points, with a margin of 20.
        page.locator(".scatter-chart").hover(position={"x": box["width"] * 20 / 840, "y": box["height"] * 40 / 60})
        expect(said).to_contain_text("El tiempo vuela .")
        expect(page.locator(".scatter-current")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # A row of the table shows its point; Enter on the chart opens the sentence.
    page.mouse.move(0, 0)  # what the pointer comes to lie on as the page scrolls would be shown, too
    for text, across in (("Prices rise .", "900"), ("Ana lee .", "500")):
        page.get_by_role("row", name=text).get_by_role("link").focus()
        expect(page.locator(".scatter-current")).to_have_attribute("cx", across)
    chart.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/sentences/{made['segment']}/$"))
