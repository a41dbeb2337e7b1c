"""In the workspaces no word of the corpus stands where a browser would translate it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Web, open_stage, sign_in

pytestmark = pytest.mark.browser

FILLED = """
user.memberships.update(role="manager")
texts = ("El zorzal canta de noche", "Calla el zorzal herido", "Vuela el zorzal lejos", "Duerme el zorzal")
sentences = [make_sentence(project, text) for text in texts]
source = sentences[1]
target = make_sentence(project, "The zorzal is silent", language="en", segment=source.segment)
make_annotation(source, user, [span(2)])
make_projection(source, target, [span(2)], [span(1)])
others = [make_member(project) for _ in range(2)]
for number, person in enumerate(others):
    mode = ("review", "blind")[number]
    make_assignment(sentences[2], person, stage_of(project, "correct"), mode=mode, done=True)
    make_annotation(sentences[2], person, [span(2 * number)])
make_gold(sentences[3], [span(2)])
make_prediction(sentences[0], [span(1)], [0.1, 0.9, 0.1, 0.1, 0.1])
pair = make_pair(project)
Unit.objects.filter(segment__in=[pair.premise_id, pair.hypothesis_id]).update(tokens=["Un", "zorzal", "canta"])
from annotator.work.gold.actions.adjudication import refresh_adjudication
refresh_adjudication(project=project, unit=sentences[2], layer=project.label_layer)
made["stages"] = [
    stage_of(project, "correct").pk, stage_of(project, "project-review", "en").pk, stage_of(project, "pair-tag").pk,
    stage_of(project, "adjudicate").pk,
]
"""
# Alerts and what screen readers are told name a sentence within a sentence of the interface.
LOOK = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const [all, translated] = [[], []];
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode;
    if (!/zorzal/i.test(data) || parentElement.closest("script, [aria-live], .visually-hidden")) continue;
    all.push(data);
    if (!parentElement.closest("[translate=no]")) translated.push(parentElement.outerHTML);
  }
  return [all.length, translated];
}"""


def test_the_words_of_sentences_are_translated_in_no_workspace(page: Page, web: Web) -> None:
    made = web.new_project(FILLED)
    sign_in(page, web, made["user"])
    for stage in made["stages"]:
        open_stage(page, web, made["slug"], stage)
        page.wait_for_selector(".chip, .words")
        page.keyboard.press("End")
        page.keyboard.press("Home")
        page.wait_for_load_state("networkidle")
        number, translated = page.evaluate(LOOK)
        assert number, stage
        assert translated == []
