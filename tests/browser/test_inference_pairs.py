"""Pairs for inference by keyboard alone: a definition, what rules make of it, a rewriting, and two who validate."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, sign_in

pytestmark = pytest.mark.browser

PROJECT = """
from annotator.projects.actions.projects import create_project
from annotator.core.starts import STARTS
project = create_project(slug="inference", preset=STARTS["impli"].preset(["en"]), by=None)
for text, label, tokens in (
    ("Our branch was left holding the baby .", "FIGURATIVE", [4, 5, 6]),
    ("My aunt was holding the baby while we ate .", "LITERAL", [3, 4, 5]),
):
    span = {"tokens": tokens, "label": label, "attributes": {}, "score": None}
    make_gold(make_sentence(project, text, language="en"), [span])
made = {
    "stages": {stage.kind: stage.pk for stage in project.stages.exclude(kind="adjudicate")},
    "manager": make_member(project, Role.MANAGER, username="pairs-mara").username,
    "people": [make_member(project, username=name).username for name in ("pairs-ben", "pairs-cai")],
}
out(made)
"""
END = "Nothing left in this stage"
JUDGED = {
    "Our branch was left responsible for everything .": "Shift+Digit1",
    "Our branch was left nursing a newborn .": "Shift+Digit2",
    "My aunt was responsible for everything while we ate .": "Shift+Digit2",
    "Our branch was left with all the responsibility.": "Shift+Digit1",
    "Our branch was left holding the keys.": "Shift+Digit2",
}


def test_a_definition_becomes_pairs_a_sentence_is_rewritten_and_both_are_validated(
    web: Web, new_page: Callable[..., Page]
) -> None:
    made = web.python(PROJECT)
    stages = made["stages"]
    page = new_page()
    sign_in(page, web, made["manager"])

    open_stage(page, web, "inference", stages["define"])
    page.locator("summary", has_text="Expressions and pairs").press("Enter")
    page.get_by_role("button", name="Make pairs from definitions").press("Enter")
    expect(page.locator("#bring-pairs [role=status]")).to_contain_text("New expressions: 1; new pairs: 0")
    expect(page.locator(".ws-sentence")).to_contain_text("hold the baby")
    page.locator("#text-correct").focus()
    page.keyboard.type("to be responsible for everything")
    page.keyboard.press("Tab")
    page.keyboard.type("to nurse a newborn")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    page.reload()
    expect(page.locator("#bring-pairs")).to_contain_text(
        "Some finished definitions have not been turned into pairs yet."
    )
    button = page.get_by_role("button", name="Make pairs from definitions")
    button.press("Enter")
    expect(page.locator("#bring-pairs [role=status]")).to_contain_text("New expressions: 0; new pairs: 3")
    expect(page.locator("#bring-pairs")).not_to_contain_text("Some finished definitions")
    expect(button).to_be_focused()

    open_stage(page, web, "inference", stages["rewrite"])
    expect(page.locator("mark.ws-marked")).to_have_text("holding the baby")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ws-live")).to_contain_text("Write the first text")
    page.keyboard.type("Our branch was left holding the baby, alas")
    expect(page.get_by_text("The marked expression is unchanged: “holding the baby”.")).to_be_visible()
    page.keyboard.press("Control+A")
    page.keyboard.type("Our branch was left with all the responsibility.")
    changes = page.locator(".rewritten").first
    expect(changes.locator("mark")).to_have_text(["with", "all", "responsibility."])
    expect(changes).to_contain_text("71 % of the sentence's words are kept · Removed: holding baby")
    expect(page.get_by_text("is unchanged")).to_have_count(0)
    page.keyboard.press("Tab")
    page.keyboard.type("Our branch was left holding the keys.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()

    # Who wrote them all is told why there is nothing to validate.
    open_stage(page, web, "inference", stages["validate"])
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    expect(page.get_by_text("You wrote the remaining items. Someone else judges them.")).to_be_visible()

    for person in made["people"]:
        page = new_page()
        sign_in(page, web, person)
        open_stage(page, web, "inference", stages["validate"])
        for _ in JUDGED:
            expect(
                page.get_by_role("heading", name="Does the second sentence follow from the first one?")
            ).to_be_visible()
            expect(page.get_by_role("heading", name="Is the second sentence well-formed?")).to_be_visible()
            shown = page.locator("#ws-body").get_attribute("data-key")
            hypothesis = page.locator(".ws-sentence dd").nth(1).inner_text()
            page.keyboard.press(JUDGED[hypothesis])
            page.keyboard.press("1")
            page.wait_for_function("key => document.querySelector('#ws-body').dataset.key !== key", arg=shown)
            page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
        expect(page.get_by_role("heading", name=END)).to_be_visible()
        expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")

    released = web.python(
        "from annotator.work.gold.actions.agreed import accept_agreed\n"
        "from annotator.releases.queries.exports import release_files\n"
        "project = Project.objects.get(slug='inference')\n"
        "layer = project.layers.get(slug='definitions')\n"
        "accept_agreed(project=project, layer=layer, language='en', by=None, without_overlap=True)\n"
        "files = release_files(project, partial=False).files\n"
        "out({path: data.decode() for path, data in files.items() if path.startswith('impli/')})"
    )
    assert {path.rpartition("/")[2].partition("_")[0] for path in released} == {"fig", "lit", "adversarial", "manual"}
    assert sorted(line.split("\t")[1] for data in released.values() for line in data.splitlines()) == sorted(JUDGED)
    assert all(
        ("_ne" in path) == (JUDGED[data.split("\t")[1].split("\n")[0]] == "Shift+Digit2")
        for path, data in released.items()
    )


DISPUTED = """
from django.conf import settings
settings.ALLOWED_HOSTS.append("testserver")
from tests.kinds.impli.work import REWRITTEN, YES, Impli
scene = Impli("disputed")
ben, cai, dan, _eve = scene.people
scene.marked(ben)
(item,) = scene.claim(ben, "rewrite")
scene.save(ben, item, REWRITTEN | {"changed": ""})
scene.judged(cai, "with all", YES)
scene.judged(dan, "with all", {"verdict": "reject", "reason": "incoherent", "second": "yes"})
stage = scene.project.stages.get(kind="adjudicate", layer__slug="validity")
out({"stage": stage.pk, "adela": make_member(scene.project, Role.ADJUDICATOR).username})
"""


def test_who_adjudicates_sees_what_each_answer_is_to(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.python(DISPUTED)
    page = new_page()
    sign_in(page, web, made["adela"])
    open_stage(page, web, "disputed", made["stage"])
    versions = page.locator(".version")
    expect(versions).to_have_count(2)
    expect(versions.filter(has_text="Reject: Incoherent")).to_contain_text(
        "Does the second sentence follow from the first one? Yes"
    )
    expect(page.get_by_role("group", name="Is the second sentence well-formed?", exact=True)).to_contain_text(
        "It is well-formed as it stands."
    )
    expect(page.get_by_text("Wrong meaning")).to_have_count(0)
