"""Pairs of figurative sentences by keyboard alone: two write, two validate, one pair is mended, and it is released."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, sign_in

pytestmark = pytest.mark.browser

PROJECT = """
from annotator.projects.actions.projects import create_project
from annotator.core.starts import STARTS
project = create_project(slug="pairs", preset=STARTS["mabl"].preset(["en"]), by=None)
made = {
    "stages": {stage.kind: stage.pk for stage in project.stages.exclude(kind="adjudicate")},
    "people": [make_member(project, username=name).username for name in ("pair-ana", "pair-ben", "pair-cai")],
}
out(made)
"""
ANA = ("Her voice is a warm blanket.", "Her voice is a rusty saw.", "Her voice is soothing.", "It is unpleasant.")
BEN = ("The office was a beehive.", "The office was a graveyard.", "The office was busy.", "Nobody was there.")
END = "Nothing left in this stage"


def _write(page: Page, lines: tuple[str, ...]) -> None:
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Tab")


def test_pairs_are_written_judged_mended_categorised_and_released(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.python(PROJECT)
    stages, (ana, ben, cai) = made["stages"], made["people"]
    pages: dict[str, Page] = {}
    for person in (ana, ben, cai):
        pages[person] = new_page()
        sign_in(pages[person], web, person)

    page = pages[ana]
    open_stage(page, web, "pairs", stages["write-pair"])
    _write(page, (ANA[0], ANA[0], "x"))
    fields = page.locator(".part-field")
    expect(page.locator("#part-1-note.help")).to_contain_text("Both sentences have the same words")
    page.keyboard.press("Control+Enter")
    # What is wrong says so where it is, and the first of it has the focus.
    expect(page.locator("#ws-live")).to_contain_text("Write both sentences, and what each of them means.")
    expect(page.locator("[aria-invalid=true]")).to_have_count(2)
    expect(page.locator("#part-1-note.errors")).to_contain_text("Both sentences have the same words")
    expect(page.locator("#part-3-note.errors")).to_have_text("This is still empty.")
    expect(fields.nth(1)).to_be_focused()
    expect(page.locator("#ws-alerts")).to_be_empty()
    # What is pasted stays whole, and the page says that it is too long.
    page.keyboard.insert_text("Her voice is a river. " * 30)
    expect(page.locator("#part-1-note.errors")).to_contain_text("The maximum is 500")
    assert len(fields.nth(1).input_value()) > 600
    page.keyboard.press("Alt+d")
    expect(page.get_by_label("I'm not sure about this pair")).to_be_checked()
    page.keyboard.press("Alt+d")
    expect(page.get_by_label("I'm not sure about this pair")).not_to_be_checked()
    for number, line in enumerate(ANA):
        fields.nth(number).focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(line)
    # A sentence is one line; the buttons name the keys that act now.
    page.keyboard.press("Enter")
    expect(fields.nth(len(ANA) - 1)).to_have_value(ANA[-1])
    done = page.locator(".ws-done kbd")
    assert done.evaluate("one => getComputedStyle(one, '::before').content") == '"Ctrl + "'
    expect(page.locator("[data-command=undo] kbd")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("[data-command=undo] kbd")).to_be_visible()
    assert done.evaluate("one => getComputedStyle(one, '::before').content") == "none"
    fields.last.focus()
    expect(page.get_by_text("Both start with: Her voice is a")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-progress-text")).to_have_text("Written by you: 1")
    expect(page.locator("#ws-live-saves")).to_contain_text("Written by you: 1")
    expect(page.locator("#ws-live")).not_to_contain_text("Written by you: 0")

    page = pages[ben]
    open_stage(page, web, "pairs", stages["write-pair"])
    page.keyboard.type("Her voice is a warm blanket")
    expect(page.get_by_role("heading", name="Someone wrote something similar")).to_be_visible()
    # Out of the field, where letters are keys again.
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(".part-field").first).to_have_value("Her voice is a warm blanket")
    page.locator(".part-field").first.focus()
    page.keyboard.press("Control+A")
    _write(page, BEN)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-progress-text")).to_have_text("Written by you: 1")

    # Each judges what the other one wrote; the third both.
    open_stage(page, web, "pairs", stages["validate"])
    expect(page.locator(".parts").first).to_contain_text(ANA[0])
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Mark as done and go to next")
    expect(page.get_by_role("dialog")).not_to_contain_text("tag")
    page.keyboard.press("Escape")
    # A slip: saved by one key, taken back by two, and given once more.
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("#ws-alerts")).to_contain_text("Press B to go to the previous item, then U to undo it.")
    page.keyboard.press("b")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_have_count(0)
    # Another reason than those of the list has to be said before it is saved.
    page.keyboard.press("7")
    comment = page.get_by_role("textbox", name="Comment")
    expect(comment).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-live")).to_contain_text("Say in the comment which other reason there is.")
    expect(comment).to_be_focused()
    page.keyboard.type("It is a proverb.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_contain_text("Another reason")
    expect(comment).to_have_value("It is a proverb.")
    page.keyboard.press("u")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_have_count(0)
    expect(comment).to_have_value("")
    page.keyboard.press("d")
    expect(page.get_by_label("I'm not sure about this verdict")).to_be_checked()
    expect(page.get_by_role("group", name="Verdict")).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    # Two verdicts are wanted of each pair: one's own are not part of what is complete.
    expect(page.locator("#ws-progress-text")).to_have_text("0 of 2 done · 1 answered by you")
    page = pages[ana]
    open_stage(page, web, "pairs", stages["validate"])
    expect(page.locator(".parts").first).to_contain_text(BEN[0])
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    page = pages[cai]
    open_stage(page, web, "pairs", stages["validate"])
    expect(page.locator(".parts").first).to_contain_text(ANA[0])
    page.keyboard.press("1")
    expect(page.locator(".parts").first).to_contain_text(BEN[0])
    # The verdict that sends it back to its writer is taken back before they begin.
    page.keyboard.press("3")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_contain_text("Offensive")
    page.keyboard.press("u")
    expect(page.locator(".tag-button[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("8")
    page.locator(".part-field").nth(3).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("The office was empty.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    page = pages[ben]
    open_stage(page, web, "pairs", stages["write-pair"])
    expect(page.locator(".came-back")).to_contain_text("Incoherent")
    # As it stands it would be refused, and says so where it is.
    fields = page.locator(".part-field")
    before = fields.first.input_value()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#part-0-note.errors")).to_contain_text("Nothing has changed since it was sent back.")
    expect(fields.first).to_be_focused()
    expect(fields.first).to_have_value(before)
    page.get_by_role("button", name="Use the suggestion").press("Enter")
    expect(page.locator(".part-field").nth(3)).to_have_value("The office was empty.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-progress-text")).to_have_text("Written by you: 1")
    # Undone in a page that did not know why it had come back.
    open_stage(page, web, "pairs", stages["write-pair"])
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".part-field").nth(3)).to_have_value("The office was empty.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".came-back")).to_contain_text("Incoherent")
    page.get_by_role("button", name="Use the suggestion").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-progress-text")).to_have_text("Written by you: 1")
    for person in (ana, cai):
        page = pages[person]
        open_stage(page, web, "pairs", stages["validate"])
        expect(page.locator(".parts").first).to_contain_text("The office was empty.")
        page.keyboard.press("1")
        expect(page.get_by_role("heading", name=END)).to_be_visible()

    for person in (ana, ben, cai):
        page = pages[person]
        open_stage(page, web, "pairs", stages["categories"])
        while page.locator("[data-half]").count():
            shown = page.locator("#ws-body").get_attribute("data-key")
            page.keyboard.press("1")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("0")
            page.keyboard.press("Enter")
            page.wait_for_function("key => document.querySelector('#ws-body').dataset.key !== key", arg=shown)
            page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
        expect(page.get_by_role("heading", name=END)).to_be_visible()

    released = web.python(
        "from annotator.work.gold.actions.agreed import accept_agreed\n"
        "from annotator.releases.queries.exports import release_files\n"
        "project = Project.objects.get(slug='pairs')\n"
        "layer = project.layers.get(slug='categories')\n"
        "accept_agreed(project=project, layer=layer, language='en', by=None)\n"
        "out(release_files(project, partial=False).files['mabl/categories/en.csv'].decode())"
    )
    assert released.splitlines() == [
        "startphrase,ending1,ending2,labels,valid,obj,vis,soc,cul",
        f"{ANA[0]},{ANA[2]},{ANA[3]},0,1,1,0,0,0",
        f"{ANA[1]},{ANA[2]},{ANA[3]},1,1,0,0,0,0",
        f"{BEN[0]},{BEN[2]},The office was empty.,0,1,1,0,0,0",
        f"{BEN[1]},{BEN[2]},The office was empty.,1,1,0,0,0,0",
    ]

    # Two windows of one person have the same empty pair: what is written in both is kept.
    one, other = pages[cai], pages[cai].context.new_page()
    for window in (one, other):
        open_stage(window, web, "pairs", stages["write-pair"])
    for window, number, word in ((one, 1, "lamp"), (other, 2, "lid")):
        _write(window, (f"The sky is a {word}.", f"The sky is a sad {word}.", "It is fine.", "It is not."))
        window.keyboard.press("Control+Enter")
        expect(window.locator("#ws-progress-text")).to_have_text(f"Written by you: {number}")
    expect(other.locator("#ws-alerts")).to_contain_text("“The sky is a lid.” is kept as a separate pair")
    texts = web.python("out(sorted(unit.text for unit in Unit.objects.filter(kind='figurative-pair')))")
    assert [text.split("\n")[0] for text in texts if "sky" in text] == ["The sky is a lamp.", "The sky is a lid."]
