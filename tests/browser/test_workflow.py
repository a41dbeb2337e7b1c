"""The whole workflow in the browser: on the demo as it comes, and from one's own files to a release."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import is_saved
from tests.browser.demo import Demo
from tests.site import wait_until

pytestmark = pytest.mark.browser

PASSWORD = "translatio"


def sign_in(page: Page, demo: Demo, username: str) -> None:
    """With the keyboard: the name field has the focus."""
    page.goto(demo.url)
    page.locator("[name=username]").focus()
    page.keyboard.type(username)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")


def sign_out(page: Page) -> None:
    page.locator("summary", has_text="Your account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def work(page: Page, demo: Demo, path: str) -> Locator:
    """Open a workspace and wait for its first item; the element that shows it."""
    page.goto(f"{demo.url}{path}")
    body = page.locator("#ws-body[data-key]")
    body.wait_for()
    return body


def press_and_move_on(page: Page, body: Locator, *keys: str) -> None:
    """Press keys, the last of which finishes the item, and wait until another item (or the end) is shown."""
    before = body.get_attribute("data-key")
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(f"#ws-body[data-key='{before}']")).to_have_count(0)
    is_saved(page)


def test_the_demo_from_sign_in_to_release(demo: Demo, new_page: Callable[..., Page]) -> None:
    page = new_page()

    # An annotator corrects sentences, reviews projections, tags pairs: with the keyboard alone.
    sign_in(page, demo, "ana")
    before = demo.done_by("ana", "es")
    body = work(page, demo, demo.stage("correct", "es"))
    first = page.locator(".tokens .chip-text").all_inner_texts()
    press_and_move_on(page, body, "Home", "Space", "Enter")
    assert page.locator(".tokens .chip-text").all_inner_texts() != first
    press_and_move_on(page, body, "d", "Enter")
    assert demo.done_by("ana", "es") == before + 2
    last_two = demo.site.python(
        "import json\nfrom annotator.models import Annotation\n"
        "rows = Annotation.objects.filter(user__username='ana', state='done', unit__language='es',"
        " layer__slug='labels').order_by('-done_at')[:2]\n"
        "print(json.dumps([[r.unit.tokens, [s['tokens'] for s in r.content['spans']], r.doubt] for r in rows]))"
    )
    assert last_two[0][2] is True
    assert last_two[1][0] == first
    assert [0] in last_two[1][1]

    before = demo.done_by("ana", "en")
    body = work(page, demo, demo.stage("project-review", "en"))
    done = page.locator("[data-command=done]")
    for taken in ("a", ""):
        # Every span takes an act: the projected ones are kept at once, or each is lost.
        expect(done).to_be_disabled()
        if taken:
            page.keyboard.press(taken)
        for _span in range(page.locator(".decision-fate").count()):
            if done.is_disabled():
                page.keyboard.press("l")
        press_and_move_on(page, body, "Enter")
    assert demo.done_by("ana", "en") == before + 2

    before = demo.done_by("ana", "es", layer="interpretation")
    body = work(page, demo, demo.stage("pair-tag", "es"))
    press_and_move_on(page, body, "3")
    press_and_move_on(page, body, "1")
    assert demo.done_by("ana", "es", layer="interpretation") == before + 2
    sign_out(page)

    # A second annotator labels blind.
    sign_in(page, demo, "ben")
    before = demo.done_by("ben", "es")
    body = work(page, demo, demo.stage("correct", "es"))
    expect(page.locator("#ws-blind")).to_be_visible()
    expect(page.locator(".chip[data-state]")).to_have_count(0)
    assert "%" not in page.locator("#ws-body").inner_text()
    press_and_move_on(page, body, "Home", "Enter")
    assert demo.done_by("ben", "es") == before + 1
    sign_out(page)

    # An adjudicator decides a disagreement.
    sign_in(page, demo, "adela")
    gold = "SELECT COUNT(*) FROM annotator_gold WHERE source = 'adjudicated'"
    before = demo.site.value(gold)
    body = work(page, demo, demo.stage("adjudicate", "es", layer="labels"))
    press_and_move_on(page, body, "Shift+Digit1", "Enter")
    assert demo.site.value(gold) == before + 1
    sign_out(page)

    # The manager sees kappa, the same that the command computes, and downloads a release.
    sign_in(page, demo, "mara")
    page.goto(f"{demo.url}/projects/sample/agreement/?a=ana&b=ben&layer=tokens&language=es")
    printed = demo.site.command(
        "agreement", "sample", "--annotators", "ana", "ben", "--layer", "tokens", "--format", "json"
    )
    overall = json.loads(printed)["rows"][-1]["kappa"]
    assert 0.5 < overall < 1
    row = page.get_by_role("row", name="All").first
    expect(row).to_contain_text(f"{overall:.2f}")

    page.goto(f"{demo.url}/projects/sample/releases/")
    page.get_by_label("Create a partial release that lists what is left out").check()
    page.get_by_role("button", name="Create a release").click()
    wait_until(lambda: demo.site.value("SELECT MAX(number) FROM annotator_release") == 2, what="the release")
    names = check_release(download(page, demo, "sample", 2), partial=True)
    assert "detection/source_datasets/es/sample_prem.tsv" in names
    assert "left_out.tsv" in names


def download(page: Page, demo: Demo, slug: str, number: int) -> bytes:
    page.goto(f"{demo.url}/projects/{slug}/releases/")
    with page.expect_download() as started:
        page.get_by_role("link", name=f"Download release {number}").click()
    return Path(started.value.path()).read_bytes()


def check_release(content: bytes, *, partial: bool) -> set[str]:
    """Every file is as the manifest says; returns their names."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["partial"] is partial
        for name, about in manifest["files"].items():
            assert hashlib.sha256(archive.read(name)).hexdigest() == about["sha256"]
        assert names == {*manifest["files"], "manifest.json"}
    return names
