"""Every page that can be opened, looked at by axe: light and dark, on a laptop and on a phone, and never wider than its
window. A new address fails here until it is a page that is looked at, or is said to be none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from annotator.page_urls import urlpatterns
from tests.browser.conftest import PHONE, WIDE, Web, sign_in
from tests.pages.test_access import PAGES

pytestmark = pytest.mark.browser

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Not pages: they are downloaded, or answer machines.
FILES = {
    "find-csv",
    "find-xlsx",
    "report-json",
    "report-csv",
    "report-tex",
    "study-json",
    "study-csv",
    "study-tex",
    "release-download",
    "export-download",
    "archive-download",
    "split-download",
    "split-json",
    "split-csv",
    "split-tex",
    "comparison-csv",
    "comparison-json",
    "comparison-xlsx",
    "import-problems",
    "map-points",
    "blind-pool",
    # A site admin's: tests/browser/test_styleguide.py.
    "styleguide",
    "guidelines-picture",
}
# What pages are asked for here, beside their addresses.
QUERIES = {
    "pairs": "?tag=relevant",
    "accept-rules": "?language=es&rule=single",
    "assign": "?amount=all&sample=order&shared_amount=number&turns=turn&users={person}",
    "settings-stage-add": "?what=correct&language=es&answers_wanted=1",
    "settings-label-merge": "?label=CONCEPTUAL",
    "settings-label-split": "?label=CONCEPTUAL&into=OTHER",
    "settings-label-delete": "?label=CONCEPTUAL",
}
# Where no project stands in the address, and who is there.
OUTSIDE = {"projects", "new-project", "sign-in", "password"}
LOOKED_AT = sorted(name for name, page in PAGES.items() if page.method == "get" and name not in FILES)

WORLD = """
GUIDELINES = "# Rules\\n\\nLabel [this](https://example.org) and `that`.\\n\\n## METAPHOR\\n\\n> Not so.\\n"
from datetime import timedelta
from django.urls import reverse
from django.utils import timezone
from annotator.projects.actions.guidelines import edit_guidelines, fingerprint
from annotator.imports.drafts.drafts import preview_draft
from annotator.projects.actions.invitations import invite
from annotator.work.lexicon.actions.terms import count_terms
from annotator.reports.queries.tables import all_figures
from annotator.page_urls import urlpatterns
from tests.api.test_schema import full_scene
from tests.pages.test_access import ABOUT
scene, _calls = full_scene()
project, user = scene.project, scene.user
User.objects.filter(pk=user.pk).update(restores_projects=True)
for number in (1, 2, 3):
    make_release(project, number=number)
preview_draft(draft=scene.draft)
edit_guidelines(project=project, language="en", text=GUIDELINES, before=fingerprint(""), by=user)
said = {"tokens": [0], "label": "CONCEPTUAL", "attributes": {"source": "PLANT"}, "score": None}
alike = {**said, "attributes": {"source": "PLANTS", "target": "MONEY"}}
count_terms(scene.domains, None, {"spans": [said, alike]})
job = scene.job
job.state, job.error = "failed", "The model is not there."
job.save()
counted = {language: 1 for language in project.languages}
drawn = Job.objects.create(
    project=project, kind="map", state="done", params={"seed": 1},
    result={"sentences": counted, "of": counted, "skipped": {}, "model": "encoder", "method": "PCA"},
)
points = [[unit.pk, 300 * number, 200 * (number % 2)] for number, unit in enumerate(project.sentences.all()[:3])]
SentenceMap.objects.create(project=project, job=drawn, points=points)
week = timedelta(days=7)
invitation, secret = invite(project=project, role="annotator", valid=week, by=user, now=timezone.now())
upload = ArchiveUpload.objects.create(
    name="letters.zip", size=9, about=ABOUT, created_by=user, expires_at=timezone.now() + week
)
slot = Segment.objects.create(project=project, kind="figurative-pair", uid="figures:1", dataset="figures", position=999)
parts = {"tokens": list("abcd"), "spaces": ["", *"\\n" * 3, ""]}
Unit.objects.create(project=project, segment=slot, kind="figurative-pair", language="es", **parts)
both = {"found": 2, "subjects": 1, "relations": 1, "concepts": 2, "own": 1, "sentences": 2}
where = {"es": {"units": [project.sentences.filter(language="es").first().pk], "lines": [0]}}
figures = {
    "in": "en", "in_all": 1,
    "listed": [{"concept": "lion", "languages": ["es", "en"], "sentences": 3, "where": where}],
    "languages": [{"language": "es", "similar": ["en"], **both}, {"language": "en", "similar": ["es"], **both}],
    "overlaps": [{"language": "es", "other": "en", "shared": 1, "union": 3, "jaccard": 0.3333}],
}
# A job counts: of the tables some are there, and some are not counted yet.
enlarge(project)
figures = {"concepts": figures, "detection": all_figures()["detection"].count(project)}
Job.objects.create(
    project=project, kind="count", state="done", params={}, result={"figures": figures}, finished_at=timezone.now()
)
answer = project.annotations.order_by("pk").first()
known = {
    "person": answer.user_id, "annotation": answer.pk, "invitation": invitation.pk, "token": secret,
    "study": scene.study.pk, "archive": project.archives.first().pk, "key": upload.key,
    "slug": project.slug, "job": job.pk, "number": 1, "kind": "detection", "tag": "es", "layer": scene.domains.slug,
    "member": project.memberships.exclude(user=user).first().pk, "imported": scene.imported.pk, "draft": scene.draft.pk,
    "file": 1, "stage": scene.stage.pk, "segment": project.segments.first().pk,
    "unit": project.sentences.first().pk, "name": "annotators", "split": scene.split.pk, "hook": scene.hook.pk,
    "comparison": scene.comparison.pk,
}
found = {}
for pattern in urlpatterns:
    names = set(pattern.pattern.converters)
    if pattern.name == "account_reset_password_from_key":
        found[pattern.name] = reverse(pattern.name, kwargs={"uidb36": "1", "key": "old"})
    elif names <= known.keys():
        found[pattern.name] = reverse(pattern.name, kwargs={name: known[name] for name in names})
about_lions = reverse("report-sentences", args=[project.slug, "shared-concepts"])
found["report-sentences"] = f"{about_lions}?value=lion"
found["report"] = reverse("report", args=[project.slug, "shared-concepts"])
stages = {
    f"work {row.kind} {row.layer} {row.language}": reverse("work", args=[project.slug, row.pk])
    for row in project.stages.all()
}
out({"user": user.username, "person": user.pk, "slug": project.slug, "addresses": found, "stages": stages})
"""


@pytest.fixture(scope="module")
def world(web: Web) -> dict[str, Any]:
    """A project in which every page has something to show, and the address of each."""
    made: dict[str, Any] = web.python(WORLD)
    return made


@pytest.fixture(scope="module")
def context(chromium: Browser, web: Web, world: dict[str, Any]) -> Iterator[BrowserContext]:
    """One for all pages, with the project's manager signed in."""
    made = chromium.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce")
    page = made.new_page()
    sign_in(page, web, world["user"])
    page.close()
    yield made
    made.close()


def with_axe(page: Page) -> Page:
    """A page that reads axe once at each address: to send it anew for every look takes longer than to look."""
    page.add_init_script(Axe().axe_script)
    return page


def faults(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds, a line each: the rule, where, and what is wrong."""
    # What is as it should be, hundreds of elements, stays in the page, and where things are is in their HTML.
    violations = page.evaluate(
        "options => axe.run(options).then(results => results.violations)",
        {**options, "resultTypes": ["violations"], "selectors": False},
    )
    return [
        f"{one['id']}: {node['html'][:160]} :: {node['any'][0]['message'] if node['any'] else one['help']}"
        for one in violations
        for node in one["nodes"]
    ]


def too_wide(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"wider than its window by {wide} px"] if wide > 0 else []


def everywhere(page: Page) -> list[str]:
    """All rules on a laptop, contrast in the dark, and on a phone all rules and the width."""
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    found = [f"light: {fault}" for fault in faults(page, RULES) + too_wide(page)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for fault in faults(page, CONTRAST)]
    page.set_viewport_size(PHONE)
    # The bar at the bottom of a workspace lies over something wherever one has scrolled to: no fault of what is there.
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({**PHONE, "height": max(height, PHONE["height"])})
    found += [f"phone, dark: {fault}" for fault in faults(page, RULES) + too_wide(page)]
    return found


def look(page: Page, name: str) -> None:
    """Axe on a laptop and on a phone, light and dark."""
    assert everywhere(page) == [], name
    page.set_viewport_size(WIDE)


def test_every_address_is_looked_at_or_is_no_page() -> None:
    named = {str(pattern.name) for pattern in urlpatterns}
    posts = {name for name, page in PAGES.items() if page.method != "get"}
    assert named == {*LOOKED_AT, *posts, *FILES}


def test_no_page_breaks_a_rule_or_its_window(context: BrowserContext, web: Web, world: dict[str, Any]) -> None:
    page = with_axe(context.new_page())
    found: dict[str, list[str]] = {}
    for name in LOOKED_AT:
        # Trials are looked at where there are some: tests/browser/test_substitution.py.
        if name in ("sign-in", "work", "trial", "settings-trial", "training-work"):
            continue
        answer = page.goto(web.url + world["addresses"][name] + QUERIES.get(name, "").format(person=world["person"]))
        # The only label of a layer stays, and the page says so.
        assert answer is not None and answer.status == (422 if name == "settings-label-delete" else 200), name
        if problems := everywhere(page):
            found[name] = problems
    for name, address in world["stages"].items():
        page.goto(web.url + address)
        page.wait_for_selector("#ws-body[data-key], .ws-idle .button")
        # The list of keys lies over the rest.
        page.keyboard.press("?")
        if over := faults(page, RULES):
            found[f"{name}, keys"] = over
        page.keyboard.press("Escape")
        if problems := everywhere(page):
            found[name] = problems
    page.close()
    assert found == {}


def test_what_will_happen_breaks_no_rule(context: BrowserContext, web: Web, world: dict[str, Any]) -> None:
    page = with_axe(context.new_page())
    found: dict[str, list[str]] = {}
    for name, change in {"labels": "[name=code]", "attributes": "[name='0-code']", "rules": ""}.items():
        page.goto(web.url + world["addresses"][f"settings-{name}"])
        if change:
            page.locator(change).first.fill("other")
        else:
            page.get_by_role("checkbox").first.uncheck()
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("#consequences-title")
        page.wait_for_load_state()  # before, it is not yet laid out as it will be
        if problems := everywhere(page):
            found[name] = problems
    page.close()
    assert found == {}


def test_what_opens_over_a_page_breaks_no_rule(context: BrowserContext, web: Web, world: dict[str, Any]) -> None:
    page = with_axe(context.new_page())
    page.goto(web.url + world["addresses"]["members"])
    page.locator(".row-menu-button").first.click()
    assert everywhere(page) == []
    page.keyboard.press("Escape")
    page.set_viewport_size(WIDE)
    page.get_by_role("link", name="Add people").click()
    page.wait_for_selector("dialog:modal")
    assert everywhere(page) == []
    page.set_viewport_size(WIDE)
    page.goto(web.url + world["addresses"]["settings-labels"])
    page.locator(".label-more").first.click()
    page.locator(".label-swatch").first.click()
    assert everywhere(page) == []
    page.goto(web.url + world["addresses"]["settings-language-add"] + "?language=eu")
    assert everywhere(page) == []
    page.close()


def test_what_is_wrong_is_found(context: BrowserContext, web: Web, world: dict[str, Any]) -> None:
    page = with_axe(context.new_page())
    page.goto(web.url + world["addresses"]["settings-copy"])
    page.evaluate("document.querySelector('label').remove()")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"/favicon.ico\"><hr width=\"3000\">')")
    said = " ".join(faults(page, RULES) + too_wide(page))
    assert "label:" in said and "image-alt:" in said and "wider than its window" in said
    page.close()


def test_sign_in_breaks_no_rule(new_page: Any, web: Web) -> None:
    page = with_axe(new_page())
    page.goto(f"{web.url}/sign-in/")
    assert everywhere(page) == []


SPANISH = (
    "project",
    "new-project",
    "settings",
    "settings-labels",
    "settings-attributes",
    "members",
    "reports",
    "import",
)


def test_spanish_breaks_no_rule_and_no_window(chromium: Browser, web: Web, world: dict[str, Any]) -> None:
    made = chromium.new_context(viewport=PHONE, locale="es-ES", color_scheme="light")
    page = with_axe(made.new_page())
    sign_in(page, web, world["user"])
    found = {}
    for name in SPANISH:
        page.goto(web.url + world["addresses"][name])
        assert page.locator("html").get_attribute("lang") == "es"
        if problems := faults(page, RULES) + too_wide(page):
            found[name] = problems
    made.close()
    assert found == {}
