"""A project from its creation to its end, by clicks: Catalan and Spanish, labels renamed, archived, deleted."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, sign_in

pytestmark = pytest.mark.browser
# One pixel.
PNG = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def test_a_project_is_made_changed_archived_and_deleted(web: Web, new_page: Callable[..., Page]) -> None:
    web.python("make_user('berta')")
    page = new_page()
    sign_in(page, web, "berta")
    page.goto(web.url)

    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name", exact=True).fill("Metàfora Català–Español")
    page.get_by_label("Language", exact=True).fill("català (ca)")
    page.get_by_label("Other language 1").fill("Spanish")
    page.keyboard.press("Tab")
    picture = page.locator(".workflow")
    expect(picture).to_contain_text("Catalan (ca)")
    expect(picture).to_contain_text("Spanish (es)")
    expect(picture).to_contain_text("Review projections")
    expect(picture).to_contain_text("metafora-catala-espanol")
    # Another starting point brings another workflow, and back.
    page.get_by_text("Labels on sentences").click()
    expect(picture).not_to_contain_text("Review projections")
    page.get_by_text("Metaphor in parallel text").click()
    expect(picture).to_contain_text("Review projections")
    page.get_by_role("button", name="Create the project").click()

    expect(page.get_by_role("heading", name="Import sentences")).to_be_visible()
    button = page.locator(".next .button-primary")
    expect(button).to_have_count(1)
    expect(button).to_have_attribute("href", "/projects/metafora-catala-espanol/import/")

    web.python(
        "project = Project.objects.get(slug='metafora-catala-espanol')\n"
        "sentence = make_sentence(project, 'El temps vola', language='ca')\n"
        "make_annotation(sentence, make_member(project), [span(2)])\n"
        "make_gold(make_sentence(project, 'Els preus pugen', language='ca'), [span(2)])"
    )
    page.get_by_role("navigation", name="Project").get_by_role("link", name="Settings").click()
    tabs = page.get_by_role("navigation", name="Settings")
    tabs.get_by_role("link", name="Labels").click()
    page.get_by_label("Code of METAPHOR").fill("MRW")
    page.get_by_role("button", name="Save", exact=True).click()
    said = page.get_by_role("region", name="Effects of the change")
    expect(said).to_contain_text("METAPHOR becomes MRW.")
    expect(said).to_contain_text("METAPHOR: 1 label in annotations")
    expect(said).to_contain_text("METAPHOR: 1 label in gold")
    expect(said).to_contain_text("0 gold decisions will be reopened.")
    page.get_by_role("button", name="Apply the change").click()
    expect(page.get_by_text("The labels were changed.")).to_be_visible()
    labels = web.python(
        "rows = Annotation.objects.filter(project__slug='metafora-catala-espanol')\n"
        "out([span['label'] for row in rows for span in row.content['spans']])"
    )
    assert labels == ["MRW"]

    page.get_by_role("button", name="Add a label").click()
    expect(page.get_by_label("Code of new label")).to_be_focused()
    page.get_by_label("Code of new label").fill("SIMILE")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The labels were changed.")).to_be_visible()
    # By keys, by the pointer, and by the buttons of the row's menu.
    handle = page.get_by_label("Move SIMILE")
    expect(handle).to_be_visible()
    handle.press("ArrowUp")
    codes = page.locator("[name=code]")
    expect(codes.first).to_have_value("SIMILE")
    expect(handle).to_be_focused()
    below = page.get_by_label("Move MRW").bounding_box()
    at = handle.bounding_box()
    page.mouse.move(at["x"] + 5, at["y"] + 5)
    page.mouse.down()
    page.mouse.move(below["x"] + 5, below["y"] + below["height"], steps=4)
    page.mouse.up()
    expect(codes.first).to_have_value("MRW")
    page.get_by_role("button", name="Actions: SIMILE").click()
    page.get_by_role("button", name="Move up").click()
    expect(codes.first).to_have_value("SIMILE")
    page.get_by_role("button", name="Colour of SIMILE").click()
    page.locator("fieldset:popover-open").get_by_label("magenta").check()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The labels were changed.")).to_be_visible()
    scheme = web.python("out(Project.objects.get(slug='metafora-catala-espanol').label_layer.scheme_data)")
    assert (scheme["labels"], scheme["details"]["SIMILE"]) == (["SIMILE", "MRW"], {"colour": "magenta"})
    page.get_by_role("button", name="Actions: SIMILE").click()
    page.get_by_role("link", name="Merge into…").click()
    page.get_by_role("radio", name="MRW").check()
    page.get_by_role("button", name="Preview the effects").click()
    page.get_by_role("button", name="Merge SIMILE into MRW").click()
    expect(codes).to_have_count(1)

    tabs.get_by_role("link", name="Languages").click()
    page.get_by_label("Another language").fill("euskara (eu)")
    page.get_by_role("button", name="Preview and add").first.click()
    expect(page.get_by_role("heading", name="Add Basque (eu)?")).to_be_visible()
    page.get_by_role("button", name="Add the language").click()
    expect(page.get_by_text("Basque (eu) was added.")).to_be_visible()

    tabs.get_by_role("link", name="Copy, archive, delete").click()
    page.get_by_role("link", name="Archive the project").click()
    expect(page.get_by_role("heading", name="Archive Metàfora Català–Español?")).to_be_visible()
    page.get_by_role("button", name="Archive the project").click()
    expect(page.get_by_text("This project is archived: it can be read, but not changed.")).to_be_visible()
    page.get_by_role("link", name="Translatio").click()
    expect(page.get_by_text("1 archived project")).to_be_visible()
    page.get_by_role("link", name="Metàfora Català–Español").click()
    page.get_by_role("navigation", name="Project").get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Restore this project").click()
    expect(page.get_by_text("The project is no longer archived.")).to_be_visible()

    tabs.get_by_role("link", name="Copy, archive, delete").click()
    page.get_by_role("link", name="Delete the project").click()
    expect(page.get_by_role("heading", name="Archive it instead?")).to_be_visible()
    page.get_by_label("Name of the project").fill("Metafora")
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("This is not the name of the project.")).to_be_visible()
    page.get_by_label("Name of the project").fill("Metàfora Català–Español")
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("is being deleted.").first).to_be_visible()
    web.python(
        "from annotator.jobs.running import run_job\n"
        "run_job(Job.objects.get(kind='delete').pk, worker='test')\nout(Project.objects.count())"
    )
    page.reload()
    expect(page.get_by_role("heading", name="You are not in a project yet")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_stand_on_a_phone_and_in_spanish(web: Web, new_page: Callable[..., Page], scheme: str) -> None:
    made = web.new_project("Membership.objects.filter(user=user).update(role='manager')")
    page = new_page(PHONE, color_scheme=scheme, locale="es-ES")
    sign_in(page, web, made["user"])
    base = f"{web.url}/projects/{made['slug']}/settings/"
    for address in (f"{web.url}/projects/new/", base, f"{base}labels/labels/", f"{base}delete/"):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], address


def test_guidelines_are_seen_as_they_are_written_and_searched(web: Web, page: Page) -> None:
    made = web.new_project("Membership.objects.filter(user=user).update(role='manager')")
    sign_in(page, web, made["user"])
    page.goto(f"{web.url}/projects/{made['slug']}/guidelines/edit/")
    page.get_by_label("Text in English").fill(
        "# Ours\n\n## `METAPHOR`: yes\n\nFresh ones.\n\n## Names\n\nNo <b>label</b>."
    )
    expect(page.locator("#preview #label-METAPHOR")).to_have_text("METAPHOR: yes")
    expect(page.locator("#preview")).to_contain_text("<b>label</b>")
    # What was selected becomes bold, by the button as by its keys, and can be undone.
    page.get_by_label("Text in English").press("Control+End")
    page.get_by_role("button", name="Bold").click()
    page.keyboard.type("loud")
    expect(page.locator("#preview strong")).to_have_text("loud")
    page.get_by_label("Picture (PNG").set_input_files(files=[{"name": "a tree.png", "mimeType": "", "buffer": PNG}])
    page.get_by_role("button", name="Upload and insert").click()
    picture = page.locator("#preview img")
    expect(picture).to_have_attribute("alt", "a tree")
    assert picture.evaluate("async (img) => { await img.decode(); return img.naturalWidth; }") == 1
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Search the guidelines").fill("FRESH")
    expect(page.get_by_text("Fresh ones.")).to_be_visible()
    expect(page.get_by_role("heading", name="Names")).to_be_hidden()
    page.get_by_label("Search the guidelines").fill("nowhere")
    expect(page.get_by_text("No matches in the guidelines.")).to_be_visible()
