"""Two tabs of one browser: in the second somebody else signs in."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Web, open_stage, sign_in

pytestmark = pytest.mark.browser

FILLED = """
stage = stage_of(project, "correct")
made["stage"] = stage.pk
ben = make_member(project, username=f"{user.username}-ben")
ben.first_name = "Ben"
ben.save()
made["ben"] = ben.username
for text in ("Ardían las viejas promesas", "Nadie llegó a fin de mes", "El puente une dos orillas"):
    make_sentence(project, text)
"""


def test_the_page_of_one_person_claims_and_saves_nothing_as_another(page: Page, web: Web) -> None:
    made = web.new_project(FILLED)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])

    sign_in(page, web, made["ben"])
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    expect(page.locator("#ws-alerts")).to_contain_text("you are signed in as Ben")
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "failed")
    assert web.spans(made["slug"], made["user"]) == []
    assert web.spans(made["slug"], made["ben"]) == []

    # What was done is kept, and saved once its owner is back.
    sign_in(page, web, made["user"])
    page.locator("#ws-status button").click()
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")
    assert web.spans(made["slug"], made["user"]) == [["Ardían las viejas promesas", "done", [[0]]]]
    assert web.spans(made["slug"], made["ben"]) == []


def test_a_form_and_a_part_of_a_page_say_who_is_signed_in(page: Page, web: Web) -> None:
    made = web.new_project(FILLED + "Membership.objects.update(role='manager')\n")
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/import/")
    sign_in(page, web, made["ben"])

    page.set_input_files("form[hx-post] input[type=file]", {"name": "a.txt", "mimeType": "", "buffer": b"One.\nTwo.\n"})
    expect(page.locator("#refused")).to_contain_text("you are signed in as Ben")
    expect(page.locator("#drop-refused")).to_be_empty()
    assert web.python(f"out(ImportDraft.objects.filter(project__slug={made['slug']!r}).count())") == 0

    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/account/")
    sign_in(page, web, made["ben"])
    page.fill("main [name=password]", PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    expect(page.locator("h1")).to_have_text("Someone else is signed in")
    expect(page.locator("main")).to_contain_text("you are signed in as Ben")
