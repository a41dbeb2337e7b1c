"""Two files of an import side by side, and edits of their lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.imports.drafts.line_edits import edit_line, line_pairs, lines_side_by_side, undo_line_edits
from annotator.imports.drafts.preview import fingerprint
from annotator.imports.queries.drafts import draft_of
from annotator.imports.views.edits import edits_shown
from annotator.models import ImportDraft
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest

PAGE, PART = "imports/lines.html", "imports/includes/lines.html"
# Maximum number of places from the check that the page lists.
MAX_PLACES = 5
Pair = tuple[dict[str, Any], dict[str, Any]]


@require_http_methods(["GET", "HEAD", "POST"])
def import_lines(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """A window of two files; POST edits a line, or undoes an edit."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = draft_of(access.project, draft)
    if found is None or found.imported_id is not None:
        raise Http404
    edited = _edited(request, found) if request.method == "POST" else None
    asked = request.POST if request.method == "POST" else request.GET
    if edited is not None and not request.htmx:
        query = {name: asked[name] for name in ("pair", "from") if asked.get(name)}
        anchor = f"#line-{edited[1]}" if edited[1] else ""
        return redirect(f"{reverse('import-lines', args=[slug, draft])}?{urlencode(query)}{anchor}")
    return _page(request, access, found, asked, edited)


def _page(
    request: PageRequest, access: Access, draft: ImportDraft, asked: Mapping[str, str], edited: tuple[str, int] | None
) -> HttpResponse:
    pairs = line_pairs(draft)
    pair = _pair(pairs, asked)
    context: dict[str, Any] = {"draft": draft, "pairs": [(_key(one), one) for one in pairs], "edited": edited}
    if pair is not None:
        shown = lines_side_by_side(
            draft,
            pair,
            start=_number(asked.get("from", "")),
            file=asked.get("file", ""),
            line=_number(asked.get("line", "")),
            after=_number(asked.get("after", "")),
        )
        is_checked = draft.preview_of == fingerprint(draft)
        edits = edits_shown([one for one in pair if one.get("edits")])
        context |= {
            "shown": shown,
            "pair": _key(pair),
            "next": shown.start + len(shown.rows) if shown.start + len(shown.rows) <= shown.total else 0,
            "previous": max(1, shown.start - len(shown.rows)) if shown.start > 1 else 0,
            "edits": edits,
            # The result of the check is better than lengths, until a line is edited.
            "checked": _checked(draft, pair) if is_checked else [],
        }
    return project_page(request, access, PART if request.htmx else PAGE, context, section="import")


def _checked(draft: ImportDraft, pair: Pair) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
    """The places that the check found in two files, each with the languages that it compared."""
    names = {one["name"] for one in pair}
    return [
        (parallel, finding)
        for parallel in draft.preview.get("parallel", ())
        for finding in parallel["findings"]
        if {finding["place_a"].rpartition(":")[0], finding["place_b"].rpartition(":")[0]} & names
    ][:MAX_PLACES]


def _edited(request: PageRequest, draft: ImportDraft) -> tuple[str, int]:
    """Run the action of a button; return its file and line."""
    file, line = "", 0
    with refusal_as_message(request):
        if "edit" in request.POST:
            what, _colon, rest = request.POST["edit"].partition(":")
            file, _colon, place = rest.partition(":")
            line = _number(place)
            seen = _number(request.POST.get(f"seen-{file}", ""))
            edit_line(draft=draft, file=file, what=what, line=line, seen=seen, by=request.user)
        elif "undo" in request.POST or "undo-all" in request.POST:
            every = "undo-all" in request.POST
            file = request.POST["undo-all" if every else "undo"]
            seen = _number(request.POST.get(f"seen-{file}", ""))
            undo_line_edits(draft=draft, file=file, seen=seen, by=request.user, every=every)
    return file, line


def _pair(pairs: Sequence[Pair], asked: Mapping[str, str]) -> Pair | None:
    """The two files that are asked for by their ids; the first ones, or those of which one is asked for, otherwise."""
    by_key = {_key(one): one for one in pairs}
    file = asked.get("file", "")
    around = [one for one in pairs if file in (one[0]["id"], one[1]["id"])]
    return by_key.get(asked.get("pair", "")) or next(iter([*around, *pairs]), None)


def _key(pair: Pair) -> str:
    return f"{pair[0]['id']}-{pair[1]['id']}"


def _number(given: str) -> int:
    return int(given) if given.isdecimal() and given.isascii() and len(given) < 10 else 0
