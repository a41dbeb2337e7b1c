"""Sentences by id or by words, and the page of one sentence."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.open_gold import open_gold
from annotator.models import Stage
from annotator.permissions import Permission
from annotator.queries import find as queries
from annotator.queries.access import project_for
from annotator.queries.similar import similar
from annotator.views.pages import project_page
from annotator.views.refusals import refusal_as_message


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
    context = {"whole": found, "similar": similar(access.project, found.units, access.user)}
    return project_page(request, access, "pages/sentence.html", context, section="find")


@require_POST
def gold_open(request: HttpRequest, slug: str, stage: int, unit: int) -> HttpResponse:
    """Open in adjudication what was decided without it, to change or reopen it."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = get_object_or_404(access.project.stages.filter(kind=Stage.ADJUDICATE).select_related("layer"), pk=stage)
    with refusal_as_message(request):
        item = open_gold(project=access.project, unit=unit, layer=found.layer, by=access.user)
        return redirect(f"{reverse('work', args=[slug, stage])}?item={item.pk}")
    return redirect("find", slug)
