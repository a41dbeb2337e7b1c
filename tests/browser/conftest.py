"""A real Chromium against real servers: one installation for all tests here, a project of its own for each; one demo.

A process that takes files of this folder starts them once; one has all that use the demo (tests/conftest.py).
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

from tests.browser.demo import Demo
from tests.site import Site, wait_until

PASSWORD = "correct horse battery"  # what tests.factories gives everybody
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
# Every window loads two pages for its address bar, which nobody sees here, and that took half of a test's time.
# Chromium takes the last list alone, so those of Playwright's that matter here are said again.
SWITCHED_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)
# As long as a page has for everything else: five seconds are too few where other tests keep all cores busy.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
_numbers = itertools.count(1)
# A folder for pictures of every step, to be looked at with `playwright show-trace`.
TRACES = os.environ.get("TRACES")


@dataclass
class Web:
    """The installation: `url` answers, `python` runs code inside it with `tests.factories` and the models at hand."""

    site: Site
    url: str

    def python(self, code: str) -> Any:
        return self.site.python(
            "import json\nfrom annotator.models import *\nfrom tests.factories import *\n"
            "def out(value): print(json.dumps(value, default=str))\n" + code
        )

    def new_project(self, code: str, **names: str) -> dict[str, Any]:
        """A project with an annotator `user`; `code` fills it and leaves what the test needs in the dict `made`."""
        number = next(_numbers)
        slug, user = f"browser-{number}", f"annotator{number}"
        made: dict[str, Any] = self.python(
            f"project = make_project({slug!r})\nuser = make_member(project, username={user!r})\nmade = {{}}\n"
            f"{code}\nout(made)"
        )
        return {"slug": slug, "user": user, **made, **names}

    def spans(self, slug: str, user: str) -> list[Any]:
        """What a person has saved, in reading order, as [text, state, [[token, …], …]]."""
        found: list[Any] = self.python(
            f"rows = Annotation.objects.filter(project__slug={slug!r}, user__username={user!r})"
            ".order_by('unit__segment__position')\n"
            "out([[r.unit.text, r.state, [s['tokens'] for s in r.content['spans']]] for r in rows])"
        )
        return found


def served(folder: Path, database: Path, *, settings: str = "annotator.settings") -> Iterator[Web]:
    """An installation on a copy of `database` with its web server, until the generator goes on."""
    site = Site(folder)
    site.env["DJANGO_SETTINGS_MODULE"] = settings
    shutil.copy(database, site.folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    site.start("runserver", f"127.0.0.1:{port}", "--noreload")
    wait_until(lambda: _answers(f"{url}/sign-in/"), what="the web server")
    yield Web(site, url)
    site.stop()


@pytest.fixture(scope="package")
def web(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Web]:
    yield from served(tmp_path_factory.mktemp("web") / "site", migrated_file)


@pytest.fixture(scope="package")
def demo(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Demo]:
    """What `make demo` starts, shared: loading its sample takes ten seconds. Tests bring a project or take an item."""
    started = Demo(tmp_path_factory.mktemp("demo") / "site", migrated_file)
    yield started
    # As Ctrl-C does: web server and worker must go with it.
    started.process.send_signal(signal.SIGINT)
    assert started.process.wait(30) == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{started.url}/healthz/", timeout=2)  # noqa: S310 -- a server of our own


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    # The first is Chromium without the windows of a browser, which takes a third less of the processor.
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("Chromium is not installed (Debian package: chromium-headless-shell, or chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=[
                *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
                f"--disable-features={','.join(SWITCHED_OFF)}",
            ],
        )
        yield browser
        browser.close()


@dataclass
class Contexts:
    """Contexts of Chromium for tests. One that a test has left is emptied and given to the next, as it need not fetch
    and compile all scripts and styles again."""

    chromium: Browser
    _free: list[BrowserContext] = field(default_factory=list)

    def take(self) -> BrowserContext:
        context = self._free.pop() if self._free else self.chromium.new_context(viewport=WIDE)
        if TRACES:
            context.tracing.start(screenshots=True, snapshots=True)
        return context

    def give_back(self, context: BrowserContext) -> None:
        if TRACES:
            context.tracing.stop(path=Path(TRACES) / f"{next(_numbers)}.zip")
        # What is cleared must be in no page's hands: its scripts would fail at the end of the test.
        pages, blank = context.pages, context.new_page()
        for page in pages:
            page.close()
        session = context.new_cdp_session(blank)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        blank.close()
        context.clear_cookies()
        context.unroute_all()
        context.set_offline(False)
        self._free.append(context)


@pytest.fixture(scope="package")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def new_page(chromium: Browser, contexts: Contexts) -> Iterator[Callable[..., Page]]:
    """Pages, each with cookies of its own; the test fails where a script failed or the page broke its own policy."""
    plain: list[BrowserContext] = []
    other: list[BrowserContext] = []
    faults: list[str] = []

    def listen(said: ConsoleMessage) -> None:
        if "Content Security Policy" in said.text:
            faults.append(said.text)

    def make(viewport: ViewportSize | None = None, **options: Any) -> Page:
        if options:
            context = chromium.new_context(viewport=viewport or WIDE, **options)
            other.append(context)
        else:
            context = contexts.take()
            plain.append(context)
        page = context.new_page()
        if viewport and not options:
            page.set_viewport_size(viewport)
        page.set_default_timeout(PATIENCE)
        see_before_enter(page)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", listen)
        return page

    yield make
    for context in plain:
        contexts.give_back(context)
    for context in other:
        context.close()
    assert not faults


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()


def see_before_enter(page: Page) -> None:
    """Let Enter wait, as people do, until an item has been seen: a workspace ignores one that comes sooner."""
    press = page.keyboard.press

    def press_when_seen(key: str, **options: Any) -> None:
        if key.endswith("Enter"):
            page.locator("#ws-body[data-unseen]").wait_for(state="detached")
        press(key, **options)

    vars(page.keyboard)["press"] = press_when_seen


def sign_in(page: Page, web: Web, username: str) -> None:
    """Sign in without the form, as most tests are about what comes after."""
    key = web.python(
        "from django.test import Client\nclient = Client()\n"
        f"client.force_login(User.objects.get(username={username!r}))\nout(client.cookies[{settings.SESSION_COOKIE_NAME!r}].value)"
    )
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": web.url}])


def sign_in_with_form(page: Page, web: Web, username: str) -> None:
    # The server knows nothing of the hasher of tests.
    web.python(
        "from django.contrib.auth.hashers import make_password\n"
        f"password = make_password({PASSWORD!r}, hasher='pbkdf2_sha256')\n"
        f"User.objects.filter(username={username!r}).update(password=password)"
    )
    page.goto(f"{web.url}/sign-in/")
    page.fill("[name=username]", username)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def open_stage(page: Page, web: Web, slug: str, stage: int, *, item: int | None = None) -> None:
    """Go to a stage's workspace, and wait for what it shows first."""
    query = f"?item={item}" if item else ""
    page.goto(f"{web.url}/projects/{slug}/stages/{stage}/work/{query}")
    page.wait_for_selector("#ws-body[data-key], .ws-idle .button")


def is_saved(page: Page) -> None:
    """Wait until the workspace says that all is saved."""
    expect(page.locator("#ws-status")).to_have_attribute("data-state", "saved")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, json.JSONDecodeError):
        return False
