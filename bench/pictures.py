"""Make the pictures of the manual, from the sample project in a real Chromium.

    python bench/pictures.py [NAME …]

Starts a demo of its own. Pictures go to static/help/, as WebP of at most 60 KB.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from playwright.sync_api import BrowserContext, Page, ViewportSize, sync_playwright

from bench.demo_site import PROJECT, ROOT, browser_of, demo_site, settled, signed_in

FOLDER = ROOT / "static" / "help"
MAX_BYTES = 60_000
SIZE: ViewportSize = {"width": 1120, "height": 700}
QUALITIES = (0.85, 0.7, 0.55, 0.4)


def nothing(page: Page) -> None:
    """The page as it opens."""


def run_dialog(page: Page) -> None:
    page.locator(".run-menu summary").click()
    page.locator(".run-menu [popovertarget=action-predict]").click()


def people(page: Page) -> None:
    page.locator("#stage-numbers summary").click()
    page.locator("#stage-numbers").scroll_into_view_if_needed()
    page.locator("#stage-numbers").evaluate("node => node.scrollIntoView()")


def drop_files(page: Page) -> None:
    texts = {"novel.es.txt": "El tiempo vuela.\nAna lee.\n", "novel.en.txt": "Time flies.\nAna reads.\n"}
    files = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in texts.items()]
    page.locator("input[type=file]").first.set_input_files(files)  # type: ignore[arg-type]  # a TypedDict
    page.wait_for_url("**/import/*/**")
    settled(page)


@dataclass(frozen=True)
class Picture:
    """`path`: within the project; a stage is named by its kind, language and layer."""

    name: str
    user: str
    path: str
    act: Callable[[Page], None] = nothing


PICTURES = (
    Picture("overview", "mara", ""),
    Picture("correct", "ana", "work:correct:es:"),
    Picture("review", "ana", "work:project-review:en:"),
    Picture("tag", "ana", "work:pair-tag:es:"),
    Picture("adjudicate", "adela", "work:adjudicate:es:labels"),
    Picture("agreement", "adela", "agreement/"),
    Picture("run", "mara", "", run_dialog),
    Picture("people", "mara", "", people),
    Picture("import", "mara", "import/", drop_files),
    Picture("release", "mara", "releases/"),
    Picture("sentences", "mara", "find/?q=tiempo"),
    Picture("labels", "mara", "settings/labels/labels/"),
)


def address(path: str) -> str:
    """The path of a page; Django is set up by now, on the demo's database."""
    if not path.startswith("work:"):
        return f"/projects/{PROJECT}/{path}"
    from annotator.models import Stage

    _work, kind, language, layer = path.split(":")
    rows = Stage.objects.filter(project__slug=PROJECT, kind=kind, language=language)
    stage = (rows.filter(layer__slug=layer) if layer else rows).order_by("position").first()
    if stage is None:
        sys.exit(f"The sample project has no stage {path}.")
    return f"/projects/{PROJECT}/stages/{stage.pk}/work/"


def webp(page: Page, png: bytes) -> bytes:
    """A screenshot as WebP, by the browser's own encoder, in the best quality that is small enough."""
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    for quality in QUALITIES:
        found = page.evaluate(
            """async ([source, quality]) => {
                const image = new Image();
                image.src = source;
                await image.decode();
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [image.width, image.height];
                canvas.getContext("2d").drawImage(image, 0, 0);
                return canvas.toDataURL("image/webp", quality).split(",")[1];
            }""",
            [source, quality],
        )
        made = base64.b64decode(found)
        if len(made) <= MAX_BYTES:
            return made
    sys.exit(f"A picture is larger than {MAX_BYTES} bytes.")


def take(context: BrowserContext, encoder: Page, url: str, picture: Picture) -> int:
    page = context.new_page()
    page.goto(url + address(picture.path))
    settled(page)
    picture.act(page)
    made = webp(encoder, page.screenshot(animations="disabled"))
    (FOLDER / f"{picture.name}.webp").write_bytes(made)
    page.close()
    return len(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="which pictures; all when none is named")
    names = parser.parse_args().names
    FOLDER.mkdir(exist_ok=True)
    # The database is asked beside Playwright, whose loop Django takes for an asynchronous program.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with demo_site() as url, sync_playwright() as playwright:
        import bench.setup  # noqa: F401 -- now that the data folder is known

        browser = browser_of(playwright)
        encoder = browser.new_page()
        contexts: dict[str, BrowserContext] = {}
        for picture in PICTURES:
            if names and picture.name not in names:
                continue
            if picture.user not in contexts:
                contexts[picture.user] = signed_in(browser, url, picture.user, viewport=SIZE, color_scheme="light")
            print(picture.name, take(contexts[picture.user], encoder, url, picture), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
