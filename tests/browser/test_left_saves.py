"""Saves that a tab could not send: they outlive it, go to nobody else, and are sent once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from tests.browser.conftest import PHONE, WIDE, Web, is_saved, open_stage, sign_in, sign_in_with_form
from tests.site import wait_until

pytestmark = pytest.mark.browser

TEXTS = ["Ardían las viejas promesas", "Nadie llegó a fin de mes", "El puente une dos orillas"]
FILLED = f"""
stage = stage_of(project, "correct")
made["stage"] = stage.pk
ben = make_member(project, username=f"{{user.username}}-ben")
made["ben"] = ben.username
for text in {TEXTS!r}:
    make_sentence(project, text)
"""
KEPT = """async () => {
  const answer = (asked) => new Promise((go) => { asked.onsuccess = () => go(asked.result); });
  const database = await answer(indexedDB.open("translatio /", 1));
  const count = await answer(database.transaction("saves").objectStore("saves").count());
  database.close();
  return count;
}"""


def left_behind(page: Page, web: Web, *, answers: int) -> dict[str, Any]:
    """A project in which the first `answers` sentences were answered without a network, in a tab that was closed."""
    made = web.new_project(FILLED)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for number in range(1, answers + 1):
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        expect(page.locator(".tokens .chip-text").first).to_have_text(TEXTS[number].split(" ")[0])
    expect(page.locator("#ws-status")).to_have_text(f"Not saved: {answers} Try again")
    return made


def closed(page: Page, *, offline: bool = False) -> Page:
    """Another tab after `page` was closed without being asked; the network is back unless it stays `offline`."""
    context = page.context
    other = context.new_page()
    # As if it was killed: a tab that closes tries to save once more, and is no longer kept offline then.
    context.new_cdp_session(page).send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.close()
    context.set_offline(offline)
    return other


def panel(page: Page) -> Any:
    return page.locator("#left-saves")


def is_empty(page: Page) -> None:
    wait_until(lambda: page.evaluate(KEPT) == 0, seconds=30, what="an empty table in the browser")


def versions(web: Web, slug: str) -> Any:
    """How often each answer was written."""
    return web.python(
        f"rows = Annotation.objects.filter(project__slug={slug!r}).order_by('unit__segment__position')\n"
        "saved = Event.objects.filter(project__slug=" + repr(slug) + ", verb='annotation.saved').count()\n"
        "out([[row.version for row in rows], saved])"
    )


@contextmanager
def held(page: Page) -> Iterator[list[Route]]:
    """Saves of all tabs, which wait until the block ends."""
    waiting: list[Route] = []
    ended: list[bool] = []
    page.context.route("**/save/", lambda route: route.continue_() if ended else waiting.append(route))
    try:
        yield waiting
    finally:
        ended.append(True)
        for route in waiting:
            route.continue_()
        page.context.unroute("**/save/")


def test_saves_outlive_the_tab(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=2)
    expect(page.locator("#ws-alerts")).to_contain_text("your saves stay in this browser")
    page.locator("#ws-alerts summary").click()
    expect(page.locator("#ws-alerts li")).to_have_count(2)
    expect(page.locator("#ws-alerts li").first).to_contain_text("“Ardían las viejas promesas” · 2")

    # A last attempt of the closing tab must not get through before saves are held.
    page = closed(page, offline=True)
    with held(page):
        page.context.set_offline(False)
        page.goto(f"{web.url}/projects/{made['slug']}/")
        expect(panel(page)).to_contain_text("2 saves from ")
        expect(panel(page)).to_contain_text(" are waiting to be sent.")
        panel(page).locator("summary").click()
        expect(panel(page).locator("li")).to_have_count(2)
        for size in (PHONE, WIDE):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert web.spans(made["slug"], made["user"]) == []
    expect(panel(page)).to_contain_text(" were sent.")
    assert web.spans(made["slug"], made["user"]) == [[text, "done", [[0]]] for text in TEXTS[:2]]
    assert versions(web, made["slug"]) == [[1, 1], 2]
    is_empty(page)
    panel(page).get_by_role("button", name="Close").click()
    expect(panel(page)).to_be_hidden()


def test_saves_wait_for_their_owner_and_nobody_else_sees_them(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=1)
    page = closed(page)
    page.context.clear_cookies()
    page.goto(f"{web.url}/sign-in/")
    expect(panel(page)).to_contain_text("This browser has unsent saves.")
    assert "Ardían" not in page.content()

    sign_in_with_form(page, web, made["ben"])
    page.goto(f"{web.url}/projects/{made['slug']}/")
    page.wait_for_load_state("networkidle")
    expect(panel(page)).to_be_hidden()
    assert page.evaluate(KEPT) == 1
    assert versions(web, made["slug"]) == [[], 0]

    page.context.clear_cookies()
    sign_in_with_form(page, web, made["user"])
    is_empty(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0]]]]
    assert web.spans(made["slug"], made["ben"]) == []


def test_what_was_changed_meanwhile_is_compared(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=1)
    web.python(
        "from django.utils import timezone\nfrom annotator.work.answering.actions.annotations import save_annotation\n"
        f"row = Assignment.objects.get(user__username={made['user']!r}, unit__tokens__0='Ardían')\n"
        "save_annotation(project=row.project, assignment=row.pk, version=0, content={'spans': [span(3)]},"
        " done=True, by=row.user, now=timezone.now())"
    )
    page = closed(page)
    page.goto(web.url)
    expect(panel(page)).to_contain_text("was not saved: This item was saved in another window")
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[3]]]]

    panel(page).get_by_role("link", name="Compare and choose").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.locator(".conflict-mine mark bdi").all_inner_texts() == ["Ardían"]
    assert dialog.locator(".conflict-theirs mark bdi").all_inner_texts() == ["promesas"]
    expect(panel(page)).to_be_hidden()
    dialog.get_by_role("button", name="Combine the labels").click()
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0], [3]]]]
    is_empty(page)


def test_what_is_refused_is_shown_until_it_is_discarded(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=1)
    web.python(f"Assignment.objects.filter(project__slug={made['slug']!r}, unit__tokens__0='Ardían').delete()")
    page = closed(page)
    for _ in range(2):
        page.goto(web.url)
        expect(panel(page)).to_contain_text("“Ardían las viejas promesas”")
        expect(panel(page)).to_contain_text("not assigned to you")
    page.once("dialog", lambda dialog: dialog.accept())
    panel(page).get_by_role("button", name="Discard my answer").click()
    expect(panel(page)).to_be_hidden()
    is_empty(page)
    assert versions(web, made["slug"]) == [[], 0]


def test_two_tabs_send_once(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=2)
    page = closed(page)
    other = page.context.new_page()
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url) if request.url.endswith("/save/") else None)
    with held(page):
        for tab in (page, other):
            tab.goto(web.url)
        expect(panel(page)).to_contain_text("2 saves from ")
    is_empty(page)
    expect(panel(page)).to_contain_text(" were sent.")
    expect(panel(other)).to_be_hidden()
    assert len(asked) == 2
    assert versions(web, made["slug"]) == [[1, 1], 2]


def test_a_save_whose_answer_was_lost_is_sent_again_without_harm(page: Page, web: Web) -> None:
    made = web.new_project(FILLED)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.wait_for_load_state("networkidle")
    arrived: list[int] = []
    # The server has it, the tab never hears of that.
    page.route("**/save/", lambda route: arrived.append(route.fetch().status))
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    wait_until(lambda: page.evaluate("1") and arrived, seconds=30, what="the save")
    assert page.evaluate(KEPT) == 1

    page = closed(page)
    page.goto(web.url)
    is_empty(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0]]]]
    assert versions(web, made["slug"]) == [[1], 1]


def test_another_tab_sends_what_a_tab_leaves(page: Page, web: Web) -> None:
    made = web.new_project(FILLED)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    other = page.context.new_page()
    other.goto(web.url)
    page.route("**/save/", lambda route: route.abort())
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#ws-status")).to_contain_text("Not saved: 1")
    # The tab that lives sends its own.
    other.reload()
    other.wait_for_load_state("networkidle")
    assert web.spans(made["slug"], made["user"]) == []
    page.close()
    is_empty(other)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0]]]]


@pytest.mark.parametrize(
    "fault",
    [
        "indexedDB.open = () => { throw new DOMException('Denied', 'SecurityError'); }",
        "IDBObjectStore.prototype.put = () => { throw new DOMException('Full', 'QuotaExceededError'); }",
    ],
    ids=["no table", "full"],
)
def test_where_nothing_can_be_kept_the_page_asks_before_it_is_left(page: Page, web: Web, fault: str) -> None:
    page.add_init_script(fault)
    made = left_behind(page, web, answers=1)
    expect(page.locator("#ws-alerts")).to_contain_text("Keep this page open until then")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.evaluate("location.href = '/'")
    wait_until(lambda: page.evaluate("1") and asked, seconds=10, what="the question before leaving")
    assert asked == ["beforeunload"]
    page.context.set_offline(False)
    is_saved(page)
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", [[0]]]


def test_signing_out_says_what_waits(page: Page, web: Web) -> None:
    made = left_behind(page, web, answers=1)
    page = closed(page)
    page.route("**/save/", lambda route: route.abort())
    page.goto(web.url)
    expect(panel(page)).to_contain_text("1 save from ")
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        if len(asked) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    page.on("dialog", answer)
    for _ in range(2):
        page.locator(".site-header summary").last.click()
        page.get_by_role("button", name="Sign out").click()
        wait_until(lambda: page.evaluate("1") and asked, seconds=10, what="the question")
        page.locator(".site-header summary").last.click()
    page.wait_for_url("**/sign-in/")
    assert (
        asked
        == [
            "1 save is waiting to be sent. It stays in this browser and will be sent when you sign in here again. "
            "Sign out?"
        ]
        * 2
    )
    assert page.evaluate(KEPT) == 1
    assert versions(web, made["slug"]) == [[], 0]


def test_a_decision_outlives_the_tab_and_is_compared(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'adjudicate').pk\n"
        "made['judge'] = make_member(project, 'adjudicator').username\n"
        "ana, ben = make_member(project), make_member(project)\n"
        "for text in ('Ardían las viejas promesas', 'La tarde cae sin prisa'):\n"
        "    sentence = make_sentence(project, text)\n"
        "    make_annotation(sentence, ana, [span(0)])\n"
        "    make_annotation(sentence, ben, [span(2)], mode='blind')"
    )
    sign_in(page, web, made["judge"])
    open_stage(page, web, made["slug"], made["stage"])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for number in (1, 2):
        page.keyboard.press("Shift+Digit1")
        page.keyboard.press("Enter")
        expect(page.locator("#ws-status")).to_contain_text(f"Not saved: {number}")
    web.python(
        "from annotator.work.gold.actions.gold import decide_gold\n"
        f"project = Project.objects.get(slug={made['slug']!r})\n"
        "unit = Sentence.objects.get(project=project, tokens__0='La')\n"
        "decide_gold(project=project, unit=unit.pk, layer=stage_of(project, 'adjudicate').layer, version=0,"
        " content={'spans': [span(2)]}, by=None)"
    )
    page = closed(page)
    page.goto(web.url)
    expect(panel(page)).to_contain_text("Someone else decided on this item after you opened it")
    page.get_by_role("link", name="Compare and choose").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.locator(".conflict-mine mark bdi").all_inner_texts() == ["La"]
    assert dialog.locator(".conflict-theirs mark bdi").all_inner_texts() == ["cae"]
    dialog.get_by_role("button", name="Keep your version").click()
    is_saved(page)
    is_empty(page)
    gold = web.python(
        f"rows = Gold.objects.filter(project__slug={made['slug']!r}).order_by('unit__segment__position')\n"
        "out([[[s['tokens'] for s in g.content['spans']], g.version] for g in rows])"
    )
    assert gold == [[[[0]], 1], [[[0]], 2]]
