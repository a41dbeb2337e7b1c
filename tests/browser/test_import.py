"""Imports by clicks: from files to the first sentence, and what to do when something is not as it should be."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE, WIDE, Web, sign_in
from tests.browser.test_axe import everywhere, with_axe
from tests.drafts import CATALAN, LABELLED, SPANISH

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
BAD = "codi,frase,català\n" + "".join(
    f"{min(number, 2)},La tarde número {number} cae sin prisa.,La tarda número {number} cau sense pressa.\n"
    for number in range(1, 4)
)


@pytest.fixture(scope="module")
def working(web: Web) -> Iterator[Web]:
    """The installation with a worker."""
    process = web.site.worker()
    yield web
    process.kill()
    process.wait()


def project(page: Page, web: Web) -> str:
    """A new project of Spanish and Catalan, its import page open as its manager; the slug."""
    number = next(_numbers)
    slug, user = f"import-{number}", f"gestora{number}"
    web.python(
        "from tests.drafts import make_plain\n"
        f"project = make_plain({slug!r})\nmake_member(project, Role.MANAGER, {user!r})"
    )
    sign_in(page, web, user)
    page.goto(f"{web.url}/projects/{slug}/import/")
    return slug


def write(folder: Path, **files: str) -> list[Path]:
    """Files by name, with "__" for dots."""
    paths = []
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.write_text(text)
        paths.append(path)
    return paths


def go(page: Page, step: str) -> None:
    """Open a step of the import by the stepper."""
    page.get_by_role("navigation", name="Steps").get_by_role("link", name=step).click()
    expect(page.locator(".stepper [aria-current=step]")).to_contain_text(step)
    # Scripts take files and choices from then on.
    page.wait_for_load_state()


def previewed(page: Page) -> str:
    """What is previewed by now."""
    return page.locator("[name=previewed]").input_value()


def test_from_two_files_to_the_first_sentence(page: Page, working: Web, tmp_path: Path) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    project(page, working)

    page.get_by_label("Choose files, or drop them here").set_input_files(
        write(tmp_path, novel__ca__txt=CATALAN, novel__es__txt=SPANISH)
    )
    # Two choices, the second one made before the first is answered; before the scripts are there they are sent as one.
    page.get_by_label("Language: novel.es.txt").wait_for()
    page.wait_for_load_state()
    for es, ca, first in (("ca", "es", "El temps"), ("es", "ca", "El tiempo")):
        before = previewed(page)
        page.get_by_label("Language: novel.es.txt").select_option(es)
        page.get_by_label("Language: novel.ca.txt").select_option(ca)
        expect(page.locator("[name=previewed]")).not_to_have_value(before)
        expect(page.get_by_label("Language: novel.ca.txt")).to_have_value(ca)
        go(page, "Check")
        expect(page.locator(".import-sample tbody td").first).to_contain_text(first)
        go(page, "Format and language")
    for step in ("Check", "Licence", "Import"):
        page.get_by_role("button", name=f"Next: {step}").click()
    page.get_by_role("button", name="Import 3 sentences in es and ca").click()
    page.get_by_role("link", name="Start with the first one").click()

    page.wait_for_selector("#ws-body[data-key]")
    assert page.locator(".tokens .chip-text").all_inner_texts() == SPANISH.split("\n")[0].split()
    assert said == []


def test_files_are_dropped(page: Page, working: Web) -> None:
    project(page, working)

    dropped = page.evaluate_handle(
        "(texts) => { const data = new DataTransfer();"
        "for (const [name, text] of texts) data.items.add(new File([text], name)); return data }",
        [["novel.ca.txt", CATALAN], ["novel.es.txt", SPANISH]],
    )
    page.dispatch_event("h1", "drop", {"dataTransfer": dropped})

    page.get_by_label("Language: novel.es.txt").wait_for()
    go(page, "Import")
    expect(page.get_by_role("button", name="Import 3 sentences in es and ca")).to_be_enabled()


def test_a_column_is_corrected_and_a_bad_file_chosen_anew(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(page, working)
    [bad] = write(tmp_path, tardes__csv=BAD)
    page.get_by_label("Choose files, or drop them here").set_input_files(bad)

    # Nobody could know what "codi" is.
    page.get_by_label("Column 1").select_option("id")
    expect(page.locator("#import-reason")).to_contain_text("Correct 2 errors first")
    go(page, "Import")
    expect(page.locator("#import-start")).to_be_disabled()
    go(page, "Check")
    expect(page.get_by_role("region", name="2 errors").first).to_contain_text("again, as at tardes.csv:3")

    bad.write_text(BAD.replace("\n2,La tarde número 3", "\n3,La tarde número 3"))
    go(page, "Files")
    page.get_by_label("Choose again").set_input_files(bad)
    expect(page.get_by_role("status").filter(has_text="tardes.csv was read again")).to_be_visible()
    go(page, "Format and language")
    expect(page.get_by_label("Column 1")).to_have_value("id")
    go(page, "Import")
    page.get_by_role("button", name="Import 3 sentences in es and ca").click()

    expect(page.get_by_role("link", name="Start with the first one")).to_be_visible()
    uids = working.python(
        f"out(list(Segment.objects.filter(project__slug={slug!r}).order_by('position').values_list('uid', flat=True)))"
    )
    assert uids == ["tardes:1", "tardes:2", "tardes:3"]


def test_all_of_it_without_scripts(new_page: object, working: Web, tmp_path: Path) -> None:
    page: Page = new_page(java_script_enabled=False)  # type: ignore[operator]
    project(page, working)

    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, novel__es__txt=SPANISH))
    page.get_by_role("button", name="Read the files").click()
    page.get_by_label("Language: novel.es.txt").select_option("ca")
    for step in ("Check", "Licence"):
        page.get_by_role("button", name=f"Next: {step}").click()
    page.get_by_label("Licence of the texts").fill("CC0")
    page.get_by_role("button", name="Next: Import").click()

    expect(page.get_by_role("button", name="Import 3 sentences in ca")).to_be_enabled()
    # It continues where it was left.
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_text("CC0")).to_be_visible()


def test_sentences_are_joined_and_split_by_keys(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(page, working)
    text = "El tren llega. Nadie baja.\n\nAna espera. Llueve sin prisa sobre el andén.\n"
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, tren__es__txt=text))
    before = page.locator("[name=previewed]")
    before.wait_for(state="attached")
    page.wait_for_load_state()
    at_first = previewed(page)
    page.get_by_label("Format: tren.es.txt").select_option("text")
    expect(before).not_to_have_value(at_first)
    go(page, "Check")
    page.get_by_role("link", name="All sentences, and where they are split").click()

    page.get_by_role("button", name=re.compile(r"Join with the next.*line 3")).first.press("Enter")
    expect(page.locator(".is-corrected")).to_contain_text("Ana espera. Llueve sin prisa")
    # The browser goes to the address's fragment when it has drawn the page: a key before that would be lost.
    expect(page.locator(".is-corrected")).to_be_focused()
    page.locator(".is-corrected summary").press("Enter")
    page.locator(".is-corrected").get_by_role("button", name="sobre").press("Enter")
    expect(page.get_by_text("sobre el andén.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Back to the import").click()
    go(page, "Import")
    page.get_by_role("button", name="Import 4 sentences in es").click()

    page.get_by_role("link", name="Start with the first one").wait_for()
    texts = working.python(
        f"out([u.text for u in Unit.objects.filter(project__slug={slug!r}).order_by('segment__position')])"
    )
    assert texts[2:] == ["Ana espera. Llueve sin prisa", "sobre el andén."]


def test_tokens_are_split_and_joined_by_keys(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(with_axe(page), working)
    page.get_by_label("Choose files, or drop them here").set_input_files(
        write(tmp_path, bar__es__txt="Vamos al bar, no?\nAna espera.\n")
    )
    page.get_by_label("Language: bar.es.txt").wait_for()
    go(page, "Check")
    page.get_by_role("link", name="All sentences, and how they are split into tokens").press("Enter")
    page.get_by_role("link", name="Tokens of the sentence on line 1").press("Enter")

    region = page.get_by_role("region", name="Tokens")
    expect(region).to_be_focused()
    tokens = region.get_by_role("list")
    tokens.locator("summary", has_text=re.compile("^al$")).press("Enter")
    tokens.get_by_role("button", name="a l", exact=True).press("Enter")
    expect(page.locator(".is-corrected")).to_have_count(1)
    # One goes on where one was.
    expect(tokens.locator(":focus")).to_have_text("a")
    tokens.get_by_role("button", name="Join “?” with the token before it").click()
    expect(tokens.locator("summary", has_text="no?")).to_be_visible()
    assert everywhere(page) == []
    page.set_viewport_size(WIDE)
    page.get_by_role("link", name="Back to the import").click()
    go(page, "Import")
    page.get_by_role("button", name="Import 2 sentences in es").click()

    page.get_by_role("link", name="Start with the first one").wait_for()
    tokens_in = working.python(
        f"out([u.tokens for u in Unit.objects.filter(project__slug={slug!r}).order_by('segment__position')])"
    )
    assert tokens_in == [["Vamos", "a", "l", "bar", ",", "no?"], ["Ana", "espera", "."]]


def test_what_is_chosen_before_the_scripts_are_there_is_in_the_preview(
    page: Page, working: Web, tmp_path: Path
) -> None:
    project(page, working)
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, corpus__es__tsv=LABELLED))
    chosen = page.get_by_label("The labels in the files are")
    chosen.wait_for()
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/htmx*.js", hold)
    page.reload(wait_until="commit")

    chosen.select_option("gold")
    before = previewed(page)
    late[0].continue_()

    expect(page.locator("[name=previewed]")).not_to_have_value(before)
    expect(chosen).to_have_value("gold")


def test_a_choice_made_while_the_one_before_is_on_its_way_is_not_lost(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(page, working)
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, corpus__es__tsv=LABELLED))
    labels = page.get_by_label("The labels in the files are")
    labels.wait_for()
    page.wait_for_load_state()
    slow: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and not slow:
            slow.append(route)
        else:
            route.continue_()

    page.route("**/import/*/", hold)
    before = previewed(page)
    labels.select_option("gold")
    page.get_by_label("Tokens", exact=True).select_option("words")

    expect(page.locator("[name=previewed]")).not_to_have_value(before)
    expect(labels).to_have_value("gold")
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("words")
    [draft] = working.python(
        f"out([[d.labels_as, d.options['tokens']] for d in ImportDraft.objects.filter(project__slug={slug!r})])"
    )
    assert draft == ["gold", "words"]


def test_what_is_being_written_while_a_preview_comes_stays(page: Page, working: Web, tmp_path: Path) -> None:
    project(page, working)
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, corpus__es__tsv=LABELLED))
    tokens = page.get_by_label("Tokens", exact=True)
    tokens.wait_for()
    page.wait_for_load_state()
    slow: list[Route] = []
    page.route("**/import/*/", lambda route: slow.append(route) if not slow else route.continue_())
    before = previewed(page)

    with page.expect_request("**/import/*/"):
        tokens.select_option("words")
    dataset = page.get_by_role("combobox", name="Dataset")
    dataset.press("End")
    dataset.press_sequentially("_2")
    slow[0].continue_()

    expect(page.locator("[name=previewed]")).not_to_have_value(before)
    expect(dataset).to_have_value("corpus_2")
    expect(dataset).to_be_focused()


def _listens(page: Page) -> None:
    """Waits until htmx listens to new controls, 20 ms after they are there: nobody can have chosen by then."""
    expect(page.locator(".htmx-added")).to_have_count(0)


def test_labels_are_mapped_to_a_richer_scheme(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(page, working)
    working.python(
        "from annotator.domain.labels.shipped_schemes import MIPVU\n"
        f"Layer.objects.filter(project__slug={slug!r}, content_type='spans').update(scheme_data=MIPVU.to_json())"
    )
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, corpus__es__tsv=LABELLED))
    page.get_by_label("The labels in the files are").select_option("gold")
    expect(page.locator("#import-reason")).to_contain_text("Correct")

    becomes = page.get_by_label("METAPHOR becomes")
    becomes.wait_for()
    _listens(page)
    becomes.select_option("INDIRECT")
    borderline = page.get_by_label("METAPHOR: Borderline")
    borderline.wait_for()
    _listens(page)
    before = previewed(page)
    borderline.select_option("WIDLII")
    # What is imported is what is shown: the preview of this choice.
    expect(page.locator("[name=previewed]")).not_to_have_value(before)
    go(page, "Import")
    page.get_by_role("button", name="Import 2 sentences in es").click()

    # All of it is decided, so there is nothing to start with.
    page.get_by_role("rowheader", name="Gold labels").wait_for()
    found = working.python(f"out([s for g in Gold.objects.filter(project__slug={slug!r}) for s in g.content['spans']])")
    assert {(one["label"], one["attributes"]["borderline"]) for one in found} == {("INDIRECT", "WIDLII")}


def test_a_misaligned_file_is_repaired_by_keys(page: Page, working: Web, tmp_path: Path) -> None:
    slug = project(with_axe(page), working)
    things = ["casa", "mesa blanca", "cosa que nadie quiso", "carta", "puerta del patio de atrás"]
    spanish = [f"La {things[n % 5]} número {n * 7919} pesa {n * 31} ." for n in range(40)]
    catalan = [f"La {things[n % 5]} número {n * 7919} fa {n * 31} ." for n in range(40)]
    lines = [*catalan[:12], *catalan[13:], "Un final de més ."]
    page.get_by_label("Choose files, or drop them here").set_input_files(
        write(tmp_path, p__es__txt="\n".join(spanish) + "\n", p__ca__txt="\n".join(lines) + "\n")
    )
    page.get_by_label("Language: p.es.txt").wait_for()
    go(page, "Check")
    # Errors are what one sees first.
    box = page.get_by_role("region", name=re.compile("error")).first.bounding_box()
    assert box is not None and box["y"] < 400
    page.get_by_role("link", name="Edit lines here").first.click()

    def act(line: int, what: str) -> None:
        menu = page.locator("summary", has_text=re.compile(f"Edit line {line} of p.ca.txt"))
        menu.press("Enter")
        panel = page.locator(".line-menu[open]")
        panel.get_by_role("button", name=what).press("Enter")
        expect(panel).to_have_count(0)

    # What something else than the site writes on an element, such as a browser's extension, is not copied by a swap:
    # an inline style is against the policy.
    page.locator("#lines-from").evaluate("field => { field.style.color = 'red'; }")
    act(13, "Insert an empty line before")
    expect(page.locator("#line-13")).to_contain_text("Empty line")
    expect(page.locator("#menu-2-13")).to_be_focused()
    expect(page.get_by_role("columnheader", name="p.ca.txt")).to_contain_text("41 lines")
    assert everywhere(page) == []
    page.set_viewport_size(WIDE)
    page.get_by_label("From line").fill("38")
    page.get_by_role("button", name="Show").click()
    act(41, "Remove this line")
    expect(page.get_by_role("columnheader", name="p.ca.txt")).to_contain_text("40 lines")
    act(40, "Remove this line")
    page.get_by_role("button", name="Undo the last edit").press("Enter")
    expect(page.get_by_role("columnheader", name="p.ca.txt")).to_contain_text("40 lines")
    page.get_by_role("link", name="Back to the check").click()
    go(page, "Import")
    page.get_by_role("button", name="Import 40 sentences in es and 39 sentences in ca").click()

    page.get_by_role("link", name="Start with the first one").wait_for()
    texts = working.python(
        f"rows = Unit.objects.filter(project__slug={slug!r}, language='ca').order_by('segment__position')\n"
        "out([row.text for row in rows])"
    )
    assert texts == [*catalan[:12], *catalan[13:]]


def test_ticking_a_box_moves_nothing(page: Page, working: Web, tmp_path: Path) -> None:
    project(page, working)
    page.get_by_label("Choose files, or drop them here").set_input_files(write(tmp_path, novel__es__txt=SPANISH * 20))
    page.get_by_label("Language: novel.es.txt").wait_for()
    page.set_viewport_size(PHONE)
    for step, label in (("Format and language", "Widen labels that cut a token"), ("Licence", "Releases can contain")):
        go(page, step)
        box = page.get_by_label(label)
        box.scroll_into_view_if_needed()
        before = box.bounding_box()
        with page.expect_response("**/import/*/"):
            box.press("Space")
        expect(page.locator(".htmx-request")).to_have_count(0)
        expect(box).to_be_checked()
        expect(box).to_be_focused()
        assert box.bounding_box() == before
