"""Limits on guessing, as they are in an installation: files that several web processes share."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from annotator.core.cache import SharedFileCache
from tests.forks import ROOT
from tests.site import Site

LIMIT = 10
_ADD = """
import sys
from annotator.core.cache import SharedFileCache
cache = SharedFileCache(sys.argv[1], {})
print(sum(cache.add(f"key {number}", sys.argv[2]) for number in range(300)))
"""


@pytest.mark.processes
def test_one_process_alone_is_told_that_it_was_first(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _ADD, str(tmp_path), name],
            cwd=ROOT,
            env={"DJANGO_SETTINGS_MODULE": "annotator.settings", "DATA_DIR": str(tmp_path / "data"), "PATH": ""},
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two", "three")
    ]

    assert sum(int(process.communicate()[0]) for process in started) == 300


def test_what_is_over_can_be_added_again(tmp_path: Path) -> None:
    cache = SharedFileCache(str(tmp_path), {})

    assert (cache.add("key", 1), cache.add("key", 2), cache.get("key")) == (True, False, 1)
    cache.touch("key", -1)
    assert (cache.add("key", 3), cache.get("key")) == (True, 3)


@pytest.fixture
def several(site: Site) -> Iterator[str]:
    """The address of a site with three web processes."""
    with site.served("--workers", "3") as address:
        yield address


def attempt(url: str) -> str:
    """A wrong password for "ana"; what the page says of it."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = browser.open(f"{url}/sign-in/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    entry = {"username": "ana", "password": "guess", "csrfmiddlewaretoken": token[1]}
    said = browser.open(f"{url}/sign-in/", urllib.parse.urlencode(entry).encode()).read().decode()
    return "refused" if "Too many failed attempts" in said else "wrong" if "do not match" in said else said


@pytest.mark.processes
def test_several_web_processes_count_together(several: str, site: Site) -> None:
    site.python("from tests.factories import make_user\nmake_user('ana')")

    with ThreadPoolExecutor(6) as people:
        said = list(people.map(attempt, [several] * (LIMIT + 5)))

    assert set(said) == {"wrong", "refused"}
    # Not one more than allowed; fewer where somebody waited too long for their turn, and was refused for that.
    assert said.count("wrong") <= LIMIT
