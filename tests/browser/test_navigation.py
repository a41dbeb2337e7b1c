"""From anywhere in a project to anywhere else: rail, palette, menus of stages, of jobs and of what runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, sign_in

pytestmark = pytest.mark.browser

SCENE = """
boss = make_member(project, "manager", "boss-" + project.slug)
made["boss"] = boss.username
made["stages"] = [stage.pk for stage in project.stages.order_by("position", "pk")]
for _number in range(3):
    make_sentence(project)
"""


def opened(web: Web, page: Page, path: str = "") -> dict[str, Any]:
    made = web.new_project(SCENE)
    sign_in(page, web, made["boss"])
    page.goto(f"{web.url}/projects/{made['slug']}/{path}")
    return made


def test_each_stage_is_three_keys_away(web: Web, page: Page) -> None:
    made = opened(web, page)
    for number, stage in enumerate(made["stages"], start=1):
        page.keyboard.press("Control+k")
        page.keyboard.press(str(number))
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/stages/{stage}/work/")


def test_the_palette_searches_sentences_and_gives_the_focus_back(web: Web, page: Page) -> None:
    made = opened(web, page, "guidelines/")
    button = page.get_by_role("button", name="Go to")
    button.click()
    palette = page.get_by_role("dialog", name="Go to")
    expect(palette.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(palette).to_be_hidden()
    expect(button).to_be_focused()

    button.click()
    page.keyboard.type("tiempo vuela")
    expect(palette.get_by_role("option").last).to_have_text("Search sentences: tiempo vuela")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/projects/{made['slug']}/find/?q=tiempo%20vuela")


def test_letters_typed_into_it_do_not_reach_the_workspace(web: Web, page: Page) -> None:
    made = opened(web, page)
    page.goto(f"{web.url}/projects/{made['slug']}/stages/{made['stages'][0]}/work/")
    expect(page.locator(".chip").first).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("d")
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox", name="I'm not sure about this sentence")).not_to_be_checked()


def test_jobs_open_as_dialogs_without_scripts_too(web: Web, new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False)
    opened(web, page)
    dialog = page.get_by_role("dialog", name="Pre-label")
    expect(dialog).to_be_hidden()
    page.locator(".run-menu").get_by_text("Run", exact=True).click()
    page.locator(".run-menu").get_by_role("button", name="Pre-label").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_a_dialog_takes_the_place_of_the_menu_it_was_opened_from(web: Web, page: Page) -> None:
    opened(web, page)
    menu = page.locator(".run-menu")
    summary = menu.get_by_text("Run", exact=True)
    summary.click()
    menu.get_by_role("button", name="Train a detector").click()
    dialog = page.get_by_role("dialog", name="Train a detector")
    expect(dialog).to_be_visible()
    expect(menu).not_to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(summary).to_be_focused()


def test_the_rail_stays_as_the_person_folds_it(web: Web, page: Page) -> None:
    made = opened(web, page)
    label = page.get_by_role("navigation", name="Project").get_by_text("Guidelines")
    wide = page.locator(".rail").bounding_box()
    page.get_by_role("button", name="Collapse menu").click()
    page.goto(f"{web.url}/projects/{made['slug']}/guidelines/")
    narrow = page.locator(".rail").bounding_box()
    assert wide and narrow and narrow["width"] == 48 < wide["width"]
    # Its names stay for those who listen.
    expect(label).to_be_attached()
    page.get_by_role("button", name="Collapse menu").click()
    again = page.locator(".rail").bounding_box()
    assert again == wide


def test_on_a_phone_the_rail_is_behind_one_button(web: Web, new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    opened(web, page)
    rail = page.get_by_role("navigation", name="Project")
    expect(rail).to_be_hidden()
    page.get_by_role("button", name="Menu", exact=True).click()
    rail.get_by_role("link", name="Guidelines").click()
    page.wait_for_url("**/guidelines/")


def test_the_activity_menu_lists_jobs(web: Web, page: Page) -> None:
    made = web.new_project(
        SCENE + "Job.objects.create(project=project, kind='predict', state='running', total=4, done=1)\n"
    )
    sign_in(page, web, made["boss"])
    page.goto(f"{web.url}/projects/{made['slug']}/guidelines/")
    page.locator(".activity summary").click()
    expect(page.locator(".activity").get_by_role("progressbar")).to_be_visible()
    page.locator(".activity").get_by_role("link", name="All jobs").click()
    page.wait_for_url("**/jobs/")


def test_another_project_is_two_clicks_away(web: Web, page: Page) -> None:
    made = opened(web, page, "guidelines/")
    web.python(
        f"user = User.objects.get(username={made['boss']!r})\n"
        "Membership.objects.create(project=make_project('other-of-' + user.username), user=user, role='annotator')"
    )
    page.locator(".site-header summary").filter(has_text="Projects").click()
    page.get_by_role("link", name="other-of-").click()
    page.wait_for_url("**/projects/other-of-*/")
