"""A text is fixed where it is labelled, with one key; and a queue is narrowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotator.machines.queries.training import built_in
from tests.browser.conftest import PHONE, Web, open_stage, sign_in

pytestmark = pytest.mark.browser

TEXT = "Las promesas ardian en la noche"
FIXED = "Las promesas ardían en la noche"
SENTENCES = f"""
stage = stage_of(project, "correct")
made["stage"] = stage.pk
first = make_sentence(project, {TEXT!r})
make_sentence(project, "El tiempo vuela")
make_prediction(first, [span(1)], [0.02, 0.81, 0.1, 0.07, 0.01, 0.02])
"""


def corpus(web: Web) -> dict[str, Any]:
    return web.new_project(SENTENCES)


def text_is(page: Page, text: str) -> None:
    expect(page.locator(".tokens .chip-text")).to_have_text(text.split(" "))


def test_a_text_is_fixed_with_the_keyboard_alone_and_its_suggestions_come_anew(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    text_is(page, TEXT)
    # An edit that is not saved yet goes along.
    press("End")
    press("Space")
    press("t")
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_role("textbox")
    expect(field).to_be_focused()
    expect(field).to_have_value(TEXT)
    press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("The text was not changed.")
    field.fill(FIXED)
    press("Enter")
    expect(dialog).to_have_count(0)
    text_is(page, FIXED)
    expect(page.locator(".ws-revised")).to_contain_text("Decide again on: ardían.")
    expect(page.locator(".chip-changed .chip-text")).to_have_text(["ardían"])
    assert page.locator(".chip:focus").count() == 1
    # The worker's part: it says what it has to say of the new text, and the page shows it.
    web.python(
        "from annotator.jobs.running import run_job\n"
        f"run_job(Job.objects.get(project__slug={made['slug']!r}, kind='revise').pk, worker='one')"
    )
    expect(page.locator(".ws-meta")).to_contain_text(f"Suggestions: {built_in('es')}", timeout=15_000)
    assert page.locator(".chip[aria-pressed=true] .chip-text").all_inner_texts() == ["promesas", "noche"]
    press("Enter")
    text_is(page, "El tiempo vuela")
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")
    saved = web.python(
        f"rows = Annotation.objects.filter(project__slug={made['slug']!r}).order_by('pk')\n"
        "out([[r.unit.text, r.unit.revision, r.state, [s['tokens'] for s in r.content['spans']]] for r in rows])"
    )
    assert saved == [[TEXT, 1, "open", [[1], [5]]], [FIXED, 2, "done", [[1], [5]]]]
    # Back to it: the fix can be undone, by the text before.
    press("b")
    text_is(page, FIXED)
    press("t")
    dialog.get_by_role("button", name="Restore the previous text").click()
    expect(field).to_have_value(TEXT)
    dialog.get_by_role("button", name="Save the text").click()
    text_is(page, TEXT)


def test_two_who_fix_at_once_choose(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXT)
    page.get_by_role("button", name="Edit the text").click()
    web.python(
        "from annotator.revisions.revisions import revise_text\n"
        f"unit = Unit.objects.get(project__slug={made['slug']!r}, tokens__2='ardian')\n"
        "revise_text(project=unit.project, unit=unit.pk, text='Las promesas ardieron', by=None)"
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(FIXED)
    page.keyboard.press("Control+Enter")
    expect(dialog.locator(".conflict-side .words")).to_have_text([FIXED, "Las promesas ardieron"])
    expect(dialog.get_by_role("button", name="Keep your version")).to_be_focused()
    dialog.get_by_role("button", name="Use the saved version").click()
    expect(dialog).to_have_count(0)
    text_is(page, "Las promesas ardieron")


def test_a_translation_is_fixed_while_its_projection_is_reviewed(page: Page, web: Web) -> None:
    made = web.new_project(
        """
segment = make_segment(project)
source = make_sentence(project, "La inflación devora los ahorros", segment=segment)
target = make_sentence(project, "Inflation devour the savings", language="en", segment=segment)
make_gold(source, [span(2)])
make_projection(source, target, [span(1)], [span(2)])
made["stage"] = stage_of(project, "project-review", "en").pk
"""
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, "Inflation devour the savings")
    page.keyboard.press("t")
    page.get_by_role("dialog").get_by_role("textbox").fill("Inflation devours the savings")
    page.keyboard.press("Enter")
    text_is(page, "Inflation devours the savings")
    web.python(
        "from annotator.jobs.running import run_job\n"
        f"run_job(Job.objects.get(project__slug={made['slug']!r}, kind='revise').pk, worker='one')"
    )
    # Projected again onto the new text: the source is back above it, with its label carried over.
    expect(page.locator(".review-source")).to_contain_text("devora", timeout=15_000)
    expect(page.locator(".chip[aria-pressed=true] .chip-text")).to_have_text(["devours"])


def test_blind_the_text_stays(page: Page, web: Web) -> None:
    made = web.new_project(f"{SENTENCES}\nmake_assignment(first, user, stage, mode='blind')")
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXT)
    assert page.get_by_role("button", name="Edit the text").count() == 0
    page.keyboard.press("t")
    expect(page.locator("#ws-live")).to_contain_text("You are annotating blind here")
    assert page.get_by_role("dialog").count() == 0


def test_a_queue_is_narrowed_and_widened_again(new_page: Callable[..., Page], web: Web) -> None:
    made = corpus(web)
    page = new_page()
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    menu = page.locator(".ws-narrow")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    page.keyboard.press("Enter")
    menu.get_by_role("link", name="Without suggestions").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**?only=unsuggested")
    text_is(page, "El tiempo vuela")
    expect(page.locator(".ws-narrowed")).to_contain_text("Without suggestions")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.locator(".ws-idle").get_by_role("link", name="Show all items").click()
    text_is(page, TEXT)
    assert page.locator(".ws-narrowed").count() == 0

    phone = new_page(PHONE)
    sign_in(phone, web, made["user"])
    open_stage(phone, web, made["slug"], made["stage"])
    phone.locator(".ws-narrow summary").click()
    expect(phone.get_by_role("link", name="In doubt")).to_be_in_viewport()
    phone.keyboard.press("Escape")
    phone.get_by_role("button", name="Edit the text").click()
    expect(phone.get_by_role("button", name="Save the text")).to_be_in_viewport()


RIGHT_TO_LEFT = """
from django.conf import settings
settings.ALLOWED_HOSTS = ["testserver"]
from annotator.projects.actions.projects import create_project
from annotator.core.starts import STARTS
from tests.clients import client_of
project = create_project(slug="right-to-left", preset=STARTS["impli"].preset(["ar"]), by=None)
ana, ben = make_member(project), make_member(project)
make_sentence(project, "قال iPhone إن الجو بارد ( حقًا ) .", language="ar")
correct, rewrite = project.stages.get(kind="correct"), project.stages.get(kind="rewrite")
api = "/api/v1/projects/right-to-left/"
(item,) = client_of(ana).post(f"{api}stages/{correct.pk}/claim/", {"count": 1}).json()["items"]
label = {"tokens": [4], "label": "FIGURATIVE", "attributes": {}, "score": None}
body = {"version": 0, "content": {"spans": [label]}, "done": True}
client_of(ana).post(f"{api}assignments/{item['id']}/save/", body)
out({"ana": ana.username, "ben": ben.username, "item": item["id"], "correct": correct.pk, "rewrite": rewrite.pk})
"""


def test_a_language_written_from_right_to_left_is_so_everywhere(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.python(RIGHT_TO_LEFT)
    page = new_page()
    sign_in(page, web, made["ana"])
    open_stage(page, web, "right-to-left", made["correct"], item=made["item"])
    # By itself a bracket has no direction, and would not be mirrored.
    expect(page.locator(".chip-text", has_text="(")).to_have_css("direction", "rtl")
    page = new_page()
    sign_in(page, web, made["ben"])
    open_stage(page, web, "right-to-left", made["rewrite"])
    expect(page.locator(".ws-sentence .words")).to_have_css("direction", "rtl")
    field = page.locator("textarea.text-field").first
    expect(field).to_have_css("direction", "rtl")
    # The first letter is Latin, the text is not.
    field.fill("iPhone قال")
    for node in (field, page.locator(".rewritten [lang=ar]")):
        expect(node).to_have_css("direction", "rtl")


MARKED = """
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import claim
from annotator.projects.actions.projects import create_project
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.trials import answer_trial
from annotator.core.starts import STARTS
project = create_project(slug="marked", preset=STARTS["substitution"].preset(["en"]), by=None)
ana, ben = make_member(project), make_member(project)
stages = {stage.kind: stage for stage in project.stages.select_related("layer", "project")}
def answer(user, kind, content):
    (row,) = claim(stage=stages[kind], user=user, now=timezone.now())
    save_annotation(
        project=project, assignment=row.pk, version=0, content=content, done=True, by=user, now=timezone.now()
    )
sentence = make_sentence(project, "A wave of joy came", language="en")
answer(ben, "correct", spans(span(1)))
answer_trial(stage=stages["substitute"], content={"word": "Criticised", "reason": ""}, by=ana)
answer(ana, "substitute", {"word": "surge", "reason": ""})
revise_text(project=project, unit=sentence.pk, text="Then a wave of joy came", by=None, anybodys=True)
out({"stage": stages["substitute"].pk, "user": ana.username})
"""


def test_what_was_written_for_a_word_is_there_to_be_looked_at_again(page: Page, web: Web) -> None:
    made = web.python(MARKED)
    sign_in(page, web, made["user"])
    open_stage(page, web, "marked", made["stage"])
    expect(page.locator(".ws-revised")).to_contain_text("Your answer is kept")
    expect(page.get_by_label("One word for “wave”")).to_have_value("surge")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
