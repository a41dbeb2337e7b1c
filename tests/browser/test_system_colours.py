"""Where the colours are the system's: what two people gave alike and differently is told by frames."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Web, sign_in

pytestmark = pytest.mark.browser

TWO_PEOPLE = """
stage, ben = stage_of(project, "correct"), make_member(project, username=f"{user}-ben")
for number in range(3):
    sentence = make_sentence(project, "El tiempo vuela")
    for person, token in ((user, 2), (ben, 2 if number else 0)):
        make_assignment(sentence, person, stage, mode="blind", done=True)
        make_annotation(sentence, person, [span(token)], mode="blind")
made["owner"] = make_member(project, "manager", f"{user}-owner").username
made["people"] = [user.username, ben.username]
"""


@pytest.mark.parametrize("colours", ["active", "none"])
def test_a_confusion_table_tells_where_two_people_differ(new_page: Any, web: Web, colours: str) -> None:
    made = web.new_project(TWO_PEOPLE)
    page = new_page(forced_colors=colours)
    sign_in(page, web, made["owner"])
    a, b = made["people"]
    page.goto(f"{web.url}/projects/{made['slug']}/agreement/?a={a}&b={b}&layer=tokens&language=es")

    frames = page.locator("table.confusion td:has(a)").evaluate_all(
        "cells => cells.map((cell) => [cell.className.split(' ')[1], getComputedStyle(cell).outlineStyle])"
    )

    differ = "dashed" if colours == "active" else "none"
    assert {tuple(one) for one in frames} == {("agree", "solid"), ("differ", differ)}
