"""Kinds of work that live in `tests/toy_kinds/` alone, in the browser: written, voted on, adjudicated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, served, sign_in

pytestmark = pytest.mark.browser

STAGES = """
from annotator.projects.actions.projects import add_stage
from annotator.core.presets import StageSpec
write = add_stage(project=project, spec=StageSpec("toy-write", "es", mode="blind", answers_wanted=2), position=20)
vote = add_stage(project=project, spec=StageSpec("toy-vote", "es"), position=21, made_from=write)
judge = add_stage(project=project, spec=StageSpec("adjudicate", "es", layer="texts"), position=22)
made["stages"] = [write.pk, vote.pk, judge.pk]
made["other"] = make_member(project).username
made["third"] = make_member(project).username
made["judge"] = make_member(project, "adjudicator").username
make_sentence(project, "El tiempo vuela")
"""


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Web]:
    yield from served(tmp_path_factory.mktemp("toys") / "site", migrated_file, settings="tests.toy_settings")


def test_texts_are_written_voted_on_and_adjudicated(toys: Web, new_page: Callable[..., Page]) -> None:
    made = toys.new_project(STAGES)
    slug, (write, vote, judge) = made["slug"], made["stages"]
    end = "Nothing left in this stage"
    for user, text in ((made["user"], "Las horas  pasan deprisa"), (made["other"], "Todo se acaba pronto")):
        page = new_page()
        sign_in(page, toys, user)
        open_stage(page, toys, slug, write)
        expect(page.locator("#ws-blind")).to_be_visible()
        expect(page.locator(".words")).to_have_text("El tiempo vuela")
        # Nothing was written yet: the server says so, and the page goes back to it.
        page.keyboard.press("Control+Enter")
        expect(page.locator("#ws-alerts")).to_contain_text("Write something first")
        page.get_by_role("button", name="Show it").click()
        page.keyboard.type(text)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("heading", name=end)).to_be_visible()
    written = f"rows = Annotation.objects.filter(project__slug={slug!r}, layer__slug='texts').order_by('pk')\n"
    assert toys.python(f"{written}out([[r.content['text'], r.state] for r in rows])") == [
        ["Las horas pasan deprisa", "done"],
        ["Todo se acaba pronto", "done"],
    ]

    page = new_page()
    sign_in(page, toys, made["third"])
    open_stage(page, toys, slug, vote)
    expect(page.locator(".words")).to_have_text("Las horas pasan deprisa")
    page.keyboard.press("1")
    expect(page.locator(".words")).to_have_text("Todo se acaba pronto")
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name=end)).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator("[data-tag=bad]")).to_have_attribute("aria-pressed", "true")

    page = new_page()
    sign_in(page, toys, made["judge"])
    open_stage(page, toys, slug, judge)
    expect(page.locator(".version .text-shown")).to_have_text(["Las horas pasan deprisa", "Todo se acaba pronto"])
    page.locator(".decision-option").nth(1).click()
    page.get_by_role("button", name="Decide and next").click()
    expect(page.get_by_role("heading", name=end)).to_be_visible()
    assert toys.python(f"out([g.content for g in Gold.objects.filter(project__slug={slug!r})])") == [
        {"text": "Todo se acaba pronto"}
    ]
