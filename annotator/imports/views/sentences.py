"""All sentences of an import that was started, and where they and their tokens are split."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.formats.common.corrections import JOIN, SPLIT
from annotator.imports.drafts.choices import corrections_of
from annotator.imports.drafts.drafts import change_draft, correct_split
from annotator.imports.drafts.sentences import sentence_page
from annotator.imports.queries.drafts import draft_of
from annotator.imports.views.words import words_of
from annotator.models import ImportDraft
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest

_ANCHOR = re.compile(r"[st][\w.-]{1,60}")


@require_http_methods(["GET", "HEAD", "POST"])
def import_sentences(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """A page of sentences as the import would bring them; POST splits or joins, or takes all of that back."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = draft_of(access.project, draft)
    if found is None or found.imported_id is not None:
        raise Http404
    if request.method == "POST":
        return _corrected(request, found, access)
    file = request.GET.get("file", "")
    line = request.GET.get("line", "")
    page = sentence_page(
        found,
        cursor=request.GET.get("from", ""),
        file=file if any(one["id"] == file for one in found.files) else "",
        line=int(line) if line.isdecimal() and len(line) < 10 else 0,
    )
    context = {
        "draft": found,
        "page": page,
        "file": file,
        "line": line,
        "cursor": page.sentences[0].cursor if page.sentences else "",
        "corrections": sum(len(corrections_of(found, option)) for option in ("splits", "token_splits")),
        # The sentence whose tokens are shown to be corrected.
        "opened": request.GET.get("tokens", ""),
        "files": [one for one in found.files if one["used"]],
        "languages": found.project.languages,
        "words": words_of(found.format),
        "can_split": any(sentence.tokens for sentence in page.sentences),
        "own_tokens": any(sentence.token_places for sentence in page.sentences),
    }
    return project_page(request, access, "imports/sentences.html", context, section="import")


def _corrected(request: HttpRequest, draft: ImportDraft, access: Access) -> HttpResponse:
    anchor = ""
    names = ["from", "file"]
    for name in (SPLIT, JOIN, f"token-{SPLIT}", f"token-{JOIN}"):
        # The place, and what one was looking at.
        where, _at, looked_at = request.POST.get(name, "").partition("@")
        key, _colon, place = where.partition(":")
        if not place.isdecimal() or len(place) > 9:
            continue
        with refusal_as_message(request):
            of, what = ("splits", name) if name in (SPLIT, JOIN) else ("token_splits", name.removeprefix("token-"))
            correct_split(draft=draft, of=of, key=key, place=int(place), what=what, by=access.user)
            if of == "token_splits":
                names.append("tokens")
        anchor = f"#{looked_at}" if _ANCHOR.fullmatch(looked_at) else ""
    if "all" in request.POST:
        with refusal_as_message(request):
            change_draft(draft=draft, changes={"options": {"splits": {}, "token_splits": {}}}, by=access.user)
    said = {name: request.POST[name] for name in names if request.POST.get(name)}
    query = f"?{urlencode(said)}" if said else ""
    return redirect(f"{reverse('import-sentences', args=[access.project.slug, draft.pk])}{query}{anchor}")
