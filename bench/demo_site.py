"""The demo with its sample project, for scripts that look at its pages: on a free port, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

ROOT = Path(__file__).resolve().parents[1]
PASSWORD = "translatio"  # noqa: S105 -- of the demo's people, which it prints
PROJECT = "sample"
PATIENCE = 300


@contextmanager
def demo_site() -> Iterator[str]:
    """The address of a demo that lives as long as the block; Django in this process reads its database."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        log = Path(folder) / "demo.log"
        with log.open("w") as out:
            command = [sys.executable, "manage.py", "demo", "--port", str(port)]
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _wait(process: subprocess.Popen[bytes], log: Path) -> None:
    for _attempt in range(PATIENCE):
        if "Translatio is at" in log.read_text():
            return
        if process.poll() is not None:
            break
        time.sleep(1)
    sys.exit(f"The demo did not start:\n{log.read_text()}")


def browser_of(playwright: Playwright) -> Browser:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        sys.exit("Chromium is not installed (Debian package: chromium-headless-shell, or chromium).")
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


def signed_in(browser: Browser, url: str, username: str, **options: Any) -> BrowserContext:
    """A context of the browser in which one of the demo's people has signed in. `options`: those of Playwright."""
    context = browser.new_context(reduced_motion="reduce", **options)
    page = context.new_page()
    page.goto(f"{url}/sign-in/")
    page.locator("[name=username], [name=login]").first.fill(username)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url(f"{url}/")
    page.close()
    return context


def settled(page: Page) -> None:
    """Wait until a page has loaded, and a workspace shows its item."""
    page.wait_for_load_state("networkidle")
    if page.locator("#ws-body").count():
        page.wait_for_selector("#ws-body[data-key], .ws-idle .button", timeout=PATIENCE * 100)
