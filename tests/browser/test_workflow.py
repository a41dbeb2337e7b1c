"""The whole workflow in the browser: on the demo as it comes, and from one's own files to a release."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

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


def saved(page: Page) -> None:
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")


def press_and_move_on(page: Page, body: Locator, *keys: str) -> None:
    """Press keys, the last of which finishes the item, and wait until another item (or the end) is shown."""
    before = body.get_attribute("data-key")
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(f"#ws-body[data-key='{before}']")).to_have_count(0)
    saved(page)


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
    press_and_move_on(page, body, "k", "Enter")
    press_and_move_on(page, body, "l", "Enter")
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
    page.get_by_label("Release what there is, and list what is left out").check()
    page.get_by_role("button", name="Make a release").click()
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


TAGGED = {
    "es": {
        "prem": "El O|alcalde O|echó B-METAPHOR|leña I-METAPHOR|al I-METAPHOR|fuego. I-METAPHOR",
        "hyp": ["El O|alcalde O|empeoró O|la O|discusión. O", "El O|alcalde O|llegó O|tarde. O", "Hubo O|paz. O"],
    },
    "en": {
        "prem": "The O|mayor O|added B-METAPHOR|fuel I-METAPHOR|to I-METAPHOR|the I-METAPHOR|fire. I-METAPHOR",
        "hyp": ["The O|mayor O|made O|the O|quarrel O|worse. O", "The O|mayor O|came O|late. O", "Peace O|reigned. O"],
    },
}
INFERENCES = ["entailment", "neutral", "contradiction"]


def own_corpus() -> bytes:
    """One premise with three hypotheses in the published layout, zipped."""

    def block(tagged: str) -> str:
        return "".join(f"{token.replace(' ', chr(9))}\n" for token in tagged.split("|")) + "\n"

    def text(tagged: str) -> str:
        return " ".join(token.split(" ")[0] for token in tagged.split("|"))

    header = "language\tgold_label\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tsource_dataset\n"
    rows = [
        f"{language}\t{inference}\t{text(content['prem'])}\t{text(hypothesis)}\t1_town\t{number}_town\tslate\ttown\n"
        for language, content in TAGGED.items()
        for number, (inference, hypothesis) in enumerate(zip(INFERENCES, content["hyp"], strict=True), 1)
    ]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for language, content in TAGGED.items():
            folder = f"detection/source_datasets/{language}"
            archive.writestr(f"{folder}/town_prem.tsv", block(content["prem"]))
            archive.writestr(f"{folder}/town_hyp.tsv", "".join(map(block, content["hyp"])))
        archive.writestr("interpretation/source_datasets/town_met.tsv", header + "".join(rows))
        for name in ("nonrelevant", "no_met"):
            archive.writestr(f"interpretation/source_datasets/town_{name}.tsv", header)
    return target.getvalue()


def set_going(page: Page, demo: Demo, action: str, button: str, **fields: Any) -> None:
    """Submit one of the dashboard's forms, and wait for the job it starts, if it starts one."""
    page.goto(f"{demo.url}/projects/town/")
    form = page.locator(f"#{action}")
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    for name, value in fields.items():
        form.locator(f"[name={name}]").select_option(value)
    form.get_by_role("button", name=button).click()
    page.wait_for_load_state()
    unfinished = "SELECT COUNT(*) FROM annotator_job WHERE state IN ('queued', 'running')"
    wait_until(lambda: demo.site.value(unfinished) == 0, what=f"the job of {action}")
    assert demo.site.value("SELECT COUNT(*) FROM annotator_job WHERE state = 'failed'") == 0


def all_off(page: Page) -> None:
    """Take every label of the shown sentence off."""
    labelled = page.locator(".chip[aria-pressed=true]")
    while left := labelled.count():
        labelled.first.click()
        expect(labelled).not_to_have_count(left)


def finish_stage(page: Page, demo: Demo, kind: str, language: str, count: int, *keys: str) -> None:
    """Go through all `count` items of a stage with the same keys."""
    body = work(page, demo, demo.stage(kind, language, "town"))
    for _number in range(count):
        press_and_move_on(page, body, *keys)
    expect(page.locator(".ws-idle")).to_be_visible()


def test_from_ones_own_files_to_a_full_release(demo: Demo, new_page: Callable[..., Page], tmp_path: Path) -> None:
    demo.site.command("create_project", "town", "--preset", "meta4xnli-es-en")
    packed = tmp_path / "town.zip"
    packed.write_bytes(own_corpus())
    page = new_page()
    sign_in(page, demo, "admin")
    page.goto(f"{demo.url}/projects/town/import/")
    page.get_by_label("Choose files, or drop them here").set_input_files(packed)
    page.get_by_label("Releases may contain the text").check()
    page.get_by_role("button", name="Import 4 sentences in es and en, 3 pairs").click()
    wait_until(lambda: demo.site.value("SELECT COUNT(*) FROM annotator_pair WHERE dataset = 'town'") == 3)

    set_going(page, demo, "action-predict", "Pre-label", language="es")
    # Whatever the detector suggests, the files' labels are set in the end: all off, then one unit of four words.
    body = work(page, demo, demo.stage("correct", "es", "town"))
    all_off(page)
    join = ["Home", "ArrowRight", "ArrowRight", "m", "Space", *("ArrowRight", "Space") * 3, "m", "Enter"]
    press_and_move_on(page, body, *join)
    for _number in range(3):
        all_off(page)
        press_and_move_on(page, body, "Enter")
    expect(page.locator(".ws-idle")).to_be_visible()
    set_going(page, demo, "action-accept", "Accept into gold", language="es")

    set_going(page, demo, "action-project", "Project labels", source="es", target="en", labels="gold")
    body = work(page, demo, demo.stage("project-review", "en", "town"))
    # The aligner may have carried over a part of "added fuel to the fire": all off, then the unit as it should be.
    all_off(page)
    unit = ["Home", "ArrowRight", "ArrowRight", "m", "Space", *("ArrowRight", "Space") * 4, "m", "Enter"]
    press_and_move_on(page, body, *unit)
    finish_stage(page, demo, "correct", "en", 3, "Enter")

    finish_stage(page, demo, "pair-tag", "es", 3, "1")
    set_going(page, demo, "action-transfer", "Transfer tags", source="es", target="en")
    finish_stage(page, demo, "pair-tag", "en", 3, "Enter")
    set_going(page, demo, "action-accept", "Accept into gold", language="es")
    set_going(page, demo, "action-accept", "Accept into gold", language="en")

    page.goto(f"{demo.url}/projects/town/releases/")
    page.get_by_role("button", name="Make a release").click()
    ours = (
        "SELECT COUNT(*) FROM annotator_release r JOIN annotator_project p ON p.id = r.project_id WHERE p.slug = 'town'"
    )
    wait_until(lambda: demo.site.value(ours) == 1, what="the release")
    content = download(page, demo, "town", 1)
    check_release(content, partial=False)
    with zipfile.ZipFile(io.BytesIO(content)) as released, zipfile.ZipFile(packed) as imported:
        for name in imported.namelist():
            assert released.read(name) == imported.read(name), name
