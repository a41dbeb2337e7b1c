"""One's own corpus by clicks and keys alone: from two text files to released gold, with two people invited by link."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotator.formats.text.words import words
from tests.browser.conftest import is_saved
from tests.browser.demo import Demo
from tests.browser.test_import import go
from tests.browser.test_workflow import check_release, sign_in

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery"
# Spanish, Catalan, and the token of the metaphor in both; None where nothing is one. Two words of each are signs of
# the comparison. The seventh Catalan line has a slip of the pen. Full stops are split off as the files come in, and so
# is the article of "L'alcalde".
LINES = (
    ("El barrio se despierta poco a poco.", "El barri es desperta a poc a poc.", (3, 3)),
    ("Nieves abre la panadería a las seis.", "La Neus obre la fleca a les sis.", None),
    ("El miedo le roía el corazón.", "La por li rosegava el cor.", (3, 3)),
    ("Los trenes pasan por el puente viejo.", "Els trens passen pel pont vell.", None),
    ("El pan sale del horno a mediodía.", "El pa surt del forn al migdia.", None),
    ("Un rumor corrió por toda la plaza.", "Un rumor va córrer per tota la plaça.", (2, 3)),
    ("El alcalde sembró dudas entre los vecinos.", "L'alcalde va senbrar dubtes entre els veïns.", (2, 3)),
    ("El puerto duerme bajo la niebla.", "El port dorm sota la boira.", (2, 2)),
    ("La lluvia cae sobre los naranjos.", "La pluja cau sobre els tarongers.", None),
    ("La noticia encendió los ánimos.", "La notícia va encendre els ànims.", (2, 3)),
    ("Pau guarda las llaves en un cajón.", "En Pau desa les claus en un calaix.", None),
    ("La noche se traga las últimas voces.", "La nit s'empassa les últimes veus.", (3, 3)),
)
SLIP, FIXED = "L'alcalde va senbrar dubtes entre els veïns.", "L'alcalde va sembrar dubtes entre els veïns."

# The worker of the demo steps back for all others, and other tests may keep all cores busy.
JOB = 180_000


def split(text: str, language: str) -> str:
    """The tokens of a text, as the pages show them."""
    return " ".join(text[begin:end] for begin, end in words(text, language))


# Where the two who label Spanish differ: one of them sees nothing there.
DISPUTED = split(LINES[0][0], "es")
PLACES = {split(spanish, "es"): places and places[0] for spanish, _catalan, places in LINES} | {
    split(catalan, "ca"): places and places[1] for _spanish, catalan, places in LINES
}
PLACES[split(FIXED, "ca")] = PLACES[split(SLIP, "ca")]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = [tmp_path / "port.ca.txt", tmp_path / "port.es.txt"]
    for path, texts in zip(found, ([line[1] for line in LINES], [line[0] for line in LINES]), strict=True):
        path.write_text("\n".join(texts) + "\n")
    return found


def new_project(page: Page) -> None:
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name", exact=True).fill("Metaphor at the port")
    page.get_by_label("Language", exact=True).fill("Spanish")
    page.get_by_label("Other language 1").fill("Catalan")
    page.get_by_role("radio", name="Full MIPVU").check()
    expect(page.get_by_role("columnheader", name="Review projections")).to_be_visible()
    page.get_by_role("button", name="Create the project").click()


def bring(page: Page, files: list[Path]) -> None:
    """From the new project's dashboard to the end of the import."""
    page.get_by_role("region", name="Import sentences").get_by_role("link", name="Import").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_label("Choose files, or drop them here").click()
    chooser.value.set_files(files)
    # Languages and format are guessed right.
    go(page, "Licence")
    # What an own text needs, to be in the release.
    page.get_by_label("Releases can contain the text").check()
    page.get_by_role("button", name="Next: Import").click()
    page.get_by_role("button", name="Import 12 sentences in es and ca").click()
    page.get_by_role("link", name="Start with the first one").wait_for(timeout=JOB)


def shown(page: Page) -> str:
    """The text that is to be labelled, once there is one; "" when nothing is left."""
    page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
    if not page.locator("#ws-body[data-key]").count():
        return ""
    texts: list[str] = page.locator(".tokens").last.locator(".chip-text").all_inner_texts()
    return " ".join(texts)


def to_dashboard(page: Page) -> None:
    page.get_by_role("link", name="Metaphor at the port").click()


def go_to(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Project").get_by_role("link", name=name, exact=True).click()


def next_step(page: Page, title: str, link: str) -> None:
    """Follow the dashboard's prominent button."""
    region = page.get_by_role("region", name=title)
    region.get_by_role("link", name=link).or_(region.get_by_role("button", name=link)).click()


def label(page: Page, *, without: str = "") -> None:
    """Label what is shown as planned, by keys: what is suggested elsewhere is taken off. Then the next one."""
    text = shown(page)
    place = None if text == without else PLACES[text]
    # Every span of the source takes an act: what is projected is kept, what is not is lost.
    done = page.locator("[data-command=done]")
    if spans := page.locator(".decision-fate").count():
        page.keyboard.press("a")
        for _span in range(spans):
            if done.is_disabled():
                page.keyboard.press("l")
        expect(done).to_be_enabled()
    chips = page.locator(".tokens").last.locator(".chip")
    pressed = chips.evaluate_all("chips => chips.map(chip => chip.getAttribute('aria-pressed') === 'true')")
    for index, on in enumerate(pressed):
        if on != (index == place):
            page.keyboard.press("Home")
            for _step in range(index):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Space")
    expect(page.locator(".tokens").last.locator(".chip[aria-pressed=true]")).to_have_count(int(place is not None))
    key = page.locator("#ws-body").get_attribute("data-key")
    page.keyboard.press("Enter")
    expect(page.locator(f"#ws-body[data-key='{key}']")).to_have_count(0)
    is_saved(page)


def finished_job(page: Page) -> None:
    """A job's page was opened by what started it, and says that it is done."""
    expect(page.locator(".badge").filter(has_text="Done")).to_be_visible(timeout=JOB)


def join(page: Page, link: str, username: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Username").fill(username)
    page.get_by_label("Full name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create the account and join").click()
    expect(page.get_by_text("Welcome to")).to_be_visible()


def accept(page: Page, language: str, *, blind: bool) -> None:
    """Follow the next step, which has its language chosen already. Where nobody labelled `blind`, it asks."""
    to_dashboard(page)
    next_step(page, "Accept matching answers as gold", "Accept into gold")
    form = page.locator("#action-accept")
    expect(form.get_by_label("Language")).to_have_value(language)
    form.get_by_role("button", name="Accept into gold").click()
    if not blind:
        page.get_by_role("button", name="Accept without one").click()
    expect(page.get_by_role("status").filter(has_text=f"Gold in {language}")).to_be_visible()


def test_from_two_files_to_released_gold(demo: Demo, new_page: Callable[..., Page], files: list[Path]) -> None:
    mara = new_page()
    sign_in(mara, demo, "mara")
    new_project(mara)
    expect(mara.get_by_role("status")).to_contain_text("You are its manager")
    bring(mara, files)

    # Two people are invited by link, and make their accounts where it leads.
    go_to(mara, "Members")
    links = []
    for _person in range(2):
        mara.get_by_role("link", name="Add people").click()
        mara.get_by_role("dialog", name="Add people").get_by_role("button", name="Create the link").click()
        links.append(mara.get_by_label("Link", exact=True).input_value())
    nuria, pol = new_page(), new_page()
    join(nuria, links[0], "nuria", "Núria Pons")
    join(pol, links[1], "pol", "Pol Serra")

    # Both label Spanish at the same time, and each finds work.
    for page in (nuria, pol):
        next_step(page, "Correct labels (es)", "Start")
        assert shown(page)
    for _round in range(6):
        label(nuria)
        label(pol)
    for page in (nuria, pol):
        expect(page.locator(".ws-idle")).to_be_visible()

    # The labels are carried over.
    to_dashboard(mara)
    next_step(mara, "Project the labels", "Project labels onto another language")
    mara.locator("#action-project").get_by_role("button", name="Project labels onto another language").click()
    finished_job(mara)
    expect(mara.get_by_role("region", name="The projections are ready")).to_be_visible()

    # One of them reviews the Catalan; a text is fixed on the way.
    to_dashboard(nuria)
    next_step(nuria, "Review projections (ca)", "Start")
    while text := shown(nuria):
        if text == split(SLIP, "ca"):
            fix(nuria)
        label(nuria)
    to_dashboard(nuria)
    next_step(nuria, "Correct labels (ca)", "Start")
    while shown(nuria):
        label(nuria)

    # The other one labels blind what she labelled in Spanish.
    to_dashboard(mara)
    blind = mara.locator("#action-blind")
    mara.get_by_text("Run", exact=True).click()
    mara.get_by_role("button", name="Assign a blind sample").click()
    blind.get_by_label("pol").check()
    blind.get_by_role("button", name="Assign").click()
    expect(mara.get_by_role("status").filter(has_text="in the blind sample")).to_be_visible()
    to_dashboard(pol)
    next_step(pol, "Continue: Correct labels (es)", "Continue")
    expect(pol.locator("#ws-blind")).to_be_visible()
    while shown(pol):
        label(pol, without=DISPUTED)

    go_to_agreement(mara)
    row = mara.get_by_role("row", name="All").first
    expect(row).to_contain_text("0.")

    to_dashboard(mara)
    next_step(mara, "Adjudicate: labels (es)", "Adjudicate")
    assert shown(mara) == DISPUTED
    mara.keyboard.press("Shift+Digit1")
    mara.keyboard.press("Enter")
    expect(mara.locator(".ws-idle")).to_be_visible()
    is_saved(mara)
    accept(mara, "es", blind=True)
    accept(mara, "ca", blind=False)

    to_dashboard(mara)
    next_step(mara, "Release the gold", "Go to releases")
    mara.get_by_role("button", name="Create a release").click()
    finished_job(mara)
    with mara.expect_download() as started:
        mara.get_by_role("link", name="Download release 1").click()
    check_content(Path(started.value.path()).read_bytes())


def fix(page: Page) -> None:
    page.keyboard.press("t")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(FIXED)
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator(".tokens").last.locator(".chip-text")).to_have_text(split(FIXED, "ca").split(" "))
    # The labels are projected onto the new text, and the page shows it by itself.
    expect(page.locator(".review-source")).to_be_visible(timeout=JOB)


def go_to_agreement(page: Page) -> None:
    to_dashboard(page)
    go_to(page, "Agreement")


def check_content(content: bytes) -> None:
    check_release(content, partial=False)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        rows: list[dict[str, Any]] = [json.loads(line) for line in archive.read("sentences.jsonl").splitlines()]
    texts = {" ".join(row["tokens"]): row for row in rows}
    assert set(texts) == set(PLACES) - {split(SLIP, "ca")}
    assert texts[split(FIXED, "ca")]["revision"] == 2
    for text, row in texts.items():
        place = PLACES[text]
        assert [span["tokens"] for span in row["spans"]] == ([] if place is None else [[place]]), text


# Clicks, and Enter where it presses a button; typing and Tab are none.
COUNT = """
window.addEventListener("click", (event) => {
  if (event.isTrusted && event.detail) window.counted("click");
}, true);
window.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.target.matches("textarea")) window.counted("Enter");
}, true);
"""


def test_a_newcomer_is_at_the_first_sentence_after_at_most_twelve_clicks(
    demo: Demo, new_page: Callable[..., Page], files: list[Path]
) -> None:
    demo.site.python(
        "from annotator.models import User\nfrom django.contrib.auth.hashers import make_password\n"
        f"password = make_password({PASSWORD!r}, hasher='pbkdf2_sha256')\n"
        "User.objects.create(username='nova', first_name='Nova', password=password)"
    )
    page = new_page()
    counted: list[str] = []
    page.expose_function("counted", lambda what: counted.append(what))  # noqa: PLW0108 -- a builtin takes no attribute
    page.add_init_script(COUNT)
    page.goto(demo.url)
    page.get_by_label("Username").fill("nova")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    new_project(page)
    bring(page, files)
    page.get_by_role("link", name="Start with the first one").click()

    assert shown(page) == split(LINES[0][0], "es")
    assert 7 <= len(counted) <= 12, counted
