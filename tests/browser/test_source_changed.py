"""From the dashboard to an item whose source changed; it is told there, and saving the item again ends it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, sign_in

pytestmark = pytest.mark.browser

ANSWERED = """
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.derivation.actions.sources import recount_sources
from annotator.machines.actions.transfers import transfer_tags
def answer(row, suggestion):
    row.suggestion, row.shown = suggestion, [suggestion.pk]
    row.save()
    given = {"content": suggestion.content, "done": True, "by": user, "now": timezone.now()}
    save_annotation(project=project, assignment=row.pk, version=0, **given)
    recount_sources(project)
"""
REVIEWED = """
source = make_sentence(project, "El mercado duerme")
target = make_sentence(project, "The market sleeps", language="en", segment=source.segment)
projection = make_projection(source, target, [span(2)], [span(2)])
stage = stage_of(project, "project-review", "en")
make_gold(source, [span(1)])
answer(make_assignment(target, user, stage), projection)
"""
TAGGED = """
pair = make_pair(project)
for slot in (pair.premise, pair.hypothesis):
    make_sentence(project, "The market sleeps", language="en", segment=slot)
unit = make_pair_unit(pair, "en")
tag = make_tag(pair, "relevant", user=make_member(project))
transfer_tags(project=project, source="es", target="en", by=None)
Annotation.objects.filter(pk=tag.pk).update(content=choice("discarded"))
silver = Suggestion.objects.get(unit=unit)
stage = stage_of(project, "pair-tag", "en")
answer(make_assignment(unit, user, stage), silver)
"""


@pytest.mark.parametrize(
    ("scene", "now"), [(REVIEWED, "mercado (METAPHOR)"), (TAGGED, "Discarded")], ids=["projection", "silver"]
)
def test_it_is_opened_checked_and_saved_again(page: Page, web: Web, scene: str, now: str) -> None:
    made = web.new_project(ANSWERED + scene)
    sign_in(page, web, made["user"])
    dashboard = f"{web.url}/projects/{made['slug']}/"
    page.goto(dashboard)
    expect(page.get_by_text("1 item whose source changed")).to_be_visible()
    page.get_by_role("link", name="Show the items whose source changed").click()
    page.get_by_role("link", name="Open it").click()

    notice = page.locator(".ws-sentence .notice")
    expect(notice).to_contain_text(f"The source changed (es). It now says: {now}")
    expect(notice).to_contain_text("save it again")
    with page.expect_response(lambda answer: answer.url.endswith("/save/")) as saved:
        page.keyboard.press("Enter")
    assert saved.value.status == 200

    page.keyboard.press("b")
    expect(page.locator(".ws-sentence")).to_be_visible()
    expect(notice).to_have_count(0)
    page.goto(dashboard)
    expect(page.get_by_role("heading", name="Stages")).to_be_visible()
    expect(page.get_by_text("whose source changed")).to_have_count(0)
