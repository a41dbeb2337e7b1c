"""Two source languages by clicks: chosen for a new project and in its settings; the better projection suggested.
And gold that is offered again after a text was fixed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, Web, open_stage, sign_in
from tests.site import wait_until

pytestmark = pytest.mark.browser

TWO_SOURCES = """
project.languages, project.sources = ["es", "en", "ca"], {"en": [], "ca": ["es", "en"]}
project.save()
from annotator.core.presets import StageSpec
from annotator.projects.actions.stages import add_stages
add_stages(project=project, specs=[StageSpec("project-review", "ca"), StageSpec("correct", "ca")], by=None)
segment = make_segment(project)
texts = {"es": "La duda roe la casa", "en": "Doubt gnaws the house", "ca": "El dubte rosega la casa"}
units = {code: make_sentence(project, text, language=code, segment=segment) for code, text in texts.items()}
outcome = lambda source, target: {
    "source": span(source), "outcome": "projected", "reason": "", "target": span(target), "left_out": []
}
for code, source, target, score in (("es", 2, 4, 0.4), ("en", 1, 2, 0.9)):
    row = make_projection(units[code], units["ca"], [span(target)], [span(source)])
    Alignment.objects.filter(pk=row.alignment_id).update(links=[[source, target, score]])
    detail = {**row.detail, "outcomes": [outcome(source, target)]}
    Suggestion.objects.filter(pk=row.pk).update(score=score, detail=detail, span_sources=[[code]])
made["stage"] = stage_of(project, "project-review", "ca").pk
"""

EARLIER_GOLD = """
from annotator.revisions.revisions import revise_text
unit = make_sentence(project, "Las promesas ardian en la noche")
make_gold(unit, [span(1), span(2)])
revise_text(project=project, unit=unit.pk, text="Las promesas ardían en la noche", by=None, anybodys=True)
made["stage"] = stage_of(project, "correct").pk
"""


def test_sources_are_chosen_for_a_new_project_and_changed_later(web: Web, new_page: Callable[..., Page]) -> None:
    web.python("make_user('sol')")
    page = new_page()
    sign_in(page, web, "sol")
    page.goto(f"{web.url}/projects/new/")
    page.get_by_label("Name", exact=True).fill("Three languages")
    page.get_by_label("Language", exact=True).fill("es")
    page.get_by_label("Other language 1").fill("en")
    page.keyboard.press("Tab")
    expect(page.locator(".workflow")).to_contain_text("English (en)")
    sources = page.get_by_role("group", name="Languages to label")
    expect(sources).to_have_count(0)
    page.get_by_role("button", name="Add another language").click()
    page.get_by_label("Other language 2").fill("ca")
    page.keyboard.press("Tab")
    expect(sources.get_by_label("Spanish (es)")).to_be_checked()
    reviews = page.locator(".workflow td:nth-child(4) .step")
    expect(reviews).to_have_count(2)
    sources.get_by_label("English (en)").press("Space")
    expect(reviews).to_have_count(1)
    # Whoever chose goes on from there.
    expect(sources.get_by_label("English (en)")).to_be_focused()
    expect(sources.get_by_label("English (en)")).to_be_checked()
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name="Import sentences")).to_be_visible()

    for viewport in (WIDE, PHONE):
        page.set_viewport_size(viewport)
        page.goto(f"{web.url}/projects/three-languages/settings/languages/ca/")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    chosen = page.get_by_role("group", name="Labels are projected from")
    expect(chosen.get_by_label("English (en)")).to_be_checked()
    chosen.get_by_label("Spanish (es)").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The settings were saved.")).to_be_visible()
    found = web.python("out(Project.objects.get(slug='three-languages').sources_of('ca'))")
    assert found == ["en"]


@pytest.mark.parametrize(
    ("viewport", "key", "taken"),
    [(WIDE, "Shift+Digit1", [[2]]), (PHONE, "a", [[2], [4]]), (WIDE, "Shift+Digit2", [[4]])],
)
def test_either_projection_is_taken_or_both_and_both_sources_are_shown(
    web: Web, new_page: Callable[..., Page], viewport: dict[str, int], key: str, taken: list[list[int]]
) -> None:
    made = web.new_project(TWO_SOURCES)
    page = new_page(viewport)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    expect(page.get_by_text("gnaws").first).to_be_visible()
    expect(page.get_by_text("roe", exact=True).first).to_be_visible()
    expect(page.locator(".decision-fate")).to_have_text(["undecided"] * 2)
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator(".ws-idle")).to_be_visible()
    assert wait_until(lambda: web.spans(made["slug"], made["user"])) == [["El dubte rosega la casa", "done", taken]]


def test_a_source_without_a_label_says_so(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.new_project(
        TWO_SOURCES
        + "row = Suggestion.objects.get(unit=units['ca'], source_language='es')\n"
        + "Suggestion.objects.filter(pk=row.pk).update(is_current=False)\n"
        + "make_gold(units['es'], [])\n"
    )
    page = new_page()
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    rows = page.locator(".review-row")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="La duda roe la casa")).to_contain_text("no label")
    expect(page.locator(".decision-fate")).to_have_count(1)


@pytest.mark.parametrize(("viewport", "name"), [(WIDE, "wide"), (PHONE, "phone")])
def test_gold_on_a_text_that_was_fixed_is_decided_again(
    web: Web, new_page: Callable[..., Page], viewport: dict[str, int], name: str
) -> None:
    made = web.new_project(EARLIER_GOLD)
    page = new_page(viewport)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    expect(page.get_by_text("Gold from before the text was edited. Decide again")).to_be_visible()
    expect(page.locator(".ws-revised")).to_contain_text("ardian")
    page.keyboard.press("Enter")
    expect(page.locator(".ws-idle")).to_be_visible()
    assert wait_until(lambda: web.spans(made["slug"], made["user"])) == [
        ["Las promesas ardían en la noche", "done", [[1]]]
    ]
