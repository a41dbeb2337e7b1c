"""Sentences by id or by words, and the page of one sentence."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotator.permissions import Permission
from annotator.queries import find as queries
from annotator.queries.access import project_for
from annotator.queries.similar import similar
from annotator.views.pages import project_page


@require_safe
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """`?q=`: an id, or words."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    query = request.GET.get("q", "").strip()
    decides = access.may(Permission.ADJUDICATE)
    found = queries.find(access.project, query, reader=access.user, decides=decides) if query else None
    context = {"query": query, "found": found}
    return project_page(request, access, "pages/find.html", context, section="find")


@require_safe
def sentence(request: HttpRequest, slug: str, segment: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = queries.whole(access, segment)
    context = {"whole": found, "similar": similar(access.project, found.units)}
    return project_page(request, access, "pages/sentence.html", context, section="find")
