"""A word of hundreds of letters in the workspaces that show a text as it stands: none is wider than its window, and
nothing that has the focus lies under the bar at the bottom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, Web, open_stage, sign_in
from tests.browser.test_axe import too_wide

pytestmark = pytest.mark.browser

LONG = "Donaudampfschifffahrtsgesellschaftskapitän" + "s" * 258
SETUP = """
from annotator.work.queue.actions.items import enter_stages
from annotator.projects.actions.stages import add_stages
from annotator.core.presets import StageSpec
word = {word!r}
tokens = ["She", "felt", word, "of", "joy", "and", word, "yesterday."]
sentence = make_sentence(project, " ".join(tokens), language="en")
add_stages(project=project, by=None, specs=[
    StageSpec("substitute", "en", mode="blind", answers_wanted=5),
    StageSpec("choose-best", "en", mode="blind", answers_wanted=3, made_from="substitute"),
    StageSpec("inapt", "en", made_from="substitute"),
    StageSpec("rewrite", "en", made_from="correct"),
    StageSpec("define", "en"),
    StageSpec("write-pair", "en"),
    StageSpec("validate", "en", made_from="write-pair"),
    StageSpec("categories", "en", made_from="validate"),
    StageSpec("rate", "en", mode="blind"),
    StageSpec("best-worst", "en", mode="blind"),
])
# The labels are what is rated.
make_gold(sentence, [span(2)])
def unit(kind, uid, tokens, **more):
    segment = Segment.objects.create(project=project, uid=uid, kind=kind, dataset="set", position=1)
    made = Unit.objects.create(
        project=project, segment=segment, kind=kind, language="en", tokens=tokens, token_count=len(tokens),
        touches=[segment.pk], **more,
    )
    made.parents.add(sentence)
    return made
lines = ["", " ", " ", " ", "\\n", " ", " ", " ", "\\n", "\\n", ""]
units = [
    unit("marked", "set:1:2", tokens),
    unit("words", "set:1:2:words", [word, "wave"]),
    unit("focus", "set:2:2", tokens),
    unit("expression", "set:en:long", [word, "of", "joy"]),
    unit("figurative-pair", "set:3", [*("Joy", "is", "a", word) * 2, "Good.", "Bad."], spaces=lines),
]
for text in ("It rains .", "It pours .", "It " + word + " .", "It hails ."):
    make_sentence(project, text, language="en")
enter_stages(project, units)
Membership.objects.filter(project=project, user=user).update(role="adjudicator")
from annotator.work.derivation.actions.filling import forward
from annotator.work.answering.actions.trials import answer_trial
stages = {{one.kind: one for one in project.stages.filter(language="en")}}
assert answer_trial(stage=stages["substitute"], content={{"word": "criticised", "reason": ""}}, by=user)
forward(stages["validate"], units[4], by=None)
forward(stages["substitute"], units[0], by=None)
make_sentence(project, "El tiempo " + word + " vuela .")
stages["correct"] = stage_of(project, "correct")
made["stages"] = {{kind: one.pk for kind, one in stages.items()}}
"""
KINDS = (
    "substitute", "choose-best", "inapt", "rewrite", "define", "write-pair", "validate", "categories", "rate",
    "best-worst", "correct",
)  # fmt: skip
# What has the focus, where the bar lies over it; "" where it does not, and "end" in the bar itself.
COVERED = """() => {
  const bar = document.querySelector("#ws-actions");
  const node = document.activeElement;
  if (bar.contains(node)) return "end";
  const { top, bottom } = node.getBoundingClientRect();
  const over = bar.getBoundingClientRect().top;
  return node !== document.body && bottom > over + 1 && bottom - top < over ? node.outerHTML.slice(0, 200) : "";
}"""


def test_long_words_break_and_the_focus_is_seen(web: Web, new_page: Callable[..., Page]) -> None:
    made: dict[str, Any] = web.new_project(SETUP.format(word=LONG))
    page = new_page()
    sign_in(page, web, made["user"])
    for kind in KINDS:
        page.set_viewport_size(WIDE)
        open_stage(page, web, made["slug"], made["stages"][kind])
        expect(page.locator("#ws-body")).to_contain_text("kapitän" if kind != "write-pair" else "")
        assert too_wide(page) == [], kind
        page.set_viewport_size(PHONE)
        assert too_wide(page) == [], kind
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        covered = ""
        for _ in range(100):
            page.keyboard.press("Tab")
            if covered := page.evaluate(COVERED):
                break
        assert covered == "end", kind


def test_a_table_that_goes_on_beyond_its_edge_shows_it(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.new_project("make_gold(make_sentence(project, 'El tiempo vuela'), [span(2)])")
    page = new_page(PHONE)
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/reports/")
    table = page.locator(".table-wrap").first
    assert table.evaluate("node => node.scrollWidth > node.clientWidth")
    box = table.bounding_box()
    assert box is not None
    # The lower corner, where the shadow is, before and after the table is at its end.
    edge = {"x": box["x"] + box["width"] - 6, "y": box["y"] + box["height"] - 8, "width": 4, "height": 4}
    before = page.screenshot(clip=edge, full_page=True)
    table.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    assert page.screenshot(clip=edge, full_page=True) != before
    shadow = table.evaluate("node => getComputedStyle(node).backgroundAttachment")
    assert shadow.startswith("local, local, scroll, scroll")
