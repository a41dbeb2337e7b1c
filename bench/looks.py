"""Take screenshots of every page of the sample project, in all its states.

    python bench/looks.py [--looks wide dark es …] [--pages project work …] [--user mara] [--out build/looks]

Starts a demo of its own. A picture is OUT/LOOK/PAGE.png, of the whole page. Printed are pages that are wider than their
window, and errors of their scripts; then the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.demo_site import PROJECT, ROOT, browser_of, demo_site, settled, signed_in

LAPTOP, LARGE, PHONE = (
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
    {"width": 390, "height": 844},
)
RIGHT_TO_LEFT = "document.addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; });"


@dataclass(frozen=True)
class Look:
    """How somebody sees a page: `options` of a context of Playwright, and a script that runs first."""

    options: dict[str, Any] = field(default_factory=dict)
    script: str = ""


LOOKS = {
    "wide": Look({"viewport": LAPTOP}),
    "large": Look({"viewport": LARGE}),
    "phone": Look({"viewport": PHONE}),
    "dark": Look({"viewport": LAPTOP, "color_scheme": "dark"}),
    "phone-dark": Look({"viewport": PHONE, "color_scheme": "dark"}),
    "es": Look({"viewport": LAPTOP, "locale": "es-ES"}),
    "rtl": Look({"viewport": LAPTOP}, RIGHT_TO_LEFT),
    "phone-rtl": Look({"viewport": PHONE}, RIGHT_TO_LEFT),
    "forced": Look({"viewport": LAPTOP, "forced_colors": "active"}),
    # A window of 1280×800 in which everything is twice as large.
    "zoom": Look({"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}),
}

# What opens on a page, by the page's name: a name for it, and how it is opened.
STATES: dict[str, dict[str, Callable[[Page], None]]] = {
    "project": {
        "palette": lambda page: page.keyboard.press("Control+k"),
        "people": lambda page: page.locator("#stage-numbers summary").click(),
        **{
            f"run-{name}": lambda page, name=name: page.evaluate(
                f"document.getElementById('action-{name}').showPopover()"
            )
            for name in ("predict", "train", "project", "accept", "transfer", "blind")
        },
    },
    "work": {"keys": lambda page: page.keyboard.press("?")},
}


def addresses(wanted: list[str]) -> dict[str, str]:
    """The path of every page of the site by its name, for the sample project; stages have one each."""
    from django.urls import reverse

    from annotator.page_urls import urlpatterns

    known = _known()
    found = {}
    for pattern in urlpatterns:
        names = set(pattern.pattern.converters)
        if pattern.name in ("sign-out", "account_reset_password_from_key") or not names <= known.keys():
            continue
        if wanted and pattern.name not in wanted:
            continue
        options = known["stage"] if "stage" in names else [None]
        for stage in options:
            args = {name: stage if name == "stage" else known[name] for name in names}
            found[f"{pattern.name}-{stage}" if stage else str(pattern.name)] = reverse(pattern.name, kwargs=args)
    return found


def _known() -> dict[str, Any]:
    """What addresses are made of, as far as the sample project has it."""
    from annotator.models import Project

    project = Project.objects.get(slug=PROJECT)
    first = {
        "job": project.jobs.order_by("-pk").first(),
        "member": project.memberships.order_by("pk").last(),
        "imported": project.imports.first(),
        "draft": project.import_drafts.first(),
        "segment": project.slots.order_by("pk").first(),
        "unit": project.units.order_by("pk").first(),
        "annotation": project.annotations.order_by("pk").first(),
        "archive": project.archives.first(),
    }
    rows = {name: row.pk for name, row in first.items() if row is not None}
    answer = project.annotations.order_by("pk").first()
    release = project.releases.first()
    more = {"person": answer.user_id} if answer is not None else {}
    more |= {"number": release.number} if release is not None else {}
    stages = list(project.stages.order_by("position").values_list("pk", flat=True))
    layer = project.label_layer.slug
    return (
        {"slug": PROJECT, "kind": "detection", "tag": "es", "layer": layer, "name": "managers", "stage": stages}
        | rows
        | more
    )


def is_page(context: BrowserContext, address: str) -> bool:
    """Whether it can be looked at: no form's address, no file, no page that sends one elsewhere."""
    answer = context.request.get(address, max_redirects=0)
    return answer.status == 200 and answer.headers.get("content-type", "").startswith("text/html")


class Camera:
    """One look at all pages."""

    def __init__(self, context: BrowserContext, folder: Path) -> None:
        self._context = context
        self._folder = folder
        self.faults: list[str] = []

    def take(self, name: str, address: str) -> None:
        page = self._context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        settled(page)
        self._picture(page, name)
        for state, act in self._states(name):
            page.goto(address)
            settled(page)
            act(page)
            self._picture(page, f"{name}-{state}")
        self.faults += [f"{self._folder.name} {name}: {error}" for error in errors]
        page.close()

    def _states(self, name: str) -> Iterator[tuple[str, Callable[[Page], None]]]:
        yield from STATES.get(name.rstrip("0123456789").rstrip("-"), {}).items()

    def _picture(self, page: Page, name: str) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.faults.append(f"{self._folder.name} {name}: wider than its window by {wide} px")
        self._folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=self._folder / f"{name}.png", full_page=True, animations="disabled")


def looked_at(browser: Browser, url: str, chosen: argparse.Namespace) -> list[str]:
    faults: list[str] = []
    pages: dict[str, str] = {}
    for name in chosen.looks:
        look = LOOKS[name]
        context = signed_in(browser, url, chosen.user, **look.options)
        if look.script:
            context.add_init_script(look.script)
        if not pages:
            pages = {name: url + path for name, path in addresses(chosen.pages).items() if is_page(context, url + path)}
        camera = Camera(context, chosen.out / name)
        for page, address in pages.items():
            camera.take(page, address)
        print(f"{name}: {len(pages)} pages", flush=True)
        faults += camera.faults
        context.close()
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--looks", nargs="+", choices=list(LOOKS), default=list(LOOKS), help="as whom; all by default")
    parser.add_argument("--pages", nargs="+", default=[], help="names of pages as in annotator/page_urls.py; all")
    parser.add_argument("--user", default="mara", help="mara (manager), ana, ben, adela or admin")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "looks")
    chosen = parser.parse_args()
    # The database is asked beside Playwright, whose loop Django takes for an asynchronous program.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with demo_site() as url, sync_playwright() as playwright:
        import bench.setup  # noqa: F401 -- now that the data folder is known

        browser = browser_of(playwright)
        faults = looked_at(browser, url, chosen)
        browser.close()
    print("\n".join(faults) or "No page is wider than its window, and no script failed.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
