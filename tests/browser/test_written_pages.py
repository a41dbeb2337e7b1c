"""The pages on which people rewrite, define, validate, rate and compare, looked at by axe; in Spanish, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE, Web, open_stage, sign_in
from tests.browser.test_axe import RULES, faults, look, too_wide, with_axe

pytestmark = pytest.mark.browser

PAIRS = """
from django.conf import settings
settings.ALLOWED_HOSTS = ["testserver"]
from tests.kinds.impli.work import DEFINED, REWRITTEN, NO, YES, Impli
scene = Impli("written-pages")
ana, ben, cai, dan = scene.people
scene.marked(ana)
(item,) = scene.claim(ben, "rewrite")
scene.save(ben, item, REWRITTEN)
reject = {"verdict": "reject", "reason": "incoherent", "second": "no"}
(item, _other) = scene.claim(ana, "validate", 5)
scene.save(ana, item, reject, comment="Nobody says that, and the second sentence is about something else altogether.")
(item, other) = scene.claim(cai, "validate", 5)
scene.save(cai, item, reject)
scene.bring("expressions")
(item,) = scene.claim(cai, "define")
scene.save(cai, item, DEFINED)
scene.bring("pairs")
out({
    "ben": ben.username, "dan": dan.username, "mara": scene.manager.username,
    "stages": {stage.kind: stage.pk for stage in scene.project.stages.exclude(kind="adjudicate")},
})
"""
SCALES = """
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
project = create_project(slug="scales", preset=STARTS["best-worst"].preset(["en"]), by=None)
words = create_project(slug="trial-words", preset=STARTS["substitution"].preset(["en"]), by=None)
more = (StageSpec("rate", "en", mode="blind", answers_wanted=3), StageSpec("adjudicate", "en", layer="ratings"))
add_stages(project=project, specs=more, by=None)
for text in (
    "Doubt moved in", "Prices climb and climb, whatever the minister has promised to the shops of the old town",
    "The baker sings", "It rains",
):
    sentence = make_sentence(project, text, language="en")
    if text != "It rains":
        make_gold(sentence, [span(1, 3), span(14)] if text.startswith("Prices") else [span(1, 2)])
on_marks = [StageSpec(kind, "en", made_from="correct", mode="blind") for kind in ("rate-marked", "best-worst-marked")]
add_stages(project=project, specs=[StageSpec("correct", "en"), *on_marks], by=None)
rate = project.stages.get(kind="rate")
for value in (1, 5, 5):
    rater = make_member(project)
    from annotator.work.queue.actions.assignments import claim
    from annotator.work.answering.actions.annotations import save_annotation
    from django.utils import timezone
    (row,) = claim(stage=rate, user=rater, count=1, now=timezone.now())
    save_annotation(
        project=project, assignment=row.pk, version=0, content={"value": value}, done=True, by=rater, now=timezone.now()
    )
mara = make_member(project, Role.MANAGER)
Membership.objects.create(project=words, user=mara, role=Role.MANAGER)
out({
    "mara": mara.username, "trial": words.stages.get(kind="substitute").pk,
    "ida": make_member(project, Role.ADJUDICATOR).username,
    "stages": {stage.kind: stage.pk for stage in project.stages.exclude(kind="correct")},
})
"""


def _visit(web: Web, page: Page, slug: str, stages: dict[str, int], kinds: tuple[str, ...], name: str) -> None:
    for kind in kinds:
        open_stage(page, web, slug, stages[kind])
        page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
        forms = page.locator("details.more > summary")
        if forms.count():
            # What managers set. It is closed after that: the bar at the bottom lies over what stands low on a phone.
            forms.first.press("Enter")
            assert faults(page, RULES) + too_wide(page) == [], kind
            forms.first.press("Enter")
        look(page, f"{name}-{kind}")


def _in_spanish(web: Web, chromium: Browser, user: str, slug: str, stages: dict[str, int]) -> None:
    made = chromium.new_context(viewport=PHONE, locale="es-ES", color_scheme="light")
    page = with_axe(made.new_page())
    sign_in(page, web, user)
    for kind, stage in stages.items():
        open_stage(page, web, slug, stage)
        page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
        assert page.locator("html").get_attribute("lang") == "es"
        look(page, f"es-{kind}")
    made.close()


def test_pairs_for_inference(web: Web, chromium: Browser, new_page: Callable[..., Page]) -> None:
    made = web.python(PAIRS)
    page = with_axe(new_page())
    sign_in(page, web, made["ben"])
    # A rewriting that came back with its reasons.
    _visit(web, page, "written-pages", made["stages"], ("rewrite",), "impli")
    other = with_axe(new_page())
    sign_in(other, web, made["mara"])
    _visit(web, other, "written-pages", made["stages"], ("define", "validate"), "impli")
    _in_spanish(web, chromium, made["ben"], "written-pages", made["stages"])


def test_scales(web: Web, chromium: Browser, new_page: Callable[..., Page]) -> None:
    made = web.python(SCALES)
    page = with_axe(new_page())
    sign_in(page, web, made["mara"])
    _visit(web, page, "scales", made["stages"], ("rate", "rate-marked", "best-worst", "best-worst-marked"), "scales")
    # Who compares blind does not decide.
    other = with_axe(new_page())
    sign_in(other, web, made["ida"])
    _visit(web, other, "scales", made["stages"], ("adjudicate",), "scales")
    assert other.locator(".version").count() == 3
    page.goto(f"{web.url}/projects/trial-words/settings/stages/{made['trial']}/trial/")
    look(page, "settings-trial")
    page.goto(f"{web.url}/projects/scales/reports/")
    look(page, "scales-reports")
    _in_spanish(web, chromium, made["mara"], "scales", made["stages"])
