"""The workspace where sentences are labelled: nothing moves, pointer, drafts, a person's own keys, what comes next."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.conftest import PHONE, WIDE, Web, is_saved, open_stage, sign_in

pytestmark = pytest.mark.browser

TEXTS = ["Como un río , la deuda crece", "Y ellos también lo hacen", "Nada"]
MIPVU = """
from annotator.domain.labels.shipped_schemes import MIPVU
layer = project.label_layer
layer.scheme_data = MIPVU.to_json()
layer.save()
"""
SENTENCES = f"""
stage = stage_of(project, "correct")
made["stage"] = stage.pk
for text in {TEXTS!r}:
    make_sentence(project, text)
"""
# All that moves, also what moves after a key was pressed, which browsers leave out of their sum.
WATCH = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    window.moved.push([entry.value, ...entry.sources.map(({ node }) => node?.className ?? node?.nodeName)]);
  }
}).observe({ type: "layout-shift" });
"""


def opened(page: Page, web: Web, more: str = "") -> dict[str, Any]:
    made = web.new_project(more + SENTENCES)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    return made


def chip(page: Page, token: int) -> Locator:
    return page.locator(f".chip[data-token='{token}']")


def text_is(page: Page, text: str) -> None:
    expect(page.locator(".tokens .chip-text")).to_have_text(text.split(" "))


def drag(page: Page, start: int, end: int) -> None:
    chip(page, start).hover()
    page.mouse.down()
    chip(page, end).hover()
    page.mouse.up()


@pytest.mark.parametrize("scheme", ["", MIPVU], ids=["one label", "several"])
def test_nothing_moves_while_one_labels(page: Page, web: Web, scheme: str) -> None:
    opened(page, web, scheme)
    expect(page.locator("#ws-progress-text")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    page.evaluate(WATCH)
    press = page.keyboard.press
    joined = ("Home", "Space", "ArrowRight", "Space", "m", "ArrowRight", "Space", "m")
    for key in (*joined, "u", "y", "d", "n", "p", "1", "2"):
        press(key)
    drag(page, 0, 2)
    chip(page, 4).dblclick()
    chip(page, 5).hover()
    # The notice about a removed span covers the page.
    chip(page, 1).click()
    press("Delete")
    expect(page.locator("#ws-alerts")).to_contain_text("Removed: “Como un río”")
    page.locator("#ws-alerts").get_by_role("button", name="Undo").click()
    expect(chip(page, 1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#ws-status")).to_contain_text("Draft saved")
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    moved = page.evaluate("window.moved")
    assert not moved, moved


def test_a_drag_makes_a_span_and_only_a_double_click_labels(page: Page, web: Web) -> None:
    made = opened(page, web)
    chip(page, 3).click()
    expect(chip(page, 3)).to_be_focused()
    expect(page.locator(".chip-labelled")).to_have_count(0)
    chip(page, 6).dblclick()
    expect(chip(page, 6)).to_have_attribute("aria-pressed", "true")
    drag(page, 2, 0)
    expect(page.locator(".chip-labelled")).to_have_count(4)
    # From within a span on, it grows; where nothing is drawn over, nothing changes.
    drag(page, 6, 5)
    drag(page, 4, 4)
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0, 1, 2], [5, 6]]]]


def test_a_pause_saves_a_draft_and_never_an_answer(page: Page, web: Web) -> None:
    made = opened(page, web)
    undo = page.locator("[data-command=undo]")
    expect(undo).to_be_disabled()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(undo).to_be_enabled()
    expect(undo).to_have_attribute("title", "Undo: Como: labelled METAPHOR")
    expect(page.locator("#ws-status")).to_contain_text("Draft saved")
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "open", [[0]]]]
    # It can still be undone, and nothing more than it.
    page.keyboard.press("u")
    expect(undo).to_be_disabled()
    page.keyboard.press("y")
    page.reload()
    text_is(page, TEXTS[0])
    expect(chip(page, 0)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0]]]]

    # What is done and edited again is open until somebody says that it is done.
    page.keyboard.press("b")
    text_is(page, TEXTS[0])
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(page.locator("#ws-status")).to_contain_text("Draft saved")
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "open", [[0], [6]]]]


def test_keys_are_changed_per_person_and_have_one_meaning(page: Page, web: Web) -> None:
    made = opened(page, web)
    page.keyboard.press("?")
    change = page.get_by_role("button", name="Change: Label the word")
    change.click()
    page.keyboard.press("d")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("D already has a meaning: Doubt flag.")
    page.keyboard.press("Control+p")
    expect(dialog).to_contain_text("belongs to the browser")
    page.keyboard.press("e")
    expect(dialog).to_contain_text(
        "E already has a meaning in another workspace (review of projections): Edit the links of a source word"
    )
    page.keyboard.press("q")
    expect(dialog).to_contain_text("Your keys apply in every workspace.")
    page.keyboard.press("Escape")
    expect(page.locator("[data-command=toggle] kbd")).to_have_text("Q")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator(".chip-labelled")).to_have_count(0)
    page.keyboard.press("q")
    expect(chip(page, 0)).to_have_attribute("aria-pressed", "true")

    # They come with the person, not with the browser; a key can also be taken from a command.
    page.evaluate("localStorage.clear()")
    page.reload()
    text_is(page, TEXTS[0])
    expect(page.locator("[data-command=toggle] kbd")).to_have_text("Q")
    page.keyboard.press("?")
    page.get_by_role("button", name="Change: Label the word").click()
    page.get_by_role("button", name="No key").click()
    page.keyboard.press("Escape")
    expect(page.locator("[data-command=toggle] kbd")).to_be_hidden()
    page.keyboard.press("?")
    page.get_by_role("button", name="Restore the original keys").click()
    expect(page.locator("[data-command=toggle] kbd")).to_have_text("Space")
    kept = web.python(f"out(User.objects.get(username={made['user']!r}).own_keys)")
    assert kept == {"changed": {}, "singles": True}


def test_the_strip_for_beginners_is_closed_for_good(page: Page, web: Web) -> None:
    opened(page, web)
    strip = page.locator(".first-run")
    expect(strip).to_contain_text("Space")
    strip.get_by_role("button", name="Got it").click()
    expect(strip).to_be_hidden()
    page.reload()
    text_is(page, TEXTS[0])
    expect(strip).to_be_hidden()


def test_enter_at_the_end_of_a_stage_leads_to_the_next_work(page: Page, web: Web) -> None:
    made = web.new_project(
        "for language in ('es', 'en'): make_sentence(project, 'Nada', language=language)\n"
        "made['stage'] = stage_of(project, 'correct').pk\nmade['next'] = stage_of(project, 'correct', 'en').pk"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.keyboard.press("Enter")
    ways = page.locator(".ws-idle")
    expect(ways.get_by_role("link", name="Continue with Correct labels (en)")).to_be_visible()
    expect(ways.get_by_role("link", name="My work", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/stages/{made['next']}/work/")


def test_system_colours_show_what_is_labelled(new_page: Any, web: Web) -> None:
    page = new_page(forced_colors="active")
    opened(page, web)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(chip(page, 0)).to_have_attribute("aria-pressed", "true")
    ground = "node => getComputedStyle(node).backgroundColor"
    assert chip(page, 0).evaluate(ground) != chip(page, 1).evaluate(ground)


def full_name(page: Page, token: int) -> bool:
    """Whether the name of the label under a word is all there, within the row."""
    return bool(
        page.evaluate(
            """token => {
                const chip = document.querySelector(`.chip[data-token="${token}"]`);
                const [name, row] = [chip.querySelector(".label-name"), chip.closest(".tokens")];
                const [box, edge] = [name.getBoundingClientRect(), row.getBoundingClientRect()];
                return name.scrollWidth <= name.clientWidth && box.left >= edge.left && box.right <= edge.right;
            }""",
            token,
        )
    )


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["laptop", "phone"])
def test_the_name_of_a_label_is_readable_under_short_words(page: Page, web: Web, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    opened(
        page, web, MIPVU + "layer.scheme_data['details']['MFLAG']['name'] = 'Signal of a comparison'\nlayer.save()\n"
    )
    expect(page.locator("#ws-progress-text")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    page.evaluate(WATCH)
    for token, key in ((1, "4"), (3, "1"), (4, "5"), (6, "5")):
        chip(page, token).focus()
        page.keyboard.press(key)
        assert full_name(page, token), token
    # A name beyond a sensible width is shortened until its word has the pointer or the focus.
    assert not full_name(page, 1)
    chip(page, 1).hover()
    assert full_name(page, 1)
    # Two short neighbours: the one that is looked at is on top, and the words are where they were.
    moved = [what for what in page.evaluate("moved") if any("chip" in name or "tokens" in name for name in what[1:])]
    assert not moved
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_m_on_the_first_and_the_last_word_joins_them(page: Page, web: Web) -> None:
    made = opened(page, web)
    press = page.keyboard.press
    for key in ("Home", "m"):
        press(key)
    expect(page.locator(".ws-hint")).to_contain_text("Press M on the last word")
    for key in ("ArrowRight", "ArrowRight", "m"):
        press(key)
    expect(page.locator(".ws-hint")).to_have_text("")
    # One more on the word itself, and one that Escape ends, join nothing.
    for key in ("End", "m", "m", "ArrowLeft", "ArrowLeft", "m", "ArrowRight", "Escape"):
        press(key)
    press("Control+Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    # Where spans have no gaps, the word between belongs to it.
    discontinuous = web.python(f"out(Project.objects.get(slug={made['slug']!r}).label_layer.scheme.discontinuous)")
    first = [0, 2] if discontinuous else [0, 1, 2]
    assert web.spans(made["slug"], made["user"])[0][2] == [first, [4], [6]]


def test_what_is_written_in_a_comment_can_be_undone(page: Page, web: Web) -> None:
    made = opened(page, web)
    press, comment = page.keyboard.press, page.locator(".ws-comment")
    comment.click()
    page.keyboard.type("Not sure")
    # In the field it is the browser's undo.
    press("Control+z")
    expect(comment).not_to_have_value("Not sure")
    press("Control+Shift+z")
    expect(comment).to_have_value("Not sure")
    press("Escape")
    press("Home")
    press("Space")
    comment.click()
    press("Control+a")
    press("Delete")
    press("Escape")
    expect(comment).to_have_value("")
    is_saved(page)
    expect(page.locator("[data-command=undo]").first).to_have_attribute("title", "Undo: Comment edited")
    # Out of the field, what was deleted comes back as one step; then the label goes; then the comment is empty again.
    press("u")
    expect(comment).to_have_value("Not sure")
    press("u")
    expect(chip(page, 0)).to_have_attribute("aria-pressed", "false")
    press("u")
    expect(comment).to_have_value("")
    press("y")
    expect(comment).to_have_value("Not sure")
    press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    said = web.python(f"out(Annotation.objects.get(project__slug={made['slug']!r}, state='done').comment)")
    assert said == "Not sure"
