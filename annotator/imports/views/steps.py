"""The steps of an import, one per page, with the current one, done ones, and those with errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from annotator.imports.drafts.preview_shapes import Preview
from annotator.imports.drafts.recognition import TERMS
from annotator.imports.views.shown import unknown_languages
from annotator.models import ImportDraft

FILES, FORMAT, CHECK, LICENCE, IMPORT = "files", "format", "check", "licence", "import"
_TITLES: Mapping[str, Any] = {
    FILES: gettext_lazy("Files"),
    FORMAT: gettext_lazy("Format and language"),
    CHECK: pgettext_lazy("step of an import", "Check"),
    LICENCE: gettext_lazy("Licence"),
    IMPORT: pgettext_lazy("step of an import", "Import"),
}
STEPS = tuple(_TITLES)


def step_url(slug: str, draft: int, step: str) -> str:
    """The page of a step; without one, of the current step."""
    query = f"?{urlencode({'step': step})}" if step in STEPS else ""
    return reverse("import-draft", args=[slug, draft]) + query


def steps_shown(draft: ImportDraft, preview: Preview, asked: str) -> dict[str, Any]:
    """`step`: the one that is shown; `steps` for the stepper; `before` and `after`, the addresses beside it."""
    step = asked if asked in STEPS and (draft.files or asked == FILES) else _to_do(draft, preview)
    urls = {one: step_url(draft.project.slug, draft.pk, one) for one in STEPS}
    place = STEPS.index(step)
    waits = STEPS.index(_to_do(draft, preview))
    steps = [
        {
            "title": title,
            "url": urls[one] if draft.files else "",
            "is_current": one == step,
            "is_done": number < waits and one != step,
            "note": _errors(preview) if one == CHECK else "",
        }
        for number, (one, title) in enumerate(_TITLES.items())
    ]
    return {
        "step": step,
        "steps": steps,
        "before": urls[STEPS[place - 1]] if place else "",
        "after": urls[STEPS[place + 1]] if place + 1 < len(STEPS) else "",
        "next_step": STEPS[place + 1] if place + 1 < len(STEPS) else "",
        "next_title": _TITLES[STEPS[place + 1]] if place + 1 < len(STEPS) else "",
    }


def _to_do(draft: ImportDraft, preview: Preview) -> str:
    """The first step that needs an action of a person."""
    if not draft.files:
        return FILES
    if not draft.format or not preview or unknown_languages(draft, preview):
        return FORMAT
    if not preview["ready"]:
        return CHECK
    return IMPORT if TERMS in draft.chosen else LICENCE


def _errors(preview: Preview) -> str:
    number = preview["errors"] if preview else 0
    return ngettext("%(number)d error", "%(number)d errors", number) % {"number": number} if number else ""
