"""What README, CONTRIBUTING and docs name is there, and what people need to know of stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver

from api.v1.urls import urlpatterns

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "docs/reference/settings.md").read_text()
COMMANDS = (ROOT / "docs/reference/commands.md").read_text()
API = (ROOT / "docs/reference/api.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

# What make, compose and other commands call, and Django's own.
INTERNAL = {"demo", "healthy", "load_sample", "migrate"}


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 80


def test_every_setting_is_listed() -> None:
    read = set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', (ROOT / "annotator/settings.py").read_text()))
    read |= set(re.findall(r'environ\.get\("([A-Z_]+)"', (ROOT / "annotator/gunicorn_conf.py").read_text()))
    table = SETTINGS.partition("| variable |")[2].partition("\n\n")[0]
    named = {name for line in table.splitlines() for name in re.findall(r"`([A-Z_]{5,})`", line.split("|")[1:2][0])}
    assert named == read


def test_every_command_is_listed() -> None:
    ours = {name for name, app in get_commands().items() if app == "annotator"}
    assert set(re.findall(r"^\| `manage\.py (\w+)", COMMANDS, re.MULTILINE)) == ours - INTERNAL
    assert ours >= INTERNAL


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> set[str]:
    found = set()
    for pattern in patterns:
        path = before + str(pattern.pattern)
        found |= routes(pattern.url_patterns, path) if isinstance(pattern, URLResolver) else {path}
    return found


def test_every_call_of_the_api_is_listed() -> None:
    calls = {
        path.replace("<slug:slug>", "{slug}")
        .replace("<int:pk>", "{id}")
        .replace("<int:stage>", "{id}")
        .replace("<int:answer>", "{answer}")
        .replace("<int:number>", "{number}")
        .replace("<int:batch>", "{batch}")
        .replace("<int:pair>", "{pair}")
        .replace("<slug:layer>", "{layer}")
        .replace("<str:file>", "{file}")
        .replace("<str:tag>", "{tag}")
        .replace("<str:language>", "{language}")
        .replace("<str:picture>", "{picture}")
        .replace("<uuid:key>", "{key}")
        .replace("<int:number>", "{number}")
        .replace("<slug:kind>", "{kind}")
        for path in routes(urlpatterns)
    } - {"schema/", "docs/", r"^[\s\S]+$"}
    table = API.partition("| call | does |")[2].partition("\n\n")[0].replace("…", "projects/{slug}/")
    assert set(re.findall(r"`(?:[A-Z]+/)*[A-Z]+ ([^`?]+)[^`]*`", table)) == calls


MANUAL_PAGES = sorted((ROOT / "docs/manual").rglob("*.md"))


@pytest.mark.parametrize("page", MANUAL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_of_the_manual_is_read_in_one_go(page: Path) -> None:
    assert len(page.read_text().splitlines()) <= 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


# Records of measurements name modules as these were at the time.
MANUAL = [page for page in PAGES if page.parent != ROOT / "docs/research"]


@pytest.mark.parametrize("page", MANUAL, ids=lambda page: page.name)
def test_files_that_are_named_are_there(page: Path) -> None:
    known = [str(path.relative_to(ROOT)) for part in ("annotator", "api", "mlworkers", "bench", "tests", "static")
             for path in (ROOT / part).rglob("*.*")]  # fmt: skip
    text = page.read_text()
    if page.name == "kinds.md":
        # The blocks there are a kind that the reader writes.
        text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for name in set(re.findall(r"(?<![\w/.*{}-])([\w/]+\.(?:py|js|css))\b", text)):
        assert any(f"/{path}".endswith(f"/{name}") for path in known) or (ROOT / name).exists(), name
