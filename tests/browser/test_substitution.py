"""Words for a marked one, by keyboard alone: a trial, five people, votes, a tie, inapt words, triples, a release."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage
from tests.browser.test_axe import look, with_axe

pytestmark = pytest.mark.browser

SETUP = """
from django.conf import settings
from django.test import Client
from annotator.work.queue.actions.items import enter_stages
from annotator.projects.actions.stages import add_stages
from annotator.core.presets import StageSpec
specs = [
    StageSpec("substitute", "en", mode="blind", answers_wanted=5),
    StageSpec("choose-best", "en", mode="blind", answers_wanted=3, made_from="substitute"),
    StageSpec("inapt", "en", made_from="substitute"),
    StageSpec("adjudicate", "en", layer="best"),
]
add_stages(project=project, specs=specs, by=None)
made["stages"] = {
    stage.layer.slug if stage.adjudicates else stage.kind: stage.pk
    for stage in project.stages.filter(layer__slug__in=("substitutes", "best", "inapt"))
    if not stage.adjudicates
}
made["judge"] = project.stages.get(kind="adjudicate", layer__slug="best").pk
tokens = ["She", "felt", "a", "wave", ",", "a", "wave", "of", "joy."]
segment = Segment.objects.create(
    project=project, uid="set:1:3", kind="marked", dataset="set", genre="letters", group="a-1", position=1
)
unit = Unit.objects.create(
    project=project, segment=segment, kind="marked", language="en", tokens=tokens, token_count=len(tokens),
    spaces=["", " ", " ", " ", "", " ", " ", " ", " ", ""], touches=[segment.pk],
)
enter_stages(project, [unit])
made["people"] = []
for _ in range(5):
    client = Client()
    client.force_login(make_member(project, "adjudicator"))
    made["people"].append(client.cookies[settings.SESSION_COOKIE_NAME].value)
"""
END = "Nothing left in this stage"
RELEASE = """
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.releases.queries.exports import release_files
project = Project.objects.get(slug={slug!r})
layer = project.layers.get(slug="inapt")
accept_agreed(project=project, layer=layer, language="en", by=None, without_overlap=True)
files = release_files(project, partial=True).files
out({{path.rpartition("/")[2]: text.decode() for path, text in files.items() if path.startswith("munch/")}})
"""
TRIPLES = """i0,s0_idx,s0,s1,s1_label,s2,s2_label
0,set:1:3,"She felt a <b>wave</b>, a wave of joy.","She felt a <b>rush</b>, a wave of joy.",apt,"She felt a \
<b>ripple</b>, a wave of joy.",inapt
1,set:1:3,"She felt a <b>wave</b>, a wave of joy.","She felt a <b>surge</b>, a wave of joy.",apt,"She felt a \
<b>ripple</b>, a wave of joy.",inapt
2,set:1:3,"She felt a <b>wave</b>, a wave of joy.","She felt a <b>rush</b>, a wave of joy.",apt,"She felt a \
<b>surge</b>, a wave of joy.",apt
"""


def test_five_people_vote_decide_and_release_by_keyboard_alone(web: Web, new_page: Callable[..., Page]) -> None:
    made: dict[str, Any] = web.new_project(SETUP)
    slug, stages = made["slug"], made["stages"]
    pages = []
    for key in made["people"]:
        page = with_axe(new_page())
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": web.url}])
        pages.append(page)
    end = [page.get_by_role("heading", name=END) for page in pages]

    # Five people write a word, the last one says that none fits; nobody sees what the others wrote.
    for page, said, word in zip(pages, end, ("surge", " Surge.", "rush", "flood", ""), strict=True):
        # The trial item comes first: missed once, then solved.
        page.goto(f"{web.url}/projects/{slug}/stages/{stages['substitute']}/work/")
        # The browser gives the box the keyboard some time after the page is there.
        box = page.get_by_role("textbox")
        expect(box).to_be_focused()
        page.keyboard.type("bit")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("Nobody was hit here")
        expect(box).to_be_focused()
        if page is pages[0]:
            look(page, "trial")
        page.keyboard.press("Control+a")
        page.keyboard.type("criticised")
        page.keyboard.press("Enter")
        expect(page.locator("#ws-blind")).to_be_visible()
        expect(page.locator("mark")).to_have_text("wave")
        expect(page.locator("body")).not_to_contain_text("surge")
        if word:
            page.keyboard.type("two words")
            page.keyboard.press("Enter")
            expect(page.locator(".help[role=status]")).to_have_text(
                "Write one word, without spaces, commas or slashes."
            )
            page.keyboard.press("Control+a")
            if page is pages[0]:
                # What may be a form of the marked word is asked about once; a lone capital is not the sentence's.
                page.keyboard.type("Waves")
                expect(page.locator(".ws-filled")).to_have_text("waves")
                page.keyboard.press("Enter")
                expect(page.locator(".help[role=status]")).to_contain_text("This looks like a form of “wave”")
                look(page, "another-form")
                page.keyboard.press("Control+a")
            page.keyboard.type(word)
            expect(page.locator(".ws-filled")).to_have_text(word.strip(" .").lower())
            if page is pages[0]:
                look(page, "substitute")
        else:
            page.keyboard.press("Escape")
            page.keyboard.press("3")
            expect(page.locator("[data-tag=unclear]")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        expect(said).to_be_visible()

    # Votes: one for each of two words, and one for none.
    for page, said, press in zip(pages[:3], end, ("2", "3", "0"), strict=False):
        open_stage(page, web, slug, stages["choose-best"])
        expect(page.locator(".tag-name")).to_have_text(["flood", "rush", "surge", "None of them is good"])
        page.keyboard.press("Enter")
        expect(page.locator("#ws-live")).to_contain_text("Choose the best word")
        page.keyboard.press(press)
        if page is pages[0]:
            look(page, "choose-best")
        page.keyboard.press("Enter")
        expect(said).to_be_visible()

    # A tie: whoever adjudicates sees the votes, and lets two stand.
    judge = pages[4]
    open_stage(judge, web, slug, made["judge"])
    expect(judge.locator(".tag-button .badge")).to_have_text(["Votes: 1", "Votes: 1", "Votes: 1"])
    expect(judge.locator("[data-tag][aria-pressed=true], .decision-option[aria-pressed=true]")).to_have_count(0)
    judge.keyboard.press("e")
    judge.keyboard.press("2")
    judge.keyboard.press("3")
    expect(judge.locator("[data-tag='w:surge']")).to_have_attribute("aria-pressed", "true")
    # A third word cannot be chosen: whoever looks at the page is told, too, until the next key or click.
    judge.keyboard.press("1")
    told = judge.locator("#ws-alerts").get_by_text("You can mark at most two words as equally good")
    expect(told).to_be_visible()
    judge.locator("[data-tag='w:surge']").click()
    expect(told).to_have_count(0)
    judge.locator("[data-tag='w:surge']").click()
    judge.keyboard.press("c")
    judge.keyboard.type("Both say the same.")
    look(judge, "adjudicate-best")
    judge.keyboard.press("Control+Enter")
    expect(end[4]).to_be_visible()

    # What was written stays while that is decided.
    writer = pages[3]
    open_stage(writer, web, slug, stages["substitute"])
    writer.keyboard.press("b")
    expect(writer.locator(".notice-warning")).to_contain_text("Gold has been decided here")
    expect(writer.get_by_label("One word for")).to_have_attribute("readonly", "")

    # An inapt word, with the sense that it is from.
    expert = pages[0]
    open_stage(expert, web, slug, stages["inapt"])
    expert.keyboard.type("wave")
    expert.keyboard.press("Enter")
    expect(expert.locator(".help[role=status]")).to_contain_text("the word in the sentence")
    expect(expert.locator("#ws-live")).to_contain_text("the word in the sentence")
    expert.keyboard.press("Control+a")
    expert.keyboard.type("rush")
    expert.keyboard.press("Enter")
    expect(expert.locator("#ws-alerts")).to_contain_text("“rush” was chosen as the best word")
    look(expert, "inapt-and-best")
    expect(expert.locator("li .notice-warning")).to_contain_text("“rush” was chosen as the best word")
    expect(expert.locator(".ws-filled")).to_have_text("rush")
    expert.get_by_label("Inapt word 1").focus()
    expert.keyboard.press("Control+a")
    expert.keyboard.type("ripple")
    expect(expert.locator(".ws-filled")).to_have_text("ripple")
    expert.keyboard.press("Tab")
    expert.keyboard.type("a small wave on water")
    look(expert, "inapt")
    expert.keyboard.press("Control+Enter")
    expect(end[0]).to_be_visible()

    files = web.python(RELEASE.format(slug=slug))
    assert files["for_judgement.csv"].replace("\r\n", "\n") == TRIPLES
    assert files["for_generation.csv"].splitlines()[1].endswith("letters,surge flood rush")
    assert len(json.loads(files["evaluation.json"])["items"]) == 3


VERIFIED = (
    SETUP.replace('"choose-best", "en", mode="blind", answers_wanted=3', '"verify-best", "en"')
    + """
from annotator.kinds.substitution.gathering import offer_words
stage = project.stages.get(kind="substitute", language="en")
for word in ("surge", "Surge", "rush", "rush", "flood"):
    Annotation.objects.create(
        project=project, unit=unit, layer=stage.layer, stage=stage, user=make_member(project), mode="blind",
        state="done", content={"word": word, "reason": ""},
    )
offer_words(stage, unit, by=None)
"""
)


def test_what_most_people_wrote_is_verified_with_one_key(web: Web, page: Page) -> None:
    made: dict[str, Any] = web.new_project(VERIFIED)
    page = with_axe(page)
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": made["people"][0], "url": web.url}])
    open_stage(page, web, made["slug"], made["stages"]["verify-best"])
    expect(page.locator(".tag-button")).to_have_text(
        ["1rushWritten: 2", "2surgeWritten: 2", "3floodWritten: 1", "0None of them is good"]
    )
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#ws-live")).to_contain_text("Choose the best word")
    accept = page.get_by_role("button", name="Accept “rush = surge”, which most people wrote")
    expect(accept).to_be_visible()
    page.keyboard.press("a")
    expect(
        page.locator("[data-tag='w:rush'][aria-pressed=true], [data-tag='w:surge'][aria-pressed=true]")
    ).to_have_count(2)
    look(page, "verify-best")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=END)).to_be_visible()
    said = web.python(f"out(Gold.objects.get(project__slug={made['slug']!r}).content)")
    assert said == {"words": ["rush", "surge"], "none": False}
