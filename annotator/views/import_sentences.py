"""All sentences of an import that was begun, and where they are split."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotator.actions.import_drafts import change_draft, correct_sentence
from annotator.actions.import_sentences import sentence_page
from annotator.domain.formats.sentence_splits import JOIN, SPLIT, Corrections
from annotator.models import ImportDraft
from annotator.permissions import Permission
from annotator.queries.access import Access, project_for
from annotator.queries.import_drafts import draft_of
from annotator.views.pages import project_page
from annotator.views.refusals import refusal_as_message
from annotator.views.requests import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def import_sentences(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """A page of sentences as the import would bring them; POST splits one, joins two, or takes all of that back."""
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
        "corrections": len(Corrections.from_json(found.options.get("splits") or {})),
        "files": [one for one in found.files if one["used"]],
        "languages": found.project.languages,
        "can_split": any(sentence.tokens for sentence in page.sentences),
    }
    return project_page(request, access, "pages/import_sentences.html", context, section="import")


def _corrected(request: HttpRequest, draft: ImportDraft, access: Access) -> HttpResponse:
    anchor = ""
    for what in (SPLIT, JOIN):
        # The place, and the sentence at which one was looking.
        where, _at, cursor = request.POST.get(what, "").partition("@")
        paragraph, _colon, place = where.partition(":")
        if place.isdecimal() and len(place) < 10:
            with refusal_as_message(request):
                correct_sentence(draft=draft, paragraph=paragraph, place=int(place), what=what, by=access.user)
            anchor = f"#s{cursor}" if cursor.replace(".", "", 1).isdecimal() else ""
    if "all" in request.POST:
        with refusal_as_message(request):
            change_draft(draft=draft, changes={"options": {"splits": {}}}, by=access.user)
    said = {name: request.POST[name] for name in ("from", "file") if request.POST.get(name)}
    query = f"?{urlencode(said)}" if said else ""
    return redirect(f"{reverse('import-sentences', args=[access.project.slug, draft.pk])}{query}{anchor}")
