"""People come into a project: invited by a link, with an account made there, and a page about what they did."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, PHONE, Web, sign_in

pytestmark = pytest.mark.browser


def fits(page: Page) -> None:
    """Nothing sticks out to the side, once the page is laid out."""
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_somebody_is_invited_joins_on_a_phone_and_is_seen(web: Web, new_page: Callable[..., Page]) -> None:
    made = web.new_project(
        "mia = make_member(project, 'manager', 'mia-invites')\nmade['mia'] = mia.username\n"
        "stage = stage_of(project, 'correct')\nmade['stage'] = stage.pk\nmake_sentence(project, 'Ardían las promesas')"
    )
    page = new_page()
    sign_in(page, web, made["mia"])
    page.goto(f"{web.url}/projects/{made['slug']}/members/")

    page.get_by_role("link", name="Add people").click()
    dialog = page.get_by_role("dialog", name="Add people")
    dialog.get_by_label("Email (optional)").fill("cam@example.org")
    dialog.get_by_label("Spanish (es)").check()
    page.get_by_role("button", name="Create the link").click()
    address = page.get_by_label("Link", exact=True).input_value()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    phone = new_page(PHONE, color_scheme="dark", locale="en")
    phone.goto(address)
    fits(phone)
    phone.get_by_label("Username").fill("camila")
    phone.get_by_label("Full name").fill("Camila Souza")
    phone.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.get_by_label("Confirm password").fill(PASSWORD)
    phone.get_by_role("button", name="Create the account and join").click()
    expect(phone.get_by_text("Welcome to")).to_be_visible()
    phone.goto(f"{web.url}/projects/{made['slug']}/stages/{made['stage']}/work/")
    phone.locator(".chip").first.click()
    phone.locator(".ws-comment").fill("¿Ardían de verdad?")
    phone.locator("[data-command=done]").click()
    expect(phone.locator("#ws-live-saves")).to_contain_text("Saved")

    again = new_page(PHONE)
    again.goto(address)
    expect(again.get_by_text("This invitation was already used")).to_be_visible()

    page.goto(f"{web.url}/projects/{made['slug']}/members/")
    expect(page.locator("#invitations")).to_contain_text("Accepted")
    page.get_by_role("link", name="Camila Souza").click()
    expect(page.get_by_role("heading", name="Camila Souza")).to_be_visible()
    page.locator("section[aria-labelledby=remarks]").get_by_role("link", name="Ardían las promesas").click()
    expect(page.get_by_text("¿Ardían de verdad?")).to_be_visible()
    page.set_viewport_size(PHONE)
    fits(page)
    page.go_back()
    fits(page)
    page.goto(f"{web.url}/projects/{made['slug']}/members/")
    fits(page)


def test_who_forgot_the_password_is_told_what_can_be_done(web: Web, new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    page.goto(f"{web.url}/sign-in/")
    fits(page)
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.get_by_text("This site has no mail server")).to_be_visible()
    fits(page)
